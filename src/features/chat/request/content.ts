import { wordSet } from "../../../lib/words.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import { classesOf } from "../reader/word-classes.ts";
import { wordsOf } from "./exact.ts";
import { isReferring, kindIn } from "./reference.ts";

/** Words that carry no meaning of their own in a request. */
const PLAIN = wordSet(
  "mark put take make give keep leave show find please can could would will shall should just so ok okay actually instead then well oh and but or if be been being is are was were am it's that's there here i you he she they we me us him her them my your his our their not no yes do does did done have has had got get go going let let's want wants need needs like some any very really quite rather also too as at by for from in of on to with about because since while when what which who how why now today time times thing things way lot bit due date dates deadline sorry same start starts starting begin begins lower raise higher set still left again whole entire full maybe perhaps think guess know mean meant said say says tell told ask asked really definitely probably bitte danke merci gracias number way soon much many more less least most half double twice first second last new old next other another both all every each one ones",
);

/** The words of a wish that neither its slots and times nor the request itself account for: they name something. */
export function contentOf(rest: string): string {
  const words = wordsOf(rest).filter(
    (word) => !PLAIN.has(word) && classesOf(word).length === 0 && kindIn(word) === null && !isReferring(word),
  );
  return words.filter((word) => tellingWords(word).length > 0 && !/^\d+$/.test(word)).join(" ");
}

export const isPlain = (word: string) => PLAIN.has(word);
