import type { DateHabits } from "../../../lib/date-habits.ts";
import { weekdayOf } from "../calendar.ts";
import type { Input } from "../tokens.ts";
import { type Clock, HOUR } from "./clock.ts";

/** When a working day begins and ends, in seconds after midnight. */
interface WorkingDay {
  start: number;
  end: number;
  /** The person works on that weekday. */
  works: boolean;
}

const OFFICE_DAY = { start: 9 * HOUR, end: 17 * HOUR };
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

const secondsOf = (clock: string) => Number(clock.slice(0, 2)) * HOUR + Number(clock.slice(3, 5)) * 60;

/** The person's working day on a weekday. On a day off the hours are those of their first working day. */
export function workOn(habits: DateHabits | undefined, weekday: number): WorkingDay {
  const hours = habits?.hours;
  if (!hours) return { ...OFFICE_DAY, works: weekday <= 5 };
  const own = WEEKDAYS.filter((day) => hours[day].length > 0);
  const isOn = own.find((day) => day === weekday);
  const day = isOn ?? own[0];
  const ranges = day ? hours[day] : [];
  const [first] = ranges;
  const last = ranges.at(-1);
  if (!first || !last) return { ...OFFICE_DAY, works: false };
  return { start: secondsOf(first.start), end: secondsOf(last.end), works: isOn !== undefined };
}

/** The time in seconds. Without am or pm it is within working hours if it can be; hours from 1 to 6 are in the afternoon. */
export function businessHours({ habits, today }: Input, clock: Clock): number {
  const { seconds } = clock;
  if (!clock.open || seconds < HOUR || seconds >= 12 * HOUR) return seconds;
  if (habits.hours) {
    const { start, end } = workOn(habits, weekdayOf(today));
    const isAtWork = (time: number) => time >= start && time < end;
    if (isAtWork(seconds) !== isAtWork(seconds + 12 * HOUR)) return isAtWork(seconds) ? seconds : seconds + 12 * HOUR;
  }
  return seconds < 7 * HOUR ? seconds + 12 * HOUR : seconds;
}
