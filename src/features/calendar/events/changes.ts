import { type Context, hasOwnWords, timeZoneOf } from "../../../context.ts";
import type { InvitationState } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError } from "../../../lib/errors.ts";
import { BOOKING_SOURCE, EVENT_STATUSES } from "../../../lib/event-kinds.ts";
import { isOutsideAfter, isOwnSource } from "../../../lib/outside-words.ts";
import { checkReminders } from "../../../lib/reminder-kinds.ts";
import type { EventRow, Source, Status } from "./event.ts";
import { resolveTimes, type TimesInput } from "./event-times.ts";
import { ownUid } from "./own-uid.ts";
import { answeredByStatus } from "./response.ts";

/** The columns that input sets as they are, with their values in a new event. */
const DETAILS = {
  title: "",
  description: null,
  location: null,
  meetingUrl: null,
  status: "confirmed",
  busy: true,
  organizer: null,
  attendees: [],
  tags: [],
  notes: null,
  reminders: null,
  emailId: null,
  cancelReason: null,
  rescheduledFromId: null,
  externalStatus: null,
  externalUpdatedAt: null,
} satisfies Partial<EventRow>;

type Details = Pick<EventRow, keyof typeof DETAILS>;

export interface EventInput extends TimesInput, Partial<Details> {}

function givenDetails(input: EventInput): Partial<Details> {
  const names = assertType<(keyof Details)[]>(Object.keys(DETAILS));
  return Object.fromEntries(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
}

export interface NewEvent extends EventInput {
  title: string;
  start: Date | string;
  source?: Source;
  bookingId?: string;
  /** Set for an event that already has one, such as an invitation. */
  icalUid?: string;
  sequence?: number;
  externalSequence?: number;
  awaitsAnswer?: boolean;
  addedByStranger?: string | null;
  invitation?: InvitationState;
}

/** A row that the database has not numbered yet. */
export type Draft = Omit<EventRow, "id">;

export function draftEvent(ctx: Context, input: NewEvent): Draft {
  const times = resolveTimes({ ...input, timeZone: input.timeZone ?? timeZoneOf(ctx) });
  checkReminders(input.reminders, { after: ctx.now, isSeries: times.rrule !== null });
  const source = input.bookingId === undefined ? (input.source ?? "manual") : BOOKING_SOURCE;
  return {
    ...times,
    ...DETAILS,
    // A birthday or a holiday does not take up the day, unless the input says so.
    busy: times.startDate === null,
    ...givenDetails(input),
    source,
    outside: !hasOwnWords(ctx) || !isOwnSource(source),
    awaitsAnswer: input.awaitsAnswer ?? false,
    addedByStranger: input.addedByStranger ?? null,
    invitation: input.invitation ?? null,
    bookingId: input.bookingId ?? null,
    icalUid: input.icalUid ?? ownUid(),
    sequence: input.sequence ?? 0,
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

const ALLOWED_CHANGES: Record<Status, readonly Status[]> = {
  tentative: ["confirmed", "cancelled"],
  confirmed: ["cancelled", "tentative"],
  cancelled: [],
};

/** The statuses from which a person may give an event this one. */
export function statusesBefore(to: Status): Status[] {
  return EVENT_STATUSES.filter((from) => from === to || ALLOWED_CHANGES[from].includes(to));
}

/** Who makes a change. The origin (the booking provider, the organizer) may also revive a cancelled event. */
export type Author = "person" | "origin";

/** A person may also revive an event of their own. What others have cancelled stays cancelled. */
export const IS_OWN = `booking_id IS NULL AND invitation IS NULL AND source NOT IN ('email', '${BOOKING_SOURCE}')`;

function isOwn({ bookingId, invitation, source }: EventRow): boolean {
  return bookingId === null && invitation === null && source !== "email" && source !== BOOKING_SOURCE;
}

function checkStatusChange(current: EventRow, to: Status, author: Author): void {
  const from = current.status;
  const allowed = ALLOWED_CHANGES[from];
  if (from === to || author === "origin" || isOwn(current) || allowed.includes(to)) return;
  const choice =
    allowed.length > 0 ? `It can become ${allowed.join(" or ")}.` : "An event that others have made stays cancelled.";
  throw new AppError("invalid_transition", `The event is ${from} and cannot become ${to}. ${choice}`, {
    details: { from, to, allowed },
  });
}

/** A change of these raises `sequence`, so that other calendars update their copy. */
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

/** The row after the change, or `current` itself when nothing changes. Fields that the input leaves out stay. */
export function changeEvent(
  ctx: Context,
  current: EventRow,
  input: EventInput,
  author: Author,
  further: Partial<EventRow> = {},
): EventRow {
  const response = author === "person" ? answeredByStatus(current, input.status) : {};
  const changed = { ...response, ...givenDetails(input), ...resolveTimes(input, current), ...further };
  const next: EventRow = { ...current, ...changed };
  checkStatusChange(current, next.status, author);
  checkReminders(next.reminders, { isSeries: next.rrule !== null });
  if (next.status !== "cancelled" && input.cancelReason === undefined) next.cancelReason = null;
  const isOwnChange = author === "person" && hasOwnWords(ctx);
  next.outside = isOutsideAfter(current.outside, isOwnChange, wordsOf(current), wordsOf(next));
  return withNewVersion(ctx, current, next);
}

/** Every text of an event that somebody chose. */
function wordsOf(event: EventRow): string[] {
  const { title, description, location, meetingUrl, notes, cancelReason, externalStatus } = event;
  const texts = [title, description, location, meetingUrl, notes, cancelReason, externalStatus];
  const people = [...(event.organizer ? [event.organizer] : []), ...event.attendees];
  return [...texts, ...event.tags, ...people.flatMap(({ name, email }) => [name, email])].map((text) => text ?? "");
}

/** Raises version and sequence as the change requires; returns `current` when there is no change. */
export function withNewVersion(ctx: Context, current: EventRow, next: EventRow): EventRow {
  if (isSame(current, next, assertType(Object.keys(next)))) return current;
  return {
    ...next,
    sequence: Math.max(next.sequence, current.sequence + (isSame(current, next, SEQUENCED) ? 0 : 1)),
    version: current.version + 1,
    updatedAt: ctx.now,
  };
}

/** The columns in which a row differs from the one before. */
export function changedColumns(before: EventRow, after: EventRow): Partial<EventRow> {
  const names = assertType<(keyof EventRow)[]>(Object.keys(after));
  return Object.fromEntries(names.flatMap((name) => (isSame(before, after, [name]) ? [] : [[name, after[name]]])));
}

function isSame(a: EventRow, b: EventRow, keys: readonly (keyof EventRow)[]): boolean {
  const pick = (row: EventRow) => JSON.stringify(keys.map((key) => row[key]));
  return pick(a) === pick(b);
}
