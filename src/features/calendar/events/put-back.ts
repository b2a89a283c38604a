import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import {
  type Also,
  outdated,
  type PutBack,
  putRowBack,
  type Replaced,
  type Row,
  rowFromJson,
} from "../../../db/put-back.ts";
import { events } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError } from "../../../lib/errors.ts";
import { findInSeries, findOccurrence } from "../series/occurrence.ts";
import { withNewVersion } from "./changes.ts";
import { type EventRow, intervalOf } from "./event.ts";
import { lengthClassOf } from "./overlap.ts";
import { assertUnchanged, findEvent, isUnchanged, LostRace, updatePlan } from "./write.ts";

const COLUMNS = getTableColumns(events);
/** Columns that an update does not change: the origin of the event and its identifiers. */
const FIXED: readonly (keyof EventRow)[] = [
  ...([
    "id",
    "icalUid",
    "sequence",
    "version",
    "createdAt",
    "updatedAt",
    "source",
    "bookingId",
    "originalStart",
  ] as const),
  ...(["externalStatus", "externalUpdatedAt", "externalHash", "externalSequence", "recurringEventId"] as const),
];

const OPTIONS = {
  name: "event",
  columns: COLUMNS,
  // Other calendars that have removed the event take it for an update.
  checked: ({ sequence }: Row) => ({ overrides: [], sequence: Number(sequence) + 1 }),
};

export async function eventSnapshot(ctx: Context, id: number, occurrence?: Date): Promise<Row & { version: number }> {
  return assertType(occurrence ? await findOccurrence(ctx, id, occurrence) : await findEvent(ctx, id));
}

/**
 * Puts an event back as it was: a changed or cancelled one gets its fields, a new one is deleted, a deleted one is there
 * again under its id. An event that somebody has changed since is left alone.
 */
export async function putEventBack(
  ctx: Context,
  undo: PutBack & { occurrence?: Date | undefined },
  also: Also,
): Promise<Replaced> {
  const before = undo.before && assertType<EventRow>(rowFromJson(COLUMNS, undo.before));
  try {
    // The id of an undo may be that of the series: an edited occurrence has a row of its own.
    const put = (id: number) => putRowBack(ctx, events, { ...undo, id }, OPTIONS, also);
    if (undo.version === null) return await put(before?.id ?? undo.id);
    const current = await presentRow(ctx, undo);
    if (current.version !== undo.version) throw outdated("event");
    return await (before ? restore(ctx, current, before, also) : put(current.id));
  } catch (error) {
    const isOutdated = error instanceof LostRace || (error instanceof AppError && error.code === "not_found");
    throw isOutdated ? outdated("event") : error;
  }
}

async function presentRow(ctx: Context, { id, occurrence }: { id: number; occurrence?: Date | undefined }) {
  if (!occurrence) return findEvent(ctx, id);
  const { edited } = await findInSeries(ctx, id, occurrence);
  if (!edited) throw outdated("event");
  return edited;
}

async function restore(ctx: Context, current: EventRow, before: EventRow, also: Also): Promise<Replaced> {
  const fields = Object.entries(before).filter(([name]) => !FIXED.includes(assertType(name)));
  const next: EventRow = { ...current, ...Object.fromEntries(fields) };
  if (next.rrule === null) next.span ??= lengthClassOf(intervalOf(next));
  const plan = await updatePlan(ctx, current, withNewVersion(ctx, current, next));
  const replaced = { before: assertType<Row>(current), version: plan.row.version };
  const [first, ...rest] = [
    assertUnchanged(ctx, plan.condition ?? isUnchanged(current)),
    ...(plan.statement ? [plan.statement] : []),
    ...(plan.also ?? []),
    ...(current.status === "cancelled" && next.status !== "cancelled" ? [revivedWith(ctx, current, next)] : []),
    ...also(replaced),
  ];
  await runBatch(ctx.db, [first, ...rest]);
  return replaced;
}

/** The edited occurrences that were cancelled together with their series. */
function revivedWith({ db, now }: Context, current: EventRow, { status }: EventRow) {
  const wereCancelled = and(
    eq(events.recurringEventId, current.id),
    eq(events.status, "cancelled"),
    eq(events.updatedAt, current.updatedAt),
  );
  const meta = { version: sql`version + 1`, sequence: sql`sequence + 1`, updatedAt: now };
  return db
    .update(events)
    .set({ status, ...meta })
    .where(wereCancelled);
}
