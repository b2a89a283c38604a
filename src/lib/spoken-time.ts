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

/** How a person reads times, by their profile. */
export interface TimeStyle {
  timeFormat: "12h" | "24h";
  /** A BCP 47 tag. The texts are in English; it decides whether the month or the day comes first. */
  locale: string;
}

/** For people without preferences. */
export const DEFAULT_STYLE: TimeStyle = { timeFormat: "24h", locale: "en" };

/** Whether dates are written as in "November 15": in the United States and a few other countries. */
function isMonthFirst(locale: string): boolean {
  // A language alone, such as the default `en`, says nothing about the country.
  if (!new Intl.Locale(locale).region) return false;
  const numbers = new Intl.DateTimeFormat(locale, { dateStyle: "short", calendar: "gregory" }).formatToParts(0);
  // Countries that begin with the year write English dates with the day first.
  return numbers.find(({ type }) => type !== "literal")?.type === "month";
}

function clockOf(wall: number, { timeFormat, locale }: TimeStyle): string {
  const time = new Date(wall).toISOString().slice(11, 16);
  if (timeFormat === "24h") return time;
  const hour = Number(time.slice(0, 2));
  const half = hour < 12 ? "am" : "pm";
  return `${hour % 12 || 12}${time.slice(2)} ${isMonthFirst(locale) ? half.toUpperCase() : half}`;
}

/** "Sunday 15 November 2026", or "Sunday, November 15, 2026" where the month comes first. */
function fullDate(wall: number, { locale }: TimeStyle): string {
  const date = new Date(wall);
  const [weekday, day, year] = [WEEKDAYS[date.getUTCDay()], date.getUTCDate(), date.getUTCFullYear()];
  const month = LONG_MONTHS[date.getUTCMonth()];
  return isMonthFirst(locale) ? `${weekday}, ${month} ${day}, ${year}` : `${weekday} ${day} ${month} ${year}`;
}

/** Writes dates and times in full, as a person is used to. */
export function writerFor(zone: string, style: TimeStyle) {
  return {
    /** "Sunday 15 November 2026" */
    date: (date: string) => fullDate(wallOfDate(date), style),
    /** "Sunday 15 November 2026, 17:42" */
    moment(instant: Instant): string {
      const wall = toWall(zone, instant);
      return `${fullDate(wall, style)}, ${clockOf(wall, style)}`;
    },
  };
}

export function speakerFor(zone: string, now: Date, style: TimeStyle = DEFAULT_STYLE): Speaker {
  const today = wallDay(toWall(zone, now.getTime()));
  const clock = (instant: Instant) => clockOf(toWall(zone, instant), style);
  const day = (instant: Instant) => dayName(wallDay(toWall(zone, instant)), today, style);
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

function dayName(day: number, today: number, { locale }: TimeStyle): string {
  const distance = Math.round((day - today) / DAY_MS);
  if (distance === 0) return "today";
  if (distance === 1) return "tomorrow";
  if (distance === -1) return "yesterday";
  const date = new Date(day);
  const weekday = WEEKDAYS[date.getUTCDay()] ?? "";
  if (distance > 1 && distance < 7) return weekday;
  const isThisYear = date.getUTCFullYear() === new Date(today).getUTCFullYear();
  const [number, month] = [date.getUTCDate(), MONTHS[date.getUTCMonth()]];
  if (isMonthFirst(locale)) {
    return `${weekday.slice(0, 3)}, ${month} ${number}${isThisYear ? "" : `, ${date.getUTCFullYear()}`}`;
  }
  return `${weekday.slice(0, 3)} ${number} ${month}${isThisYear ? "" : ` ${date.getUTCFullYear()}`}`;
}

/** Names every day by its date, for what a person has to check. */
interface ExactSpeaker {
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
  const clock = (instant: Instant) => clockOf(toWall(zone, instant), { ...DEFAULT_STYLE, timeFormat });
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

/** "Wednesday, 18 Nov 2026", or "Wednesday, Nov 18, 2026" where the month comes first. */
export function longDate(date: string, { locale }: TimeStyle = DEFAULT_STYLE): string {
  const day = new Date(wallOfDate(date));
  if (isMonthFirst(locale)) {
    return `${WEEKDAYS[day.getUTCDay()]}, ${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
  }
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
