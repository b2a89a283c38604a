import { addMonths, DAY_MS, midnight, partsOf, type Wall, wallWeek, weekdayOf, weekFrom } from "../calendar.ts";
import { dayAt } from "../days/day.ts";
import { monthOf } from "../days/month-day.ts";
import { THURSDAY, weekNumberAt } from "../days/week-number.ts";
import { type Counted, ordinal, year as yearAt } from "../numbers.ts";
import { anyPhraseAt, glued, type Input, phrases, skip, weekStartOf, wordAt } from "../tokens.ts";
import { MODIFIERS, UNITS } from "../vocabulary.ts";
import type { Period } from "./named-period.ts";

const WEEK_MS = 7 * DAY_MS;
const WEEK_OF = phrases(
  "week of|week commencing|week beginning on|week beginning|week starting on|week starting|week from|week ending on|week ending|week including|w / c|wk of",
);
const WEEKEND_OF = phrases("weekend of|week - end of|weekend around");
const FROM_END = phrases("second to last|second last|next to last|penultimate|third to last|third last|last|final");
const COUNT_FROM_END: Record<string, number> = { second: -2, next: -2, penultimate: -2, third: -3 };

const week = (end: number, from: Wall): Period | null =>
  Number.isNaN(from) ? null : { end, from, to: from + WEEK_MS, grain: "week", vague: false, hasYear: true };

/** "first", "3rd", "last", "second last": negative numbers count from the end. */
function placeAt(input: Input, at: number): Counted | null {
  const end = anyPhraseAt(input, at, FROM_END);
  if (end > 0) return { end, value: COUNT_FROM_END[wordAt(input, at)] ?? -1 };
  return ordinal(input, at);
}

/** The month, quarter or year that a week is counted in: its first day and the first day after it. */
function countedIn(input: Input, at: number): { end: number; from: Wall; to: Wall } | null {
  const month = monthOf(input, at);
  if (month) return { end: month.end, from: month.wall, to: addMonths(month.wall, 1) };
  const start = skip(input, at, "the");
  const shift = MODIFIERS.get(wordAt(input, start)) ?? (start > at ? 0 : undefined);
  const unitIndex = MODIFIERS.has(wordAt(input, start)) ? start + 1 : start;
  const named = yearAt(input, skip(input, start, "year"));
  const isYear = shift !== undefined && UNITS.get(wordAt(input, unitIndex)) === "year";
  const year = named?.value ?? (isYear ? partsOf(input.today).year + shift : 0);
  const end = named?.end ?? unitIndex + 1;
  return year ? { end, from: midnight(year, 1, 1), to: midnight(year + 1, 1, 1) } : null;
}

/** The nth week of a span; a week belongs to the span that its Thursday is in. */
function nthWeek(span: { from: Wall; to: Wall }, nth: number, weekday = THURSDAY): Wall {
  const first = span.from + ((weekday - weekdayOf(span.from) + 7) % 7) * DAY_MS;
  const lastDay = span.to - DAY_MS;
  const last = lastDay - ((weekdayOf(lastDay) - weekday + 7) % 7) * DAY_MS;
  const day = nth > 0 ? first + (nth - 1) * WEEK_MS : last + (nth + 1) * WEEK_MS;
  return day >= span.from && day < span.to ? wallWeek(day) : Number.NaN;
}

/** "the week of November 14", "first week of October", "last weekend of May", "week 23". */
export function weekAt(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const starting = anyPhraseAt(input, start, WEEK_OF);
  if (starting > 0) {
    const day = dayAt(input, starting);
    return day && week(day.end, weekFrom(day.wall, weekStartOf(input)));
  }
  // "the week after Easter"
  const away =
    UNITS.get(wordAt(input, start)) === "week" ? { after: 1, before: -1 }[wordAt(input, start + 1)] : undefined;
  const beside = away ? dayAt(input, start + 2) : null;
  if (away && beside?.kind === "date")
    return week(beside.end, weekFrom(beside.wall, weekStartOf(input)) + away * WEEK_MS);
  const weekend = anyPhraseAt(input, start, WEEKEND_OF);
  const inWeekend = weekend > 0 ? dayAt(input, weekend) : null;
  if (inWeekend) {
    // A Monday or Friday belongs to the weekend beside it.
    const { end, wall } = inWeekend;
    const weekday = weekdayOf(wall);
    const saturday = wallWeek(wall) + (weekday < 3 ? -2 : 5) * DAY_MS;
    const from = weekday === 5 ? wall : saturday;
    const to = weekday === 1 ? wall + DAY_MS : saturday + 2 * DAY_MS;
    return { end, from, to, grain: "weekend", vague: false, hasYear: true };
  }
  const numbered = weekNumberAt(input, start);
  if (numbered) return week(numbered.end, numbered.from);
  const nth = placeAt(input, start);
  const unit = nth && weekOrWeekend(input, nth.end);
  if (!nth || !unit || (wordAt(input, unit.end) !== "of" && wordAt(input, unit.end) !== "in")) return null;
  const span = countedIn(input, unit.end + 1);
  if (!span) return null;
  if (!unit.isWeekend) return week(span.end, nthWeek(span, nth.value));
  const from = nthWeek(span, nth.value, 6) + 5 * DAY_MS;
  return Number.isNaN(from)
    ? null
    : { end: span.end, from, to: from + 2 * DAY_MS, grain: "weekend", vague: false, hasYear: true };
}

/** "week", "weekend", "week-end", "week end". */
function weekOrWeekend(input: Input, at: number): { end: number; isWeekend: boolean } | null {
  const unit = UNITS.get(wordAt(input, at));
  if (unit === "weekend") return { end: at + 1, isWeekend: true };
  if (unit !== "week") return null;
  const end = wordAt(input, at + 1) === "-" && glued(input, at + 1) ? at + 2 : at + 1;
  return wordAt(input, end) === "end" ? { end: end + 1, isWeekend: true } : { end: at + 1, isWeekend: false };
}

/** "the last 3 weeks of this year", "the first ten days of May", after its number and unit were read. */
export function partOfSpan(
  input: Input,
  at: number,
  isFirst: boolean,
  length: { milliseconds: number; months: number; unit: string },
): Period | null {
  if (wordAt(input, at) !== "of" && wordAt(input, at) !== "in") return null;
  const span = countedIn(input, at + 1);
  if (!span || (length.milliseconds === 0 && length.months === 0)) return null;
  const shared = { end: span.end, grain: "day", vague: false, hasYear: true } as const;
  if (length.months > 0) {
    const months = Math.round(length.months);
    return isFirst
      ? { ...shared, from: span.from, to: addMonths(span.from, months) }
      : { ...shared, from: addMonths(span.to, -months), to: span.to };
  }
  const isWeeks = length.unit === "week" || length.unit === "fortnight";
  const from = isWeeks ? nthWeek(span, 1) : span.from;
  const to = isWeeks ? nthWeek(span, -1) + WEEK_MS : span.to;
  return isFirst
    ? { ...shared, from, to: from + length.milliseconds }
    : { ...shared, from: to - length.milliseconds, to };
}
