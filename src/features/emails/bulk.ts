import { and, is, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { anyOf, isOneOf, selectColumns } from "../../db/bulk.ts";
import { emails, mutedThreads, threads } from "../../db/schema/emails.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { isoTimeOrNull } from "../../lib/iso-times.ts";
import { MAX_TAGS } from "../../lib/tags.ts";
import { cancelEmailTasks } from "../tasks/from-email.ts";
import type { BulkChanges, BulkResult } from "./schemas.ts";
import { checkTasks } from "./service.ts";
import { snoozeChanges } from "./snooze.ts";
import { learnFromMove } from "./spam.ts";
import { isInThread } from "./threads/join.ts";

/** The threads of one request have at most so many emails, so that its batch ends in time. */
export const MAX_THREAD_EMAILS = 2000;

/** Updates many emails, by their ids or those of their threads, in one batch: all of them, or none. */
export async function updateEmails(ctx: Context, changes: BulkChanges): Promise<BulkResult> {
  const { ids, threadIds = [], within, isMuted, ...asked } = changes;
  const change = changeOf(ctx, asked, ids === undefined);
  if (change === null && isMuted === undefined) throw new AppError("nothing_to_update");
  if (ids && change) return updateByIds(ctx, ids, change);
  return updateByThreads(ctx, threadIds, within, isMuted, change);
}

interface Change {
  set: Record<string, unknown>;
  /** Whether an email is not yet as asked. */
  isNeeded: SQL;
  /** Statements for the emails that meet the condition, while they still are as they were. */
  before(isOneOfThem: SQL): BatchItem<"sqlite">[];
}

/** What is to be done to each email; null if that is nothing. */
export function changeOf(
  ctx: Context,
  asked: Omit<BulkChanges, "ids" | "threadIds" | "within" | "isMuted">,
  isByThread: boolean,
): Change | null {
  const { addTags = [], removeTags = [], snoozedUntil, snoozeText, timeZone, tasks, replyNeeded, ...flags } = asked;
  checkTasks(flags.status, tasks);
  const snooze = snoozeChanges(ctx, { snoozedUntil, snoozeText, timeZone, status: flags.status });
  const status = isByThread ? placeInThread(flags.status) : flags.status;
  const plain = { ...flags, status, replyNeeded: replyNeeded ?? undefined, ...snooze };
  const given = Object.entries(plain).filter(([, value]) => value !== undefined);
  const tags = addTags.length + removeTags.length > 0 ? changedTags(addTags, removeTags) : null;
  if (given.length === 0 && !tags) return null;
  const isOther = given.map(([name, value]) => {
    const column = emails[assertType<keyof typeof plain>(name)];
    return sql`${column} IS NOT ${is(value, SQL) ? value : sql.param(value, column)}`;
  });
  return {
    set: {
      ...Object.fromEntries(given),
      ...(tags && { tags }),
      version: sql`${emails.version} + 1`,
      updatedAt: ctx.now,
    },
    isNeeded: sql`(${sql.join([...isOther, ...(tags ? [sql`${emails.tags} <> ${tags}`] : [])], sql` OR `)})`,
    before(isOneOfThem) {
      const hasTooMany = sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${isOneOfThem} AND json_array_length(${tags}) > ${MAX_TAGS})`;
      const chosen = sql`(SELECT id FROM ${emails} WHERE ${isOneOfThem})`;
      return [
        ...learnFromMove(ctx, isOneOfThem, flags.status),
        ...(tags ? [assertThat(ctx.db, "tags_within_limit", sql`NOT ${hasTooMany}`, tooManyTags)] : []),
        ...(tasks === "cancel" ? [cancelEmailTasks(ctx, chosen)] : []),
      ];
    },
  };
}

/** What a person has sent goes to the archive when its conversation goes to the inbox or to spam. */
function placeInThread(status: BulkChanges["status"]) {
  if (status !== "inbox" && status !== "spam") return status;
  return sql`iif(direction = 'outbound', 'archived', ${status})`;
}

async function updateByIds(ctx: Context, ids: readonly number[], { set, before }: Change): Promise<BulkResult> {
  const isOneOfThem = isOneOf(emails.id, ids);
  const update = ctx.db.update(emails).set(set).where(isOneOfThem).returning({ id: emails.id });
  const [start = update, ...rest] = [...before(isOneOfThem), update];
  const changed = assertType<{ id: number }[]>((await runBatch(ctx.db, [start, ...rest])).at(-1));
  const found = new Set(changed.map(({ id }) => id));
  return { updated: found.size, missing: [...new Set(ids)].filter((id) => !found.has(id)) };
}

const { id, threadId, status, isRead, isStarred, tags, snoozedUntil, replyNeeded } = emails;
const beforeColumns = { id, threadId, status, isRead, isStarred, tags, snoozedUntil, replyNeeded };

/** Only emails that are not yet as asked: most of a long thread have been read. */
async function updateByThreads(
  ctx: Context,
  threadIds: readonly number[],
  within: BulkChanges["within"],
  isMuted: boolean | undefined,
  change: Change | null,
): Promise<BulkResult> {
  const { db } = ctx;
  const ids = anyOf(threadIds);
  const chosen = sql`${and(isInThread(ids), isWithin(ctx, within), change?.isNeeded)}`;
  const known = db.select({ id: threads.id }).from(threads).where(sql`id IN ${ids}`);
  const count = sql`(SELECT coalesce(sum(email_count), 0) FROM ${threads} WHERE id IN ${ids})`;
  const [found, before = []] = await runBatch(db, [
    known,
    db
      .select(beforeColumns)
      .from(emails)
      .where(change ? chosen : sql`0`),
    assertThat(db, "few_emails", sql`${count} <= ${MAX_THREAD_EMAILS}`, tooManyEmails),
    ...(isMuted === undefined ? [] : [mute(ctx, ids, isMuted)]),
    ...(change ? [...change.before(chosen), db.update(emails).set(change.set).where(chosen)] : []),
  ] as const);
  const existing = new Set(found.map((thread) => thread.id));
  return {
    updated: before.length,
    missing: [...new Set(threadIds)].filter((thread) => !existing.has(thread)),
    before: before.map((row) => ({ ...row, snoozedUntil: isoTimeOrNull(row.snoozedUntil) })),
  };
}

/** The box that the threads are shown in. The inbox leaves out snoozed emails, as its list does. */
export function isWithin(ctx: Context, within: BulkChanges["within"]): SQL {
  const isAsleep = sql`coalesce(snoozed_until, 0) > ${ctx.now.getTime()}`;
  if (within === undefined) return sql`is_aside = 0`;
  if (within === "snoozed") return sql`is_aside = 0 AND ${isAsleep}`;
  return within === "inbox" ? sql`status = 'inbox' AND NOT ${isAsleep}` : sql`${emails.status} = ${within}`;
}

function mute(ctx: Context, ids: SQL, isMuted: boolean) {
  if (!isMuted) return ctx.db.delete(mutedThreads).where(sql`thread_id IN ${ids}`);
  const rows = selectColumns(mutedThreads, { threadId: sql`id`, since: sql`${ctx.now.getTime()}` });
  return ctx.db.insert(mutedThreads).select(sql`${rows} FROM ${threads} WHERE id IN ${ids}`).onConflictDoNothing();
}

function tooManyEmails(): AppError {
  return validationFailed({
    path: "threadIds",
    message: `must not have more than ${MAX_THREAD_EMAILS} emails together`,
  });
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
