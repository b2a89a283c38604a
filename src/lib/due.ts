import { DAY_MS, dateOf, endOfDate, toWall, wallDay } from "./time-zone.ts";

/** A due time, or a day without a time: then the time is the last millisecond of that day. */
export interface Due {
  dueAt: Date;
  dueDate: string | null;
}

/** A day is due at its last moment in the person's time zone. */
export function dueOfDate(date: string, zone: string): Due {
  return { dueAt: new Date(endOfDate(zone, date) - 1), dueDate: date };
}

/** A day as the engine returns it, its last millisecond, is a due date without a time. */
export function dueOfMoment(moment: Date, zone: string): Due {
  const next = toWall(zone, moment.getTime()) + 1;
  return { dueAt: moment, dueDate: next === wallDay(next) ? dateOf(next - DAY_MS) : null };
}

/** When a task is due, as a moment; null if never. */
export function dueMoment(task: { dueAt: string | null; dueDate: string | null }, zone: string): number | null {
  if (task.dueDate !== null) return endOfDate(zone, task.dueDate) - 1;
  return task.dueAt === null ? null : Date.parse(task.dueAt);
}
