import { and, asc, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { reminders } from "../../db/schema/reminders.ts";
import { deliverReminders } from "./deliver.ts";
import type { Window } from "./moments.ts";

/** More than come due in a minute, and few enough to read at once. What is left waits for the next run. */
const MOST_OWED = 20_000;
/** A message with these fits into the statements that a message may use. */
const IDS_A_MESSAGE = 90;

/**
 * Hands every delivery that is due to the queue: of what has just fired, and of what waited for the end of quiet hours
 * or of a snooze, or was cut off. Without a queue it delivers as many as it can. Returns how many are due.
 */
export async function enqueueOwed(ctx: Context): Promise<number> {
  const rows = await ctx.db
    .select({ id: reminders.id })
    .from(reminders)
    .where(and(sql`deliver_at IS NOT NULL`, lte(reminders.deliverAt, new Date())))
    .orderBy(asc(reminders.deliverAt))
    .limit(MOST_OWED);
  const messages = [];
  for (let at = 0; at < rows.length; at += IDS_A_MESSAGE) {
    const ids = rows.slice(at, at + IDS_A_MESSAGE).map(({ id }) => id);
    messages.push({ kind: "reminder.deliver" as const, ids });
  }
  if (messages.length === 0 || (await ctx.enqueue(messages))) return rows.length;
  for (const message of messages) {
    if (ctx.signal?.aborted) break;
    await deliverReminders(ctx, message);
  }
  return rows.length;
}

/** The first time in the window at which a delivery is due, as an SQL expression. */
export function nextDelivery({ from, until }: Window): SQL {
  return sql`(SELECT min(deliver_at) FROM reminders
    WHERE deliver_at IS NOT NULL AND deliver_at > ${from} AND deliver_at <= ${until})`;
}
