import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { events } from "../../db/schema/calendar.ts";
import { type ExpectedVersions, missedWrite } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { occursAt } from "../../lib/recurrence.ts";
import type { Draft } from "./change.ts";
import { type Conflict, conflictStatements, refuseConflicts } from "./conflicts.ts";
import { type EventRow, isSeries, seriesOf } from "./event.ts";

/** Parallel writers each make one of the others start again, so there are tries enough for a crowd. */
const MAX_TRIES = 25;

export type Statement = BatchItem<"sqlite">;

/** What a write is about to do, worked out from what was read. */
export interface Plan {
  row: Draft;
  /** The statement that writes the row, if `condition` holds when it runs; none when nothing changes. */
  statement?: (condition: SQL) => Statement;
  /** What has to happen with it or not at all. */
  also?: Statement[];
}

export interface WriteOptions {
  onConflict?: "reject";
  expected?: ExpectedVersions;
}

export interface Written {
  row: EventRow;
  conflicts: Conflict[];
}

/**
 * Reads, works out, and writes if nothing has changed in between; otherwise starts again. With
 * `onConflict: "reject"` an event in the way counts as such a change, and the next round refuses it.
 */
export function write(ctx: Context, options: WriteOptions, prepare: () => Promise<Plan>): Promise<Written> {
  return untilWritten(async () => {
    const { row, statement, also = [] } = await prepare();
    const condition = options.onConflict === "reject" ? await refuseConflicts(ctx, row) : sql`1`;
    const { statements, read } = conflictStatements(ctx, row);
    if (!statement) {
      const [singles, series] = await ctx.db.batch([...statements]);
      return { row: assertType<EventRow>(row), conflicts: read(singles, series) };
    }
    const [singles, series, returned] = await ctx.db.batch([...statements, statement(condition), ...also]);
    const [written] = assertType<EventRow[]>(returned);
    if (!written) throw new LostRace();
    return { row: written, conflicts: read(singles, series) };
  });
}

/** Carries out a plan nobody asked about conflicts for. */
export async function commit(ctx: Context, { statement, also = [] }: Plan): Promise<EventRow> {
  if (!statement) throw new Error("a plan without a statement has nothing to carry out");
  const [returned] = await ctx.db.batch([statement(sql`1`), ...also]);
  const [written] = assertType<EventRow[]>(returned);
  if (!written) throw new LostRace();
  return written;
}

/** Another writer was first: what was read is no longer what is there. */
export class LostRace extends Error {}

/** Repeats an attempt that reads and then writes, as long as others get in between. */
export async function untilWritten<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < MAX_TRIES; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLostRace(error)) throw error;
    }
  }
  throw new AppError("conflict", "The event keeps being changed by others. Try again.");
}

/**
 * The condition of a statement failed, another wrote the same occurrence or invitation first, or the series that
 * an occurrence was to belong to is gone.
 */
function isLostRace(error: unknown): boolean {
  const places = ["events.status", "events.ical_uid", "FOREIGN KEY"];
  return error instanceof LostRace || places.some((place) => brokeConstraint(error, place));
}

export function insertStatement(ctx: Context, draft: Draft) {
  return (condition: SQL) =>
    ctx.db
      .insert(events)
      .values({ ...draft, status: sql`CASE WHEN ${condition} THEN ${draft.status} END` })
      .onConflictDoNothing({ target: events.bookingId })
      .returning();
}

/** Writes `next` over `current`, provided that `current` is still what is there. */
export function updateStatement(ctx: Context, current: EventRow, next: EventRow) {
  const { id, ...columns } = next;
  return (condition: SQL = sql`1`) =>
    ctx.db
      .update(events)
      .set({
        ...columns,
        status: sql`CASE WHEN version = ${current.version} AND ${condition} THEN ${next.status} END`,
      })
      .where(eq(events.id, id))
      .returning();
}

export function updatePlan(ctx: Context, current: EventRow, next: EventRow): Plan {
  if (next === current) return { row: current };
  const { series, also } = carryOccurrences(ctx, current, next);
  return { row: series, statement: updateStatement(ctx, current, series), also };
}

/**
 * What a change of a series means for the occurrences that were edited: they move with it, go when the rule
 * no longer gives them, and are cancelled with it.
 */
function carryOccurrences(ctx: Context, current: EventRow, next: EventRow): { series: EventRow; also: Statement[] } {
  const mine = eq(events.recurringEventId, current.id);
  if (!isSeries(current) || current.overrides.length === 0) return { series: next, also: [] };
  if (!isSeries(next)) return { series: next, also: [ctx.db.delete(events).where(mine)] };
  const bare = seriesOf({ ...next, exdates: [], overrides: [] });
  const moves = current.overrides.map((from, index) => ({ from, to: next.overrides[index] ?? from }));
  const kept = moves.filter(({ to }) => occursAt(bare, to));
  const lost = moves.filter((move) => !kept.includes(move));
  const also: Statement[] = [];
  if (lost.length > 0) {
    const starts = anyOf(lost.map(({ from }) => from));
    also.push(ctx.db.delete(events).where(and(mine, sql`original_start IN ${starts}`)));
  }
  if (kept.some(({ from, to }) => from !== to)) {
    // By way of numbers nothing else has: one occurrence may move to where another was.
    also.push(
      ctx.db.update(events).set({ originalStart: sql`-original_start` }).where(mine),
      ctx.db
        .update(events)
        .set({
          originalStart: sql`(SELECT json_extract(value, '$.to') FROM json_each(${JSON.stringify(kept)})
            WHERE json_extract(value, '$.from') = -original_start)`,
        })
        .where(mine),
    );
  }
  if (next.status === "cancelled" && current.status !== "cancelled") {
    also.push(
      ctx.db
        .update(events)
        .set({ status: "cancelled", version: sql`version + 1`, sequence: sql`sequence + 1`, updatedAt: ctx.now })
        .where(and(mine, sql`status <> 'cancelled'`)),
    );
  }
  return { series: { ...next, overrides: kept.map(({ to }) => to) }, also };
}

/** The event of this number, whether or not an `If-Match` fits it being checked here. */
export async function findEvent(ctx: Context, id: number, expected?: ExpectedVersions): Promise<EventRow> {
  const [row] = await ctx.db
    .select()
    .from(events)
    .where(and(eq(events.id, id), isNull(events.deletedAt)));
  return checkVersion(row, `event ${id}`, expected);
}

export function checkVersion(row: EventRow | undefined, name: string, expected: ExpectedVersions): EventRow {
  if (!row || (expected && !expected.includes(row.version))) throw missedWrite(row, name);
  return row;
}
