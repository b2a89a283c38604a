import { DAY_MS, dateOf, type Instant, startOfDate, toWall, wallDay, wallOfDate } from "./time-zone.ts";

/** Formats times for a person: in their time zone, and near days by name. */
export interface Speaker {
  /** "15:00" */
  clock(instant: Instant): string;
  /** "today", "tomorrow", "Friday", "Mon 30 Nov", and the year if it is another one. */
  day(instant: Instant): string;
  /** "tomorrow at 15:00" */
  moment(instant: Instant): string;
  /** "tomorrow 15:00–16:00" */
  span(start: Instant, end: Instant): string;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const LONG_MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const MONTHS = LONG_MONTHS.map((name) => name.slice(0, 3));

export function speakerFor(zone: string, now: Date): Speaker {
  const today = wallDay(toWall(zone, now.getTime()));
  const clock = (instant: Instant) => new Date(toWall(zone, instant)).toISOString().slice(11, 16);
  const day = (instant: Instant) => dayName(wallDay(toWall(zone, instant)), today);
  return {
    clock,
    day,
    moment: (instant) => `${day(instant)} at ${clock(instant)}`,
    span(start, end) {
      const isSameDay = day(start) === day(end) || end === endOfDay(zone, start);
      return isSameDay
        ? `${day(start)} ${clock(start)}–${clock(end)}`
        : `${day(start)} ${clock(start)} – ${day(end)} ${clock(end)}`;
    },
  };
}

function dayName(day: number, today: number): string {
  const distance = Math.round((day - today) / DAY_MS);
  if (distance === 0) return "today";
  if (distance === 1) return "tomorrow";
  if (distance === -1) return "yesterday";
  const date = new Date(day);
  const weekday = WEEKDAYS[date.getUTCDay()] ?? "";
  if (distance > 1 && distance < 7) return weekday;
  const year = date.getUTCFullYear() === new Date(today).getUTCFullYear() ? "" : ` ${date.getUTCFullYear()}`;
  return `${weekday.slice(0, 3)} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${year}`;
}

/** Names every day by its date, for what a person has to check. */
export interface ExactSpeaker {
  /** "Friday 20 November, 17:00"; the last minute of a day stands for the day: "Friday 20 November". */
  due(instant: Instant): string;
  /** "Tuesday 17 November, 10:00–11:00" */
  span(start: Instant, end: Instant, allDay: boolean): string;
}

export function exactSpeakerFor(zone: string, now: Date, timeFormat: "12h" | "24h"): ExactSpeaker {
  const year = new Date(toWall(zone, now.getTime())).getUTCFullYear();
  const day = (instant: Instant) => {
    const date = new Date(toWall(zone, instant));
    const name = `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]}`;
    return date.getUTCFullYear() === year ? name : `${name} ${date.getUTCFullYear()}`;
  };
  const clock = (instant: Instant) => {
    const time = new Date(toWall(zone, instant)).toISOString().slice(11, 16);
    const hour = Number(time.slice(0, 2));
    return timeFormat === "24h" ? time : `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? "am" : "pm"}`;
  };
  const isLastMinute = (instant: Instant) => endOfDay(zone, instant) - instant <= 60_000;
  return {
    due: (instant) => (isLastMinute(instant) ? day(instant) : `${day(instant)}, ${clock(instant)}`),
    span(start, end, allDay) {
      const days = [...new Set([day(start), day(allDay ? end - 1 : end)])];
      if (allDay) return `${days.join(" – ")}, all day`;
      if (days.length === 1) return `${day(start)}, ${clock(start)}–${clock(end)}`;
      return `${day(start)}, ${clock(start)} – ${day(end)}, ${clock(end)}`;
    },
  };
}

/** "Wednesday, 18 Nov 2026" */
export function longDate(date: string): string {
  const day = new Date(wallOfDate(date));
  return `${WEEKDAYS[day.getUTCDay()]}, ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** The first moment after the day of this moment. */
export function endOfDay(zone: string, instant: Instant): Instant {
  return startOfDate(zone, dateOf(wallDay(toWall(zone, instant)) + DAY_MS));
}

/** "1 task", "3 tasks" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
