import { and, gt, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { anyOf } from "../../../db/bulk.ts";
import { compiledQuery } from "../../../db/compiled-query.ts";
import { keyset } from "../../../db/page.ts";
import { emails, emailUndos, threads } from "../../../db/schema/emails.ts";
import { assertType } from "../../../lib/cast.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { changeOf, isWithin, MAX_THREAD_EMAILS } from "../bulk.ts";
import { planOf } from "../list.ts";
import { rowConditions } from "../queries/filters.ts";
import { type PlaceRow, selectCount, selectPlaces, shapeOf } from "../queries/plan.ts";
import { conditionOf } from "../queries/search.ts";
import { learnFromMove } from "../spam.ts";
import { isInThread } from "../threads/join.ts";
import type { MatchingResult, UndoneEmails } from "./schemas.ts";
import { type CountQuery, type EmailCount, MAX_COUNTED, type MatchingChanges, type MatchingQuery } from "./schemas.ts";

/** Emails, or conversations, of one portion. */
const PORTION = 500;
const UNDO_MS = DAY_MS;
/** Portions that one request restores. */
const MOST_RESTORED = 4;

type Counted = Pick<EmailCount, "emails" | "conversations"> & { newestId: number | null };
const readCount = compiledQuery<Counted>();
const readPlaces = compiledQuery<PlaceRow>();

/** One index gives the emails, as for the list, so that only those that match are read, and no more than are counted. */
export async function countEmails(ctx: Context, query: CountQuery): Promise<EmailCount> {
  const planned = planOf(ctx, query, { what: "emails", rows: MAX_COUNTED + 1, isByWaking: false });
  if (!planned) return { emails: 0, conversations: 0, hasMore: false, newestId: 0 };
  const { plan, values } = planned;
  const [row] = await readCount(ctx.db, shapeFor("count", plan), ({ db }) => selectCount({ db }, plan), values);
  const { emails: count = 0, conversations = 0, newestId } = row ?? {};
  return {
    emails: Math.min(count, MAX_COUNTED),
    conversations: Math.min(conversations, MAX_COUNTED),
    hasMore: count > MAX_COUNTED,
    newestId: newestId ?? 0,
  };
}

const shapeFor = (what: string, plan: Parameters<typeof shapeOf>[0]) => {
  const shape = shapeOf(plan);
  return shape && `${what} ${shape}`;
};

/**
 * Updates a portion of what matches, in one batch: all of it, or nothing. The rest is updated by further requests with
 * `nextCursor`, which is a place in time, so that what has left the list by then shifts nothing. An email that is already
 * as asked is not touched: a repeated request changes nothing twice.
 */
export async function updateMatching(
  ctx: Context,
  { cursor, ...query }: MatchingQuery,
  { newestId, asThreads, within, undoId, ...asked }: MatchingChanges,
): Promise<MatchingResult> {
  // How many it finds says what they are like.
  requireScopes(ctx, ["emails:read"]);
  const change = changeOf(ctx, asked, asThreads);
  if (change === null) throw new AppError("nothing_to_update");
  const pages = keyset(ctx, "matching emails, newest first", [], "desc");
  const what = asThreads ? "threads" : "emails";
  const planned = planOf(ctx, query, { what, after: pages.key(cursor), rows: PORTION + 1, isByWaking: false });
  const until = change.set.snoozedUntil;
  const snoozedUntil = until instanceof Date ? until.toISOString() : null;
  if (!planned) return { updated: 0, undo: null, snoozedUntil, nextCursor: null };
  const { plan, values } = planned;
  const found = await readPlaces(ctx.db, shapeFor("places", plan), ({ db }) => selectPlaces({ db }, plan), values);
  const ordered = found.sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime() || b.id - a.id);
  const all = ordered.slice(0, PORTION);
  const some = asThreads ? await fewEnough(ctx, all) : all;
  const last = some.at(-1);
  const hasMore = found.length > some.length && last !== undefined;
  const nextCursor = hasMore ? pages.cursor([last.receivedAt.getTime(), last.id]) : null;
  const chosen = asThreads
    ? and(isInThread(anyOf(some.map((row) => row.threadId))), isWithin(ctx, within))
    : and(
        sql`${emails.id} IN ${anyOf(some.map((row) => row.id))}`,
        // As they are when they are written, not when they were found.
        ...rowConditions("emails", plan.filters, (name, value) => (name === "now" ? plan.now.getTime() : value)),
        ...plan.others.map((other) => conditionOf("emails", other, plan.now)),
      );
  const isOneOfThem = sql`${and(chosen, sql`${emails.id} <= ${newestId}`, change.isNeeded)}`;
  const undo = { id: undoId ?? randomToken(), expiresAt: new Date(ctx.now.getTime() + UNDO_MS) };
  const results = await runBatch(ctx.db, [
    ctx.db.insert(emailUndos).select(sql`SELECT ${`${undo.id}.${randomToken()}`}, json_group_array(${BEFORE}),
      ${undo.expiresAt.getTime()} FROM ${emails} WHERE ${isOneOfThem} HAVING count(*) > 0`),
    ...change.before(isOneOfThem),
    ctx.db.update(emails).set(change.set).where(isOneOfThem).returning({ id: emails.id }),
  ] as const);
  const updated = assertType<unknown[]>(results.at(-1)).length;
  const isKnown = updated > 0 || undoId !== undefined;
  const kept = { id: undo.id, expiresAt: undo.expiresAt.toISOString() };
  return { updated, undo: isKnown ? kept : null, snoozedUntil, nextCursor };
}

/** As many conversations as have so few emails together that the batch ends in time, and at least one. */
async function fewEnough({ db }: Context, rows: readonly PlaceRow[]): Promise<readonly PlaceRow[]> {
  const ids = anyOf(rows.map(({ threadId }) => threadId));
  const counts = await db.select({ id: threads.id, count: threads.emailCount }).from(threads).where(sql`id IN ${ids}`);
  const countOf = new Map(counts.map(({ id, count }) => [id, count]));
  let sum = 0;
  const end = rows.findIndex(({ threadId }, index) => {
    sum += countOf.get(threadId) ?? 1;
    return index > 0 && sum > MAX_THREAD_EMAILS;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

const RESTORED = {
  status: emails.status,
  isRead: emails.isRead,
  isStarred: emails.isStarred,
  tags: emails.tags,
  snoozedUntil: emails.snoozedUntil,
  replyNeeded: emails.replyNeeded,
} as const;
const BEFORE = sql`json_object('id', id, 'version', version + 1, ${sql.join(
  Object.entries(RESTORED).map(([name, column]) => sql.raw(`'${name}', ${column.name}`)),
  sql`, `,
)})`;

/** Takes an update back, a portion in each batch. Emails that have changed since stay as they are. */
export async function undoMatching(ctx: Context, id: string): Promise<UndoneEmails> {
  const { db } = ctx;
  const isThis = and(
    sql`${emailUndos.id} > ${`${id}.`} AND ${emailUndos.id} < ${`${id}/`}`,
    gt(emailUndos.expiresAt, ctx.now),
  );
  const portions = await db
    .select({ id: emailUndos.id, count: sql<number>`json_array_length(before)` })
    .from(emailUndos)
    .where(isThis)
    .limit(MOST_RESTORED + 1);
  if (portions.length === 0)
    throw new AppError("undo_expired", "The update does not exist, was already undone, or is more than a day old.");
  const result = { restored: 0, changed: 0, hasMore: portions.length > MOST_RESTORED };
  for (const portion of portions.slice(0, MOST_RESTORED)) {
    const restored = await restore(ctx, portion.id);
    result.restored += restored;
    result.changed += portion.count - restored;
  }
  return result;
}

async function restore(ctx: Context, portion: string): Promise<number> {
  const { db } = ctx;
  const stored = sql`(SELECT value FROM email_undos, json_each(email_undos.before) WHERE email_undos.id = ${portion})`;
  const values = Object.keys(RESTORED).map((name) => [name, sql`stored.value ->> ${name}`]);
  const moved = (isSpam: boolean) => sql`id IN (SELECT emails.id FROM ${stored} AS stored JOIN emails
    ON emails.id = stored.value ->> 'id' AND emails.version = stored.value ->> 'version'
    WHERE (stored.value ->> 'status' = 'spam') = ${isSpam ? 1 : 0} AND stored.value ->> 'status' <> emails.status)`;
  const update = db
    .update(emails)
    .set({ ...Object.fromEntries(values), version: sql`${emails.version} + 1`, updatedAt: ctx.now })
    .from(sql`${stored} AS stored`)
    .where(sql`${emails.id} = stored.value ->> 'id' AND ${emails.version} = stored.value ->> 'version'`)
    .returning({ id: emails.id });
  const done = db.delete(emailUndos).where(sql`${emailUndos.id} = ${portion}`);
  const learnt = [...learnFromMove(ctx, moved(true), "spam"), ...learnFromMove(ctx, moved(false), "inbox")];
  const [start = update, ...rest] = [...learnt, update, done];
  const results = await runBatch(db, [start, ...rest]);
  return assertType<unknown[]>(results.at(-2)).length;
}
