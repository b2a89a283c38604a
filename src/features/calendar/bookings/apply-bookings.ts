import { and, eq, exists, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "../../../context.ts";
import { anyOf, excludedColumns, selectRows } from "../../../db/bulk.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { type Attendee, events, type Person } from "../../../db/schema/calendar.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { timeZoneName } from "../../../lib/time-zone.ts";
import { changeEvent, type Draft, draftEvent, type NewEvent } from "../events/changes.ts";
import type { EventRow, Status } from "../events/event.ts";

/** A booking of the provider, in the calendar's words. */
export interface BookedEvent {
  bookingId: string;
  title: string;
  description: string | null;
  start: Date;
  end: Date;
  timeZone: string;
  location: string | null;
  meetingUrl: string | null;
  status: Status;
  organizer: Person | null;
  attendees: Attendee[];
  icalUid: string | null;
  cancelReason: string | null;
  externalStatus: string;
  externalUpdatedAt: Date | null;
  rescheduledFromBookingId: string | null;
}

export interface AppliedBookings {
  created: number;
  updated: number;
  unchanged: number;
  /** Of those created or updated. */
  cancelled: number;
  /** Bookings the calendar cannot hold, in words. */
  problems: string[];
}

/** Each round reads and writes; another round is needed only when someone else wrote in between. */
const MAX_ROUNDS = 5;
/** A statement's rows are one value, which D1 takes up to 2 MB of; a character has at most three bytes here. */
const MAX_VALUE_CHARACTERS = 600_000;

/**
 * Writes a page of bookings in two round trips: one that reads what is there, and one that writes what has
 * changed, or none when nothing has; more only when the page is too large for one value. A person's tags and notes stay, and so does what they changed by hand
 * until the booking itself changes.
 */
export async function applyBookings(ctx: Context, bookings: readonly BookedEvent[]): Promise<AppliedBookings> {
  const applied: AppliedBookings = { created: 0, updated: 0, unchanged: 0, cancelled: 0, problems: [] };
  let left = bookings;
  for (let round = 0; left.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new AppError("conflict", "The events keep being changed by others. Try again.");
    const changes = await workOut(ctx, left, applied);
    const written = new Set<string>();
    for (const part of inParts(changes)) for (const id of await writeChanges(ctx, part)) written.add(id);
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
  booking: BookedEvent;
  row: Draft;
  current?: EventRow;
}

async function workOut(ctx: Context, bookings: readonly BookedEvent[], applied: AppliedBookings): Promise<Change[]> {
  const known = await readKnown(ctx, bookings);
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

/** The events these bookings have, by their booking or, for one that a mail announced, by the invitation's UID. */
async function readKnown(ctx: Context, bookings: readonly BookedEvent[]) {
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
    find({ bookingId, icalUid }: BookedEvent): EventRow | undefined {
      const announced = icalUid === null ? undefined : byUid.get(icalUid);
      const free = announced?.bookingId === null && announced.rrule === null ? announced : undefined;
      if (free) byUid.delete(free.icalUid);
      return byBooking.get(bookingId) ?? free;
    },
    /** The provider gives several bookings one UID when it moves them; a calendar needs one for each. */
    icalUidFor({ bookingId, icalUid }: BookedEvent): string {
      const uid = icalUid !== null && !taken.has(icalUid) ? icalUid : `booking-${bookingId}`;
      taken.add(uid);
      return uid;
    },
  };
}

function drafted(ctx: Context, booking: BookedEvent, icalUid: string): Draft {
  const input: NewEvent = { ...inputOf(booking), bookingId: booking.bookingId, icalUid };
  return { ...draftEvent(ctx, input), ...bookkeeping(booking) };
}

/** The event after the booking's change, or null when the booking is what it was, or older than what is there. */
function changed(ctx: Context, current: EventRow, booking: BookedEvent): EventRow | null {
  const { bookingId, externalUpdatedAt } = booking;
  const isOwn = current.bookingId === bookingId;
  if (isOwn && current.externalHash === hashOf(booking)) return null;
  // The time of an invitation that came by mail says nothing of the booking's.
  const stored = isOwn ? current.externalUpdatedAt : null;
  if (stored && externalUpdatedAt && externalUpdatedAt < stored) return null;
  // What a person deleted comes back with a change of its booking, not with the first word of it.
  const presence = isOwn || !current.deletedAt ? { deletedAt: null } : { span: null };
  const further = { bookingId, source: "bookingsvc" as const, ...presence, ...bookkeeping(booking) };
  const next = changeEvent(ctx, current, inputOf(booking), "origin", further);
  return next === current ? null : next;
}

function bookkeeping(booking: BookedEvent) {
  return {
    externalHash: hashOf(booking),
    externalUpdatedAt: booking.externalUpdatedAt,
    rescheduledFromBookingId: booking.rescheduledFromBookingId,
  };
}

function inputOf(booking: BookedEvent): NewEvent {
  const { title, description, location, meetingUrl, status, organizer, attendees, cancelReason, externalStatus } =
    booking;
  return {
    title,
    description,
    location,
    meetingUrl,
    status,
    organizer,
    attendees,
    cancelReason,
    externalStatus,
    start: booking.start.toISOString(),
    end: booking.end.toISOString(),
    allDay: false,
    timeZone: timeZoneName(booking.timeZone) ?? "UTC",
  };
}

/** What the provider says of a booking, all of it: only when this changes has the booking changed. */
function hashOf({ externalUpdatedAt: _, ...content }: BookedEvent): string {
  return sha256Hex(JSON.stringify(content)).slice(0, 32);
}

/** As few parts as fit the database's values: a usual page is one. */
function inParts(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const size = JSON.stringify(change.row).length;
    const part = parts.at(-1);
    if (part && size <= room) part.push(change);
    else {
      parts.push([change]);
      room = MAX_VALUE_CHARACTERS;
    }
    room -= size;
  }
  return parts;
}

/** Writes the rows that are still as they were read, and returns whose they are. */
async function writeChanges(ctx: Context, changes: readonly Change[]): Promise<string[]> {
  const rows = changes.map(({ row, current }) => ({ ...row, ...(current && { id: current.id }) }));
  const upsert = (some: typeof rows, target: typeof events.id | typeof events.bookingId) =>
    ctx.db
      .insert(events)
      .select(selectRows(events, some))
      .onConflictDoUpdate({
        target,
        set: excludedColumns(events, "id", "createdAt", "tags", "notes"),
        setWhere: sql`events.version = excluded.version - 1`,
      })
      .returning({ bookingId: events.bookingId });
  const fresh = rows.filter((row) => !("id" in row));
  const old = rows.filter((row) => "id" in row);
  try {
    const ids = rows.map(({ bookingId }) => bookingId);
    const [created, updated] = await ctx.db.batch([
      upsert(fresh, events.bookingId),
      upsert(old, events.id),
      linkReschedules(ctx, ids),
    ]);
    return [...created, ...updated].map(({ bookingId }) => bookingId ?? "");
  } catch (error) {
    // An invitation took the UID, or a parallel sync the booking, since we looked.
    if (brokeConstraint(error, "events.ical_uid") || brokeConstraint(error, "events.booking_id")) return [];
    throw error;
  }
}

/** Ties a booking to the one it replaced, whichever of the two came first. */
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
      // Rows of this very batch have counted their change already.
      version: sql`version + (booking_id NOT IN ${anyOf(bookingIds)})`,
    })
    .where(and(isNull(events.rescheduledFromId), isNotNull(events.rescheduledFromBookingId), exists(replacedId)));
}
