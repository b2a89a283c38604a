import { wordSet } from "../../../lib/words.ts";
import { glued, type Input, tokenAt, wordAt } from "../tokens.ts";
import { DAY_PARTS, NUMBERING, WEEKDAYS } from "../vocabulary.ts";
import { zoneAt } from "../zone-phrase.ts";

/* What stands around a number and makes it a time of day, or not. */

/** "4a" and "12p" with nothing around them may be the number of a flat or a page. */
export function isLoneLetter(input: Input, at: number, end: number): boolean {
  const letter = wordAt(input, at + 1);
  if (letter !== "a" || end !== at + 2) return false;
  const before = wordAt(input, at - 1);
  return (
    !CLOCK_LINKS.has(before) && !WEEKDAYS.has(before) && before !== "tomorrow" && !CLOCK_LINKS.has(wordAt(input, end))
  );
}

export const HOURS_PASS = wordSet(
  "for in within about of every last next past over after than another takes take took only",
);
export const AFTER_LENGTH = wordSet("later ago from of long before after time s hence more old back");
export const CLOCK_LINKS = wordSet("at @ from until till by to - – between around");

/** "17h", "17 Uhr": a time of the 24-hour clock. "2h" is a length unless a day or "at" stands before it. */
export function isHourMark(input: Input, at: number, hour: number, isBare: boolean): boolean {
  const mark = wordAt(input, at + 1);
  if (mark === "uhr") return true;
  if (mark !== "h" || !glued(input, at + 1)) return false;
  const before = wordAt(input, at - 1);
  const next = wordAt(input, at + 2);
  if (HOURS_PASS.has(before) || AFTER_LENGTH.has(next)) return false;
  return hour > 12 || isBare || CLOCK_LINKS.has(before) || WEEKDAYS.has(before) || zoneAt(input, at + 2) !== null;
}

const NEAR_DAYS = wordSet("today tomorrow tmrw tonight");

/** "15.30 tomorrow", "0930 on Friday": a day behind digits makes them a time. */
export function isBeforeDay(input: Input, at: number, start: number): boolean {
  if (NUMBERING.has(wordAt(input, start - 1))) return false;
  const word = wordAt(input, at);
  const day = word === "on" || word === "this" || word === "next" ? wordAt(input, at + 1) : word;
  return (NEAR_DAYS.has(day) && day === word) || (WEEKDAYS.has(day) && day.length > 3);
}

/** "Friday 17.30": what follows a day and cannot be a date is a time. */
export function isAfterDay(input: Input, at: number): boolean {
  const before = wordAt(input, at - 1);
  return NEAR_DAYS.has(before) || (WEEKDAYS.has(before) && before.length > 2);
}

/** "0930 on Friday", "1700 tomorrow"; "2026 on Friday" may be a year. */
export function isFourDigitTime(input: Input, at: number): boolean {
  const { text, value } = tokenAt(input, at);
  if (value > 2359 || value % 100 > 59 || !isBeforeDay(input, at + 1, at)) return false;
  return text.startsWith("0") || NEAR_DAYS.has(wordAt(input, at + 1)) || value < 1900;
}

/** "8 in the morning", "9 tonight", "11 at night": the part of the day makes a number an hour. */
export function hasDayPart(input: Input, at: number): boolean {
  const word = wordAt(input, at);
  const next = wordAt(input, at + 1);
  if (word === "tonight") return true;
  if (word === "at") return next === "night";
  if (word === "this") return DAY_PARTS.has(next);
  if (word === "tomorrow" || word === "today" || WEEKDAYS.has(word)) return DAY_PARTS.has(next) && next.length > 2;
  if (word === "in" && DAY_PARTS.has(next) && next.length > 2) return true;
  return word === "in" && next === "the" && DAY_PARTS.has(wordAt(input, at + 2));
}
