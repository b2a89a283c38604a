import { and, eq } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { events } from "../../../db/schema/calendar.ts";
import { AppError } from "../../../lib/errors.ts";
import { deleteOccurrence, findOccurrence, updateOccurrence } from "../series/occurrence.ts";
import { changeEvent, draftEvent, type EventInput, type NewEvent } from "./changes.ts";
import { type EventRow, toEvent } from "./event.ts";
import { broken } from "./event-times.ts";
import { checkReferences } from "./references.ts";
import {
  assertUnchanged,
  checkVersion,
  findEvent,
  insertStatement,
  isUnchanged,
  LostRace,
  untilWritten,
  updatePlan,
  updateStatement,
  type WriteOptions,
  type Written,
  write,
} from "./write.ts";

/** Every write answers with what the event now conflicts with. */
function answer({ row, conflicts }: Written) {
  return { ...toEvent(row), conflicts };
}

const OF_BOOKING = { source: "bookingsvc", deletedAt: null } as const;

/** Creates an event, or updates the one of its booking: however many ask at once, a booking has one event. */
export async function createEvent(ctx: Context, input: NewEvent, options: WriteOptions = {}) {
  let isNew = true;
  const written = await write(ctx, options, async () => {
    const current = input.bookingId === undefined ? undefined : await findByBooking(ctx, input.bookingId);
    isNew = current === undefined;
    if (current && !current.deletedAt && isOutdated(input, current)) return { row: current };
    await checkReferences(ctx, input, current);
    // A booking's word is the provider's: it revives what was cancelled, and what was deleted here.
    if (current) return updatePlan(ctx, current, changeEvent(ctx, current, input, "origin", OF_BOOKING));
    const row = draftEvent(ctx, input);
    return { row, statement: insertStatement(ctx, row) };
  });
  return { event: answer(written), isNew };
}

/** The provider's words may arrive out of order. */
function isOutdated({ externalUpdatedAt: said }: NewEvent, { externalUpdatedAt: known }: EventRow): boolean {
  return Boolean(said && known && said < known);
}

export async function getEvent(ctx: Context, id: number, occurrence?: Date) {
  return toEvent(occurrence ? await findOccurrence(ctx, id, occurrence) : await findEvent(ctx, id));
}

export interface UpdateOptions extends WriteOptions {
  occurrence?: Date;
}

/** Changes an event, a whole series, or with `occurrence` the one time a series takes place then. */
export async function updateEvent(ctx: Context, id: number, input: EventInput, options: UpdateOptions = {}) {
  refuseEmpty(input);
  const { occurrence, ...rest } = options;
  if (occurrence) return answer(await updateOccurrence(ctx, id, occurrence, input, rest));
  const written = await write(ctx, rest, async () => {
    const current = await findEvent(ctx, id, rest.expected);
    if (current.recurringEventId && input.rrule) throw broken("rrule", "one occurrence of a series does not recur");
    await checkReferences(ctx, input, current);
    return updatePlan(ctx, current, changeEvent(ctx, current, input, "person"));
  });
  return answer(written);
}

export async function updateEventOfBooking(
  ctx: Context,
  bookingId: string,
  input: EventInput,
  options: WriteOptions = {},
) {
  refuseEmpty(input);
  const written = await write(ctx, options, async () => {
    const found = await findByBooking(ctx, bookingId);
    const current = checkVersion(
      found?.deletedAt ? undefined : found,
      `event of booking ${bookingId}`,
      options.expected,
    );
    await checkReferences(ctx, input, current);
    return updatePlan(ctx, current, changeEvent(ctx, current, input, "person"));
  });
  return answer(written);
}

function refuseEmpty(input: EventInput): void {
  if (Object.values(input).every((value) => value === undefined)) throw new AppError("nothing_to_update");
}

async function findByBooking(ctx: Context, bookingId: string): Promise<EventRow | undefined> {
  const [row] = await ctx.db.select().from(events).where(eq(events.bookingId, bookingId));
  return row;
}

/**
 * Deletes an event, a whole series, or with `occurrence` the one time. What came from outside leaves a mark,
 * so that neither a sync nor a repeated invitation brings it back; anything else is gone.
 */
export async function deleteEvent(
  ctx: Context,
  id: number,
  { occurrence, expected }: Pick<UpdateOptions, "occurrence" | "expected"> = {},
): Promise<void> {
  if (occurrence) return deleteOccurrence(ctx, id, occurrence, expected);
  await untilWritten(async () => {
    const current = await findEvent(ctx, id, expected);
    if (current.recurringEventId && current.originalStart) {
      return deleteOccurrence(ctx, current.recurringEventId, current.originalStart, expected);
    }
    if (current.bookingId === null && current.source !== "email") {
      const gone = ctx.db.delete(events).where(and(eq(events.id, id), eq(events.version, current.version)));
      if ((await gone.returning({ id: events.id })).length === 0) throw new LostRace();
      return;
    }
    const marked = { ...current, deletedAt: ctx.now, span: null, seriesEnd: null, overrides: [] };
    await runBatch(ctx.db, [
      assertUnchanged(ctx, isUnchanged(current)),
      updateStatement(ctx, { ...marked, version: current.version + 1, updatedAt: ctx.now }),
      ctx.db.delete(events).where(eq(events.recurringEventId, id)),
    ]);
  });
}
