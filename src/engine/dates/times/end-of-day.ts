import { anyPhraseAt, type Input, phrases, wordAt } from "../tokens.ts";
import { type Clock, fixed, HOUR } from "./clock.ts";

/** Offices mean the end of the working day. The person's own hours of that weekday replace it. */
export const endOfWork = (end: number): Clock => ({ ...fixed(end, 17 * HOUR), isEndOfWork: true });
const END_OF_DAY_PHRASES = phrases("eod|end of day|end of the day|end of my day|end of your day");
const END_OF_BUSINESS_PHRASES = phrases(
  "cob|eob|c . o . b|close of business|end of business|end of the business day|close of play|end of play|end of the working day|end of the work day|end of the workday",
);

const ENDING_WORDS: ReadonlySet<string> = new Set(
  [...END_OF_DAY_PHRASES, ...END_OF_BUSINESS_PHRASES].map(([first = ""]) => first),
);

/** "EOD", "close of business": undefined if no such phrase starts here, null if it is a figure of speech. */
export function endingAt(input: Input, at: number, lower: string): Clock | null | undefined {
  if (!ENDING_WORDS.has(lower)) return undefined;
  const endOfDay = anyPhraseAt(input, at, END_OF_DAY_PHRASES);
  // "At the end of the day, …" is a figure of speech.
  const isFigure =
    endOfDay > at + 1 &&
    wordAt(input, at - 1) === "the" &&
    wordAt(input, at - 2) === "at" &&
    wordAt(input, endOfDay) === ",";
  if (endOfDay > 0) return isFigure ? null : endOfWork(endOfDay);
  const endOfBusiness = anyPhraseAt(input, at, END_OF_BUSINESS_PHRASES);
  return endOfBusiness > 0 ? endOfWork(endOfBusiness) : undefined;
}
