import { type Interval, merge } from "./intervals.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toInstant, toWall, wallDay, weekdayOf } from "./time-zone.ts";

/** "09:00" to "17:00", as the clock on the wall shows it; "24:00" is the end of the day. */
interface ClockRange {
  start: string;
  end: string;
}

/** By ISO weekday: 1 is Monday. A day with no ranges has no working hours. */
export type WorkingHours = Readonly<Record<1 | 2 | 3 | 4 | 5 | 6 | 7, readonly ClockRange[]>>;

/** A person's working hours and the time zone of their clock times. */
export interface PersonalHours {
  timeZone: string;
  days: WorkingHours;
}

const OFFICE_DAY: readonly ClockRange[] = [{ start: "09:00", end: "17:00" }];

export const DEFAULT_WORKING_HOURS: WorkingHours = {
  1: OFFICE_DAY,
  2: OFFICE_DAY,
  3: OFFICE_DAY,
  4: OFFICE_DAY,
  5: OFFICE_DAY,
  6: [],
  7: [],
};

/** The moments of work that touch the window, by the clocks of the zone. */
export function workingIntervals(hours: WorkingHours, zone: string, window: Interval): Interval[] {
  const intervals: Interval[] = [];
  const last = toWall(zone, window.end);
  for (let day = wallDay(toWall(zone, window.start)); day < last; day += DAY_MS) {
    for (const { start, end } of hours[weekdayOf(day)]) {
      const interval = { start: toInstant(zone, day + clockMs(start)), end: toInstant(zone, day + clockMs(end)) };
      if (interval.end > window.start && interval.start < window.end) intervals.push(interval);
    }
  }
  return merge(intervals.filter(({ start, end }) => start < end));
}

function clockMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}
