import { DAY_MS, midnight, partsOf, type Wall, wallDay } from "./calendar.ts";
import type { Day } from "./days/month-day.ts";
import type { Moment } from "./moment.ts";
import { addDuration, isTimeUnit } from "./periods/duration.ts";
import type { Clock } from "./times/clock.ts";
import { businessHours } from "./times/clock-time.ts";
import type { Input } from "./tokens.ts";
import type { Unit } from "./vocabulary.ts";
import type { Zone } from "./zone.ts";

export type DateType = "date" | "time" | "datetime" | "daterange" | "timerange" | "datetimerange" | "duration" | "set";

/** What a phrase means on the clocks of its zone. A null `to` is a point. */
export interface Reading {
  end: number;
  type: DateType;
  from: Wall | null;
  to: Wall | null;
  grain: Unit;
  ambiguous: boolean;
  zone: Zone | null;
  /** The length said, in minutes, where there is one that a clock can tell. */
  minutes: number | null;
}

const HOUR = 3600;
const HALF_DAY = 12 * HOUR;
const WEEK_MS = 7 * DAY_MS;

/** The clock reading of a moment, once its part of the day has settled morning or afternoon. */
function secondsOf(clock: Clock, moment: Moment): { seconds: number; ambiguous: boolean } {
  if (!clock.open) return { seconds: clock.seconds, ambiguous: false };
  if (moment.part) {
    const isLate = moment.part.hours[0] >= 12;
    const dial = clock.seconds % HALF_DAY;
    // "12 at night" and "2 at night" are after midnight.
    if (moment.part.night && dial < 5 * HOUR) return { seconds: dial, ambiguous: false };
    return { seconds: isLate ? dial + HALF_DAY : dial, ambiguous: false };
  }
  return { seconds: businessHours(clock), ambiguous: true };
}

/** What was said of one moment. Today's own weekday with a time that has passed is next week's. */
export function readMoment(input: Input, moment: Moment): Reading | null {
  const reading = readAsSaid(input, moment);
  const { day } = moment;
  const isTodaysName = day?.kind === "weekday" && day.ambiguous && day.wall === input.today;
  if (!isTodaysName || !reading || reading.from === null || !reading.type.startsWith("datetime")) return reading;
  const { from, to, zone } = reading;
  if (!input.hasPassed(to ?? from, zone)) return reading;
  return { ...reading, from: from + WEEK_MS, to: to === null ? null : to + WEEK_MS };
}

function readAsSaid(input: Input, moment: Moment): Reading | null {
  const { end, day, clock, range, part, length, offset } = moment;
  const zone = moment.zone ?? null;
  const point = { end, to: null, zone, minutes: null };
  if (moment.now) return { ...point, type: "datetime", from: input.now, grain: "second", ambiguous: false };
  if (offset)
    return {
      ...point,
      type: "datetime",
      from: offset.wall,
      grain: offset.duration.unit,
      ambiguous: offset.duration.vague,
    };
  if (clock && length) {
    const { seconds, ambiguous } = secondsOf(clock, moment);
    const from = (day?.wall ?? dayFor(input, seconds)) + seconds * 1000;
    const to = addDuration(from, length, 1);
    return {
      end,
      type: day ? "datetimerange" : "timerange",
      from,
      to,
      grain: clock.grain,
      ambiguous,
      zone,
      minutes: Math.round((to - from) / 60_000),
    };
  }
  if (clock) {
    const { seconds, ambiguous } = secondsOf(clock, moment);
    // "midnight tonight" is where the night ends.
    const night = clock.seconds === 0 && !clock.open && part?.night ? DAY_MS : 0;
    if (day)
      return {
        ...point,
        type: "datetime",
        from: day.wall + seconds * 1000 + night,
        grain: clock.grain,
        ambiguous: ambiguous || day.ambiguous,
      };
    return { ...point, type: "time", from: dayFor(input, seconds) + seconds * 1000, grain: clock.grain, ambiguous };
  }
  if (range) {
    const shifted = part && range.ambiguous && part.hours[0] >= 12 && range.to <= HALF_DAY ? HALF_DAY : 0;
    const base = day?.wall ?? dayFor(input, range.from);
    const isBack = part && range.ambiguous && part.hours[0] < 12 && range.from >= HALF_DAY ? -HALF_DAY : shifted;
    return {
      end,
      type: day ? "datetimerange" : "timerange",
      from: base + (range.from + isBack) * 1000,
      to: base + (range.to + isBack) * 1000,
      grain: range.grain,
      ambiguous: range.ambiguous && !part,
      zone,
      minutes: Math.round((range.to - range.from) / 60),
    };
  }
  if (part) {
    const [from, to] = part.hours;
    const last = to === 24 ? 24 * HOUR - 1 : to * HOUR;
    if (!day) {
      const base = dayFor(input, from * HOUR);
      const bounds = { from: base + from * HOUR * 1000, to: base + last * 1000 };
      return { end, type: "timerange", ...bounds, grain: "hour", ambiguous: true, zone, minutes: null };
    }
    return {
      end,
      type: "datetimerange",
      from: day.wall + from * HOUR * 1000,
      to: day.wall + last * 1000,
      grain: "hour",
      ambiguous: true,
      zone,
      minutes: null,
    };
  }
  if (!day) return null;
  if (length && !isTimeUnit(length.unit)) {
    return {
      end,
      type: "daterange",
      from: day.wall,
      to: addDuration(day.wall, length, 1),
      grain: "day",
      ambiguous: day.ambiguous,
      zone,
      minutes: null,
    };
  }
  return { ...point, type: "date", from: day.wall, to: day.wall + DAY_MS, grain: "day", ambiguous: day.ambiguous };
}

/** A time without a day is today's, or tomorrow's once it has passed. */
function dayFor(input: Input, seconds: number): Wall {
  return input.today + seconds * 1000 < input.now ? input.today + DAY_MS : input.today;
}

/** "from X to Y" where X and Y are days, times or both. */
export function readBetween(input: Input, first: Moment, second: Moment): Reading | null {
  if (first.range || second.range || first.length || second.length || first.part || second.part) return null;
  if (first.offset || second.offset) return null;
  const zone = second.zone ?? first.zone ?? null;
  const shared = { end: second.end, zone, minutes: null };
  if (first.day && !first.clock && second.day && !second.clock) {
    const to = laterYear(first, second);
    const from = inYearOf(first.day, second.day);
    if (to < from) return null;
    return {
      ...shared,
      type: "daterange",
      from,
      to: to + DAY_MS,
      grain: "day",
      ambiguous: first.day.ambiguous,
    };
  }
  if (first.now && second.day && !second.clock) {
    const to = second.day.wall + DAY_MS;
    return { ...shared, type: "datetimerange", from: input.now, to, grain: "day", ambiguous: second.day.ambiguous };
  }
  if (!(first.clock || first.now) || !(second.clock || second.now)) return null;
  return betweenTimes(input, first, second, shared);
}

/** "Nov 11 to Dec 2, 2013": the year said last holds for both. */
function inYearOf(first: Day, second: Day): Wall {
  if (first.hasYear || !second.hasYear || first.kind !== "date" || second.kind !== "date") return first.wall;
  const { month, day } = partsOf(first.wall);
  const { year } = partsOf(second.wall);
  const same = midnight(year, month, day);
  const wall = same > second.wall ? midnight(year - 1, month, day) : same;
  return Number.isNaN(wall) ? first.wall : wall;
}

/** "Nov 20 to Jan 3": the end is the first such day behind the start. */
function laterYear(first: Moment, second: Moment): Wall {
  if (!first.day || !second.day) return Number.NaN;
  const { wall } = second.day;
  if (wall >= first.day.wall || second.day.hasYear) return wall;
  if (second.day.kind === "weekday") return wall + 7 * DAY_MS;
  const { year, month, day } = partsOf(wall);
  return midnight(year + 1, month, day);
}

function betweenTimes(
  input: Input,
  first: Moment,
  second: Moment,
  shared: Pick<Reading, "end" | "zone" | "minutes">,
): Reading | null {
  const grain: Unit = (second.clock ?? first.clock)?.grain ?? "minute";
  if (first.now && second.clock) {
    const day = second.day?.wall ?? input.today;
    let to = day + second.clock.seconds * 1000;
    if (second.clock.open && to <= input.now) to += HALF_DAY * 1000;
    return { ...shared, type: "datetimerange", from: input.now, to, grain, ambiguous: second.clock.open };
  }
  if (second.now && first.clock) {
    const day = first.day?.wall ?? input.today;
    let from = day + first.clock.seconds * 1000;
    if (first.clock.open && from + HALF_DAY * 1000 <= input.now) from += HALF_DAY * 1000;
    return { ...shared, type: "datetimerange", from, to: input.now, grain, ambiguous: first.clock.open };
  }
  if (!first.clock || !second.clock) return null;
  const start = secondsOf(first.clock, first);
  const day =
    first.day?.wall ??
    (second.day && !first.day ? (second.day.kind === "relative" ? input.today : second.day.wall) : input.today);
  const from = day + start.seconds * 1000;
  const endDay = second.day?.wall ?? day;
  const finish = secondsOf(second.clock, second);
  let to = endDay + finish.seconds * 1000;
  if (second.clock.open && to <= from && to + HALF_DAY * 1000 > from) to += HALF_DAY * 1000;
  if (to <= from && !second.day) to = wallDay(from) + DAY_MS + finish.seconds * 1000;
  if (to <= from) return null;
  return { ...shared, type: "datetimerange", from, to, grain, ambiguous: start.ambiguous || finish.ambiguous };
}
