import {
  addMonths,
  DAY_MS,
  daysIn,
  midnight,
  monthStart,
  nextWeekday,
  nthWeekday,
  partsOf,
  type Wall,
  weekdayOf,
} from "../calendar.ts";
import { dayMonthAt, monthDayAt } from "../days/month-day.ts";
import { countedWeekdayAt } from "../days/ordinal-day.ts";
import { ordinal, wordNumber } from "../numbers.ts";
import type { Reading } from "../resolve.ts";
import type { Clock } from "../times/clock.ts";
import { clockRangeAt } from "../times/clock-range.ts";
import { clockAt } from "../times/clock-time.ts";
import { partAt } from "../times/day-part.ts";
import { businessHours } from "../times/working-day.ts";
import { type Input, numberAt, skip, wordAt } from "../tokens.ts";
import { DAY_PARTS, SMALL_NUMBERS, table, UNITS, type Unit, WEEKDAYS } from "../vocabulary.ts";
import { zoneAt } from "../zone-phrase.ts";

const ADVERBS: ReadonlyMap<string, Unit> = table<Unit>([
  ["day", "daily"],
  ["week", "weekly biweekly fortnightly"],
  ["month", "monthly"],
  ["quarter", "quarterly"],
  ["year", "yearly annually"],
]);
const isPlural = (word: string) => word.endsWith("days");

interface Repeated {
  end: number;
  unit: Unit;
  weekdays: number[];
  /** The first occurrence from a day on, where weekdays do not say it: "the 1st of every month". */
  first?(from: Wall): Wall;
  /** "every evening": a time without am or pm is in these hours. */
  part?: readonly [number, number];
}

/** The next occurrence of "every Monday at 10", "every two weeks", "Tuesdays and Thursdays", "daily at 9am". */
export function recurrenceAt(input: Input, at: number): Reading | null {
  const word = wordAt(input, at);
  const isEvery = word === "every" || word === "each";
  const plain = isEvery
    ? (nthWeekdayOf(input, at + 1) ?? everyNth(input, at + 1) ?? afterEvery(input, at + 1))
    : adverbOrPlural(input, at);
  const found = plain ? onDayOf(input, plain) : dayOfEvery(input, at);
  if (!found) return null;
  // "every Thursday night"
  const part = wordAt(input, found.end).length > 2 ? DAY_PARTS.get(wordAt(input, found.end)) : undefined;
  const repeated = part ? { ...found, end: found.end + 1, part } : found;
  const { end } = repeated;
  const link = skip(input, end, ",");
  const time = skip(input, link, "at", "@");
  const range = clockRangeAt(input, time);
  const clock = range ? null : clockAt(input, time, { bare: time > link, dotted: time > link });
  // "daily" alone is an adjective ("the daily report"); with a time it means a recurring event.
  if (ADVERBS.has(word) && !range && !clock && !repeated.first) return null;
  const shared = { type: "set", grain: repeated.unit, ambiguous: true, minutes: null } as const;
  const first = firstDay(input.today, repeated);
  // "every Tuesday at four in the afternoon"
  const behind = clock?.open ? partAt(input, clock.end, true, true) : null;
  const timeEnd = range?.end ?? behind?.end ?? clock?.end;
  if (timeEnd === undefined) return { ...shared, end: repeated.end, zone: null, from: first, to: first + DAY_MS };
  const zone = zoneAt(input, timeEnd);
  const seconds = range?.from ?? (clock ? hourIn(input, clock, behind?.part.hours ?? repeated.part) : 0);
  const hasPassed = input.hasPassed(first + (range?.to ?? seconds) * 1000, zone?.zone ?? null);
  const day = hasPassed ? firstDay(input.today + DAY_MS, repeated) : first;
  return {
    ...shared,
    end: zone?.end ?? timeEnd,
    zone: zone?.zone ?? null,
    from: day + seconds * 1000,
    to: range ? day + range.to * 1000 : null,
  };
}

function afterEvery(input: Input, at: number): Repeated | null {
  const word = wordAt(input, at);
  const isCounted = word === "other" || word === "single" || word === "second" || numberAt(input, at) > 0;
  const next = isCounted ? at + 1 : (wordNumber(input, at)?.end ?? at);
  const weekdays = weekdayList(input, next);
  if (weekdays) return weekdays;
  if (wordAt(input, next) === "weekday" || wordAt(input, next) === "workday")
    return { end: next + 1, unit: "day", weekdays: [1, 2, 3, 4, 5] };
  const unit = UNITS.get(wordAt(input, next));
  if (unit) return { end: next + 1, unit, weekdays: [] };
  const part = DAY_PARTS.get(wordAt(input, next));
  return part ? { end: next + 1, unit: "day", weekdays: [], part } : null;
}

const NOON = 12 * 3600;

/** The time of day in seconds. What is said of the part of the day decides about an hour without am or pm. */
function hourIn(input: Input, clock: Clock, part?: readonly [number, number]): number {
  const seconds = businessHours(input, clock);
  if (!part || !clock.open) return seconds;
  return (clock.seconds % NOON) + (part[0] >= 12 ? NOON : 0);
}

/** "every first Monday of the month", "every last Friday". */
function nthWeekdayOf(input: Input, at: number): Repeated | null {
  const counted = countedWeekdayAt(input, at);
  if (!counted) return null;
  const of = skip(input, counted.end, "of", "in");
  const the = skip(input, of, "the", "each", "every");
  const end = UNITS.get(wordAt(input, the)) === "month" ? the + 1 : counted.end;
  return {
    end,
    unit: "month",
    weekdays: [],
    first: (from) => nextInMonths(from, (year, month) => nthWeekday(year, month, counted.weekday, counted.nth)),
  };
}

/** "the 1st of every month", "the first Monday of every month", "the last day of each month", "15th of each month". */
function dayOfEvery(input: Input, at: number): Repeated | null {
  const counted = countedWeekdayAt(input, at);
  if (counted) {
    const every = skip(input, counted.end, "of", "in") + 1;
    return /^(?:every|each)$/.test(wordAt(input, every - 1)) ? nthWeekdayOf(input, at) : null;
  }
  const start = skip(input, at, "the");
  const isLast = wordAt(input, start) === "last" && wordAt(input, start + 1) === "day";
  const number = isLast ? { end: start + 2, value: 31 } : ordinal(input, start);
  if (!number || number.value > 31) return null;
  const of = skip(input, skip(input, number.end, "day"), "of");
  const word = wordAt(input, of);
  if ((word !== "every" && word !== "each") || UNITS.get(wordAt(input, of + 1)) !== "month") return null;
  return { end: of + 2, unit: "month", weekdays: [], first: onDayNumber(number.value) };
}

/** "every 2nd of the month" */
function everyNth(input: Input, at: number): Repeated | null {
  const number = ordinal(input, at);
  if (!number || number.value > 31 || wordAt(input, number.end) !== "of") return null;
  const unit = skip(input, number.end + 1, "the", "a", "each");
  if (UNITS.get(wordAt(input, unit)) !== "month") return null;
  return { end: unit + 1, unit: "month", weekdays: [], first: onDayNumber(number.value) };
}

/** "every month on the 15th", "every year on 4 July", "monthly on the 1st": the day after the unit. */
function onDayOf(input: Input, repeated: Repeated): Repeated {
  if (repeated.weekdays.length > 0 || repeated.first) return repeated;
  const on = skip(input, skip(input, repeated.end, ","), "on");
  if (repeated.unit === "month") {
    const weekday = on > repeated.end ? nthWeekdayOf(input, on) : null;
    if (weekday) return weekday;
    const number = ordinal(input, skip(input, on, "the"));
    return number && on > repeated.end ? { ...repeated, end: number.end, first: onDayNumber(number.value) } : repeated;
  }
  if (repeated.unit !== "year" || on === repeated.end) return repeated;
  const day = monthDayAt(input, on, true) ?? dayMonthAt(input, skip(input, on, "the"));
  return day ? { ...repeated, end: day.end, first: () => day.wall } : repeated;
}

const onDayNumber = (day: number) => (from: Wall) =>
  nextInMonths(from, (year, month) => midnight(year, month, Math.min(day, daysIn(year, month))));

function nextInMonths(from: Wall, dayOf: (year: number, month: number) => Wall): Wall {
  for (let months = 0; months < 3; months += 1) {
    const { year, month } = partsOf(addMonths(monthStart(from), months));
    const wall = dayOf(year, month);
    if (wall >= from) return wall;
  }
  return from;
}

function adverbOrPlural(input: Input, at: number): Repeated | null {
  const word = wordAt(input, at);
  const unit = ADVERBS.get(word);
  if (unit) return { end: at + 1, unit, weekdays: [] };
  // "once a week", "three times per year"
  const times = word === "once" || word === "twice" ? at + 1 : wordAt(input, at + 1) === "times" ? at + 2 : 0;
  const each =
    times && /^(?:an?|per|each|every)$/.test(wordAt(input, times)) ? UNITS.get(wordAt(input, times + 1)) : null;
  if (each) return { end: times + 2, unit: each, weekdays: [] };
  if (word === "weekdays") return { end: at + 1, unit: "day", weekdays: [1, 2, 3, 4, 5] };
  // "the last two Mondays"
  const isCounted = numberAt(input, at - 1) > 0 || SMALL_NUMBERS.has(wordAt(input, at - 1));
  return WEEKDAYS.has(word) && isPlural(word) && !isCounted ? weekdayList(input, at) : null;
}

function weekdayList(input: Input, at: number): Repeated | null {
  const weekdays: number[] = [];
  let next = at;
  let end = -1;
  while (weekdays.length < 7) {
    const weekday = WEEKDAYS.get(wordAt(input, next));
    if (!weekday || (weekdays.length > 0 && isPlural(wordAt(input, at)) !== isPlural(wordAt(input, next)))) break;
    weekdays.push(weekday);
    end = next + 1;
    const link = wordAt(input, end);
    if (link !== "and" && link !== "," && link !== "&" && link !== "or") break;
    next = wordAt(input, end + 1) === "and" ? end + 2 : end + 1;
  }
  return end < 0 ? null : { end, unit: "week", weekdays };
}

function firstDay(today: Wall, { weekdays, first }: Repeated): Wall {
  if (first) return first(today);
  if (weekdays.length === 0 || weekdays.includes(weekdayOf(today))) return today;
  return Math.min(...weekdays.map((weekday) => nextWeekday(today, weekday)));
}
