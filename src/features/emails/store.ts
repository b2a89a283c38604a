import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Context, timeZoneOf } from "../../context.ts";
import { emails, threadMessages, threads } from "../../db/schema/emails.ts";
import { missedWrite } from "../../db/version.ts";
import { tasksIn } from "../../engine/email/intelligence.ts";
import type { Address } from "../../lib/addresses.ts";
import { assertType } from "../../lib/cast.ts";
import { limitReferences, messageKey } from "../../lib/message-id.ts";
import { inboxTag, MAX_TAGS } from "../../lib/tags.ts";
import { firstCharacters, snippetOf } from "../../lib/text.ts";
import { errorFields, log } from "../../log.ts";
import { type EmailTask, insertEmailTasks } from "../tasks/from-email.ts";
import { type EmailRow, emailColumns } from "./record.ts";

/** A mail about to be stored, wherever it comes from. */
export interface Mail {
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  direction: "inbound" | "outbound";
  source: "api" | "inbound" | "import";
  from: Address;
  to: Address[];
  cc: Address[];
  replyTo: Address | null;
  subject: string;
  body: string;
  html: string | null;
  attachments: { name: string; type: string; size: number }[];
  tags: string[];
  status: "inbox" | "archived" | "trash";
  isRead: boolean;
  isStarred: boolean;
  receivedAt: Date;
}

export type TaskMode = "none" | "action_items" | "every";

interface StoreOptions {
  createTasks?: TaskMode;
  deliveredTo?: string;
  /** The zone the mail's times are read in. */
  timeZone?: string;
}

/**
 * Stores a mail once, threads it, and makes its tasks, all in one batch. Of parallel deliveries of the
 * same Message-ID one creates the mail; the others get the stored one.
 */
export async function storeMail(
  ctx: Context,
  mail: Mail,
  { createTasks = "none", deliveredTo, timeZone = timeZoneOf(ctx) }: StoreOptions = {},
): Promise<{ row: EmailRow; created: boolean }> {
  const key = messageKey(mail.messageId);
  const isThis = sql`message_key = ${key}`;
  const references = limitReferences(mail.references);
  const known = [...new Set([mail.inReplyTo ?? "", ...[...references].reverse()].map(messageKey))].filter(Boolean);
  const insert = ctx.db
    .insert(emails)
    .values({
      ...mail,
      references,
      fromName: mail.from.name,
      fromEmail: mail.from.email,
      snippet: snippetOf(mail.body),
      threadId: sql`(SELECT thread_id FROM thread_messages WHERE message_id = ${key})`,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .onConflictDoNothing()
    .returning({ id: emails.id });
  // Right after the insert: `changes()` speaks of the statement before.
  const tasks = tasksAtHand(ctx, mail, createTasks, timeZone);
  const extras: BatchItem<"sqlite">[] = [];
  if (tasks.length > 0) extras.push(insertEmailTasks(ctx, emailIdOf(isThis), tasks, sql`changes() > 0`));
  if (deliveredTo) extras.push(...addInboxTag(ctx, isThis, deliveredTo));
  const results = await ctx.db.batch([
    ctx.db.select({ id: emails.id }).from(emails).where(isThis),
    ...joinThread(ctx, key, known),
    insert,
    ...extras,
    ctx.db.select(emailColumns).from(emails).where(isThis),
  ]);
  const [before] = results[0];
  // The length of the batch varies, so the types know only its first answer.
  const [row] = assertType<EmailRow[]>(results.at(-1));
  if (!row) throw new Error("the stored mail has no row");
  return { row, created: before === undefined };
}

function emailIdOf(isThis: SQL): SQL {
  return sql`(SELECT id FROM emails WHERE ${isThis})`;
}

/**
 * Finds the conversation by everything the mail names, itself first, and begins one when nothing is
 * known. Where the mail connects conversations that were apart so far, they become one.
 */
function joinThread(ctx: Context, key: string, known: readonly string[]): BatchItem<"sqlite">[] {
  const { db } = ctx;
  const named = JSON.stringify([key, ...known]);
  const thread = sql`(SELECT m.thread_id FROM json_each(${named}) j JOIN thread_messages m ON m.message_id = j.value
    ORDER BY j.key LIMIT 1)`;
  // A mail that is here already has its place, whatever it is said to answer this time.
  const isNew = sql`NOT EXISTS (SELECT 1 FROM emails WHERE message_key = ${key})`;
  const begin = db.insert(threads).select(sql`SELECT NULL, 0 WHERE ${thread} IS NULL`);
  const connect = db
    .insert(threadMessages)
    .select(
      sql`SELECT value, coalesce(${thread}, (SELECT max(id) FROM threads)) FROM json_each(${named}) WHERE ${isNew}`,
    )
    .onConflictDoNothing();
  if (known.length === 0) return [begin, connect];
  const isApart = sql`${isNew} AND thread_id <> ${thread} AND thread_id IN (
    SELECT thread_id FROM thread_messages WHERE message_id IN (SELECT value FROM json_each(${named})))`;
  // What the other conversation knows follows its mails by a trigger, and then it is gone.
  return [begin, connect, db.update(emails).set({ threadId: thread }).where(isApart)];
}

/** One mail to two of our inboxes arrives twice: the second time it only gets the second inbox's tag. */
function addInboxTag(ctx: Context, isThis: SQL, deliveredTo: string): BatchItem<"sqlite">[] {
  return inboxTag(deliveredTo).map((tag) =>
    ctx.db
      .update(emails)
      .set({ tags: sql`json_insert(tags, '$[#]', ${tag})`, version: sql`version + 1`, updatedAt: ctx.now })
      .where(
        and(
          isThis,
          sql`json_array_length(tags) < ${MAX_TAGS}`,
          sql`NOT EXISTS (SELECT 1 FROM json_each(emails.tags) WHERE value = ${tag})`,
        ),
      ),
  );
}

const TITLE_CHARACTERS = 200;

type Asking = Pick<Mail, "subject" | "body" | "tags" | "receivedAt">;

/** Its tasks can be made of a mail later; a mail that is not stored is lost. */
function tasksAtHand(ctx: Context, mail: Asking, mode: TaskMode, timeZone: string): EmailTask[] {
  try {
    return tasksOf(mail, mode, timeZone);
  } catch (error) {
    log("error", "tasks_not_read", { requestId: ctx.requestId, ...errorFields(error) });
    return [];
  }
}

/** What a mail asks for, as tasks. */
export function tasksOf(mail: Asking, mode: TaskMode, timeZone: string): EmailTask[] {
  if (mode === "none") return [];
  if (mode === "every") {
    const title = firstCharacters(mail.subject.trim(), TITLE_CHARACTERS) || "Mail without a subject";
    return [{ title, description: snippetOf(mail.body), quote: null, dueAt: null, tags: mail.tags }];
  }
  return tasksIn({ content: mail.body, reference: mail.receivedAt, timeZone }).map((item) => ({
    title: item.text,
    description: "",
    quote: item.quote.text,
    dueAt: item.dueAt,
    tags: mail.tags,
  }));
}

export async function requireMail(ctx: Context, id: number): Promise<EmailRow> {
  const [row] = await ctx.db.select(emailColumns).from(emails).where(eq(emails.id, id));
  if (!row) throw missedWrite(undefined, `mail ${id}`);
  return row;
}

/** Who sent a mail; undefined when it is not here. */
export async function findSender(ctx: Context, id: number): Promise<string | undefined> {
  const [row] = await ctx.db.select({ email: emails.fromEmail }).from(emails).where(eq(emails.id, id));
  return row?.email;
}
