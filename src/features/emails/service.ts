import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { anyOf, isOneOf } from "../../db/bulk.ts";
import { LISTENED } from "../../db/live-tables.ts";
import { emails } from "../../db/schema/emails.ts";
import { deleteVersion, type ExpectedVersions, versionIs, whyMissed } from "../../db/version.ts";

import { kindByText } from "../../engine/email/kind.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { inboxTag, MAX_TAGS } from "../../lib/tags.ts";
import { cutToBytes } from "../../lib/text.ts";
import { lowerBound } from "../../lib/time-zone.ts";
import { cancelEmailTasks, requireTaskWriting } from "../tasks/from-email.ts";
import { type Content, contentOf } from "./content.ts";
import { type EmailRow, emailColumns, toEmail } from "./record.ts";
import type { BulkChanges, Email, EmailChanges, NewEmail } from "./schemas.ts";
import { snoozeChanges } from "./snooze.ts";
import { learnFromMove } from "./spam.ts";
import { requireEmail, storeEmail } from "./store.ts";

/** Together with its HTML, a body must fit a row of 2 MB, also as the stored response of an Idempotency-Key. */
const MAX_DERIVED_BYTES = 400_000;

export async function createEmail(ctx: Context, input: NewEmail): Promise<{ email: Email; created: boolean }> {
  const isOutbound = input.direction === "outbound";
  const { createTasks, receivedAt = ctx.now, isRead = isOutbound } = input;
  if (createTasks !== "none") requireTaskWriting(ctx);
  const body = input.body ?? cutToBytes(htmlToText(input.html ?? ""), MAX_DERIVED_BYTES);
  const kind = input.kind ?? (isOutbound ? "person" : kindByText({ ...input, content: body }));
  const box = kind === "spam_like" ? "spam" : "inbox";
  const email = {
    ...input,
    messageId: input.messageId ?? `<${crypto.randomUUID()}@personal-operations-assistant.invalid>`,
    body,
    tags: input.tags?.length ? input.tags : inboxTag(input.to[0]?.email),
    kind,
    authentication: null,
    delivery: null,
    status: input.status ?? (isOutbound ? "archived" : box),
    isRead,
    receivedAt: lowerBound(() => timeZoneOf(ctx), receivedAt),
  };
  const { row, created } = await storeEmail(ctx, email, { createTasks });
  return { email: toEmail(row, await contentOf(ctx, row)), created };
}

export async function getEmail(ctx: Context, id: number): Promise<Email> {
  const row = await requireEmail(ctx, id);
  return toEmail(row, await contentOf(ctx, row));
}

const changedEmail = { ...emailColumns, ...LISTENED };
const NEXT_VERSION = sql`${emails.version} + 1`;

export async function updateEmail(
  ctx: Context,
  id: number,
  { snoozedUntil, snoozeText, timeZone, tasks, replyNeeded, ...flags }: EmailChanges,
  expected: ExpectedVersions,
): Promise<Email> {
  checkTasks(flags.status, tasks);
  const snooze = snoozeChanges(ctx, { snoozedUntil, snoozeText, timeZone, status: flags.status });
  const changes = { ...flags, replyNeeded: replyNeeded ?? undefined, ...snooze };
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const set = { ...changes, version: NEXT_VERSION, updatedAt: ctx.now };
  const isThis = sql`${and(eq(emails.id, id), versionIs(emails.version, expected))}`;
  const update = ctx.db.update(emails).set(set).where(isThis).returning(changedEmail);
  // First, while the email still is where it was and has the expected version.
  const before = [
    ...(tasks === "cancel" ? [cancelEmailTasks(ctx, sql`(SELECT id FROM emails WHERE ${isThis})`)] : []),
    ...learnFromMove(ctx, isThis, flags.status),
  ];
  const [start = update, ...rest] = [...before, update];
  const [row] = assertType<EmailRow[]>((await runBatch(ctx.db, [start, ...rest])).at(-1));
  if (!row) throw await whyMissed(ctx.db, emails, id, expected, `email ${id}`);
  return toEmail(row, await contentAfterChange(ctx, row));
}

/** The change is made, whether or not the file store responds: the client must know. */
async function contentAfterChange(ctx: Context, row: EmailRow): Promise<Content> {
  try {
    return await contentOf(ctx, row);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = "The change is saved, but the text of the email cannot be read right now. Read the email later.";
    throw new AppError("unavailable", detail, { retryAfter: 5 });
  }
}

/** Updates many emails in one statement: all of them, or none. */
export async function updateEmails(
  ctx: Context,
  { ids, addTags, removeTags, snoozedUntil, snoozeText, timeZone, tasks, ...flags }: BulkChanges,
): Promise<{ updated: number; missing: number[] }> {
  checkTasks(flags.status, tasks);
  const tagChange = addTags?.length || removeTags?.length ? changedTags(addTags ?? [], removeTags ?? []) : undefined;
  const snooze = snoozeChanges(ctx, { snoozedUntil, snoozeText, timeZone, status: flags.status });
  const changes = { ...flags, ...snooze, ...(tagChange && { tags: tagChange }) };
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const isOneOfThem = isOneOf(emails.id, ids);
  const hasTooMany = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${isOneOfThem} AND json_array_length(${emails.tags}) > ${MAX_TAGS})`;
  const update = ctx.db
    .update(emails)
    .set({ ...changes, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
    .where(isOneOfThem)
    .returning({ id: emails.id });
  const learn = learnFromMove(ctx, isOneOfThem, flags.status);
  const after = [
    ...(tagChange ? [assertThat(ctx.db, "tags_within_limit", sql`NOT ${hasTooMany}`, tooManyTags)] : []),
    ...(tasks === "cancel" ? [cancelEmailTasks(ctx, anyOf(ids))] : []),
  ];
  const [start = update, ...rest] = [...learn, update, ...after];
  const results = await runBatch(ctx.db, [start, ...rest]);
  const changed = assertType<{ id: number }[]>(results[learn.length]);
  const found = new Set(changed.map(({ id }) => id));
  return { updated: found.size, missing: [...new Set(ids)].filter((id) => !found.has(id)) };
}

/** The tasks of an email that stays are not to be dropped by a slip. */
function checkTasks(status: string | undefined, tasks: BulkChanges["tasks"]): void {
  if (tasks !== "cancel" || status === "trash") return;
  throw validationFailed({ path: "tasks", message: "can be cancel only together with status: trash" });
}

function tooManyTags(): AppError {
  return validationFailed({ path: "addTags", message: `must not give an email more than ${MAX_TAGS} tags` });
}

function changedTags(add: readonly string[], remove: readonly string[]): SQL {
  return sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(emails.tags) WHERE value NOT IN ${anyOf(remove)}
    UNION ALL
    SELECT value FROM json_each(${JSON.stringify(add)}) WHERE value NOT IN (SELECT value FROM json_each(emails.tags))))`;
}

export function deleteEmail({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, emails, id, expected, `email ${id}`);
}
