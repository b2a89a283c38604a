import { wordSet } from "../../../lib/words.ts";
import { shareOf, tellingWords } from "../../tools/language/name-match.ts";
import { wordsOf } from "./exact.ts";

/** Verbs for the same deed: who got it has bought it. */
const SAME_DEED =
  "get buy fetch collect pick order grab, call ring phone, send post mail email ship submit hand, pay transfer settle, fix repair mend, clean wash wipe scrub, return give bring, book reserve, besorgen kaufen holen abholen, schicken senden abschicken, zahlen bezahlen überweisen, comprar coger recoger, acheter prendre chercher"
    .split(", ")
    .map((line) => wordSet(line));

/** Past forms that no rule makes. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  "paid pay, bought buy, sent send, fed feed, rang ring, rung ring, wrote write, written write, made make, did do, done do, got get, took take, taken take, gave give, given give, brought bring, found find, told tell, left leave, sold sell, spoke speak, spoken speak, built build, met meet, ran run, read read, put put, cut cut, set set, swept sweep, hung hang, threw throw, thrown throw, drove drive, driven drive, lent lend, chose choose, chosen choose, drew draw, drawn draw, ate eat, eaten eat, went go, gone go, held hold, kept keep, lit light, lost lose, returned return, shut shut, sewn sew, shot shoot, dug dig, wound wind, won win, taught teach, caught catch, bezahlt zahlen, gebracht bringen, fait faire, écrit écrire, mis mettre, pris prendre, hecho hacer, hice hacer, escrito escribir, puesto poner, visto ver, roto romper, dicho decir"
    .split(", ")
    .map((pair) => pair.split(" ") as [string, string]),
);

const SEPARABLE = /^(ab|an|auf|aus|ein|weg|zu|zurück|vor|nach|mit|um)(?=\p{L}{4})/u;

function regular(verb: string): string[] {
  const stem = verb.slice(0, -2);
  const english = [
    `${verb}ed`,
    `${verb}${verb.at(-1)}ed`,
    ...(verb.endsWith("e") ? [`${verb}d`] : []),
    ...(verb.endsWith("y") ? [`${verb.slice(0, -1)}ied`] : []),
  ];
  if (/e[nr]n?$/.test(verb) && verb.endsWith("n")) {
    const core = verb.replace(SEPARABLE, "").replace(/e?n$/, "");
    const prefix = SEPARABLE.exec(verb)?.[1] ?? "";
    return [...english, `${prefix}ge${core}t`, `${prefix}ge${core}et`, `${prefix}ge${core}en`, `${core}t`];
  }
  if (verb.endsWith("er"))
    return [...english, ...["é", "ée", "és", "ées", "ido", "ida", "í"].map((end) => `${stem}${end}`)];
  if (verb.endsWith("ar")) return [...english, ...["é", "ado", "ada", "ados", "adas"].map((end) => `${stem}${end}`)];
  if (verb.endsWith("ir")) return [...english, ...["i", "ie", "ido", "ida", "í"].map((end) => `${stem}${end}`)];
  return verb.endsWith("re") ? [...english, `${stem}u`, `${stem}ue`] : english;
}

const INSEPARABLE = /^(?:be|ver|er|ent|zer|über|unter)\p{L}{4}/u;
const skeleton = (text: string) => text.replaceAll("ß", "ss").replace(/[aeiouäöü]/g, "");

/** Strong verbs change their vowel: "geliehen" of "leihen", "überwiesen" of "überweisen". */
function isStrongPast(word: string, verb: string): boolean {
  if (!/[^aeiou]e?n$/.test(verb) || !/en$/.test(word) || word === verb) return false;
  const prefix = SEPARABLE.exec(verb)?.[1] ?? "";
  const begin = INSEPARABLE.test(verb) ? "" : `${prefix}ge`;
  return (
    word.startsWith(begin) && skeleton(word.slice(begin.length)) === skeleton(begin ? verb.slice(prefix.length) : verb)
  );
}

/** "devuelta" of "devolver", "abiertas" of "abrir" */
function isSpanishPast(word: string, verb: string): boolean {
  const one = word.replace(/(?:as|os|a)$/, "o");
  const strong = verb.replace(/olver$/, "uelto").replace(/brir$/, "bierto");
  return (strong !== verb && one === strong) || IRREGULAR.get(one) === verb || regular(verb).includes(one);
}

const isFormOf = (word: string, verb: string): boolean =>
  IRREGULAR.get(word) === verb ||
  regular(verb).includes(word) ||
  isStrongPast(word, verb) ||
  (/[aei]r$/.test(verb) && isSpanishPast(word, verb));

/** Whether a word is the past of a verb, as in "shipped" of "ship", or of another verb for the same deed. */
export const isPastOf = (word: string, verb: string): boolean =>
  isFormOf(word, verb) ||
  SAME_DEED.some((verbs) => verbs.has(verb) && [...verbs].some((other) => isFormOf(word, other)));

const BETWEEN = wordSet(
  "mark tick check cross have has had just already now finally also been is are was were ok okay so and oh yes habe hab schon übrigens auch ist sind ai est sont déjà ya está están btw too all",
);
export const isBetween = (word: string) => BETWEEN.has(word) || SELF.has(word);
const SELF = wordSet("i we i've we've i'd ich wir j'ai je nous on yo he");
const OTHERS = wordSet("his their its seine ihre leur leurs sus");

const MOST_MORE = 1;

/** Whether a deed is told and hardly anything more: "I called them three times and heard music" tells of something else. */
export function isOnlyTold(text: string, past: string, object: string): boolean {
  const isOfDeed = (word: string) =>
    word === past || BETWEEN.has(word) || SELF.has(word) || shareOf(word, [object]) > 0 || shareOf(object, [word]) > 0;
  return (
    tellingWords(
      wordsOf(text)
        .filter((word) => !isOfDeed(word))
        .join(" "),
    ).length <= MOST_MORE
  );
}

/**
 * Whether somebody else may have done it: "my neighbour washed his car". What it was done to stands before the verb if
 * nobody is named, and behind it if the person is.
 */
export function isByOther(text: string, past: string, object: string): boolean {
  const words = wordsOf(text);
  const verb = words.lastIndexOf(past);
  const isObject = (word: string) => shareOf(word, [object]) > 0 || shareOf(object, [word]) > 0;
  const isBehind = words.slice(verb + 1).some(isObject);
  const subject = words.slice(0, verb).filter((word) => !BETWEEN.has(word) && !isObject(word));
  if (words.some((word) => OTHERS.has(word))) return true;
  return isBehind && subject.length > 0 && !subject.some((word) => SELF.has(word));
}
