import { dateOf, MINUTE_MS, toInstant, toWall, wallDay, wallOfDate } from "../../lib/time-zone.ts";
import { addDays, daysBetween } from "./time.ts";

/* Wall clocks and moments. A zone is always named: the machine's own plays no part. */

/** What a clock on the wall shows: the calendar day and the minutes since its midnight. */
export interface Wall {
  day: string;
  minutes: number;
}

export const DAY_MINUTES = 1440;

export function wallAt(zone: string, moment: number): Wall {
  const wall = toWall(zone, moment);
  return { day: dateOf(wall), minutes: Math.floor((wall - wallDay(wall)) / MINUTE_MS) };
}

/** How far the zone's clocks are ahead of UTC, in minutes. */
export function offsetAt(zone: string, moment: number): number {
  return Math.round((toWall(zone, moment) - moment) / MINUTE_MS);
}

/**
 * The moment at which the clocks of a zone show this time. Minutes may be below 0 or beyond the day. A time that the
 * clocks skip becomes as much later as they skip; of a time that they show twice, the first is meant.
 */
export function momentAt(zone: string, { day, minutes }: Wall): number {
  return toInstant(zone, wallOfDate(day) + minutes * MINUTE_MS);
}

/** The first moment of a day in the zone, for the bounds of a day in requests. It is not always midnight. */
export function startOfDay(zone: string, day: string): Date {
  return new Date(momentAt(zone, { day, minutes: 0 }));
}

/** The same wall time with minutes within the day. */
export function normal({ day, minutes }: Wall): Wall {
  const days = Math.floor(minutes / DAY_MINUTES);
  return days === 0 ? { day, minutes } : { day: addDays(day, days), minutes: minutes - days * DAY_MINUTES };
}

/** From one wall time to another, on the clock: an hour that is skipped or repeated does not count. */
export function minutesBetween(from: Wall, to: Wall): number {
  return daysBetween(from.day, to.day) * DAY_MINUTES + to.minutes - from.minutes;
}

/** `2026-11-16T09:30`, as fields for date and time have it. */
export function localText(wall: Wall): string {
  const { day, minutes } = normal(wall);
  return `${day}T${clockText(minutes)}`;
}

export function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

export function readLocal(text: string): Wall | null {
  const [, day = "", hours = "", minutes = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(text) ?? [];
  return day === "" ? null : { day, minutes: Number(hours) * 60 + Number(minutes) };
}
