import { DAY_MS, HOUR_MS, MINUTE_MS, type Wall, weekdayOf } from "../lib/time-zone.ts";
import { type FindOptions, type FoundDate, findDates } from "./dates/find-dates.ts";
import { workOn } from "./dates/times/working-day.ts";
import { instantOf } from "./dates/zone.ts";
import { hourOfPart } from "./due-date.ts";

const MAX_SCANNED = 200;
const EVENING = 18 * HOUR_MS;

/**
 * When a text such as "tomorrow morning" wants to be reminded: a time at that time, a day when its work begins, or at 6
 * in the evening if that is over, a week or a month on its first day. May be past; null if the text names no time or
 * `whyNoDate` says what is wrong with it.
 */
export function snoozeTime(text: string, options: FindOptions): Date | null {
  // "weekend" alone is no date for the reader of emails.
  for (const words of [text, `until ${text}`, `this ${text}`]) {
    const { dates } = findDates(words.slice(0, MAX_SCANNED), options);
    if (dates.some(({ doubt }) => doubt)) return null;
    const found = dates.find(({ from, durationMinutes }) => from !== null || durationMinutes !== null);
    if (found) return timeOf(found, options);
  }
  return null;
}

function timeOf(found: FoundDate, { reference, timeZone, habits }: FindOptions): Date | null {
  const { from, to, type, wall, durationMinutes, ambiguous } = found;
  if (from === null)
    return durationMinutes === null ? null : new Date(reference.getTime() + durationMinutes * MINUTE_MS);
  const part = hourOfPart(found, habits);
  if (part !== null) return new Date(instantOf(part, found.zone, timeZone));
  if (/time/.test(type) || to === null || wall.from === null || wall.to === null) return from;
  const days = Math.ceil((wall.to - wall.from) / DAY_MS);
  const starts = Array.from({ length: Math.min(days, 7) }, (_, day) => (wall.from ?? 0) + day * DAY_MS);
  const morning = (day: Wall) => day + workOn(habits, weekdayOf(day)).start * 1000;
  // "Monday" on a Monday is the next one.
  const isToday = type === "date" && ambiguous && from <= reference;
  const walls = isToday ? [morning(wall.from + 7 * DAY_MS)] : starts.flatMap((day) => [morning(day), day + EVENING]);
  const times = walls.map((time) => new Date(instantOf(time, found.zone, timeZone)));
  return times.find((time) => time > reference) ?? times[0] ?? from;
}
