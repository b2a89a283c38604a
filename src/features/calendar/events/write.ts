import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { events } from "../../../db/schema/calendar.ts";
import { type ExpectedVersions, missedWrite } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError } from "../../../lib/errors.ts";
import { carryOccurrences, type Statement } from "../series/edited-occurrences.ts";
import type { Draft } from "./changes.ts";
import { type Conflict, conflictStatements, refuseConflicts } from "./conflicts.ts";
import type { EventRow } from "./event.ts";

/** Parallel writers each make one of the others start again, so there are tries enough for a crowd. */
const MAX_TRIES = 25;

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

export async function updatePlan(ctx: Context, current: EventRow, next: EventRow): Promise<Plan> {
  if (next === current) return { row: current };
  const { series, also, onlyIf } = await carryOccurrences(ctx, current, next);
  const update = updateStatement(ctx, current, series);
  return { row: series, statement: (condition) => update(sql`${condition} AND ${onlyIf}`), also };
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
