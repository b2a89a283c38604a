import { errandOf } from "../errands/errand.ts";
import { readAct } from "../follow-ups/act.ts";
import { isQuestion } from "../follow-ups/denial.ts";

export const TELLS =
  /^(?:(?:hm+|oh|well|so|and|but|ok|okay|ah|right)[\s,]+)*(?:i|i'm|i've|i'll|i'd|we|we're|we've|he|he's|she|she's|they|they're|it|it's|that's|there's|the|my|our|his|her|their|nobody|everyone)\b/i;
const ABOUT_IT = /\b(?:it|that|this|that one|this one|them)\b/i;

/** "The electricity bill can wait, move it to Tuesday": the sentence is about what stands first in it. */
const NAMES_FIRST =
  /^(?:(?:[Aa]nd|[Ss]o|[Bb]ut|[Ww]ell|[Oo]h|[Oo]k|[Oo]kay|[Aa]lso)[\s,]+)*(?:[Tt]he|[Mm]y|[Oo]ur|\p{Lu}\p{L}+'s) \p{L}{3,}/u;
const CHANGES_IT =
  /^(?:(?:please|and|so|then|just|now|can you|could you|would you)[\s,]+)*(?:make|put|move|set|give|change|push|shift|postpone|let|bring|bump|delay|reschedule|extend|shorten) (?:it|that|them|this)\b/i;

/** "The fish has died. Delete that one.": what is told says what is meant. */
export function withTold(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const told = joined.at(-1);
    const isTold =
      told !== undefined &&
      ABOUT_IT.test(part) &&
      (readAct(part) !== null || (NAMES_FIRST.test(told) && CHANGES_IT.test(part))) &&
      isStatement(told);
    if (isTold) joined.splice(-1, 1, `${told.replace(/(?<![\s.!;,])[\s.!;,]+$/, "")}, ${part}`);
    else joined.push(part);
  }
  return joined;
}

/** "Tag the invoice finance": an order tells nothing. */
const ORDERS =
  /^(?:(?:please|and|also|then|just|now|so|ok|okay|can you|could you)[\s,]+)*(?:tag|label|categori[sz]e|star|flag|archive|file|snooze|forward|fwd|send|share|reply|respond|answer|mark|delete|trash|bin|junk|remove|unstar|unsubscribe|move|push|shift|bump|cancel|put|add|book|schedule|set|make|change|rename|invite|remind|read|show|open)\b/i;

export const isStatement = (text: string) =>
  !ORDERS.test(text) &&
  readAct(text) === null &&
  errandOf(text) === "unknown" &&
  !/\?\s*$/.test(text) &&
  !isQuestion(text);
