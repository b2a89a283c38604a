/** How a person reads times: from the profile, never from the machine. */
export interface TimeHabits {
  timeZone: string;
  locale: string;
  timeFormat: "12h" | "24h";
  weekStart: "monday" | "sunday" | "saturday";
}

export const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(habits: TimeHabits, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${habits.locale} ${habits.timeZone} ${habits.timeFormat} ${JSON.stringify(options)}`;
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
  if (lastDay.key !== moments) {
    const written = format({ ...habits, locale: "en-CA" }, { year: "numeric", month: "2-digit", day: "2-digit" });
    lastDay = { key: moments, day: written.format(moment) };
  }
  return lastDay.day;
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
  return isShort ? format(habits, { hour: "numeric" }).format(moment) : timeText(habits, moment);
}

export function timeText(habits: TimeHabits, moment: Date): string {
  return format(habits, { hour: "numeric", minute: "2-digit" }).format(moment);
}

/** "Monday 16 November", in the order of the locale. */
export function longDay(habits: TimeHabits, moment: Date): string {
  return format(habits, { weekday: "long", day: "numeric", month: "long" }).format(moment);
}

/** A whole day has no zone, so it is written from noon in UTC. */
export function writeDay(habits: TimeHabits, day: string, options: Intl.DateTimeFormatOptions): string {
  return format({ ...habits, timeZone: "UTC" }, options).format(new Date(`${day}T12:00:00Z`));
}

export function dayText(habits: TimeHabits, day: string, { isLong = false } = {}): string {
  const length = isLong ? "long" : "short";
  return writeDay(habits, day, { weekday: length, day: "numeric", month: length });
}

/** A whole day with its year: "Wed, 18 November 2026". */
export function dateText(habits: TimeHabits, day: string): string {
  return writeDay(habits, day, { weekday: "short", day: "numeric", month: "long", year: "numeric" });
}

export function fullText(habits: TimeHabits, moment: Date): string {
  return format(habits, {
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
  if (age > 0 && age < 7) return format(habits, { weekday: "short" }).format(moment);
  if (day.slice(0, 4) === today.slice(0, 4)) {
    return format(habits, { day: "numeric", month: "short" }).format(moment);
  }
  return format(habits, { day: "numeric", month: "short", year: "numeric" }).format(moment);
}

/** The same with the time of another day: "Mon, 14:30". */
export function momentText(habits: TimeHabits, moment: Date, now: Date): string {
  const [day, time] = [pastText(habits, moment, now), timeText(habits, moment)];
  return day === time ? time : `${day}, ${time}`;
}

export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
