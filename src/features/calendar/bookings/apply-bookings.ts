import { and, eq, exists, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "../../../context.ts";
import { type assertThat, runBatch } from "../../../db/assert.ts";
import { anyOf, excludedColumns, inParts, selectRows } from "../../../db/bulk.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { NEXT_EVENT_ID } from "../../../db/next-id.ts";
import { events, HAS_BOOKING } from "../../../db/schema/calendar.ts";
import type { Booking } from "../../../lib/booking.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { BOOKING_SOURCE } from "../../../lib/event-kinds.ts";
import { changeEvent, type Draft, draftEvent } from "../events/changes.ts";
import type { EventRow } from "../events/event.ts";
import { ownUid } from "../events/own-uid.ts";

interface AppliedBookings {
  created: number;
  updated: number;
  unchanged: number;
  /** How many of the created and updated ones became cancelled. */
  cancelled: number;
  /** Why bookings could not be stored. */
  problems: string[];
}

/** Fails a write once the connection that the bookings came by is gone. */
type Claim = () => ReturnType<typeof assertThat>;

/** Each round reads and writes. Another one is needed only if the events were changed in between. */
const MAX_ROUNDS = 5;

/**
 * Writes a page of bookings into the calendar with two round trips: one reads the stored events, one writes those that
 * changed. Tags, notes and reminders are never changed; other edits made here last until the booking itself changes.
 */
export async function applyBookings(
  ctx: Context,
  bookings: readonly Booking[],
  stillConnected: Claim,
): Promise<AppliedBookings> {
  const applied: AppliedBookings = { created: 0, updated: 0, unchanged: 0, cancelled: 0, problems: [] };
  let left = bookings;
  for (let round = 0; left.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new AppError("conflict", "Other requests keep changing these events. Try again.");
    const changes = await changesOf(ctx, left, applied);
    const written = new Set<string>();
    for (const part of inParts(changes, ({ row }) => row))
      for (const id of await writeChanges(ctx, part, stillConnected())) written.add(id);
    for (const { row, current } of changes) {
      if (!row.bookingId || !written.has(row.bookingId)) continue;
      applied[current ? "updated" : "created"] += 1;
      if (row.status === "cancelled" && current?.status !== "cancelled") applied.cancelled += 1;
    }
    left = changes.filter(({ row }) => !written.has(row.bookingId ?? "")).map(({ booking }) => booking);
  }
  return applied;
}

interface Change {
  booking: Booking;
  row: Draft;
  current?: EventRow;
}

async function changesOf(ctx: Context, bookings: readonly Booking[], applied: AppliedBookings): Promise<Change[]> {
  const known = await readStored(ctx, bookings);
  const changes: Change[] = [];
  for (const booking of bookings) {
    const current = known.find(booking);
    try {
      const row = current ? changed(ctx, current, booking) : drafted(ctx, booking, known.icalUidFor(booking));
      if (row) changes.push({ booking, row, current });
      else applied.unchanged += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      applied.problems.push(`${booking.bookingId}: ${error.message}`);
    }
  }
  return changes;
}

/** The events of these bookings, found by booking id or, if an email announced the booking, by the invitation's UID. */
async function readStored(ctx: Context, bookings: readonly Booking[]) {
  const rows = await ctx.db
    .select()
    .from(events)
    .where(
      or(
        inArray(events.bookingId, anyOf(bookings.map(({ bookingId }) => bookingId))),
        sql`${events.icalUid} IN ${anyOf(bookings.map(({ icalUid }) => icalUid))} AND ${events.originalStart} IS NULL`,
      ),
    );
  const byBooking = new Map(rows.map((row) => [row.bookingId, row]));
  const byUid = new Map(rows.map((row) => [row.icalUid, row]));
  const taken = new Set(byUid.keys());
  return {
    find({ bookingId, icalUid }: Booking): EventRow | undefined {
      const announced = icalUid === null ? undefined : byUid.get(icalUid);
      const free = announced?.bookingId === null && announced.rrule === null ? announced : undefined;
      if (free) byUid.delete(free.icalUid);
      return byBooking.get(bookingId) ?? free;
    },
    /** A rescheduled booking gets the UID of the one it replaces, but a calendar needs a UID for each. */
    icalUidFor({ bookingId, icalUid }: Booking): string {
      const uid = icalUid !== null && !taken.has(icalUid) ? icalUid : ownUid(`booking-${bookingId}`);
      taken.add(uid);
      return uid;
    },
  };
}

function drafted(ctx: Context, booking: Booking, icalUid: string): Draft {
  return { ...draftEvent(ctx, { ...booking, icalUid }), ...bookkeeping(booking) };
}

/** The event after the booking's change; null if the booking has not changed or is older than the stored event. */
function changed(ctx: Context, current: EventRow, booking: Booking): EventRow | null {
  const { bookingId, externalUpdatedAt } = booking;
  const isOwn = current.bookingId === bookingId;
  if (isOwn && current.externalHash === hashOf(booking)) return null;
  // The time on an emailed invitation cannot be compared with the booking's.
  const stored = isOwn ? current.externalUpdatedAt : null;
  if (stored && externalUpdatedAt && externalUpdatedAt < stored) return null;
  // A deleted event returns when its booking changes, but not when its booking is first seen.
  const presence = isOwn || !current.deletedAt ? { deletedAt: null } : { span: null };
  // A booking needs no response, and takes up its time even if a stranger's invitation announced it.
  const noInvitation = { awaitsAnswer: false, addedByStranger: null, invitation: null };
  const taken = current.invitation ? { busy: true, ...noInvitation } : {};
  const columns = { bookingId, source: BOOKING_SOURCE, ...presence, ...taken, ...bookkeeping(booking) };
  const next = changeEvent(ctx, current, { ...booking, allDay: false }, "origin", columns);
  return next === current ? null : next;
}

function bookkeeping(booking: Booking) {
  return {
    externalHash: hashOf(booking),
    externalUpdatedAt: booking.externalUpdatedAt,
    rescheduledFromBookingId: booking.rescheduledFromBookingId,
  };
}

/** A booking has changed only if this has, whatever was changed here. */
function hashOf({ externalUpdatedAt: _, ...content }: Booking): string {
  return sha256Hex(JSON.stringify(content)).slice(0, 32);
}

/** Writes the rows that are still as they were read, and returns their booking ids. */
async function writeChanges(ctx: Context, changes: readonly Change[], claim: ReturnType<Claim>): Promise<string[]> {
  const rows = changes.map(({ row, current }) => ({ ...row, ...(current && { id: current.id }) }));
  const upsert = (some: typeof rows, target: typeof events.id | typeof events.bookingId) =>
    ctx.db
      .insert(events)
      .select(selectRows(events, some, target === events.id ? {} : { id: sql`${NEXT_EVENT_ID} + key` }))
      .onConflictDoUpdate({
        target,
        targetWhere: target === events.bookingId ? HAS_BOOKING : undefined,
        set: excludedColumns(events, "id", "createdAt", "tags", "notes", "reminders"),
        setWhere: sql`events.version = excluded.version - 1`,
      })
      .returning({ bookingId: events.bookingId });
  const fresh = rows.filter((row) => !("id" in row));
  const old = rows.filter((row) => "id" in row);
  try {
    const ids = rows.map(({ bookingId }) => bookingId);
    const [, created, updated] = await runBatch(ctx.db, [
      claim,
      upsert(fresh, events.bookingId),
      upsert(old, events.id),
      linkReschedules(ctx, ids),
    ]);
    return [...created, ...updated].map(({ bookingId }) => bookingId ?? "");
  } catch (error) {
    // Since the read, an invitation has taken the UID, or a parallel sync the booking.
    if (brokeConstraint(error, "events.ical_uid") || brokeConstraint(error, "events.booking_id")) return [];
    throw error;
  }
}

/** Links a booking to the one it replaced, whichever of the two arrived first. */
function linkReschedules(ctx: Context, bookingIds: readonly (string | null)[]) {
  const replaced = alias(events, "replaced");
  const replacedId = ctx.db
    .select({ id: replaced.id })
    .from(replaced)
    .where(eq(replaced.bookingId, events.rescheduledFromBookingId));
  return ctx.db
    .update(events)
    .set({
      rescheduledFromId: sql`(${replacedId})`,
      // The rows of this batch have already raised their version.
      version: sql`version + (booking_id NOT IN ${anyOf(bookingIds)})`,
    })
    .where(and(isNull(events.rescheduledFromId), isNotNull(events.rescheduledFromBookingId), exists(replacedId)));
}
