import { wordSet } from "../../../lib/words.ts";
import {
  addBusinessDays,
  addMonths,
  DAY_MS,
  daysIn,
  midnight,
  monthStart,
  nthWeekday,
  partsOf,
  type Wall,
} from "../calendar.ts";
import { type Counted, dayNumber, ordinal } from "../numbers.ts";
import { clockAt } from "../times/clock-time.ts";
import { type Input, skip, tokenAt, wordAt } from "../tokens.ts";
import { UNITS, WEEKDAYS } from "../vocabulary.ts";
import { type Day, date } from "./day-result.ts";
import { behindDot, dayOfMonth, monthOf, relativeMonth } from "./month-day.ts";

const NTH_LEADS = wordSet("on about by until till from after before since for to between around or and of");
const NTH_FOLLOWERS = wordSet(
  "at from between and or to until till through for if is was will would works work should could can please around @ in with so because morning afternoon evening night noon free off all we i he she they you",
);

/** "the 18th", "the 17 from 2pm", "by the 5th": the next day of that number. */
export function nthOfMonthAt(input: Input, at: number): Day | null {
  const start = skip(input, at, "the");
  const hasThe = start > at;
  const before = wordAt(input, at - 1);
  const nth = ordinal(input, start);
  const isDigits = tokenAt(input, start).kind === "number";
  const led = NTH_LEADS.has(before);
  if (
    !hasThe &&
    !(led && nth && isDigits && before !== "for" && before !== "of" && before !== "or" && before !== "and")
  )
    return null;
  const plain =
    nth ??
    (isDigits && hasThe && (before === "on" || before === "by" || before === "until") ? dayNumber(input, start) : null);
  if (!plain || plain.value < 1 || plain.value > 31) return null;
  const next = tokenAt(input, plain.end);
  const isTime = next.kind === "number" && clockAt(input, plain.end) !== null;
  const isClosed =
    next.kind === "mark"
      ? next.lower !== "-" && next.lower !== "%" && next.lower !== "/"
      : NTH_FOLLOWERS.has(next.lower);
  if (!isClosed && !isTime) return null;
  const isWhole = at === 0 && next.text === "";
  if (!isDigits && !isWhole && !(led && (next.kind === "mark" || next.lower === "at" || isTime))) return null;
  if (isDigits && hasThe && !led && next.kind === "mark" && !isTime && !nth) return null;
  const day = date(plain.end, nextNumbered(input.today, plain.value), false);
  return day && { ...day, isNumberOnly: true };
}

/** "next month on the 3rd": the month first. */
export function nthInRelativeMonthAt(input: Input, at: number): Day | null {
  const month = relativeMonth(input, at);
  if (!month) return null;
  const on = skip(input, month.end, "on", ",");
  const nth = ordinal(input, skip(input, on, "the"));
  const { year, month: number } = partsOf(month.wall);
  return nth && on > month.end ? date(nth.end, midnight(year, number, nth.value), true) : null;
}

const NOT_DATED = wordSet(
  "based depending depend focus focused work working agree agreed count rely act built build move page version settle settled decide decided plan go bet",
);

/** "on 27": a number alone after "on", at the end of its clause. */
export function loneDayAt(input: Input, at: number): Day | null {
  const number = tokenAt(input, at).kind === "number" ? dayNumber(input, at) : null;
  if (!number || number.ordinal || wordAt(input, at - 1) !== "on" || NOT_DATED.has(wordAt(input, at - 2))) return null;
  const next = tokenAt(input, number.end);
  const isClosed =
    next.lower === "" ||
    next.lower === "\n\n" ||
    (/^[.,?!;]$/.test(next.lower) &&
      (tokenAt(input, number.end + 1).gap || tokenAt(input, number.end + 1).kind === "mark"));
  return isClosed ? date(number.end, nextNumbered(input.today, number.value), false, true) : null;
}

function nextNumbered(today: Wall, day: number): Wall {
  for (let months = 0; months < 4; months += 1) {
    const { year, month } = partsOf(addMonths(monthStart(today), months));
    const wall = midnight(year, month, day);
    if (wall >= today) return wall;
  }
  return Number.NaN;
}

/** "first Monday" before its month is known. */
export interface CountedWeekday {
  end: number;
  weekday: number;
  nth: number;
}

/** "first", "3rd", "the last": which one is counted; -1 is the last. */
function countAt(input: Input, at: number): Counted | null {
  const start = skip(input, at, "the");
  const last = skip(input, start, "last", "final");
  return last > start ? { end: last, value: -1 } : ordinal(input, start);
}

export function countedWeekdayAt(input: Input, at: number): CountedWeekday | null {
  const nth = countAt(input, at);
  if (!nth || nth.value > 5) return null;
  const weekday = WEEKDAYS.get(wordAt(input, nth.end));
  return weekday ? { end: nth.end + 1, weekday, nth: nth.value } : null;
}

/** "the last working day of the month", "the first business day in March". */
function workingDayAt(input: Input, { end, value }: Counted): Day | null {
  if (!/^(?:business|working|work)$/.test(wordAt(input, end)) || UNITS.get(wordAt(input, end + 1)) !== "day")
    return null;
  const month = /^(?:of|in)$/.test(wordAt(input, end + 2)) ? monthOf(input, end + 3) : null;
  if (!month || value > 20) return null;
  const outside = value < 0 ? addMonths(month.wall, 1) : month.wall - DAY_MS;
  return date(month.end, addBusinessDays(outside, value), true);
}

/** "first Monday of December", "the last Friday in March", "last day of the month", "1st week of Oct. on Friday". */
export function nthInMonthAt(input: Input, at: number): Day | null {
  const counted = countedWeekdayAt(input, at);
  if (counted) {
    const link = wordAt(input, counted.end);
    const isLinked = link === "of" || link === "in";
    const month = isLinked ? monthOf(input, counted.end + 1) : relativeMonth(input, counted.end);
    return month && inMonth(month, counted);
  }
  const nth = countAt(input, at);
  if (!nth) return null;
  const working = workingDayAt(input, nth);
  if (working) return working;
  if (wordAt(input, nth.end + 1) !== "of" && wordAt(input, nth.end + 1) !== "in") return null;
  const unit = UNITS.get(wordAt(input, nth.end));
  const month = unit === "day" || unit === "week" ? monthOf(input, nth.end + 2) : null;
  if (!month) return null;
  if (unit === "day") {
    const dayIn = (year: number, number: number) => (nth.value < 0 ? daysIn(year, number) : nth.value);
    return date(month.end, dayOfMonth(input, month, dayIn), true);
  }
  const next = skip(input, behindDot(input, month.end), "on", ",");
  const weekday = WEEKDAYS.get(wordAt(input, next));
  return weekday ? inMonth({ ...month, end: next + 1 }, { end: next + 1, weekday, nth: nth.value }) : null;
}

export function inMonth(month: { end: number; wall: Wall }, counted: CountedWeekday): Day | null {
  const { year, month: number } = partsOf(month.wall);
  return date(month.end, nthWeekday(year, number, counted.weekday, counted.nth), true);
}
