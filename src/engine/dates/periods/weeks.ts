import { addMonths, DAY_MS, midnight, nthWeekday, partsOf, type Wall, wallWeek, weekdayOf } from "../calendar.ts";
import { dayAt } from "../days/day.ts";
import { monthOf } from "../days/month-day.ts";
import { type Counted, ordinal, year as yearAt } from "../numbers.ts";
import { anyPhraseAt, glued, type Input, numberAt, phrases, skip, tokenAt, wordAt } from "../tokens.ts";
import { MODIFIERS, UNITS } from "../vocabulary.ts";
import type { Period } from "./named-period.ts";

const WEEK_MS = 7 * DAY_MS;
const THURSDAY = 4;
const WEEK_OF = phrases(
  "week of|week commencing|week beginning on|week beginning|week starting on|week starting|week from|w / c|wk of",
);
const FROM_END = phrases("second to last|second last|next to last|penultimate|third to last|third last|last|final");
const COUNT_FROM_END: Record<string, number> = { second: -2, next: -2, penultimate: -2, third: -3 };

const week = (end: number, from: Wall): Period | null =>
  Number.isNaN(from) ? null : { end, from, to: from + WEEK_MS, grain: "week", vague: false, hasYear: true };

/** The Monday of a week by its ISO number: week 1 has the year's first Thursday. */
export function isoWeek(year: number, number: number): Wall {
  const first = wallWeek(nthWeekday(year, 1, THURSDAY, 1));
  const from = first + (number - 1) * WEEK_MS;
  return partsOf(from + 3 * DAY_MS).year === year ? from : Number.NaN;
}

/** "week 23", "CW 7", "week 10 of 2027": the index after it and its Monday. */
export function weekNumberAt(input: Input, at: number): { end: number; from: Wall } | null {
  const word = wordAt(input, at);
  if (word !== "week" && word !== "wk" && word !== "cw" && word !== "kw") return null;
  const number = numberAt(input, at + 1);
  if (number < 1 || number > 53 || tokenAt(input, at + 1).text.length > 2 || tokenAt(input, at + 1).line) return null;
  const next = tokenAt(input, at + 2);
  const isPartOfNumber = glued(input, at + 2) && (next.kind !== "mark" || (/^[-/:%.]$/.test(next.lower) && glued(input, at + 3)));
  if (isPartOfNumber) return null;
  const isOf = next.lower === "of" || next.lower === "in";
  const named = yearAt(input, isOf ? at + 3 : skip(input, at + 2, ","));
  // "week 3 of the course" is no week of a year.
  if (isOf && !named && next.lower === "of") return null;
  const from = isoWeek(named?.value ?? partsOf(input.today).year, number);
  return Number.isNaN(from) ? null : { end: named?.end ?? at + 2, from };
}

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
    return day && week(day.end, wallWeek(day.wall));
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
  return Number.isNaN(from) ? null : { end: span.end, from, to: from + 2 * DAY_MS, grain: "weekend", vague: false, hasYear: true };
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
