import { wordSet } from "../../../lib/words.ts";
import { addMonths, daysIn, midnight, monthStart, partsOf, type Wall, weekdayOf } from "../calendar.ts";
import { type Counted, dayNumber, fullYear, wordNumber, year as yearAt } from "../numbers.ts";
import { clockAt } from "../times/clock-time.ts";
import { glued, type Input, numberAt, skip, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, DAY_PARTS, MODIFIERS, MONTHS, UNITS, WEEKDAYS } from "../vocabulary.ts";
import { type Day, date } from "./day-result.ts";
import { nextOccurrence, numericDayAt } from "./numeric-date.ts";

const CLAUSE_WORDS = wordSet(
  "at from in on between and or to until till for of by with as so if is was will would works work around about before after through @",
);
const SUBJECTS = wordSet("i you we they he she it who which that this there one people");

/** A month's name, or 0. "may", "march" and "mar" in lower case need a date around them (`vouched`). */
export function monthAt(input: Input, at: number, vouched: boolean): number {
  const token = tokenAt(input, at);
  const month = token.kind === "word" ? MONTHS.get(token.lower) : undefined;
  if (!month) return 0;
  const isWord = token.lower === "may" || token.lower === "march" || token.lower === "mar";
  if (!isWord || vouched) return month;
  return token.text.charAt(0) === token.text.charAt(0).toLowerCase() || SUBJECTS.has(wordAt(input, at - 1)) ? 0 : month;
}

/** Skips the full stop of "Dec." */
export function behindDot(input: Input, at: number): number {
  return wordAt(input, at) === "." && glued(input, at) ? at + 1 : at;
}

/** A year after a day and month: ", 1994", "of 87", "'87", "in 2020", "nineteen eighty six". */
export function yearAfter(input: Input, at: number, afterOrdinal: boolean): Counted | null {
  let next = skip(input, behindDot(input, at), ",");
  const link = wordAt(input, next);
  next = skip(input, next, "of", "in");
  const apostrophe = wordAt(input, next) === "'" || wordAt(input, next) === "’";
  if (
    apostrophe &&
    glued(input, next + 1) &&
    tokenAt(input, next + 1).text.length === 2 &&
    numberAt(input, next + 1) >= 0
  ) {
    return { end: next + 2, value: fullYear(numberAt(input, next + 1)) };
  }
  const full = yearAt(input, next);
  const isClock = full !== null && clockAt(input, next) !== null;
  if (full && !isClock && wordAt(input, full.end) !== ":") return full;
  const short = numberAt(input, next);
  const isShort =
    tokenAt(input, next).text.length === 2 && short >= 0 && (link === "of" || (afterOrdinal && next === at));
  if (!isShort || clockAt(input, next) !== null) return null;
  const after = wordAt(input, next + 1);
  if (after === "-" || after === ":" || after === "/" || after === "." || COUNTED.has(after) || UNITS.has(after)) {
    if (!(after === "." && !glued(input, next + 2))) return null;
  }
  return { end: next + 1, value: fullYear(short) };
}

/** "October 14", "Dec31, 1994", "May twenty nine", "July 4th of 1995", "Oct/2". */
export function monthDayAt(input: Input, at: number, vouched = false): Day | null {
  if (tokenAt(input, at).kind !== "word" || !MONTHS.has(wordAt(input, at))) return null;
  const grouped = numericDayAt(input, at, true);
  const next = skip(input, behindDot(input, at + 1), ",", "the");
  const day = dayNumber(input, next);
  const month = monthAt(input, at, vouched || (day?.ordinal ?? false) || isEvidentDay(input, at, next));
  if (!month) return null;
  if (grouped) return date(grouped.end, grouped.wall, grouped.hasYear);
  if (!day || isTimeOrCount(input, next, day)) return null;
  return dated(input, month, day.value, day.end, day.ordinal);
}

/** "may 5" in lower case is a date if no subject stands before it ("you may 5 …") and nothing is counted. */
function isEvidentDay(input: Input, at: number, next: number): boolean {
  const spoken = wordNumber(input, next);
  const isSpoken = spoken !== null && spoken.value >= 10;
  if ((tokenAt(input, next).kind !== "number" && !isSpoken) || SUBJECTS.has(wordAt(input, at - 1))) return false;
  const end = spoken?.end ?? next + 1;
  const behind = tokenAt(input, end);
  return (
    behind.kind === "mark" || CLAUSE_WORDS.has(behind.lower) || DAY_PARTS.has(behind.lower) || numberAt(input, end) > 31
  );
}

export function isTimeOrCount(input: Input, at: number, day: Counted & { ordinal: boolean }): boolean {
  if (day.ordinal) return false;
  const next = wordAt(input, day.end);
  if (next === "%" || (next === ":" && glued(input, day.end) && numberAt(input, day.end + 1) >= 0)) return true;
  return (COUNTED.has(next) && next !== "of") || clockAt(input, at) !== null;
}

function dated(input: Input, month: number, day: number, end: number, afterOrdinal: boolean): Day | null {
  const year = yearAfter(input, end, afterOrdinal);
  if (year) return date(year.end, midnight(year.value, month, day), true);
  const weekday = wordAt(input, end) === "," ? WEEKDAYS.get(wordAt(input, end + 1)) : undefined;
  if (weekday) {
    // "Jul 18, Fri": the next date on which both agree, if that is not far.
    const agreed = [0, 1, 2]
      .map((years) => midnight(partsOf(input.today).year + years, month, day))
      .find((wall) => wall >= input.today && weekdayOf(wall) === weekday);
    const next = tokenAt(input, end + 2);
    if (agreed && (next.kind === "mark" || next.lower === "at")) return date(end + 2, agreed, false);
  }
  const shifted = MODIFIERS.get(wordAt(input, end));
  if (shifted !== undefined && wordAt(input, end + 1) === "year") {
    return date(end + 2, midnight(partsOf(input.today).year + shifted, month, day), true);
  }
  return date(end, nextOccurrence(input.today, month, day), false);
}

/** "14 nov 2023", "second of Aug", "04th Jan", "twenty third day of September", "fifteen August". */
export function dayMonthAt(input: Input, at: number): Day | null {
  const before = wordAt(input, at - 1);
  if (before === "$" || before === "€" || before === "£") return null;
  if (glued(input, at) && (before === "." || before === ",") && tokenAt(input, at - 2).kind === "number") return null;
  const day = dayNumber(input, at);
  if (!day || (glued(input, at) && before === ":" && tokenAt(input, at - 2).kind === "number")) return null;
  let next = day.end;
  if (UNITS.get(wordAt(input, next)) === "day" && day.ordinal) next += 1;
  const isOf = wordAt(input, next) === "of";
  if (isOf) next += wordAt(input, next + 1) === "the" ? 2 : 1;
  else if (wordAt(input, next) === "-" || wordAt(input, next) === "/") {
    const grouped = numericDayAt(input, at, true);
    return grouped && MONTHS.has(wordAt(input, next + 1)) ? date(grouped.end, grouped.wall, grouped.hasYear) : null;
  }
  if (isOf || day.ordinal) {
    const relative = relativeMonth(input, wordAt(input, next - 1) === "the" ? next - 1 : next);
    if (relative && isOf) {
      return date(
        relative.end,
        dayOfMonth(input, relative, (year, month) => Math.min(day.value, daysIn(year, month))),
        true,
      );
    }
  }
  const behind = behindDot(input, next + 1);
  const isNamed = isOf || day.ordinal || yearAt(input, behind) !== null || isEnd(input, next + 1);
  const month = monthAt(input, next, isNamed);
  if (!month || tokenAt(input, next).line) return null;
  return dated(input, month, day.value, yearAfter(input, behind, day.ordinal) ? behind : next + 1, day.ordinal);
}

function isEnd(input: Input, at: number): boolean {
  const token = tokenAt(input, at);
  return token.kind === "mark" || token.kind === "number" || CLAUSE_WORDS.has(token.lower);
}

/** The first day of "18 and 19 June", whose month follows the second. */
export function sharedMonthDayAt(input: Input, at: number): Day | null {
  const first = dayNumber(input, at);
  if (!first || tokenAt(input, at - 1).lower === "$") return null;
  const link = wordAt(input, first.end);
  if (link !== "and" && link !== "or" && link !== "&") return null;
  const second = dayNumber(input, first.end + 1);
  if (!second || second.value <= first.value) return null;
  const of = skip(input, second.end, "of");
  const month = monthAt(input, of, first.ordinal || second.ordinal);
  if (!month) return null;
  const year = yearAt(input, of + 1);
  const wall = year ? midnight(year.value, month, first.value) : nextOccurrence(input.today, month, first.value);
  return date(first.end, wall, year !== null);
}

/** "the 1st of the month" is next month's, once this month's has passed; "the 1st of this month" is not. */
export function dayOfMonth(
  input: Input,
  { end, wall }: { end: number; wall: Wall },
  dayIn: (year: number, month: number) => number,
): Wall {
  const isBare = wordAt(input, end - 1) === "month" && wordAt(input, end - 2) === "the";
  const [own, later] = [wall, addMonths(wall, 1)].map((first) => {
    const { year, month } = partsOf(first);
    return midnight(year, month, dayIn(year, month));
  });
  return (isBare && own !== undefined && own < input.today ? later : own) ?? Number.NaN;
}

/** "next month", "the month", "this month", "the following month": its first day. */
export function relativeMonth(input: Input, at: number): { end: number; wall: Wall } | null {
  const start = skip(input, at, "the");
  if (wordAt(input, start) === "month" && start > at) return { end: start + 1, wall: monthStart(input.today) };
  const shift = MODIFIERS.get(wordAt(input, start));
  if (shift === undefined || UNITS.get(wordAt(input, start + 1)) !== "month") return null;
  return { end: start + 2, wall: addMonths(monthStart(input.today), shift) };
}

/** A month with or without its year: "December", "next month", "March 2027", "next May". The first day of it. */
export function monthOf(input: Input, at: number): { end: number; wall: Wall } | null {
  const relative = relativeMonth(input, at);
  if (relative) return relative;
  const shift = MODIFIERS.get(wordAt(input, at));
  const start = shift === undefined ? at : at + 1;
  const month = monthAt(input, start, true);
  if (!month) return null;
  const behind = behindDot(input, start + 1);
  const named = yearAt(input, skip(input, behind, ",", "of", "in"));
  if (named) return { end: named.end, wall: midnight(named.value, month, 1) };
  const short = wordAt(input, behind) === "of" ? numberAt(input, behind + 1) : -1;
  if (short >= 0 && tokenAt(input, behind + 1).text.length === 2 && tokenAt(input, behind + 2).kind !== "number") {
    return { end: behind + 2, wall: midnight(fullYear(short), month, 1) };
  }
  const { year, month: current } = partsOf(input.today);
  const beside = skip(input, behind, "of", "in");
  const years = shift === undefined ? MODIFIERS.get(wordAt(input, beside)) : undefined;
  if (years !== undefined && wordAt(input, beside + 1) === "year")
    return { end: beside + 2, wall: midnight(year + years, month, 1) };
  if (shift === 0) return { end: start + 1, wall: midnight(year, month, 1) };
  if (shift === -1) return { end: start + 1, wall: midnight(month < current ? year : year - 1, month, 1) };
  const isNext = month < current || (shift === 1 && month === current);
  return { end: start + 1, wall: midnight(isNext ? year + 1 : year, month, 1) };
}
