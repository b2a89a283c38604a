import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { compiledSelect, compiledWrite, type Given } from "../../../db/compiled-query.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { LISTENED } from "../../../db/live-tables.ts";
import { NEXT_EVENT_ID } from "../../../db/next-id.ts";
import { events } from "../../../db/schema/calendar.ts";
import { type ExpectedVersions, missedWrite } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { rememberSenders } from "../../emails/known-senders.ts";
import { findSender } from "../../emails/store.ts";
import { type Statement, updateEditedOccurrences } from "../series/edited-occurrences.ts";
import { changedColumns, type Draft, type EventInput } from "./changes.ts";
import { conflictsOf, type Reach, refuseConflicts, type Surroundings, surroundingsOf } from "./conflicts.ts";
import type { EventRow } from "./event.ts";
import { newlyAccepted } from "./response.ts";
import type { Conflict } from "./schemas.ts";

/** Each parallel writer can make the others start again, so this allows for many of them. */
const MAX_TRIES = 25;

/** A write, prepared from what was read. */
export interface Plan {
  row: Draft;
  /** Writes the row; absent when nothing changes. */
  statement?: Statement;
  /** Instead of `statement`: the row is new. */
  isNew?: boolean;
  /** Must still hold when the row is written: nothing that was read has changed. */
  condition?: SQL;
  /** Statements of the same batch that run before it; only `commit` knows them. */
  before?: Statement[];
  /** Further statements of the same batch. */
  also?: Statement[];
  /** What `onConflict: "reject"` looks at, if it was read already. */
  surroundings?: Surroundings;
}

export interface WriteOptions {
  /** Statements of another feature for the batch that creates the event. */
  also?: readonly Statement[];
  onConflict?: "reject";
  expected?: ExpectedVersions;
}

export interface Written {
  row: EventRow;
  conflicts: Conflict[];
}

/**
 * Prepares a write and carries it out if nothing has changed in between; otherwise starts again. With
 * `onConflict: "reject"` a new conflict counts as such a change, and the next attempt rejects the event.
 */
export function write(ctx: Context, options: WriteOptions, prepare: () => Promise<Plan>): Promise<Written> {
  return untilWritten(async () => {
    const { row, isNew, condition, also = [], ...plan } = await prepare();
    const isFree = options.onConflict === "reject" ? await refuseConflicts(ctx, row, plan.surroundings) : undefined;
    const { statements, read } = conflictsOf(ctx, row);
    const statement = isNew ? insertStatement(ctx, row) : plan.statement;
    if (!statement) {
      const [rows] = await Promise.all(statements);
      return { row: assertType<EventRow>(row), conflicts: read(rows) };
    }
    const unchanged = condition || isFree ? [assertUnchanged(ctx, condition, isFree)] : [];
    const before: Statement[] = [...statements, ...unchanged];
    const [first = statement, ...rest] = [...before, statement, ...also];
    const results = await runBatch(ctx.db, [first, ...rest]);
    const [written] = assertType<EventRow[]>(results[before.length]);
    if (!written) throw new LostRace();
    return { row: written, conflicts: read(statements.length > 0 ? assertType(results[0]) : []) };
  });
}

/** Carries out a plan without looking for conflicts. */
export async function commit(ctx: Context, { before = [], statement, condition, also = [] }: Plan): Promise<EventRow> {
  if (!statement) throw new Error("a plan without a statement has nothing to carry out");
  const unchanged = assertUnchanged(ctx, condition);
  const results = await runBatch(ctx.db, [unchanged, ...before, statement, ...also]);
  const [written] = assertType<EventRow[]>(results[1 + before.length]);
  if (!written) throw new LostRace();
  return written;
}

/** Another writer changed the rows after they were read. */
export class LostRace extends Error {}

/** Repeats an attempt that reads and then writes for as long as it loses races. */
export async function untilWritten<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < MAX_TRIES; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLostRace(error)) throw error;
    }
  }
  throw new AppError("conflict", "Other requests keep changing this event. Try again.");
}

/**
 * An assertion failed, another request stored the same occurrence, invitation or booking first, or the series of an
 * occurrence was deleted.
 */
function isLostRace(error: unknown): boolean {
  const places = ["events.ical_uid", "events.booking_id", "FOREIGN KEY"];
  return error instanceof LostRace || places.some((place) => brokeConstraint(error, place));
}

/** For the statements that write events. */
export const changedEvent = { ...getTableColumns(events), ...LISTENED };

const insertEvent = compiledWrite(({ db }, draft: Draft) =>
  db
    .insert(events)
    .values({ ...draft, id: NEXT_EVENT_ID })
    .returning(changedEvent),
);

export function insertStatement({ db }: Context, draft: Draft) {
  return insertEvent(db, draft);
}

/** Sets only what changes: D1 writes, and bills, every index of a column that an update sets. */
export function updateStatement({ db }: Context, current: EventRow, next: EventRow) {
  return db.update(events).set(changedColumns(current, next)).where(eq(events.id, current.id)).returning(changedEvent);
}

/** True while the event is still the version that was read. */
export function isUnchanged({ id, version }: Pick<EventRow, "id" | "version">): SQL {
  return sql`EXISTS (SELECT 1 FROM events AS own WHERE own.id = ${id} AND own.version = ${version})`;
}

/** Undoes a batch whose conditions no longer hold, so that it is prepared again. */
export function assertUnchanged(ctx: Context, ...conditions: (SQL | undefined)[]) {
  return assertThat(ctx.db, "calendar_unchanged", and(...conditions) ?? sql`1`, () => new LostRace());
}

export async function updatePlan(ctx: Context, current: EventRow, next: EventRow): Promise<Plan> {
  if (next === current) return { row: current };
  const { series, also, condition } = await updateEditedOccurrences(ctx, current, next);
  const isAsRead = and(isUnchanged(current), condition);
  const known = rememberSenders(ctx, newlyAccepted(current, next));
  return {
    row: series,
    statement: updateStatement(ctx, current, series),
    condition: isAsRead,
    also: [...also, ...known],
  };
}

const selectById = compiledSelect((source) => selectEvent(source, sql.placeholder("id")));

export async function findEvent(ctx: Context, id: number, expected?: ExpectedVersions): Promise<EventRow> {
  const [row] = await selectById(ctx.db, { id });
  return checkVersion(row, `event ${id}`, expected);
}

/** The event and what may be in the way of it after a change, in one round trip. */
export async function findWithSurroundings(ctx: Context, id: number, reach: Reach, expected: ExpectedVersions) {
  const { statements, read } = surroundingsOf(ctx, id, reach);
  const [found, state, rows] = await ctx.db.batch([selectById(ctx.db, { id }), ...statements]);
  const current = checkVersion(found[0], `event ${id}`, expected);
  return { current, surroundings: read(current, state, rows) };
}

const selectMissed = compiledSelect(({ db }) => {
  const isThis = and(eq(events.id, sql.placeholder("id")), isNull(events.deletedAt));
  return db.select().from(events).where(and(sql`changes() = 0`, isThis));
});

/** For a batch, directly after the statement that writes the event: the event as it is, if that changed nothing. */
export function selectUnlessWritten({ db }: Context, id: number) {
  return selectMissed(db, { id });
}

function selectEvent({ db }: Pick<Context, "db">, id: Given) {
  const isThis = and(eq(events.id, id), isNull(events.deletedAt));
  return db.select().from(events).where(isThis);
}

export function checkVersion(row: EventRow | undefined, name: string, expected: ExpectedVersions): EventRow {
  if (!row || (expected && !expected.includes(row.version))) throw missedWrite(row, name);
  return row;
}

/** Rejects a new link to an email or event that does not exist. Links stored before may outlive their target. */
export async function checkReferences(
  ctx: Context,
  { emailId, rescheduledFromId }: EventInput,
  current?: EventRow,
): Promise<void> {
  if (emailId && emailId !== current?.emailId && (await findSender(ctx, emailId)) === undefined) {
    throw validationFailed({ path: "emailId", message: "must be the id of a stored email" });
  }
  if (!rescheduledFromId || rescheduledFromId === current?.rescheduledFromId) return;
  const [replaced] = await selectEvent(ctx, rescheduledFromId);
  if (!replaced || replaced.id === current?.id) {
    throw validationFailed({ path: "rescheduledFromId", message: "must be the id of another event" });
  }
}
