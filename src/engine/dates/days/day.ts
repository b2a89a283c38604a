import { wordSet } from "../../../lib/words.ts";
import { DAY_MS, midnight, nextWeekday, partsOf, type Wall, wallDay, weekdayOf } from "../calendar.ts";
import { isHead } from "../first-words.ts";
import { ordinal, wordNumber, year as yearAt } from "../numbers.ts";
import { addDuration, type Duration, durationAt, isTimeUnit, singleUnit } from "../periods/duration.ts";
import { clockAt } from "../times/clock-time.ts";
import { businessHours } from "../times/working-day.ts";
import { anyPhraseAt, glued, type Input, numberAt, once, phraseAt, phrases, skip, tokenAt, wordAt } from "../tokens.ts";
import { MODIFIERS, table, WEEKDAYS } from "../vocabulary.ts";
import { type Day, relativeDay } from "./day-result.ts";
import { holidayAt } from "./holidays.ts";
import { dayMonthAt, monthDayAt, sharedMonthDayAt } from "./month-day.ts";
import { numericDayAt } from "./numeric-date.ts";
import { countedWeekdayAt, loneDayAt, nthInMonthAt, nthInRelativeMonthAt, nthOfMonthAt } from "./ordinal-day.ts";
import { weekdayAt, weekdayNameAt } from "./weekday.ts";

/** Names of days, by their distance from today. */
const NAMED: readonly (readonly [number, readonly (readonly string[])[]])[] = [
  [2, phrases("the day after tomorrow|day after tomorrow|day after tmrw|overmorrow")],
  [-2, phrases("the day before yesterday|day before yesterday")],
  [
    1,
    phrases(
      "tomorrow|tomorrow's|tomorrows|tmrw|2moro|tomoro|tmr|tmrrw|tomorow|tommorow|tommorrow|the next day|next day",
    ),
  ],
  [0, phrases("today|today's|otd|on this day|this day|the day of today")],
  [-1, phrases("yesterday|yesterday's|yday|the previous day")],
];
const NAMED_FIRST: ReadonlySet<string> = new Set(NAMED.flatMap(([, names]) => names.map(([first = ""]) => first)));

function namedDayAt(input: Input, at: number): Day | null {
  if (!NAMED_FIRST.has(wordAt(input, at))) return null;
  for (const [days, names] of NAMED) {
    const end = anyPhraseAt(input, at, names);
    if (end < 0) continue;
    if (days === 1 && wordAt(input, end) === "week") return relativeDay(end + 1, input.today + 8 * DAY_MS);
    if (wordAt(input, end - 1) === "day" && /^(delivery|shipping|service|of)$/.test(wordAt(input, end))) return null;
    return relativeDay(end, input.today + days * DAY_MS);
  }
  return null;
}

/** "this 5/12", "next 6th of April": the modifier moves the year. */
function modifiedDateAt(input: Input, at: number): Day | null {
  const shift = MODIFIERS.get(wordAt(input, at));
  if (shift === undefined) return null;
  const holiday = holidayAt(input, at + 1, shift);
  if (holiday) return { ...holiday, kind: "date", hasYear: true };
  const day = monthDayAt(input, at + 1, true) ?? dayMonthAt(input, at + 1) ?? numericDate(input, at + 1);
  if (!day) return null;
  const { month, day: number } = partsOf(day.wall);
  if (day.hasYear) return day;
  const wall = midnight(partsOf(input.today).year + shift, month, number);
  return Number.isNaN(wall) ? null : { ...day, wall, hasYear: true };
}

const TRUSTING = wordSet("on by until till since before after date dated");

function numericDate(input: Input, at: number): Day | null {
  const isTrusted = TRUSTING.has(wordAt(input, at - 1));
  const found = numericDayAt(input, at, isTrusted);
  if (!found) return null;
  const isHyphened = wordAt(input, at + 1) === "-" && !found.hasYear && tokenAt(input, at).kind === "number";
  const isWhole = at === 0 && tokenAt(input, found.end).text === "";
  return isHyphened && wordAt(input, at - 1) !== "on" && !isWhole ? null : { ...found, kind: "date" };
}

/** A day that does not depend on another one. */
function plainDayAt(input: Input, at: number): Day | null {
  const token = tokenAt(input, at);
  let best: Day | null = null;
  const offer = (day: Day | null) => {
    if (day && (!best || day.end > best.end)) best = day;
  };
  if (token.kind === "number") {
    offer(numericDate(input, at));
    offer(dayMonthAt(input, at));
    offer(sharedMonthDayAt(input, at));
    offer(nthInMonthAt(input, at));
    offer(nthOfMonthAt(input, at));
    offer(loneDayAt(input, at));
    offer(weekdaysAway(input, at));
    return best;
  }
  if (token.kind !== "word") return null;
  offer(namedDayAt(input, at));
  offer(weekdayAt(input, at));
  offer(monthDayAt(input, at));
  offer(dayMonthAt(input, at));
  offer(nthInMonthAt(input, at));
  offer(modifiedDateAt(input, at));
  offer(nthInRelativeMonthAt(input, at));
  offer(weekdaysAway(input, at));
  if (token.lower === "the") {
    offer(dayMonthAt(input, at + 1));
    offer(sharedMonthDayAt(input, at + 1));
    offer(nthOfMonthAt(input, at));
  }
  const holiday = holidayAt(input, at);
  offer(holiday && { ...holiday, kind: "date", hasYear: false });
  return best;
}

/** "two Mondays ago", "three Fridays from now". */
function weekdaysAway(input: Input, at: number): Day | null {
  const digits = numberAt(input, at);
  const count = digits > 0 ? { end: at + 1, value: digits } : wordNumber(input, at);
  const weekday = count && count.value < 60 ? WEEKDAYS.get(wordAt(input, count.end)) : undefined;
  if (!count || !weekday) return null;
  const away = wordAt(input, count.end + 1);
  if (away === "ago" || away === "back") {
    return relativeDay(count.end + 2, nextWeekday(input.today - 7 * DAY_MS, weekday) - (count.value - 1) * 7 * DAY_MS);
  }
  const end = phraseAt(input, count.end + 1, ["from", "now"]);
  return end > 0 ? relativeDay(end, nextWeekday(input.today + DAY_MS, weekday) + (count.value - 1) * 7 * DAY_MS) : null;
}

/** A point in time at a given distance from another. */
export interface Offset {
  end: number;
  wall: Wall;
  /** It has a time of day, because the length was hours or less. */
  timed: boolean;
  duration: Duration;
}

const FROM_NOW = phrases("from now|from right now|hence|out");
const LATER = phrases("from today|after today|later");
const TOWARDS = table<1 | -1>([
  [1, "from after since past following"],
  [-1, "before until"],
]);

/** "in 5 minutes", "two weeks from Monday", "3 days ago", "two years since 2011". */
export const offsetAt = once("offset", readOffset);

function readOffset(input: Input, at: number): Offset | null {
  const hasIn = wordAt(input, at) === "in";
  const start = skip(input, skip(input, at, "in", "exactly", "about"), "about", "around", "approximately", "exactly");
  if (tokenAt(input, start).kind === "mark") return null;
  const isBare = wordAt(input, start) === "fortnight";
  const duration = durationAt(input, start) ?? (isBare ? singleUnit(input, start) : null);
  const offset = duration && countFrom(input, duration, hasIn);
  if (!offset) return null;
  return !glued(input, offset.end) || tokenAt(input, offset.end).kind === "mark" ? offset : null;
}

/** Finds the point a length is counted from ("ago", "from now", "after Monday") and counts from it. */
function countFrom(input: Input, duration: Duration, hasIn: boolean): Offset | null {
  const { end, unit } = duration;
  const timed = isTimeUnit(unit);
  const base = timed ? input.now : input.today;
  const make = (behind: number, sign: 1 | -1, from: Wall = base): Offset => {
    const wall = addDuration(from, duration, sign);
    return { end: behind, wall: timed ? wall : wallDay(wall), timed, duration };
  };
  const next = wordAt(input, end);
  if (next === "ago" || next === "back" || next === "earlier")
    return next === "back" && hasIn ? make(end, 1) : make(skip(input, end + 1, "today"), -1);
  const fromNow = anyPhraseAt(input, end, FROM_NOW);
  if (fromNow > 0 && !(next === "out" && wordAt(input, fromNow) === "of")) return make(fromNow, 1);
  const later = anyPhraseAt(input, end, LATER);
  if (later > 0) return make(later, 1);
  const sign = TOWARDS.get(next);
  if (sign && timed) {
    const clock = clockAt(input, end + 1);
    if (clock) return make(clock.end, sign, input.today + businessHours(input, clock) * 1000);
  }
  // "a week on Friday", "a week tomorrow"
  const isWeekOn =
    (unit === "week" || unit === "fortnight") && (next === "on" || next === "tomorrow" || next === "today");
  const weekDay = isWeekOn ? plainDayAt(input, skip(input, end, "on")) : null;
  if (weekDay && weekDay.kind !== "date") return make(weekDay.end, 1, weekDay.wall);
  if (sign && !timed) {
    const target = plainDayAt(input, end + 1) ?? yearStart(input, end + 1);
    if (target) return make(target.end, sign, target.wall);
  }
  const prior = phraseAt(input, end, ["prior", "to"]);
  const target = prior > 0 && !timed ? plainDayAt(input, prior) : null;
  if (target) return make(target.end, -1, target.wall);
  if (!hasIn) return null;
  const time = wordAt(input, end) === "time" || wordAt(input, end) === "'" ? end + 1 : end;
  return make(wordAt(input, time - 1) === "'" && wordAt(input, time) === "time" ? time + 1 : time, 1);
}

const THE_YEAR = phrases("the year|year");

function yearStart(input: Input, at: number): { end: number; wall: Wall } | null {
  const start = anyPhraseAt(input, at, THE_YEAR);
  const year = yearAt(input, start > 0 ? start : at);
  return year && { end: year.end, wall: midnight(year.value, 1, 1) };
}

/** "in two weeks on Friday": the Friday of that week, Sunday to Saturday; after months, the next Friday. */
function onWeekday(offset: Offset, weekday: number, end: number): Day {
  const { wall, duration } = offset;
  const current = weekdayOf(wall) % 7;
  const asked = weekday % 7;
  const days = duration.months ? (asked - current + 7) % 7 : asked - current;
  return { end, wall: wall + days * DAY_MS, ambiguous: false, kind: "date", hasYear: true };
}

/** Any way to name one day. */
export const dayAt = once("day", readDay);

function readDay(input: Input, at: number): Day | null {
  if (!isHead(input, at)) return null;
  const plain = closestAt(input, at) ?? countedAfter(input, at) ?? plainDayAt(input, at);
  const offset = offsetAt(input, at);
  if (offset && !offset.timed && (!plain || offset.end > plain.end)) {
    const link = wordAt(input, offset.end);
    const weekday = weekdayNameAt(input, offset.end + 1);
    if (weekday && link === "on") return onWeekday(offset, weekday, offset.end + 2);
    return relativeDay(offset.end, offset.wall, offset.duration.vague);
  }
  const the = skip(input, at, "the");
  const beside = !plain && wordAt(input, the) === "day" ? afterDay(input, the + 1) : null;
  if (beside) return { ...beside.day, wall: beside.day.wall + beside.sign * DAY_MS };
  if (plain?.kind === "weekday" && plain.end === at + 1) {
    const behind = offsetAt(input, skip(input, plain.end, ",", "in"));
    if (behind && !behind.timed) return onWeekday(behind, weekdayNameAt(input, at), behind.end);
    const after = afterDay(input, plain.end);
    if (after) return onWeekdayBeside(input, at, after);
  }
  return plain;
}

/** "the third Tuesday after Christmas". */
function countedAfter(input: Input, at: number): Day | null {
  const counted = countedWeekdayAt(input, at);
  const after = counted && counted.nth > 0 ? afterDay(input, counted.end) : null;
  if (!counted || !after) return null;
  const first = onWeekdayBeside(input, counted.end - 1, after);
  return { ...first, wall: first.wall + after.sign * (counted.nth - 1) * 7 * DAY_MS };
}

/** "the closest Monday to October 5th", "the second nearest Friday to Christmas". */
function closestAt(input: Input, at: number): Day | null {
  const start = skip(input, at, "the");
  const nth = ordinal(input, start);
  const index = nth?.end ?? start;
  if (wordAt(input, index) !== "closest" && wordAt(input, index) !== "nearest") return null;
  const weekday = WEEKDAYS.get(wordAt(input, index + 1));
  const day = weekday && wordAt(input, index + 2) === "to" ? plainDayAt(input, index + 3) : null;
  if (!weekday || !day) return null;
  const next = nextWeekday(day.wall, weekday);
  const rank = nth?.value ?? 1;
  const around = [0, -1, 1, -2, 2].map((weeks) => next + weeks * 7 * DAY_MS);
  const ranked = around.sort((a, b) => Math.abs(a - day.wall) - Math.abs(b - day.wall));
  return { ...day, wall: ranked[rank - 1] ?? next };
}

/** "the Monday after Thanksgiving": the day the weekday is counted from. */
function afterDay(input: Input, at: number): { day: Day; sign: 1 | -1 } | null {
  const word = wordAt(input, at);
  const sign = word === "after" || word === "following" ? 1 : word === "before" ? -1 : 0;
  if (sign === 0) return null;
  const day = plainDayAt(input, at + 1);
  return day && day.kind === "date" ? { day, sign } : null;
}

function onWeekdayBeside(input: Input, at: number, { day, sign }: { day: Day; sign: 1 | -1 }): Day {
  const weekday = weekdayNameAt(input, at);
  const ahead = (weekday - weekdayOf(day.wall) + 7) % 7 || 7;
  const days = sign > 0 ? ahead : ahead === 7 ? -7 : ahead - 7;
  return { ...day, wall: day.wall + days * DAY_MS };
}
