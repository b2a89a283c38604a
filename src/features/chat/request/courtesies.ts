import type { Language } from "../../../lib/languages.ts";
import { wordSet } from "../../../lib/words.ts";
import { classesOf } from "../reader/word-classes.ts";

/* Politeness says nothing about what is wanted: "would you be so kind as to cancel it?" is read as "cancel it". */

const OPENINGS =
  "(?:(?:hello|hi|hey)(?: there)?|good (?:morning|afternoon|evening)|please|kindly|sorry|excuse me|if (?:you don't mind|it's no trouble|possible))";
/** What is asked of the assistant, up to the verb. */
const REQUESTS = [
  "(?:can|could|would|will) you",
  "i(?:'m| am| was)? wonder(?:ing)? (?:if|whether) you (?:can|could|would|might)",
  "i(?:'d| would) (?:be grateful|appreciate it|be glad|love it|like it) if you (?:could|would)",
  "(?:would|might) it be possible (?:for you )?to",
  "(?:can|could|may|might) i (?:trouble|bother|ask|get) you to",
  "i(?:'d| would) (?:like|love) you to",
  "i (?:need|want) you to",
].join("|");
const SOFTENERS =
  "(?:please|kindly|possibly|perhaps|maybe|just|quickly|go ahead and|be so (?:kind|good) as to|be (?:kind|good) enough to|be able to)";
/** At the beginning of a sentence. */
const POLITELY = new RegExp(
  `(^|[.;!?] |\\b(?:and|so|then|but) )(?:${OPENINGS}[\\s,!.]{1,2}){0,3}(?:${REQUESTS})(?: ${SOFTENERS}\\b,?){0,3} (?=(\\p{L}+))`,
  "giu",
);
/** Classes of words that no request begins with. "Can you swim" stays a question: "swim" is in no class at all. */
const NO_VERB = wordSet("wh aux i you they it maybe hedge told was yes no thanks");
const isVerb = (word: string) => classesOf(word.toLowerCase()).some((name) => !NO_VERB.has(name));

/** The message with plain orders instead of polite requests. */
export function withoutCourtesies(message: string, language: Language): string {
  if (language !== "en") return withoutClitics(message, language);
  let isCut = false;
  const text = message.replace(POLITELY, (whole, before: string, verb: string) => {
    if (!isVerb(verb)) return whole;
    isCut = true;
    return before;
  });
  // A polite request is no question.
  return isCut ? text.replace(/\?(?=\s*$)/, "") : message;
}

/** Writes a pronoun apart from its verb: "déplace-le", "muévelo". */
function withoutClitics(message: string, language: Language): string {
  if (language === "fr") return message.replace(/(?<=\p{L}{3})-(l(?:e|a|es))(?![\p{L}-])/gu, " $1");
  if (language !== "es") return message;
  return message.replace(/(?<!\p{L})(\p{L}{3,12}?)(l[oa]s?)(?!\p{L})/gu, (whole, verb: string, pronoun: string) => {
    // With the pronoun, a verb needs an accent that it does not have alone. A noun such as "sala" has none.
    const plain = verb
      .normalize("NFD")
      .replace(/\u0301/g, "")
      .normalize("NFC");
    const known = plain.toLowerCase().replaceAll("ñ", "n");
    return plain !== verb && classesOf(known).length > 0 ? `${plain} ${pronoun}` : whole;
  });
}
