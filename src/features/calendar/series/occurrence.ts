import { and, eq, isNull, or } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { events } from "../../../db/schema/calendar.ts";
import type { ExpectedVersions } from "../../../db/version.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { occursAt } from "../../../lib/recurrence.ts";
import { rememberSenders } from "../../emails/known-senders.ts";
import { type Author, changeEvent, type Draft, type EventInput, withNewVersion } from "../events/changes.ts";
import { type EventRow, isSeries, occurrenceRow, type SeriesRow, seriesOf } from "../events/event.ts";
import { keepDeleted, keyOf, restorableUntil } from "../events/kept.ts";
import { newlyAccepted } from "../events/response.ts";
import {
  assertUnchanged,
  checkReferences,
  checkVersion,
  insertStatement,
  isUnchanged,
  type Plan,
  untilWritten,
  updatePlan,
  updateStatement,
  type WriteOptions,
  type Written,
  write,
} from "../events/write.ts";

/** One occurrence: its own row if it was edited, otherwise a row derived from its series. */
type Found = { series: SeriesRow; edited: EventRow } | { series: SeriesRow; edited?: undefined; row: EventRow };

export async function findInSeries(ctx: Context, id: number, start: Date, expected?: ExpectedVersions): Promise<Found> {
  const rows = await ctx.db
    .select()
    .from(events)
    .where(
      and(
        isNull(events.deletedAt),
        or(eq(events.id, id), and(eq(events.recurringEventId, id), eq(events.originalStart, start))),
      ),
    );
  return pickFrom(rows, id, start, expected);
}

/** The occurrence among rows that are not deleted. */
export function pickFrom(rows: readonly EventRow[], id: number, start: Date, expected?: ExpectedVersions): Found {
  const series = rows.find((row) => row.id === id);
  if (!series) throw new AppError("not_found", `There is no event ${id}.`);
  const edited = rows.find((row) => row.recurringEventId === id);
  checkVersion(edited ?? series, `event ${id}`, expected);
  if (!isSeries(series)) {
    throw validationFailed({ path: "occurrence", message: `can only be used with a series; event ${id} is not one` });
  }
  if (edited) return { series, edited };
  const interval = occursAt(seriesOf(series), start.getTime());
  if (!interval) throw new AppError("not_found", `Event ${id} does not take place at ${start.toISOString()}.`);
  return { series, row: occurrenceRow(series, interval) };
}

export async function findOccurrence(ctx: Context, id: number, start: Date): Promise<EventRow> {
  const found = await findInSeries(ctx, id, start);
  return found.edited ?? found.row;
}

/** The first edit gives an occurrence its own row; the series then skips it. */
export function updateOccurrence(
  ctx: Context,
  id: number,
  start: Date,
  input: EventInput,
  options: WriteOptions,
): Promise<Written> {
  if (input.rrule) throw validationFailed({ path: "rrule", message: "cannot be set on one occurrence of a series" });
  return write(ctx, options, async () => {
    const found = await findInSeries(ctx, id, start, options.expected);
    await checkReferences(ctx, input, found.edited ?? found.row);
    if (found.edited) return updatePlan(ctx, found.edited, changeEvent(ctx, found.edited, input, "person"));
    return editPlan(ctx, found.series, found.row, input, "person");
  });
}

/** Plans the first edit of an occurrence. */
export function editPlan(
  ctx: Context,
  series: SeriesRow,
  row: EventRow,
  input: EventInput,
  author: Author,
  further: Partial<EventRow> = {},
): Plan {
  // Passing allDay makes resolveTimes compute the length class, which the series row does not have.
  const when = input.start === undefined ? { allDay: row.startDate !== null } : {};
  const next = changeEvent(ctx, row, { ...when, ...input }, author, further);
  const { id: _, ...columns } = next;
  // Higher than the version that this occurrence had as part of its series, so that nobody overwrites the edit unseen.
  const draft: Draft = { ...columns, bookingId: null, version: series.version + 1, createdAt: ctx.now };
  // Only an occurrence that the stranger adds counts as added by them.
  if (author === "person") draft.addedByStranger = null;
  const start = row.originalStart?.getTime() ?? row.startAt.getTime();
  const without = withNewVersion(ctx, series, { ...series, overrides: [...series.overrides, start] });
  return {
    row: draft,
    statement: insertStatement(ctx, draft),
    condition: isUnchanged(series),
    also: [updateStatement(ctx, series, without), ...rememberSenders(ctx, newlyAccepted(row, draft))],
  };
}

/** Deletes one occurrence, and keeps it for a day; the series continues without it. */
export async function deleteOccurrence(
  ctx: Context,
  id: number,
  start: Date,
  expected?: ExpectedVersions,
): Promise<void> {
  await untilWritten(async () => {
    const { series, edited } = await findInSeries(ctx, id, start, expected);
    const moment = start.getTime();
    const { invitation } = series;
    const without = withNewVersion(ctx, series, {
      ...series,
      invitation: invitation && { ...invitation, deleted: [...(invitation.deleted ?? []), moment] },
      exdates: [...series.exdates, moment].sort((a, b) => a - b),
      overrides: series.overrides.filter((edited) => edited !== moment),
    });
    await runBatch(ctx.db, [
      assertUnchanged(ctx, isUnchanged(series), edited && isUnchanged(edited)),
      keepDeleted(ctx, {
        key: keyOf(id, start),
        where: eq(events.id, (edited ?? series).id),
        until: restorableUntil(ctx),
      }),
      updateStatement(ctx, series, without),
      ctx.db.delete(events).where(and(eq(events.recurringEventId, id), eq(events.originalStart, start))),
    ]);
  });
}
