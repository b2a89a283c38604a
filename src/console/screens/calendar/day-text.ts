import { type TimeHabits, writeDay } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { startOfWeek, type View } from "./days.ts";

/** "Monday 16 November 2026", in the order of the locale: the name of a cell. */
export function fullDay(habits: TimeHabits, day: string): string {
  return writeDay(habits, day, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

export function headDay(habits: TimeHabits, day: string): { weekday: string; date: string } {
  return { weekday: writeDay(habits, day, { weekday: "short" }), date: String(Number(day.slice(8))) };
}

export function monthText(habits: TimeHabits, day: string): string {
  return writeDay(habits, day, { month: "long", year: "numeric" });
}

export function headingOf(habits: TimeHabits, view: View, day: string): string {
  const date = (of: string) => writeDay(habits, of, { day: "numeric", month: "long", year: "numeric" });
  if (view === "month") return monthText(habits, day);
  if (view === "week") return m.weekOf(date(startOfWeek(habits, day)));
  return view === "day" ? fullDay(habits, day) : m.agendaFrom(date(day));
}
