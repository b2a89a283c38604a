import { wordSet } from "../../../lib/words.ts";
import {
  addMonths,
  DAY_MS,
  midnight,
  monthStart,
  nextWeekday,
  partsOf,
  type Wall,
  weekdayInWeek,
  weekdayOf,
  weekFrom,
} from "../calendar.ts";
import { dayNumber } from "../numbers.ts";
import { clockRangeAt } from "../times/clock-range.ts";
import { clockAt } from "../times/clock-time.ts";
import { glued, type Input, isSentenceStart, skip, tokenAt, weekStartOf, wordAt } from "../tokens.ts";
import {
  COUNTED,
  DAY_PARTS,
  DOUBTFUL_WEEKDAYS,
  MODIFIERS,
  MONTHS,
  NEAREST,
  SMALL_NUMBERS,
  UNITS,
  WEEKDAYS,
} from "../vocabulary.ts";
import { type Day, weekdayDay } from "./day-result.ts";
import { behindDot, dayMonthAt, monthDayAt } from "./month-day.ts";
import { numericDayAt } from "./numeric-date.ts";
import { weekNumberAt } from "./week-number.ts";

const STRONG_BEFORE = wordSet(
  "on this next last by until till every each before since coming past previous week upcoming following through thru",
);
const WEAK_BEFORE = wordSet("or and to , - / & (");
const LINKS = wordSet("at @ from between around");
const CLOSING: ReadonlySet<string> = new Set(["", "\n\n", ...wordSet(", . ? ! ) - / : ; or and to")]);

/** The weekday named here, or 0. "sat", "sun", "wed" and "mon" count only next to something that makes them a day. */
export function weekdayNameAt(input: Input, at: number): number {
  const token = tokenAt(input, at);
  const weekday = token.kind === "word" ? WEEKDAYS.get(token.lower) : undefined;
  // "Monday.com"
  const isAddress = glued(input, at + 1) && wordAt(input, at + 1) === "." && glued(input, at + 2);
  if (!weekday || (isAddress && tokenAt(input, at + 2).kind === "word")) return 0;
  if (!DOUBTFUL_WEEKDAYS.has(token.lower)) return weekday;
  const before = wordAt(input, at - 1);
  if (STRONG_BEFORE.has(before)) return weekday;
  if (before === "the") return 0;
  const next = tokenAt(input, at + 1);
  // The whole text is the weekday.
  if (before === "" && (next.lower === "" || (next.lower === "." && tokenAt(input, at + 2).lower === "")))
    return weekday;
  const behind = LINKS.has(next.lower) ? at + 2 : at + 1;
  if (next.kind === "number" || DAY_PARTS.has(next.lower) || MONTHS.has(next.lower)) return weekday;
  const isListed =
    next.lower === "," && (MONTHS.has(wordAt(input, at + 2)) || tokenAt(input, at + 2).kind === "number");
  const isSpan = next.kind === "mark" && WEEKDAYS.has(wordAt(input, at + 2));
  // "Mon-Wed next week"
  const isInWeek = WEAK_BEFORE.has(before) && MODIFIERS.has(next.lower) && isWeekWord(input, at + 2);
  if (isListed || isSpan || isInWeek) return weekday;
  if (behind > at + 1 && clockAt(input, behind, { bare: true, dotted: true })) return weekday;
  const isCapital = token.text.charAt(0) !== token.lower.charAt(0);
  const startsSentence = isSentenceStart(before) || token.line;
  if (!isCapital) return 0;
  return (WEAK_BEFORE.has(before) || !startsSentence) && CLOSING.has(next.lower) ? weekday : 0;
}

const isWeekWord = (input: Input, at: number) => UNITS.get(wordAt(input, at)) === "week";

/** "next week", "the following week", "last week": how many weeks from this one. */
function weekShift(input: Input, at: number): { end: number; weeks: number } | null {
  const start = skip(input, at, "the");
  const weeks = MODIFIERS.get(wordAt(input, start)) ?? NEAREST.get(wordAt(input, start));
  if (weeks !== undefined && isWeekWord(input, start + 1)) return { end: start + 2, weeks };
  const numbered = weekNumberAt(input, start);
  if (numbered)
    return {
      end: numbered.end,
      weeks: Math.round((numbered.from - weekFrom(input.today, weekStartOf(input))) / (7 * DAY_MS)),
    };
  // "the week after next"
  if (isWeekWord(input, start) && wordAt(input, start + 1) === "after" && wordAt(input, start + 2) === "next") {
    return { end: start + 3, weeks: 2 };
  }
  return null;
}

/**
 * A day named by its weekday: "Friday", "next Friday", "this coming Monday", "Tuesday of next week", "Fri 20 Nov".
 * The word before the name (`modifierAt`) decides which week is meant; a date after it (`attached`) is more exact.
 */
export function weekdayAt(input: Input, at: number): Day | null {
  const inWeek = weekFirst(input, at);
  if (inWeek) return inWeek;
  const the = skip(input, at, "the");
  const modifier = modifierAt(input, the);
  const nameAt = modifier?.end ?? the;
  if (the > at && !modifier) return null;
  const weekday = weekdayNameAt(input, nameAt);
  // "the last two Mondays"
  const isCounted = wordAt(input, nameAt).endsWith("days") && SMALL_NUMBERS.has(wordAt(input, nameAt - 1));
  if (!weekday || isCounted) return null;
  const end = nameAt + 1;
  const exact = attached(input, end, weekday, modifier);
  if (exact) return exact;
  if (modifier) return weekdayDay(end, modifier.resolve(input.today, weekday));
  if (wordAt(input, end) === "after" && wordAt(input, end + 1) === "next") {
    return weekdayDay(end + 2, weekdayInWeek(input.today, weekday, 2, weekStartOf(input)));
  }
  const behind = behindWeekdays(input, end);
  const week = weekShift(input, skip(input, behind, "of", ",", "in", "from"));
  if (week)
    return weekdayDay(
      behind > end ? end : week.end,
      weekdayInWeek(input.today, weekday, week.weeks, weekStartOf(input)),
    );
  const isSince = wordAt(input, at - 1) === "since";
  const wall = isSince ? latest(input.today, weekday) : nextWeekday(input.today, weekday);
  const weeks = wordAt(input, end) === "week" ? 1 : wordAt(input, end) === "fortnight" ? 2 : 0;
  if (weeks > 0) return weekdayDay(end + 1, wall + weeks * 7 * DAY_MS);
  return weekdayDay(end, wall, weekdayOf(input.today) === weekday);
}

const LIST_LINKS = wordSet("and or , & / - – to through");

/** "Thursday and Friday next week": the index after the other weekdays, which the week holds for, too. */
function behindWeekdays(input: Input, at: number): number {
  let end = at;
  for (let count = 0; count < 6; count += 1) {
    const next = LIST_LINKS.has(wordAt(input, end)) ? skip(input, end + 1, "and", "or") : end;
    if (next === end || !WEEKDAYS.has(wordAt(input, next))) break;
    end = next + 1;
  }
  return end;
}

/** "next week Mon", "this week - Monday", "next week on Tuesday". */
function weekFirst(input: Input, at: number): Day | null {
  const week = weekShift(input, at);
  if (!week) return null;
  const next = skip(input, skip(input, week.end, "on", ",", "-", "'", "("), "on");
  const weekday = weekdayNameAt(input, next) || (WEEKDAYS.get(wordAt(input, next)) ?? 0);
  return weekday ? weekdayDay(next + 1, weekdayInWeek(input.today, weekday, week.weeks, weekStartOf(input))) : null;
}

interface Modifier {
  end: number;
  shift: number;
  resolve(today: Wall, weekday: number): Wall;
}

const upcoming = (today: Wall, weekday: number) => nextWeekday(today + DAY_MS, weekday);
const latest = (today: Wall, weekday: number) => nextWeekday(today - 7 * DAY_MS, weekday);

/** "next", "this past", "coming": how to find the weekday that follows. "next Friday" is the Friday of next week. */
function modifierAt(input: Input, at: number): Modifier | null {
  const word = wordAt(input, at);
  const start = word === "this" && NEAREST.has(wordAt(input, at + 1)) ? at + 1 : at;
  const nearest = NEAREST.get(wordAt(input, start));
  if (nearest !== undefined) return { end: start + 1, shift: 0, resolve: nearest > 0 ? upcoming : latest };
  const shift = MODIFIERS.get(word);
  if (shift === undefined) return null;
  const first = weekStartOf(input);
  return {
    end: at + 1,
    shift,
    // "this Monday" on a Tuesday is the coming one. On a Sunday "last Friday" is two days ago, not nine.
    resolve: (today, weekday) => {
      if (shift === 0) return nextWeekday(today, weekday);
      const wall = weekdayInWeek(today, weekday, shift, first);
      return shift < 0 && first === 1 && weekdayOf(today) > 5 && weekday < weekdayOf(today) ? wall + 7 * DAY_MS : wall;
    },
  };
}

/** The date after a weekday: "Tue May 9", "Friday-Jun-15", "Monday 21", "tues the 4th". */
function attached(input: Input, at: number, weekday: number, modifier: Modifier | null): Day | null {
  const next = skip(input, behindDot(input, at), ",", "-", "(", "–");
  const isOpen = wordAt(input, next - 1) === "(";
  const start = skip(input, next, "the");
  const close = (day: Day): Day => (isOpen && wordAt(input, day.end) === ")" ? { ...day, end: day.end + 1 } : day);
  const written = monthDayAt(input, start, true) ?? dayMonthAt(input, start) ?? numeric(input, start, weekday);
  if (written) {
    if (!modifier || written.hasYear) return close(agreeing(input.today, written, weekday));
    // "this Friday 7/6" means this year, even if that day is no Friday.
    const { month, day } = partsOf(written.wall);
    const wall = midnight(partsOf(input.today).year, month, day);
    return close({ ...written, wall: Number.isNaN(wall) ? written.wall : wall });
  }
  if (modifier || tokenAt(input, start).line) return null;
  const number = dayNumber(input, start);
  if (!number || (!number.ordinal && !isLoneDay(input, start))) return null;
  if (number.ordinal && UNITS.has(wordAt(input, number.end))) return null;
  // "Monday 9" and "Friday 17" may also be hours, so as a day they must be within two months.
  const months = number.ordinal ? 60 : 2;
  const wall = matching(input.today, weekday, number.value, months);
  return Number.isNaN(wall) ? null : close({ end: number.end, wall, ambiguous: false, kind: "date", hasYear: false });
}

/** The farthest that a weekday moves a date: two years, or a date this near is more likely a slip of the pen. */
const NEAR_MS = 60 * DAY_MS;

/**
 * "Fri, Jul 18": the date on which weekday and day agree, this year or in the next two. If the plain reading is soon and
 * does not agree, one of the two is wrong, and nobody knows which.
 */
function agreeing(today: Wall, { other, ...written }: Day, weekday: number): Day {
  // "Friday 11/12": of two orders the one on a Friday, or else the sooner.
  const agreed = [written.wall, other ?? Number.NaN].filter((wall) => weekdayOf(wall) === weekday);
  if (agreed.length > 0) return { ...written, wall: Math.min(...agreed), ambiguous: false };
  const near = nextWeekday(written.wall - 3 * DAY_MS, weekday);
  const doubtful: Day = { ...written, ambiguous: true, other: near, claimed: weekday };
  if (written.hasYear) return doubtful;
  const { year } = partsOf(today);
  const { month, day } = partsOf(written.wall);
  const isSoon = written.wall - today < NEAR_MS;
  const wall = [year, year + 1, year + 2]
    .map((each) => midnight(each, month, day))
    .find((each) => weekdayOf(each) === weekday && (!isSoon || each > today - NEAR_MS));
  return wall === undefined || (isSoon && wall > today + NEAR_MS) ? doubtful : { ...written, wall };
}

function numeric(input: Input, at: number, weekday: number): Day | null {
  const found = numericDayAt(input, at, true);
  if (!found) return null;
  // "Friday 7-6" is a date if that is a Friday soon, otherwise a pair of hours.
  const range = wordAt(input, at + 1) === "/" || found.hasYear ? null : clockRangeAt(input, at);
  const isSoon = weekdayOf(found.wall) === weekday && found.wall < input.today + 60 * DAY_MS;
  if (range && !(range.bare && isSoon)) return null;
  return clockAt(input, at) ? null : { ...found, kind: "date" };
}

/** Whether the number after a weekday is neither a time nor a count. */
function isLoneDay(input: Input, at: number): boolean {
  if (tokenAt(input, at).kind !== "number") return false;
  const next = wordAt(input, at + 1);
  if (UNITS.has(next) || COUNTED.has(next) || /^(?:%|:|coming|past)$/.test(next)) return false;
  return clockAt(input, at) === null && clockRangeAt(input, at) === null;
}

/** The next date with this day number and weekday. */
function matching(today: Wall, weekday: number, day: number, within: number): Wall {
  for (let months = 0; months < within; months += 1) {
    const { year, month } = partsOf(addMonths(monthStart(today), months));
    const wall = midnight(year, month, day);
    if (!Number.isNaN(wall) && weekdayOf(wall) === weekday && wall >= today) return wall;
  }
  return Number.NaN;
}
