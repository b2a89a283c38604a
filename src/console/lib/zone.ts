import { addDays, DAY_MS, daysBetween } from "./time.ts";

/* Wall clocks and moments. A zone is always named: the machine's own plays no part. */

/** What a clock on the wall shows: the calendar day and the minutes since its midnight. */
export interface Wall {
  day: string;
  minutes: number;
}

export const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let made = formats.get(zone);
  if (!made) {
    made = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    formats.set(zone, made);
  }
  return made;
}

export function wallAt(zone: string, moment: number): Wall {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(moment)) parts[type] = value;
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

/** How far the zone's clocks are ahead of UTC, in minutes. */
export function offsetAt(zone: string, moment: number): number {
  const { day, minutes } = wallAt(zone, moment);
  return Math.round((Date.parse(`${day}T00:00:00Z`) - moment) / MINUTE_MS) + minutes;
}

/**
 * The moment at which the clocks of a zone show this time. Minutes may be below 0 or beyond the day. A time that the
 * clocks skip becomes as much later as they skip; of a time that they show twice, the first is meant.
 */
export function momentAt(zone: string, { day, minutes }: Wall): number {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
  const before = offsetAt(zone, asUtc - DAY_MS);
  const after = offsetAt(zone, asUtc + DAY_MS);
  for (const offset of [before, after]) {
    const moment = asUtc - offset * MINUTE_MS;
    if (offsetAt(zone, moment) === offset) return moment;
  }
  return asUtc - before * MINUTE_MS;
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
