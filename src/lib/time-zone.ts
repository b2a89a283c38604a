import { assertType } from "./cast.ts";

/**
 * Wall time: what a clock in the zone shows. Stored as the milliseconds of the same reading in UTC, so that days and
 * hours can be added to it across a clock change.
 */
export type Wall = number;
/** Milliseconds since 1970. */
export type Instant = number;
/** A moment, or a whole day such as "2026-11-16", which depends on the time zone it is read in. */
export type TimeOrDate = Date | string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws when the zone does not exist. Kept, because making one is slow; there are as many as zone names. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  return format;
}

/** What clocks show, as a number. `Date.UTC` would take the year 99 for 1999. */
export function wallTime(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): Wall {
  return new Date(0).setUTCFullYear(year, month - 1, day) + Date.UTC(1970, 0, 1, hour, minute, second);
}

export function toWall(zone: string, instant: Instant): Wall {
  if (zone === "UTC") return instant;
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(zone).formatToParts(instant)) {
    if (type in parts) parts[assertType<keyof typeof parts>(type)] = Number(value);
  }
  const { year, month, day, hour, minute, second } = parts;
  const milliseconds = ((instant % 1000) + 1000) % 1000;
  return wallTime(year, month, day, hour, minute, second) + milliseconds;
}

/** The zone's offset from UTC at that moment, in milliseconds. */
export function offsetAt(zone: string, instant: Instant): number {
  return toWall(zone, instant) - instant;
}

/**
 * The moment at which the zone's clocks show this. A reading that occurs twice means the first one. A reading that is
 * skipped uses the offset before the change, as RFC 5545 requires.
 */
export function toInstant(zone: string, wall: Wall): Instant {
  if (zone === "UTC") return wall;
  // No zone is more than a day from UTC, so a clock change near the reading lies between these two.
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  if (before === after) return wall - before;
  const matches = [wall - before, wall - after].filter((instant) => toWall(zone, instant) === wall);
  return matches.length > 0 ? Math.min(...matches) : wall - before;
}

/** Midnight of the reading's day. */
export function wallDay(wall: Wall): Wall {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(wall: Wall): 1 | 2 | 3 | 4 | 5 | 6 | 7 {
  // 1970-01-01 was a Thursday.
  const day = (((Math.floor(wall / DAY_MS) + 3) % 7) + 7) % 7;
  return assertType(day + 1);
}

/** Midnight of the Monday of the reading's week. */
export function wallWeek(wall: Wall): Wall {
  return wallDay(wall) - (weekdayOf(wall) - 1) * DAY_MS;
}

/** "2026-11-16" */
export function dateOf(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** Midnight of a date, or NaN when the date does not exist. */
export function wallOfDate(date: string): Wall {
  const wall = Date.parse(`${date}T00:00:00.000Z`);
  return Number.isNaN(wall) || dateOf(wall) !== date ? Number.NaN : wall;
}

/** The first moment of a date in the zone, which is not always midnight. */
export function startOfDate(zone: string, date: string): Instant {
  return toInstant(zone, wallOfDate(date));
}

/** The first moment after a date in the zone. */
export function endOfDate(zone: string, date: string): Instant {
  return toInstant(zone, wallOfDate(date) + DAY_MS);
}

/** A time zone, or how to find it out where that is only worth it for a date. */
type Zone = string | (() => string);

const nameOf = (zone: Zone) => (typeof zone === "string" ? zone : zone());

/** The inclusive start of a range: a date means its first moment. */
export function lowerBound(zone: Zone, value: TimeOrDate): Date;
export function lowerBound(zone: Zone, value: TimeOrDate | undefined): Date | undefined;
export function lowerBound(zone: Zone, value: TimeOrDate | undefined) {
  return typeof value === "string" ? new Date(startOfDate(nameOf(zone), value)) : value;
}

/** The exclusive end of a range: a date is included as a whole. */
export function upperBound(zone: Zone, value: TimeOrDate): Date;
export function upperBound(zone: Zone, value: TimeOrDate | undefined): Date | undefined;
export function upperBound(zone: Zone, value: TimeOrDate | undefined) {
  return typeof value === "string" ? new Date(endOfDate(nameOf(zone), value)) : value;
}
