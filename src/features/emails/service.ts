import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { anyOf } from "../../db/bulk.ts";
import { emails } from "../../db/schema/emails.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { inboxTag, MAX_TAGS } from "../../lib/tags.ts";
import { cutToBytes } from "../../lib/text.ts";
import { convertToTasks } from "../tasks/from-email.ts";
import { emailColumns, toEmail } from "./record.ts";
import type { BulkChanges, Email, EmailChanges, NewEmail } from "./schemas.ts";
import { requireMail, storeMail, tasksOf } from "./store.ts";

/** With the HTML it was made from, a body must fit a row of 2 MB, also as the kept answer of an Idempotency-Key. */
const MAX_DERIVED_BYTES = 400_000;

export async function createEmail(ctx: Context, input: NewEmail): Promise<{ email: Email; created: boolean }> {
  const isOutbound = input.direction === "outbound";
  const { createTasks, receivedAt = ctx.now, isRead = isOutbound, status = isOutbound ? "archived" : "inbox" } = input;
  const mail = {
    ...input,
    messageId: input.messageId ?? newMessageId(),
    body: input.body ?? cutToBytes(htmlToText(input.html ?? ""), MAX_DERIVED_BYTES),
    tags: input.tags?.length ? input.tags : inboxTag(input.to[0]?.email),
    status,
    isRead,
    receivedAt,
  };
  const { row, created } = await storeMail(ctx, mail, { createTasks });
  return { email: toEmail(row), created };
}

function newMessageId(): string {
  return `<${crypto.randomUUID()}@personal-operations-assistant.invalid>`;
}

export async function getEmail(ctx: Context, id: number): Promise<Email> {
  return toEmail(await requireMail(ctx, id));
}

export async function updateEmail(
  ctx: Context,
  id: number,
  changes: EmailChanges,
  expected: ExpectedVersions,
): Promise<Email> {
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const [updated, [row]] = await ctx.db.batch([
    ctx.db
      .update(emails)
      .set({ ...changes, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
      .where(and(eq(emails.id, id), versionIs(emails.version, expected)))
      .returning({ id: emails.id }),
    ctx.db.select(emailColumns).from(emails).where(eq(emails.id, id)),
  ]);
  if (updated.length === 0 || !row) throw missedWrite(row, `mail ${id}`);
  return toEmail(row);
}

/** Changes many mails in one statement: all of them, or none. */
export async function updateEmails(
  ctx: Context,
  { ids, addTags, removeTags, ...flags }: BulkChanges,
): Promise<{ updated: number; missing: number[] }> {
  const tagChange = addTags?.length || removeTags?.length ? changedTags(addTags ?? [], removeTags ?? []) : undefined;
  const changes = { ...flags, ...(tagChange && { tags: tagChange }) };
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const isOneOfThem = sql`${emails.id} IN ${anyOf(ids)}`;
  const hasTooMany = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${isOneOfThem} AND json_array_length(${emails.tags}) > ${MAX_TAGS})`;
  const [changed] = await runBatch(ctx.db, [
    ctx.db
      .update(emails)
      .set({ ...changes, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
      .where(isOneOfThem)
      .returning({ id: emails.id }),
    ...(tagChange ? [assertThat(ctx.db, "tags_within_limit", sql`NOT ${hasTooMany}`, tooManyTags)] : []),
  ] as const);
  const found = new Set(changed.map(({ id }) => id));
  return { updated: found.size, missing: [...new Set(ids)].filter((id) => !found.has(id)) };
}

function tooManyTags(): AppError {
  return new AppError("validation_failed", `A mail may have at most ${MAX_TAGS} tags; nothing was changed.`, {
    errors: [{ path: "addTags", message: `would give a mail more than ${MAX_TAGS} tags` }],
  });
}

function changedTags(add: readonly string[], remove: readonly string[]): SQL {
  return sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(emails.tags) WHERE value NOT IN ${anyOf(remove)}
    UNION ALL
    SELECT value FROM json_each(${JSON.stringify(add)}) WHERE value NOT IN (SELECT value FROM json_each(emails.tags))))`;
}

export async function deleteEmail(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  const [deleted, [current]] = await ctx.db.batch([
    ctx.db
      .delete(emails)
      .where(and(eq(emails.id, id), versionIs(emails.version, expected)))
      .returning({ id: emails.id }),
    ctx.db.select({ version: emails.version }).from(emails).where(eq(emails.id, id)),
  ]);
  if (deleted.length === 0) throw missedWrite(current, `mail ${id}`);
}

/** Makes a task of each thing the mail asks for that is not one yet. */
export async function createEmailTasks(ctx: Context, id: number) {
  const tasks = tasksOf(await requireMail(ctx, id), "action_items", timeZoneOf(ctx));
  return convertToTasks(ctx, id, tasks);
}
