import { addMonths, DAY_MS, midnight, partsOf, type Wall, wallDay, weekdayOf } from "./calendar.ts";
import type { Day } from "./days/day-result.ts";
import type { Moment } from "./moment.ts";
import { addDuration, isTimeUnit } from "./periods/duration.ts";
import type { Edge } from "./periods/named-period.ts";
import type { Clock } from "./times/clock.ts";
import { businessHours, workOn } from "./times/working-day.ts";
import { type Input, PARAGRAPH, wordAt } from "./tokens.ts";
import type { Unit } from "./vocabulary.ts";
import type { Zone } from "./zone.ts";

export type DateType = "date" | "time" | "datetime" | "daterange" | "timerange" | "datetimerange" | "duration" | "set";

/** The meaning of a phrase, in local time of its zone. `to` is null for a point in time. */
export interface Reading {
  end: number;
  type: DateType;
  from: Wall | null;
  to: Wall | null;
  grain: Unit;
  ambiguous: boolean;
  zone: Zone | null;
  /** The length in minutes, if the phrase gives one. */
  minutes: number | null;
  /** The zone follows from a place, which may only say where the meeting is. */
  isPlaceZone?: true;
  /** The part of a period that is meant: "early May". */
  edge?: Edge;
  /** The other reading of the day, if there is one, and the weekday that the words claim. */
  day?: Pick<Day, "wall" | "other" | "claimed">;
  /** Why the words name no time, in one sentence. */
  doubt?: string;
}

type Extras = Partial<Pick<Reading, "ambiguous" | "zone" | "minutes">>;

/** A reading that is certain and names neither a zone nor a length, except for what `extras` adds. */
export function reading(
  end: number,
  type: DateType,
  from: Wall | null,
  to: Wall | null,
  grain: Unit,
  extras: Extras = {},
): Reading {
  return { end, type, from, to, grain, ambiguous: false, zone: null, minutes: null, ...extras };
}

const HOUR = 3600;
const HALF_DAY = 12 * HOUR;
const WEEK_MS = 7 * DAY_MS;

/** The time of day of a moment. Its part of the day decides between morning and afternoon. */
function secondsOf(input: Input, clock: Clock, moment: Moment): { seconds: number; ambiguous: boolean } {
  if (clock.isEndOfWork)
    return { seconds: workOn(input.habits, weekdayOf(moment.day?.wall ?? input.today)).end, ambiguous: false };
  // "demain soir à 8 heures": the part of the day says which eight it is.
  const isMeantLate = moment.part && moment.part.hours[0] >= 12 && !clock.isSaid;
  const isMorning = clock.seconds >= (moment.part?.night ? 5 : 1) * HOUR && clock.seconds < HALF_DAY;
  if (!clock.open && isMeantLate && isMorning) return { seconds: clock.seconds + HALF_DAY, ambiguous: false };
  if (!clock.open) return { seconds: clock.seconds, ambiguous: clock.isLiteral === true };
  if (moment.part) {
    const isLate = moment.part.hours[0] >= 12;
    const dial = clock.seconds % HALF_DAY;
    // "12 at night" and "2 at night" are after midnight.
    if (moment.part.night && dial < 5 * HOUR) return { seconds: dial, ambiguous: false };
    if (dial === 0 && moment.part.hours[0] >= 16) return { seconds: 24 * HOUR, ambiguous: false };
    return { seconds: isLate ? dial + HALF_DAY : dial, ambiguous: false };
  }
  const meal = mealBeside(input, moment.end);
  const dial = clock.seconds % HALF_DAY;
  if (meal && dial >= 5 * HOUR) return { seconds: meal === "evening" ? dial + HALF_DAY : dial, ambiguous: false };
  return { seconds: businessHours(input, clock), ambiguous: true };
}

const MEALS = new Map<string, "morning" | "evening">([
  ...["dinner", "supper", "drinks", "cocktails", "concert", "cinema"].map((word) => [word, "evening"] as const),
  ["breakfast", "morning"],
]);
const MEAL_REACH = 14;

/** "Dinner on Thursday at 8", "at 7 for breakfast": a meal in the same sentence says which half of the day is meant. */
function mealBeside(input: Input, end: number): "morning" | "evening" | undefined {
  for (const step of [-1, 1]) {
    for (let away = 0; away < MEAL_REACH; away += 1) {
      const word = wordAt(input, end + (step > 0 ? away : -1 - away));
      const meal = MEALS.get(word);
      if (meal) return meal;
      if (word === "" || word === "." || word === "?" || word === "!" || word === PARAGRAPH) break;
    }
  }
  return undefined;
}

/** Resolves a moment. "Wednesday at 9" on a Wednesday at 10 is next week's. */
export function readMoment(input: Input, moment: Moment): Reading | null {
  const plain = readLiterally(input, moment);
  const { day } = moment;
  const literal: Reading | null = plain && {
    ...plain,
    ...(moment.isPlaceZone && { isPlaceZone: true }),
    ...(day?.other !== undefined && { day }),
  };
  const isTodaysName = day?.kind === "weekday" && day.ambiguous && day.wall === input.today;
  if (!isTodaysName || !literal || literal.from === null || !literal.type.startsWith("datetime")) return literal;
  const { from, to, zone } = literal;
  if (!input.hasPassed(to ?? from, zone)) return literal;
  return { ...literal, from: from + WEEK_MS, to: to === null ? null : to + WEEK_MS };
}

function readLiterally(input: Input, moment: Moment): Reading | null {
  const { end, day, clock, range, part, length, offset } = moment;
  const zone = moment.zone ?? null;
  if (moment.now) return reading(end, "datetime", input.now, null, "second", { zone });
  if (offset) {
    const { unit, vague } = offset.duration;
    return reading(end, "datetime", offset.wall, null, unit, { zone, ambiguous: vague });
  }
  if (clock && length) {
    const { seconds, ambiguous } = secondsOf(input, clock, moment);
    const from = (day?.wall ?? dayFor(input, seconds)) + seconds * 1000;
    const to = addDuration(from, length, 1);
    const minutes = Math.round((to - from) / 60_000);
    return reading(end, day ? "datetimerange" : "timerange", from, to, clock.grain, { ambiguous, zone, minutes });
  }
  if (clock) {
    const { seconds, ambiguous } = secondsOf(input, clock, moment);
    // "midnight tonight" is the end of the day.
    const night = clock.seconds === 0 && !clock.open && part?.night ? DAY_MS : 0;
    if (!day)
      return reading(end, "time", dayFor(input, seconds) + seconds * 1000, null, clock.grain, { ambiguous, zone });
    const from = day.wall + seconds * 1000 + night;
    // "today at 8", said at noon, is in the evening.
    const isToday = day.wall === input.today && day.kind !== "weekday";
    const isLater = ambiguous && clock.open && isToday && seconds < HALF_DAY && from < input.now;
    const at = isLater && from + HALF_DAY * 1000 > input.now ? from + HALF_DAY * 1000 : from;
    return reading(end, "datetime", at, null, clock.grain, { ambiguous: ambiguous || day.ambiguous, zone });
  }
  if (range) {
    const base = day?.wall ?? dayFor(input, range.from);
    const isLate = part && range.ambiguous && part.hours[0] >= 12 && range.to <= HALF_DAY;
    const isEarly = part && range.ambiguous && part.hours[0] < 12 && range.from >= HALF_DAY;
    const shift = isLate ? HALF_DAY : isEarly ? -HALF_DAY : 0;
    const from = base + (range.from + shift) * 1000;
    const to = base + (range.to + shift) * 1000;
    const minutes = Math.round((range.to - range.from) / 60);
    const ambiguous = range.ambiguous && !part;
    return reading(end, day ? "datetimerange" : "timerange", from, to, range.grain, { ambiguous, zone, minutes });
  }
  if (part) {
    const [from, to] = part.hours;
    const last = to === 24 ? 24 * HOUR - 1 : to * HOUR;
    const base = day?.wall ?? dayFor(input, from * HOUR);
    const type = day ? "datetimerange" : "timerange";
    return reading(end, type, base + from * HOUR * 1000, base + last * 1000, "hour", { ambiguous: true, zone });
  }
  if (!day) return null;
  const { wall, ambiguous } = day;
  if (!length || isTimeUnit(length.unit)) return reading(end, "date", wall, wall + DAY_MS, "day", { ambiguous, zone });
  return reading(end, "daterange", wall, addDuration(wall, length, 1), "day", { ambiguous, zone });
}

/** A time without a day is today's, or tomorrow's once it has passed. */
function dayFor(input: Input, seconds: number): Wall {
  return input.today + seconds * 1000 < input.now ? input.today + DAY_MS : input.today;
}

/** "from X to Y" where X and Y are days, times or both. */
export function readBetween(input: Input, first: Moment, second: Moment): Reading | null {
  // "Monday to Friday, 9am to 5pm": several days, and not the hours of the last one.
  if (second.range && first.day?.kind === "weekday" && second.day?.kind === "weekday" && !first.clock && !first.range) {
    const [from, to] = alignedDays(first.day, second.day);
    return reading(second.end, "daterange", from, to + DAY_MS, "day", { ambiguous: true });
  }
  if (first.range || second.range || first.length || second.length) return null;
  if ((first.part && !first.clock) || (second.part && !second.clock) || first.offset) return null;
  const { end } = second;
  const zone = second.zone ?? first.zone ?? null;
  if (second.offset) {
    return first.now ? reading(end, "datetimerange", input.now, second.offset.wall, "minute", { zone }) : null;
  }
  if (first.day && !first.clock && second.now) {
    const from = first.day.wall <= input.now || first.day.hasYear ? first.day.wall : addMonths(first.day.wall, -12);
    return from < input.now ? reading(end, "daterange", from, input.today + DAY_MS, "day", { zone }) : null;
  }
  if (first.day && !first.clock && second.day && !second.clock) {
    const [from, to] = alignedDays(first.day, second.day);
    if (to < from) return null;
    const between = reading(end, "daterange", from, to + DAY_MS, "day", { ambiguous: first.day.ambiguous, zone });
    return first.day.other === undefined ? between : { ...between, day: first.day };
  }
  if (first.now && second.day && !second.clock) {
    const { wall, ambiguous } = second.day;
    return reading(end, "datetimerange", input.now, wall + DAY_MS, "day", { ambiguous, zone });
  }
  if (!(first.clock || first.now) || !(second.clock || second.now)) return null;
  return betweenTimes(input, first, second, zone);
}

/** "Nov 11 to Dec 2, 2013": the year at the end holds for both. */
function inYearOf(first: Day, second: Day): Wall {
  if (first.hasYear || !second.hasYear || first.kind !== "date" || second.kind !== "date") return first.wall;
  const { month, day } = partsOf(first.wall);
  const { year } = partsOf(second.wall);
  const same = midnight(year, month, day);
  const wall = same > second.wall ? midnight(year - 1, month, day) : same;
  return Number.isNaN(wall) ? first.wall : wall;
}

/** "from the 27th to 3 April", "from April 9 till the 17th", "Nov 20 to Jan 3": what one day leaves open, the other says. */
function alignedDays(first: Day, second: Day): [Wall, Wall] {
  if (second.isNumberOnly && first.kind === "date" && !first.isNumberOnly) {
    const { year, month } = partsOf(first.wall);
    const { day } = partsOf(second.wall);
    const same = midnight(year, month, day);
    return [first.wall, same >= first.wall ? same : addMonths(midnight(year, month, 1), 1) + (day - 1) * DAY_MS];
  }
  if (first.isNumberOnly && second.kind === "date" && !second.isNumberOnly) {
    const { year, month } = partsOf(second.wall);
    const { day } = partsOf(first.wall);
    const same = midnight(year, month, day);
    return [same <= second.wall ? same : addMonths(midnight(year, month, 1), -1) + (day - 1) * DAY_MS, second.wall];
  }
  // "between the 5th and the 9th" on the 7th: next month's.
  if (first.isNumberOnly && second.isNumberOnly && second.wall < first.wall)
    return [first.wall, addMonths(second.wall, 1)];
  const from = inYearOf(first, second);
  if (second.wall >= from || second.hasYear) return [from, second.wall];
  if (second.kind === "weekday") return [from, second.wall + 7 * DAY_MS];
  // The first day has passed and the second has not: the range is under way.
  if (first.kind === "date" && !first.hasYear) return [addMonths(from, -12), second.wall];
  return [from, addMonths(second.wall, 12)];
}

function betweenTimes(input: Input, first: Moment, second: Moment, zone: Zone | null): Reading | null {
  // "between 10 and 12 … on Friday": hours without a day may get theirs from another phrase.
  const isDated = first.day || second.day || first.now || second.now;
  const range = (from: Wall, to: Wall, ambiguous: boolean) =>
    reading(second.end, isDated ? "datetimerange" : "timerange", from, to, grain, { ambiguous, zone });
  const grain: Unit = (second.clock ?? first.clock)?.grain ?? "minute";
  if (first.now && second.clock) {
    const day = second.day?.wall ?? input.today;
    let to = day + second.clock.seconds * 1000;
    if (second.clock.open && to <= input.now) to += HALF_DAY * 1000;
    return range(input.now, to, second.clock.open);
  }
  if (second.now && first.clock) {
    const day = first.day?.wall ?? input.today;
    let from = day + first.clock.seconds * 1000;
    if (first.clock.open && from + HALF_DAY * 1000 <= input.now) from += HALF_DAY * 1000;
    return range(from, input.now, first.clock.open);
  }
  if (!first.clock || !second.clock) return null;
  const start = secondsOf(input, first.clock, first);
  const day = first.day?.wall ?? (second.day && second.day.kind !== "relative" ? second.day.wall : input.today);
  const from = day + start.seconds * 1000;
  // "from Monday 8am to Tuesday 5pm": the first Tuesday after that Monday.
  const isNamed = second.day?.kind === "weekday" && second.day.wall < day;
  const endDay = second.day ? second.day.wall + (isNamed ? WEEK_MS : 0) : day;
  const finish = secondsOf(input, second.clock, second);
  let to = endDay + finish.seconds * 1000;
  if (second.clock.open && to <= from && to + HALF_DAY * 1000 > from) to += HALF_DAY * 1000;
  if (to <= from && !second.day) to = wallDay(from) + DAY_MS + finish.seconds * 1000;
  if (to <= from) return null;
  return range(from, to, start.ambiguous || finish.ambiguous);
}
