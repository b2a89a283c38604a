import { dayOf, type TimeHabits } from "./time.ts";

interface Where {
  id: number;
  start: string;
  startDate?: string | null;
  /** Which occurrence of a series, if it is one that has no record of its own. */
  at?: string | null;
}

/** An event in the calendar: its day, in the view that the person used last, with its dialog open. */
export function eventPath(habits: TimeHabits, { id, start, startDate, at }: Where): string {
  const query = new URLSearchParams({ day: startDate ?? dayOf(habits, new Date(start)), event: String(id) });
  if (at) query.set("at", at);
  return `/app/calendar?${query}`;
}
