import { LANGUAGES, type Language } from "../../lib/languages.ts";
import { evidentLanguage } from "../languages/language.ts";

/**
 * Words of two or three letters, orders and letters that only this one of the four languages has. An instruction is too
 * short for a share of frequent words.
 */
const MARKS: Record<Language, RegExp> = {
  en: marks(
    "the|and|to|him|her|them|his|he|she|they|i|i'm|i'll|my|we|our|you|your|it|it's|that|if|unless|not|don't|with|for|at|on|by|is|are|can|can't|will|but|when|what|only|please|yes|tell|ask|say|thank|thanks|accept|decline",
  ),
  de: marks(
    "ich|wir|mir|uns|ihm|ihr|ihnen|ihn|sie|und|oder|aber|nicht|nichts|kein|keine|keinen|wenn|falls|dass|ob|ja|nein|bitte|danke|dich|dir|etwas|für|mit|um|zu|ab|vor|der|das|den|dem|ein|eine|einen|im|bis|nur|außer|sonst|weil|sag|sage|frag|schreib|mach|(?:zu|ab)sagen|ablehnen|annehmen",
    "[äöüß]",
  ),
  fr: marks(
    "je|nous|lui|leur|il|dis|dites|écris|réponds|et|ou|mais|ne|pas|rien|oui|non|merci|pour|avec|du|au|aux|est|une|mon|ma|mes|sinon|sauf|sans|soit|accepte[srz]?|décline[srz]?|refuse[rz]|remercie[srz]?|(?:[ldnjcm]|qu|s)(?=['’])",
    "[èêçâîôûœ]",
  ),
  es: marks(
    "yo|diles?|di|dig[ao]s?|dales?|y|pero|sí|gracias|por|con|el|los|las|está|estoy|lo|nada|nunca|ni|haz|voy|puedo|acept\\p{L}*(?<!accept)|rechaz\\p{L}*|rechac\\p{L}*|prop[oó]n\\p{L}*|preg[uú]nt\\p{L}*|si",
    "[ñ¿¡íóú]",
  ),
};

function marks(words: string, letters = "(?!)"): RegExp {
  return new RegExp(`(?<![\\p{L}'’])(?:${words})(?![\\p{L}])|${letters}`, "giu");
}

/** The language of an instruction, also one of two words; null if nothing tells it, or as much another. */
export function instructionLanguage(text: string): Language | null {
  const start = text.slice(0, 600);
  const frequent = evidentLanguage(start);
  const scores = LANGUAGES.map(
    (language) => (start.match(MARKS[language])?.length ?? 0) + (language === frequent ? 0.5 : 0),
  );
  const best = Math.max(...scores);
  const leaders = LANGUAGES.filter((_, at) => scores[at] === best);
  // One frequent word of English alone says little: "was" is German, too.
  return best > (leaders[0] === "en" ? 0.5 : 0) && leaders.length === 1 ? (leaders[0] ?? null) : null;
}
