/** How a person reads times: from the profile, never from the machine. */
export interface TimeHabits {
  timeZone: string;
  locale: string;
  timeFormat: "12h" | "24h";
  weekStart: "monday" | "sunday" | "saturday";
}

export const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(habits: TimeHabits, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${habits.locale} ${habits.timeZone} ${habits.timeFormat}`;
  let made = formats.get(key);
  if (!made) {
    // Made once: it is slow, and lists need it for every row.
    made = new Intl.DateTimeFormat(habits.locale, {
      timeZone: habits.timeZone,
      ...(options.hour && { hourCycle: habits.timeFormat === "12h" ? "h12" : "h23" }),
      ...options,
    });
    formats.set(key, made);
  }
  return made;
}

/** Every row asks for the day of the same moment: now. */
let lastDay = { key: "", day: "" };

/** The calendar day of a moment in the person's zone: `2026-11-16`. */
export function dayOf(habits: TimeHabits, moment: Date): string {
  const moments = `${habits.timeZone} ${moment.getTime()}`;
  if (lastDay.key !== moments) lastDay = { key: moments, day: formattedDay(habits, moment) };
  return lastDay.day;
}

function formattedDay(habits: TimeHabits, moment: Date): string {
  const key = `day ${habits.timeZone}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat("en-CA", {
      timeZone: habits.timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(key, made);
  }
  return made.format(moment);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / DAY_MS);
}

/** The last day of the week that a day is in. */
export function endOfWeek({ weekStart }: TimeHabits, day: string): string {
  const first = { sunday: 0, monday: 1, saturday: 6 }[weekStart];
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return addDays(day, 6 - ((weekday - first + 7) % 7));
}

/** "10 AM" or "10:00": a label beside the hours of a day. With minutes, where a zone's clocks are not at the full hour. */
export function hourText(habits: TimeHabits, moment: Date): string {
  const isFull = timeText({ ...habits, timeFormat: "24h" }, moment).endsWith("00");
  const isShort = habits.timeFormat === "12h" && isFull;
  return isShort ? format(habits, "hour", { hour: "numeric" }).format(moment) : timeText(habits, moment);
}

export function timeText(habits: TimeHabits, moment: Date): string {
  return format(habits, "time", { hour: "numeric", minute: "2-digit" }).format(moment);
}

/** "Monday 16 November", in the order of the locale. */
export function longDay(habits: TimeHabits, moment: Date): string {
  return format(habits, "long", { weekday: "long", day: "numeric", month: "long" }).format(moment);
}

/** A whole day, which has no zone. */
export function dayText(habits: TimeHabits, day: string, { isLong = false } = {}): string {
  const noon = new Date(`${day}T12:00:00Z`);
  const options: Intl.DateTimeFormatOptions = isLong
    ? { weekday: "long", day: "numeric", month: "long" }
    : { weekday: "short", day: "numeric", month: "short" };
  return format({ ...habits, timeZone: "UTC" }, isLong ? "day-long" : "day", options).format(noon);
}

/** A whole day with its year: "Wed, 18 November 2026". */
export function dateText(habits: TimeHabits, day: string): string {
  const options = { weekday: "short", day: "numeric", month: "long", year: "numeric" } as const;
  return format({ ...habits, timeZone: "UTC" }, "date", options).format(new Date(`${day}T12:00:00Z`));
}

export function weekdayText(habits: TimeHabits, day: string): string {
  return format({ ...habits, timeZone: "UTC" }, "weekday", { weekday: "long" }).format(new Date(`${day}T12:00:00Z`));
}

export function fullText(habits: TimeHabits, moment: Date): string {
  return format(habits, "full", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(moment);
}

/** As short as it can be said: the time today, the weekday this week, otherwise the date. For lists of the past. */
export function pastText(habits: TimeHabits, moment: Date, now: Date): string {
  const [day, today] = [dayOf(habits, moment), dayOf(habits, now)];
  if (day === today) return timeText(habits, moment);
  const age = daysBetween(day, today);
  if (age > 0 && age < 7) return format(habits, "short-weekday", { weekday: "short" }).format(moment);
  if (day.slice(0, 4) === today.slice(0, 4)) {
    return format(habits, "day-month", { day: "numeric", month: "short" }).format(moment);
  }
  return format(habits, "date", { day: "numeric", month: "short", year: "numeric" }).format(moment);
}

export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
