import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import type { Given } from "../../../db/compiled-query.ts";
import { NEXT_EMAIL_ID } from "../../../db/next-id.ts";
import { emails, threadMessages } from "../../../db/schema/emails.ts";

/** The thread of the first of these Message-IDs that has one, or null. */
export function threadOf(messageIds: Given<string>): SQL {
  return sql`(SELECT thread_id FROM (${threadsOf(messageIds)}) WHERE thread_id IS NOT NULL ORDER BY place LIMIT 1)`;
}

/** Message-IDs as `threadOf` takes them. */
export function messageIdsOf(key: string, known: readonly string[]): string {
  return JSON.stringify([key, ...known]);
}

/** The threads of these Message-IDs, each of a stored email or of one that emails refer to. */
function threadsOf(messageIds: Given<string>): SQL {
  return sql`SELECT key AS place, coalesce(
      (SELECT thread_id FROM emails WHERE message_key = value),
      (SELECT thread_id FROM thread_messages WHERE message_id = value)) AS thread_id
    FROM json_each(${messageIds})`;
}

/** Whether an email is in one of these threads. An email that was always alone has the id of its thread. */
export function isInThread(threads: SQL): SQL {
  return sql`((has_thread_count = 1 AND thread_id IN ${threads}) OR (has_thread_count = 0 AND id IN ${threads}))`;
}

/** The thread of an email that refers to no other: those that refer to it may be there. */
export function threadOfReplies(key: Given<string>): SQL {
  return sql`(SELECT thread_id FROM thread_messages WHERE message_id = ${key})`;
}

/** Whether an address has written to a thread, or was written to in it. */
function takesPart(address: string): SQL {
  const isNamed = (list: string) =>
    sql`EXISTS (SELECT 1 FROM json_each(part.${sql.raw(list)}) WHERE lower(value ->> 'email') = ${address})`;
  // Only emails of threads with several are found by their thread.
  const isInSame = sql`(part.id = emails.id OR (part.has_thread_count = 1 AND part.thread_id = emails.thread_id))`;
  return sql`EXISTS (SELECT 1 FROM emails AS part WHERE ${isInSame}
    AND (lower(part.from_email) = ${address} OR ${isNamed("to_recipients")} OR ${isNamed("cc_recipients")}))`;
}

/**
 * The statements that join the threads of all Message-IDs that an email names, its own first, and note the thread for
 * those that are not stored. `stranger`: who sent it. Anybody can name the emails of others: a thread that the sender has
 * no part in stays as it is.
 */
export function joinThread(
  ctx: Context,
  key: string,
  known: readonly string[],
  stranger?: string,
): BatchItem<"sqlite">[] {
  if (known.length === 0) return [];
  const { db } = ctx;
  const messageIds = messageIdsOf(key, known);
  const thread = threadOf(messageIds);
  // An email that is already stored keeps its thread, whatever it claims to reply to this time.
  const isNew = sql`NOT EXISTS (SELECT 1 FROM emails WHERE message_key = ${key})`;
  const connect = db
    .insert(threadMessages)
    .select(
      sql`SELECT value, coalesce(${thread}, ${NEXT_EMAIL_ID}) FROM json_each(${JSON.stringify(known)})
        WHERE ${isNew} AND NOT EXISTS (SELECT 1 FROM emails WHERE message_key = value)`,
    )
    .onConflictDoNothing();
  const named = sql`(SELECT thread_id FROM (${threadsOf(messageIds)}))`;
  const mayJoin = stranger === undefined ? sql`1` : takesPart(stranger.toLowerCase());
  const isApart = sql`${isNew} AND thread_id <> ${thread} AND ${isInThread(named)} AND ${mayJoin}`;
  // A trigger moves the Message-IDs of the other thread.
  return [connect, db.update(emails).set({ threadId: thread }).where(isApart)];
}
