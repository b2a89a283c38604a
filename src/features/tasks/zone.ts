import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { endOfDate } from "../../lib/time-zone.ts";

/**
 * Moves open tasks which are due on a day to the end of that day in another time zone, with their
 * reminders, and has those that repeat go on there, for a batch; none if there is nothing to move. Tasks with a time keep it, and so do days
 * that somebody gave in a zone of their own.
 */
export async function daysMoved(ctx: Context, from: string, to: string): Promise<BatchItem<"sqlite">[]> {
  const isDay = sql`closed = 0 AND due_date IS NOT NULL`;
  const days = await ctx.db.selectDistinct({ date: tasks.dueDate }).from(tasks).where(isDay);
  const moves = days.flatMap(({ date }) =>
    date === null ? [] : [{ date, was: endOfDate(from, date) - 1, next: endOfDate(to, date) - 1 }],
  );
  if (moves.length === 0) return [];
  const moved: SQL = sql`(SELECT value ->> 'date' AS date, value ->> 'was' AS was, value ->> 'next' AS next
    FROM json_each(${JSON.stringify(moves)})) AS moved`;
  const isBySameClock = sql`repetition ->> 'zone' = ${from} AND length(repetition ->> 'at') = 10`;
  const move = ctx.db
    .update(tasks)
    .set({
      dueAt: sql`moved.next`,
      repetition: sql`iif(${isBySameClock}, json_set(repetition, '$.zone', ${to}), repetition)`,
    })
    .from(moved)
    .where(sql`${isDay} AND due_date = moved.date AND due_at = moved.was`);
  return [move];
}
