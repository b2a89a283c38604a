/** A moment as a clock on the wall shows it; months count from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
}

export interface LocalDate {
  year: number;
  month: number;
  day: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Whether the runtime knows the IANA name. Bare offsets such as `+01:00` know no summer time and are refused. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

export function wallTime(instant: Date, zone: string): Required<WallTime> {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

function utcOf({ year, month, day, hour = 0, minute = 0, second = 0 }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** How far the zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const wholeSeconds = Math.floor(time / 1000) * 1000;
  return utcOf(wallTime(new Date(wholeSeconds), zone)) - wholeSeconds;
}

/**
 * The moment at which the zone's clocks show this time. Of a time that comes twice the first is meant;
 * one that a change of the clocks leaves out is read as if the clocks had not changed yet.
 */
export function instantOf(wall: WallTime, zone: string): Date {
  const utc = utcOf(wall);
  const before = offsetAt(utc - DAY_MS, zone);
  const after = offsetAt(utc + DAY_MS, zone);
  const candidates = [utc - before, utc - after].sort((a, b) => a - b);
  const exact = candidates.find((time) => time + offsetAt(time, zone) === utc);
  return new Date(exact ?? utc - before);
}

export function localDate(instant: Date, zone: string): LocalDate {
  const { year, month, day } = wallTime(instant, zone);
  return { year, month, day };
}

export function addDays({ year, month, day }: LocalDate, days: number): LocalDate {
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** The first moment of a day; days have 23, 24 or 25 hours. */
export function startOfDay(date: LocalDate, zone: string): Date {
  return instantOf(date, zone);
}

/** The first moment after a day. */
export function endOfDay(date: LocalDate, zone: string): Date {
  return startOfDay(addDays(date, 1), zone);
}

/** `2026-11-16` */
export function isoDate({ year, month, day }: LocalDate): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}
