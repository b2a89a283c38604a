import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time-zone.ts";
import { type FoundDate, findDates } from "./dates/find-dates.ts";
import { instantOf } from "./dates/zone.ts";

const MAX_SCANNED = 200;
const MORNING = 8 * HOUR_MS;
const EVENING = 18 * HOUR_MS;

/**
 * When a text such as "tomorrow morning" wants to be reminded: a time at that time, a day at 8 in the morning, or at 6 in
 * the evening if the morning is over, a week or a month on its first day. May be past; null if the text names no time.
 */
export function snoozeTime(text: string, now: Date, zone: string): Date | null {
  // "weekend" alone is no date for the reader of emails.
  for (const words of [text, `this ${text}`]) {
    const { dates } = findDates(words.slice(0, MAX_SCANNED), { reference: now, timeZone: zone });
    const found = dates.find(({ from, durationMinutes }) => from !== null || durationMinutes !== null);
    if (found) return timeOf(found, now, zone);
  }
  return null;
}

function timeOf(found: FoundDate, now: Date, zone: string): Date | null {
  const { from, to, type, wall, durationMinutes, ambiguous } = found;
  if (from === null) return durationMinutes === null ? null : new Date(now.getTime() + durationMinutes * MINUTE_MS);
  if (/time/.test(type) || to === null || wall.from === null || wall.to === null) return from;
  const days = Math.ceil((wall.to - wall.from) / DAY_MS);
  const starts = Array.from({ length: Math.min(days, 7) }, (_, day) => (wall.from ?? 0) + day * DAY_MS);
  // "Monday" on a Monday is the next one.
  const isToday = type === "date" && ambiguous && from <= now;
  const walls = isToday ? [wall.from + 7 * DAY_MS + MORNING] : starts.flatMap((day) => [day + MORNING, day + EVENING]);
  const times = walls.map((time) => new Date(instantOf(time, found.zone, zone)));
  return times.find((time) => time > now) ?? times[0] ?? from;
}
