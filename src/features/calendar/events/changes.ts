import { type Context, timeZoneOf } from "../../../context.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError } from "../../../lib/errors.ts";
import type { EventRow, Source, Status } from "./event.ts";
import { place, type When } from "./event-times.ts";

type Detail =
  | "description"
  | "location"
  | "meetingUrl"
  | "status"
  | "busy"
  | "organizer"
  | "attendees"
  | "tags"
  | "notes"
  | "emailId"
  | "cancelReason"
  | "rescheduledFromId"
  | "externalStatus"
  | "externalUpdatedAt";

export interface EventInput extends When, Partial<Pick<EventRow, Detail>> {
  title?: string;
}

export interface NewEvent extends EventInput {
  title: string;
  start: string;
  source?: Source;
  bookingId?: string;
  /** Given when the event has one already, as an invitation does. */
  icalUid?: string;
  sequence?: number;
  externalSequence?: number;
}

/** Everything of a row but the number the database gives it. */
export type Draft = Omit<EventRow, "id">;

export function draftEvent(ctx: Context, input: NewEvent): Draft {
  return {
    ...place({ ...input, timeZone: input.timeZone ?? timeZoneOf(ctx) }),
    title: input.title,
    description: input.description ?? null,
    location: input.location ?? null,
    meetingUrl: input.meetingUrl ?? null,
    status: input.status ?? "confirmed",
    busy: input.busy ?? true,
    source: input.bookingId === undefined ? (input.source ?? "manual") : "bookingsvc",
    bookingId: input.bookingId ?? null,
    organizer: input.organizer ?? null,
    attendees: input.attendees ?? [],
    tags: input.tags ?? [],
    notes: input.notes ?? null,
    emailId: input.emailId ?? null,
    icalUid: input.icalUid ?? crypto.randomUUID(),
    sequence: input.sequence ?? 0,
    rescheduledFromId: input.rescheduledFromId ?? null,
    cancelReason: input.cancelReason ?? null,
    externalStatus: input.externalStatus ?? null,
    externalUpdatedAt: input.externalUpdatedAt ?? null,
    externalSequence: input.externalSequence ?? null,
    externalHash: null,
    rescheduledFromBookingId: null,
    recurringEventId: null,
    originalStart: null,
    deletedAt: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

const MOVES: Record<Status, readonly Status[]> = {
  tentative: ["confirmed", "cancelled"],
  confirmed: ["cancelled", "tentative"],
  cancelled: [],
};

/** Who asks for a change: the person, or the side that the event comes from and that knows best what it is. */
export type Author = "person" | "origin";

function checkMove(from: Status, to: Status, author: Author): void {
  const allowed = MOVES[from];
  if (from === to || author === "origin" || allowed.includes(to)) return;
  const choice = allowed.length > 0 ? `It can become ${allowed.join(" or ")}.` : "That is final.";
  throw new AppError("invalid_transition", `The event is ${from} and cannot become ${to}. ${choice}`, {
    details: { from, to, allowed },
  });
}

const DETAILS: readonly (keyof EventInput & keyof EventRow)[] = [
  "title",
  "description",
  "location",
  "meetingUrl",
  "status",
  "busy",
  "organizer",
  "attendees",
  "tags",
  "notes",
  "emailId",
  "cancelReason",
  "rescheduledFromId",
  "externalStatus",
  "externalUpdatedAt",
];

/** What those who hold a copy must hear of: when, where, and whether it takes place. */
const SEQUENCED: readonly (keyof EventRow)[] = [
  "startAt",
  "endAt",
  "startDate",
  "endDate",
  "rrule",
  "exdates",
  "location",
  "meetingUrl",
  "status",
];

/** The row as it is after the change; the same row when the change changes nothing. What is not named stays. */
export function changeEvent(
  ctx: Context,
  current: EventRow,
  input: EventInput,
  author: Author,
  further: Partial<EventRow> = {},
): EventRow {
  const named = Object.fromEntries(DETAILS.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));
  const next: EventRow = { ...current, ...named, ...placementOf(place(input, current)), ...further };
  checkMove(current.status, next.status, author);
  if (next.status !== "cancelled" && input.cancelReason === undefined) next.cancelReason = null;
  return settle(ctx, current, next);
}

/** Counts the change, if it is one. */
export function settle(ctx: Context, current: EventRow, next: EventRow): EventRow {
  if (isSame(current, next, assertType(Object.keys(next)))) return current;
  return {
    ...next,
    sequence: Math.max(next.sequence, current.sequence + (isSame(current, next, SEQUENCED) ? 0 : 1)),
    version: current.version + 1,
    updatedAt: ctx.now,
  };
}

function placementOf(row: ReturnType<typeof place>) {
  const { startAt, endAt, startDate, endDate, timeZone, span, rrule, exdates, overrides, seriesUntil, seriesEnd } = row;
  return { startAt, endAt, startDate, endDate, timeZone, span, rrule, exdates, overrides, seriesUntil, seriesEnd };
}

function isSame(a: EventRow, b: EventRow, keys: readonly (keyof EventRow)[]): boolean {
  const pick = (row: EventRow) => JSON.stringify(keys.map((key) => row[key]));
  return pick(a) === pick(b);
}
