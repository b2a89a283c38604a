import { and, eq } from "drizzle-orm";
import { type Context, relayingOutsideWords } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { LISTENED } from "../../../db/live-tables.ts";
import { events } from "../../../db/schema/calendar.ts";
import { versionIs } from "../../../db/version.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { BOOKING_SOURCE } from "../../../lib/event-kinds.ts";
import { deleteOccurrence, findOccurrence, updateOccurrence } from "../series/occurrence.ts";
import { changeEvent, draftEvent, type EventInput, type NewEvent } from "./changes.ts";
import type { Surroundings } from "./conflicts.ts";
import { type EventRow, toEvent } from "./event.ts";
import { reachOf } from "./event-times.ts";
import { IS_DELETABLE, keepIfDeletable, keepWhole } from "./kept.ts";
import { updatePlainly } from "./plain-update.ts";
import { restoreDeleted } from "./restore.ts";
import {
  assertUnchanged,
  checkReferences,
  checkVersion,
  findEvent,
  findWithSurroundings,
  isUnchanged,
  selectUnlessWritten,
  untilWritten,
  updatePlan,
  updateStatement,
  type WriteOptions,
  type Written,
  write,
} from "./write.ts";

/** Every write returns the conflicts that the event now has. */
function toResponse({ row, conflicts }: Written) {
  return { ...toEvent(row), conflicts };
}

const BOOKED = { source: BOOKING_SOURCE, deletedAt: null } as const;

/** Creates an event, or updates the event of its booking. Parallel requests never give a booking two events. */
export async function createEvent(ctx: Context, input: NewEvent, options: WriteOptions = {}) {
  let isNew = true;
  const written = await write(ctx, options, async () => {
    const current = input.bookingId === undefined ? undefined : await findByBooking(ctx, input.bookingId);
    isNew = current === undefined;
    if (current && !current.deletedAt && isOutdated(input, current)) return { row: current };
    await checkReferences(ctx, input, current);
    // The provider decides about its bookings, so this revives an event that was cancelled or deleted here.
    if (current) return updatePlan(ctx, current, changeEvent(ctx, current, input, "origin", BOOKED));
    const row = draftEvent(ctx, input);
    return { row, isNew: true, also: [...(options.also ?? [])] };
  });
  return { event: toResponse(written), isNew };
}

/** The provider's updates may arrive out of order. */
function isOutdated({ externalUpdatedAt: sent }: NewEvent, { externalUpdatedAt: known }: EventRow): boolean {
  return Boolean(sent && known && sent < known);
}

export async function getEvent(ctx: Context, id: number, occurrence?: Date) {
  return toEvent(occurrence ? await findOccurrence(ctx, id, occurrence) : await findEvent(ctx, id));
}

export interface UpdateOptions extends WriteOptions {
  occurrence?: Date;
}

/** The event as it is, and as it would be after the change. Writes nothing. */
export async function previewUpdate(ctx: Context, id: number, input: EventInput, occurrence?: Date) {
  const current = occurrence ? await findOccurrence(ctx, id, occurrence) : await findEvent(ctx, id);
  return { before: toEvent(current), after: toEvent(changeEvent(ctx, current, input, "person")) };
}

/** Updates an event, a whole series, or one `occurrence` of it. */
export async function updateEvent(ctx: Context, id: number, input: EventInput, options: UpdateOptions = {}) {
  const { occurrence, ...rest } = options;
  refuseEmpty(input);
  if (occurrence) return toResponse(await updateOccurrence(ctx, id, occurrence, input, rest));
  const result = await updatePlainly(ctx, id, input, rest);
  if (result && "written" in result) return toResponse(result.written);
  // The first attempt uses what was read, or can be read at once, unless another writer was faster.
  const first = [
    ...(result ? [async () => ({ current: checkVersion(result.current, `event ${id}`, rest.expected) })] : []),
  ];
  const reach = rest.onConflict && reachOf(input);
  if (reach) first.push(() => findWithSurroundings(ctx, id, reach, rest.expected));
  const find = async () => (await first.pop()?.()) ?? { current: await findEvent(ctx, id, rest.expected) };
  return update(ctx, input, rest, find);
}

/** A request that names a booking carries the provider's text, so the event is marked `outside`. */
export function updateEventOfBooking(ctx: Context, bookingId: string, input: EventInput, options: WriteOptions = {}) {
  refuseEmpty(input);
  return update(relayingOutsideWords(ctx), input, options, async () => {
    const found = await findByBooking(ctx, bookingId);
    const current = found?.deletedAt ? undefined : found;
    return { current: checkVersion(current, `event of booking ${bookingId}`, options.expected) };
  });
}

interface Found {
  current: EventRow;
  surroundings?: Surroundings;
}

async function update(ctx: Context, input: EventInput, options: WriteOptions, find: () => Promise<Found>) {
  const written = await write(ctx, options, async () => {
    const { current, surroundings } = await find();
    if (current.recurringEventId && input.rrule) {
      throw validationFailed({ path: "rrule", message: "cannot be set on one occurrence of a series" });
    }
    await checkReferences(ctx, input, current);
    return { ...(await updatePlan(ctx, current, changeEvent(ctx, current, input, "person"))), surroundings };
  });
  return toResponse(written);
}

function refuseEmpty(input: EventInput): void {
  if (Object.values(input).every((value) => value === undefined)) throw new AppError("nothing_to_update");
}

async function findByBooking(ctx: Context, bookingId: string): Promise<EventRow | undefined> {
  const [row] = await ctx.db.select().from(events).where(eq(events.bookingId, bookingId));
  return row;
}

type DeleteOptions = Pick<UpdateOptions, "occurrence" | "expected">;

/**
 * Deletes an event, a whole series, or one `occurrence` of it, and keeps it for a day. An event from a booking or an
 * email stays, marked as deleted, so that neither a sync nor a repeated invitation restores it.
 */
export async function deleteEvent(ctx: Context, id: number, { occurrence, expected }: DeleteOptions = {}) {
  if (occurrence) return deleteOccurrence(ctx, id, occurrence, expected);
  const isThis = and(eq(events.id, id), IS_DELETABLE, versionIs(events.version, expected));
  await untilWritten(async () => {
    const [, gone, [row]] = await ctx.db.batch([
      keepIfDeletable(ctx, id, expected),
      ctx.db
        .delete(events)
        .where(isThis)
        .returning({ id: events.id, ...LISTENED }),
      selectUnlessWritten(ctx, id),
    ]);
    if (gone.length > 0) return;
    const current = checkVersion(row, `event ${id}`, expected);
    if (current.recurringEventId && current.originalStart) {
      return deleteOccurrence(ctx, current.recurringEventId, current.originalStart, expected);
    }
    const marked = {
      ...current,
      deletedAt: ctx.now,
      awaitsAnswer: false,
      span: null,
      seriesEnd: null,
      overrides: [],
    };
    await runBatch(ctx.db, [
      assertUnchanged(ctx, isUnchanged(current)),
      keepWhole(ctx, id),
      updateStatement(ctx, current, { ...marked, version: current.version + 1, updatedAt: ctx.now }),
      ctx.db.delete(events).where(eq(events.recurringEventId, id)),
    ]);
  });
}

export async function restoreEvent(ctx: Context, id: number, options: DeleteOptions = {}) {
  return toResponse(await restoreDeleted(ctx, { id, ...options }));
}
