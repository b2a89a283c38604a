import { assertType } from "./cast.ts";

/**
 * Wall time is what a clock in the zone shows. It is kept as a number, the milliseconds of the same
 * reading in UTC, so that days and hours can be added to it without a clock change in the way.
 */
export type Wall = number;
/** A moment, as milliseconds since 1970. */
export type Instant = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Zones have fewer names than this; but each may be written in capitals and small letters in thousands of ways. */
const MAX_ZONES = 500;
const zones = new Map<string, { format: Intl.DateTimeFormat; name: string }>();

/** As the database writes other names of a zone than the one the runtime prefers: "Asia/Kolkata", "US/Eastern". */
const WELL_WRITTEN = /^(?:(?:[A-Z]{2,3}|[A-Z][a-z]+(?:[_-][A-Za-z][a-z]*)*)(?:\/|$))+$/;

/** How to read the zone's clocks, and how its name is written. Throws when there is no such zone. */
function zoneOf(given: string) {
  let zone = zones.get(given);
  if (!zone) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: given,
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
    const { timeZone } = format.resolvedOptions();
    const isAlias = timeZone.toLowerCase() !== given.toLowerCase() && WELL_WRITTEN.test(given);
    zone = { format, name: isAlias ? given : timeZone };
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(given, zone);
  }
  return zone;
}

/** Whether this is a zone of the IANA database; an offset such as "+02:00" is not a zone. */
export function isTimeZone(name: string): boolean {
  return timeZoneName(name) !== null;
}

/** The zone by its name in the spelling of the IANA database; null when there is no such zone. */
export function timeZoneName(name: string): string | null {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return null;
  try {
    return zoneOf(name).name;
  } catch {
    return null;
  }
}

export function toWall(zone: string, instant: Instant): Wall {
  if (zone === "UTC") return instant;
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of zoneOf(zone).format.formatToParts(instant)) {
    if (type in parts) parts[assertType<keyof typeof parts>(type)] = Number(value);
  }
  const { year, month, day, hour, minute, second } = parts;
  const milliseconds = ((instant % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds;
}

/** How far the zone's clocks are ahead of UTC at that moment, in milliseconds. */
export function offsetAt(zone: string, instant: Instant): number {
  return toWall(zone, instant) - instant;
}

/**
 * The moment at which the clocks show this. A reading that comes twice means the first time; one that is
 * skipped is read with the offset before the change, as RFC 5545 says, and so falls after the gap.
 */
export function toInstant(zone: string, wall: Wall): Instant {
  if (zone === "UTC") return wall;
  // No zone is further than a day from UTC, so a change near the reading lies between these two.
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

/** Midnight of a date, or NaN when there is no such day in the calendar. */
export function wallOfDate(date: string): Wall {
  const wall = Date.parse(`${date}T00:00:00.000Z`);
  return Number.isNaN(wall) || dateOf(wall) !== date ? Number.NaN : wall;
}

/** The first moment of a date in the zone, which is not always midnight. */
export function startOfDate(zone: string, date: string): Instant {
  return toInstant(zone, wallOfDate(date));
}
