import { and, eq, gte, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { excludedColumns, selectColumns } from "../../../db/bulk.ts";
import { compiledSelect, type Given } from "../../../db/compiled-query.ts";
import { deletedEvents } from "../../../db/schema/calendar.ts";
import type { ExpectedVersions } from "../../../db/version.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { ALL_COLUMNS } from "./select.ts";

/** For how long a deleted event can be restored. */
const RESTORABLE_MS = DAY_MS;

/** What an event, a series or one occurrence of a series is kept under. */
export function keyOf(id: number, occurrence?: Date): string {
  return occurrence ? `${id}@${occurrence.getTime()}` : String(id);
}

/** An edited occurrence can be named by its own id, too. */
export function isKeptAs(id: number, occurrence?: Date): SQL | undefined {
  const isNamed = eq(deletedEvents.key, keyOf(id, occurrence));
  return occurrence ? isNamed : or(isNamed, and(eq(deletedEvents.id, id), isNotNull(deletedEvents.originalStart)));
}

/** Makes it impossible to restore an event with its occurrences, or one occurrence. */
export function forgetKept({ db }: Context, id: number, occurrence?: Date) {
  const isThis = eq(deletedEvents.key, keyOf(id, occurrence));
  // "A" follows "@".
  const isPart = and(gte(deletedEvents.key, `${id}@`), lt(deletedEvents.key, `${id}A`));
  return db.delete(deletedEvents).where(occurrence ? isThis : or(isThis, isPart));
}

interface Kept {
  key: string | SQL;
  where: SQL | undefined;
  until: Given;
}

export const restorableUntil = ({ now }: Context) => now.getTime() + RESTORABLE_MS;

/** Keeps events as they are. For the batch that deletes them, before that statement. */
export function keepDeleted({ db }: Pick<Context, "db">, { key, where, until }: Kept) {
  const kept = selectColumns(deletedEvents, {
    ...ALL_COLUMNS,
    key: sql`${key}`,
    expiresAt: sql`${until}`,
  });
  return db
    .insert(deletedEvents)
    .select(sql`${kept} FROM events WHERE ${where}`)
    .onConflictDoUpdate({ target: deletedEvents.key, set: excludedColumns(deletedEvents, "key") });
}

/** The key of each row of a series that is deleted with its edited occurrences. */
const OWN_KEY = sql.raw("coalesce(recurring_event_id || '@' || original_start, id)");
const isPart = (id: Given) => sql`(events.id = ${id} OR events.recurring_event_id = ${id})`;

/** Keeps an event, or a series with its edited occurrences. */
export function keepWhole(ctx: Context, id: number) {
  return keepDeleted(ctx, { key: OWN_KEY, where: isPart(id), until: restorableUntil(ctx) });
}

/** Nothing outside would bring it back. */
export const IS_DELETABLE = sql`deleted_at IS NULL AND recurring_event_id IS NULL AND booking_id IS NULL AND source <> 'email'`;

const keepDeletable = compiledSelect((source) => {
  const id = sql.placeholder("id");
  const versions = sql.placeholder("versions");
  const isExpected = sql`(${versions} IS NULL OR version IN (SELECT value FROM json_each(${versions})))`;
  const isThere = sql`EXISTS (SELECT 1 FROM events WHERE id = ${id} AND ${IS_DELETABLE} AND ${isExpected})`;
  return keepDeleted(source, {
    key: OWN_KEY,
    where: sql`${isPart(id)} AND ${isThere}`,
    until: sql.placeholder("until"),
  });
});

/** The same, if it is deletable and has an expected version. */
export function keepIfDeletable(ctx: Context, id: number, expected: ExpectedVersions) {
  const versions = expected ? JSON.stringify(expected) : null;
  return keepDeletable(ctx.db, { id, versions, until: restorableUntil(ctx) });
}
