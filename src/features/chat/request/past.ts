import { wordsOf } from "./exact.ts";

/** Past forms that no rule makes. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  "paid pay, bought buy, sent send, fed feed, rang ring, rung ring, wrote write, written write, made make, did do, done do, got get, took take, taken take, gave give, given give, brought bring, found find, told tell, left leave, sold sell, spoke speak, spoken speak, built build, met meet, ran run, read read, put put, cut cut, set set, swept sweep, hung hang, threw throw, thrown throw, drove drive, driven drive, lent lend, chose choose, chosen choose, drew draw, drawn draw, ate eat, eaten eat, went go, gone go, held hold, kept keep, lit light, lost lose, returned return, shut shut, sewn sew, shot shoot, dug dig, wound wind, won win, taught teach, caught catch, bezahlt zahlen, überwiesen überweisen, abgegeben abgeben, angerufen anrufen, geschrieben schreiben, gebracht bringen, abgeholt abholen, fait faire, écrit écrire, mis mettre, pris prendre, hecho hacer, hice hacer, escrito escribir, puesto poner"
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

/** Whether a word is the past of a verb, as in "shipped" of "ship". */
export const isPastOf = (word: string, verb: string): boolean =>
  IRREGULAR.get(word) === verb || regular(verb).includes(word);

/** Who did it, if the words before the verb say so: the person, somebody else, or nobody ("the parcel is shipped"). */
export function doerOf(text: string, past: string): "self" | "other" | "nobody" {
  const words = wordsOf(text);
  const before = words.slice(0, words.lastIndexOf(past)).filter((word) => !BETWEEN.test(word));
  const subject = before.at(-1);
  if (before.some((word) => SELF.test(word))) return "self";
  if (subject === undefined) return "nobody";
  return before.some((word) => OTHER.test(word)) ? "other" : "nobody";
}

const BETWEEN = /^(?:have|has|just|already|now|finally|also|ok|okay|so|and|oh|yes|habe|hab|schon|ai|déjà|he|ya)$/;
const SELF = /^(?:i|we|i've|we've|i'd|ich|wir|j'ai|je|nous|on|yo)$/;
const OTHER =
  /^(?:he|she|they|you|he's|she's|they've|you've|mum|dad|husband|wife|brother|sister|boss|er|sie|il|elle|ella|él)$/;
