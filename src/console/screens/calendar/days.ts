import { addDays, daysBetween, endOfWeek, type TimeHabits } from "../../lib/time.ts";

/* Which days a view shows. Days are texts such as `2026-11-16`: they have no zone. */

export const VIEWS = ["month", "week", "day", "agenda"] as const;
export type View = (typeof VIEWS)[number];

/** How far ahead the agenda looks. */
const AGENDA_DAYS = 30;

export function isView(text: string | undefined): text is View {
  return VIEWS.some((view) => view === text);
}

/** Whether the text is a day that exists. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = Date.parse(`${text}T12:00:00Z`);
  return Number.isFinite(moment) && new Date(moment).toISOString().startsWith(text);
}

export function startOfWeek(habits: TimeHabits, day: string): string {
  return addDays(endOfWeek(habits, day), -6);
}

/** The days of a view, in order. Those of a month are whole weeks. */
export function daysOf(habits: TimeHabits, view: View, day: string): string[] {
  if (view === "day") return [day];
  if (view === "agenda") return daysFrom(day, AGENDA_DAYS);
  if (view === "week") return daysFrom(startOfWeek(habits, day), 7);
  const first = startOfWeek(habits, `${day.slice(0, 7)}-01`);
  return daysFrom(first, daysBetween(first, endOfWeek(habits, lastOfMonth(day))) + 1);
}

function daysFrom(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index));
}

function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0, 12)).toISOString().slice(0, 10);
}

/** The same day a month earlier or later; the last one of a month that is shorter. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1, 12)).toISOString().slice(0, 10);
  const last = lastOfMonth(first);
  const same = `${first.slice(0, 8)}${day.slice(8)}`;
  return same > last ? last : same;
}

/** One view back or on. */
export function stepFrom(view: View, day: string, direction: 1 | -1): string {
  if (view === "month") return addMonths(day, direction);
  const days = { week: 7, day: 1, agenda: AGENDA_DAYS }[view];
  return addDays(day, direction * days);
}

export function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
}

/** The number of the week by ISO 8601: the one that has the Thursday. */
export function weekNumber(day: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const weekday = (new Date(noon).getUTCDay() + 6) % 7;
  const thursday = addDays(day, 3 - weekday);
  return 1 + Math.floor(daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday) / 7);
}
