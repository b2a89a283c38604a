import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { emails } from "../../db/schema/emails.ts";

/**
 * The statement that notes that the emails of a thread up to a moment are answered, for the batch that stores the answer
 * or marks it as sent. Also those whose analysis is on its way: it will find that they are settled.
 */
export function settleThread(
  ctx: Context,
  answerId: SQL,
  { receivedAt, createdAt }: Record<"receivedAt" | "createdAt", Date>,
) {
  // An email that was scheduled answers what was there when it was written.
  const until = Math.min(receivedAt.getTime(), createdAt.getTime());
  const isWaiting = sql`(${emails.replyNeeded} = 1 OR (${emails.replyNeeded} IS NULL AND ${emails.analysisDueAt} IS NOT NULL))`;
  return ctx.db
    .update(emails)
    .set({ replyNeeded: false, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
    .where(
      sql`${emails.hasThreadCount} = 1 AND ${emails.threadId} = (SELECT thread_id FROM emails AS answer WHERE answer.id = ${answerId})
        AND ${emails.receivedAt} <= ${until} AND ${emails.direction} = 'inbound' AND ${isWaiting}`,
    );
}

/**
 * What the column is after an analysis. While it differs from the last one, the person or an answer has decided.
 * Otherwise the new one counts, unless the thread has an answer that was there before.
 */
export function replyNeededAfter(isAsked: boolean): SQL<boolean> {
  const isDecided = sql`reply_needed IS NOT (analysis ->> 'replyNeeded')`;
  if (!isAsked) return sql`iif(${isDecided}, reply_needed, 0)`;
  const isAnswered = sql`EXISTS (SELECT 1 FROM emails AS answer INDEXED BY emails_thread
    WHERE answer.thread_id = emails.thread_id AND answer.has_thread_count = 1 AND answer.received_at >= emails.received_at
      AND answer.direction = 'outbound' AND (answer.delivery IS NULL OR answer.delivery = 'sent')
      AND answer.created_at >= emails.received_at)`;
  return sql`iif(${isDecided}, reply_needed, NOT ${isAnswered})`;
}
