import type { FoundDate } from "../../../../engine/dates/find-dates.ts";
import { type Clock, isClock } from "../../../../engine/notes/message-time.ts";
import { DAY_MS, dateOf, toWall } from "../../../../lib/time-zone.ts";

const SAYS_HALF =
  /\d ?[ap]\.?m\b|\b(?:noon|midday|midnight|morning|afternoon|evening|night|tonight|lunchtime)\b|\b0\d[:.]?\d\d\b|\b(?:1[3-9]|2[0-3])(?:[:.]\d\d)?\b/i;
const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;

/** "8" and "half seven" say no half of the day. */
export const hasOpenHour = (found: FoundDate) => found.ambiguous && isClock(found) && !SAYS_HALF.test(found.text);

/** On a Wednesday, "move it to Wednesday" means the next one: of the same day, people say "today". */
export function daysToNextOfName({ from, text, ambiguous }: FoundDate, { reference, timeZone }: Clock): number {
  const isToday = from && dateOf(toWall(timeZone, from.getTime())) === dateOf(toWall(timeZone, reference.getTime()));
  return isToday && ambiguous && WEEKDAY.test(text) ? 7 : 0;
}

export const daysLater = (moment: Date, days: number) => new Date(moment.getTime() + days * DAY_MS);

const EVENING = 17;
const LATEST = 22.5;

/**
 * Hours to add to a time without a half of the day, so that it is near the time of the event that it changes: 8, for
 * an event at 19:00, is 20:00.
 */
export function hoursToSameHalf(hour: number, ofEvent: number): number {
  const isNearer = (other: number) => Math.abs(other - ofEvent) < Math.abs(hour - ofEvent);
  if (hour >= 7 && hour < 12 && ofEvent >= (hour < 8 ? 12 : EVENING) && hour + 12 <= LATEST && isNearer(hour + 12))
    return 12;
  return hour >= 16 && hour < 19 && ofEvent < 9 && isNearer(hour - 12) ? -12 : 0;
}
