import type { TimeHabits } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { startOfWeek, type View } from "./days.ts";

/* Days in words. A day has no zone, so all are written from noon in UTC. */

const formats = new Map<string, Intl.DateTimeFormat>();

function write({ locale }: TimeHabits, day: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
    formats.set(key, made);
  }
  return made.format(new Date(`${day}T12:00:00Z`));
}

/** "Monday 16 November 2026", in the order of the locale: the name of a cell. */
export function fullDay(habits: TimeHabits, day: string): string {
  return write(habits, day, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

export function headDay(habits: TimeHabits, day: string): { weekday: string; date: string } {
  return { weekday: write(habits, day, { weekday: "short" }), date: String(Number(day.slice(8))) };
}

export function monthText(habits: TimeHabits, day: string): string {
  return write(habits, day, { month: "long", year: "numeric" });
}

export function shortMonth(habits: TimeHabits, day: string): string {
  return write(habits, day, { month: "short" });
}

export function headingOf(habits: TimeHabits, view: View, day: string): string {
  const date = (of: string) => write(habits, of, { day: "numeric", month: "long", year: "numeric" });
  if (view === "month") return monthText(habits, day);
  if (view === "week") return m.weekOf(date(startOfWeek(habits, day)));
  return view === "day" ? fullDay(habits, day) : m.agendaFrom(date(day));
}
