import { addMonths, daysIn, midnight, monthStart, nthWeekday, partsOf, type Wall } from "../calendar.ts";
import { dayNumber, ordinal } from "../numbers.ts";
import { clockAt } from "../times/clock-time.ts";
import { type Input, tokenAt, wordAt } from "../tokens.ts";
import { UNITS, WEEKDAYS } from "../vocabulary.ts";
import { behindDot, type Day, date, monthOf, relativeMonth } from "./month-day.ts";

const NTH_LEADS: ReadonlySet<string> = new Set(
  "on by until till from after before since for to between around or and of".split(" "),
);
const NTH_FOLLOWERS: ReadonlySet<string> = new Set(
  "at from between and or to until till through for if is was will would works work should could can please around @ in with so because morning afternoon evening night noon if we i he she they you".split(
    " ",
  ),
);

/** "the 18th", "the 17 from 2pm", "by the 5th": the next day of that number. */
export function nthOfMonthAt(input: Input, at: number): Day | null {
  const hasThe = wordAt(input, at) === "the";
  const start = hasThe ? at + 1 : at;
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
  if (!isDigits && !(led && (next.kind === "mark" || next.lower === "at" || isTime))) return null;
  if (isDigits && hasThe && !led && next.kind === "mark" && !isTime && !nth) return null;
  return date(plain.end, nextNumbered(input.today, plain.value), false);
}

/** "next month on the 3rd": the month first. */
export function nthInRelativeMonthAt(input: Input, at: number): Day | null {
  const month = relativeMonth(input, at);
  if (!month) return null;
  const on = wordAt(input, month.end) === "on" || wordAt(input, month.end) === "," ? month.end + 1 : month.end;
  const nth = ordinal(input, wordAt(input, on) === "the" ? on + 1 : on);
  const { year, month: number } = partsOf(month.wall);
  return nth && on > month.end ? date(nth.end, midnight(year, number, nth.value), true) : null;
}

const NOT_DATED: ReadonlySet<string> = new Set(
  "based depending depend focus focused work working agree agreed count rely act built build move page version settle settled decide decided plan go bet".split(
    " ",
  ),
);

/** "on 27": a lone number where a date is asked for, at the end of its clause. */
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

/** What "first Monday" counts: the weekday and how many, before a month is known. */
export interface CountedWeekday {
  end: number;
  weekday: number;
  nth: number;
}

export function countedWeekdayAt(input: Input, at: number): CountedWeekday | null {
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  const last = wordAt(input, start) === "last" || wordAt(input, start) === "final";
  const nth = last ? { end: start + 1, value: -1 } : ordinal(input, start);
  if (!nth || nth.value > 5) return null;
  const weekday = WEEKDAYS.get(wordAt(input, nth.end));
  return weekday ? { end: nth.end + 1, weekday, nth: nth.value } : null;
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
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  const last = wordAt(input, start) === "last" || wordAt(input, start) === "final";
  const nth = last ? { end: start + 1, value: -1 } : ordinal(input, start);
  if (!nth || wordAt(input, nth.end + 1) !== "of") return null;
  const unit = UNITS.get(wordAt(input, nth.end));
  const month = unit === "day" || unit === "week" ? monthOf(input, nth.end + 2) : null;
  if (!month) return null;
  if (unit === "day") {
    const { year, month: number } = partsOf(month.wall);
    return date(month.end, midnight(year, number, last ? daysIn(year, number) : nth.value), true);
  }
  const on = behindDot(input, month.end);
  const next = wordAt(input, on) === "on" || wordAt(input, on) === "," ? on + 1 : on;
  const weekday = WEEKDAYS.get(wordAt(input, next));
  return weekday ? inMonth({ ...month, end: next + 1 }, { end: next + 1, weekday, nth: nth.value }) : null;
}

export function inMonth(month: { end: number; wall: Wall }, counted: CountedWeekday): Day | null {
  const { year, month: number } = partsOf(month.wall);
  return date(month.end, nthWeekday(year, number, counted.weekday, counted.nth), true);
}
