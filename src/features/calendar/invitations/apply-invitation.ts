import { and, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { events } from "../../../db/schema/calendar.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { BOOKING_SOURCE } from "../../../lib/event-kinds.ts";
import { type InvitedEvent, readInvitation } from "../../../lib/ics/read.ts";
import { occurrencesPerDay, occursAt } from "../../../lib/recurrence.ts";
import { toInstant, toWall } from "../../../lib/time-zone.ts";
import { readOwnerReading } from "../../people/owners.ts";
import { changeEvent, type Draft, draftEvent, type EventInput, type NewEvent } from "../events/changes.ts";
import { type EventRow, isSeries, occurrenceRow, seriesOf } from "../events/event.ts";
import { forgetKept } from "../events/kept.ts";
import { isOwnUid } from "../events/own-uid.ts";
import {
  assertUnchanged,
  commit,
  insertStatement,
  isUnchanged,
  type Plan,
  untilWritten,
  updatePlan,
} from "../events/write.ts";
import { editPlan } from "../series/occurrence.ts";
import { isSquatted, lowerCase, organizerOf, refusalReason } from "./organizers.ts";
import { type InvitationEmail, isWithinLimit, type Sender, senderStatements } from "./sender.ts";
import { deletedHere, isMoved, stanceAfter } from "./stance.ts";

/** Real invitations repeat less often, and a stranger must not be able to fill the calendar. */
const MAX_A_DAY = 4;

/** `outdated`: a newer update was applied before. `ignored`: nothing was done; `reason` says why. */
type InvitationAction = "created" | "updated" | "cancelled" | "answered" | "unchanged" | "outdated" | "ignored";

interface InvitationResult {
  action: InvitationAction;
  eventId: number | null;
  reason?: string;
}

/**
 * Applies the text/calendar part of an email: REQUEST and PUBLISH create or update an event by its UID, CANCEL cancels
 * it, REPLY records an attendee's response. Outdated parts change nothing. Returns one result for each VEVENT.
 */
export async function applyInvitation(
  ctx: Context,
  icsText: string,
  email: InvitationEmail,
): Promise<{ method: string; results: InvitationResult[] }> {
  const { timeZone } = await readOwnerReading(ctx);
  const { method, events: invited } = readInvitation(icsText, timeZone);
  // Validates every event before the first write, so that a file with an invalid event changes nothing.
  if (isRequest(method)) {
    for (const event of invited) draftOf(ctx, event, email, UNKNOWN);
  }
  const results: InvitationResult[] = [];
  for (const event of invited) results.push(await applyOne(ctx, method, event, email));
  return { method, results };
}

function isRequest(method: string): boolean {
  return method === "REQUEST" || method === "PUBLISH";
}

const UNKNOWN: Sender = { address: "", isKnown: false, mayAdd: false, ownAddresses: [] };

export interface Decision extends InvitationResult {
  plan?: Plan;
  /** Deleted here, and no longer as it was: the event, or one occurrence of the series, can no longer be restored. */
  outdates?: { row: EventRow; occurrence?: Date };
}

export function applyOne(
  ctx: Context,
  method: string,
  sent: InvitedEvent,
  email: InvitationEmail,
): Promise<InvitationResult> {
  return untilWritten(async () => {
    const { plan, outdates, ...result } = await decide(await compareWithStored(ctx, sent, email), method);
    if (outdates) {
      const { row, occurrence } = outdates;
      await runBatch(ctx.db, [assertUnchanged(ctx, isUnchanged(row)), forgetKept(ctx, row.id, occurrence)]);
    }
    if (!plan?.statement) return result;
    const written = await commit(ctx, plan);
    return { ...result, eventId: written.id };
  });
}

/** An invitation beside what is stored under its UID. */
export interface Received {
  ctx: Context;
  invited: InvitedEvent;
  email: InvitationEmail;
  sender: Sender;
  /** Everything with this UID. */
  rows: EventRow[];
  /** The event that it is about: the occurrence, the series or the single event. */
  current: EventRow | undefined;
  /** The series or single event with this UID. */
  main: EventRow | undefined;
  /** The occurrence that the invitation is about, if it was edited. */
  edited: EventRow | undefined;
  /** Occurrences that arrived before their series. */
  strays: EventRow[];
}

export async function compareWithStored(ctx: Context, sent: InvitedEvent, email: InvitationEmail): Promise<Received> {
  const { statements, read } = senderStatements(ctx, email, sent.attendees);
  const isThis = eq(events.icalUid, sent.uid);
  const [rows, ...facts] = await ctx.db.batch([
    // Two conditions for two indexes.
    ctx.db
      .select()
      .from(events)
      .where(or(and(isThis, isNull(events.originalStart)), and(isThis, isNotNull(events.originalStart)))),
    ...statements,
  ]);
  const main = rows.find((row) => row.originalStart === null);
  const invited = withZoneOf(main, sent);
  const start = invited.recurrenceStart;
  const edited = rows.find((row) => row.originalStart !== null && row.originalStart.getTime() === start);
  const strays = rows.filter((row) => row.originalStart !== null && row.recurringEventId === null);
  const current = start === null ? main : (edited ?? main);
  return { ctx, invited, email, sender: read(...facts), rows, current, main, edited, strays };
}

/** A date has no zone: the dates of a stored event are read in its own zone, even if the owner has moved since. */
function withZoneOf(main: EventRow | undefined, sent: InvitedEvent): InvitedEvent {
  if (!main?.startDate) return sent;
  const { recurrenceStart: start, timeZone, allDay } = sent;
  return {
    ...sent,
    timeZone: allDay ? main.timeZone : timeZone,
    recurrenceStart: start && toInstant(main.timeZone, toWall(timeZone, start)),
  };
}

const ignored = (reason: string, row?: EventRow): Decision => ({ action: "ignored", eventId: row?.id ?? null, reason });

export async function decide(received: Received, method: string): Promise<Decision> {
  const { ctx, invited, email, sender, rows, current, main, edited, strays } = received;
  // The series knows its organizer; if it has not arrived yet, any of its occurrences does.
  const owned = main ?? edited ?? strays[0];
  if (owned?.source === BOOKING_SOURCE) return ignored("the event belongs to the booking provider", current);
  const refusal = owned && method !== "REPLY" ? await refusalReason(ctx, owned, email.from) : undefined;
  if (refusal && isRequest(method) && sender.isKnown && isSquatted(rows)) return displace(received);
  if (refusal) return ignored(refusal, owned);
  if (!owned && isOwnUid(invited.uid)) return ignored("its UID is one that only this service gives out");
  if (owned && !email.isVerified) return ignored("nothing proves who sent it", owned);
  switch (method) {
    case "REQUEST":
    case "PUBLISH":
      return invited.status === "cancelled" ? cancel(received) : request(received);
    case "CANCEL":
      return cancel(received);
    case "REPLY":
      return reply(received);
    default:
      return ignored(`the method ${method} is not supported`, current);
  }
}

async function request(received: Received): Promise<Decision> {
  const { invited, email, current, edited } = received;
  if (!current) return create(received);
  const age = compareAge(invited, current);
  if (age < 0) return { action: "outdated", eventId: current.id };
  const isGone = current.deletedAt !== null;
  // Only a newer update restores an event that was deleted here, or the person.
  if (isGone && !email.isAsked && invited.sequence <= (current.externalSequence ?? 0)) {
    const isNew = age > 0 && isMoved(current, detailsOf(invited, email.from, current));
    return { action: "outdated", eventId: current.id, ...(isNew && { outdates: { row: current } }) };
  }
  const isFirstEdit = invited.recurrenceStart !== null && !edited;
  if (age === 0 && !isFirstEdit && !isGone) return { action: "unchanged", eventId: current.id };
  return change(received, (row) => updateOf(received, row), "updated");
}

const TOO_MANY = "senders whom the person does not know have added too many events today";

function create(received: Received): Decision {
  const { ctx, sender } = received;
  if (!sender.isKnown && !sender.mayAdd) return ignored(TOO_MANY);
  const plan = createPlan(received);
  return { action: "created", eventId: null, plan: { ...plan, condition: limitFor(ctx, sender) } };
}

/** Stores the invitation in the place of what a stranger has stored under its UID. */
function displace(received: Received): Decision {
  const { ctx, invited, rows } = received;
  if (invited.status === "cancelled") return ignored("there is no such event");
  const before = [ctx.db.delete(events).where(eq(events.icalUid, invited.uid))];
  const plan = createPlan({ ...received, strays: [] });
  return { action: "created", eventId: null, plan: { ...plan, before, condition: and(...rows.map(isUnchanged)) } };
}

/** Of parallel emails, each counts the events of the others. */
function limitFor(ctx: Context, sender: Sender): SQL | undefined {
  return sender.isKnown ? undefined : isWithinLimit(ctx, sender.address);
}

async function cancel(received: Received): Promise<Decision> {
  const { invited, current } = received;
  if (!current) return ignored("there is no such event");
  if (invited.sequence < (current.externalSequence ?? 0)) return { action: "outdated", eventId: current.id };
  if (current.deletedAt) return { ...ignored("there is no such event", current), outdates: { row: current } };
  const input = { status: "cancelled" as const, cancelReason: invited.comment };
  return change(received, () => ({ input, columns: { awaitsAnswer: false } }), "cancelled");
}

async function reply(received: Received): Promise<Decision> {
  const { invited, current, email } = received;
  const [attendee] = invited.attendees;
  if (!current || current.deletedAt) return ignored("there is no such event", current);
  if (!attendee) return ignored("it contains no attendee", current);
  if (lowerCase(email.from) !== attendee.email) return ignored("it is not from the attendee it responds for", current);
  const isInvited = current.attendees.some((each) => each.email === attendee.email);
  if (!isInvited) return ignored("its sender is not an attendee", current);
  if (invited.sequence < (current.externalSequence ?? 0)) return { action: "outdated", eventId: current.id };
  const attendees = current.attendees.map((each) =>
    each.email === attendee.email ? { ...each, response: attendee.response } : each,
  );
  return change(received, () => ({ input: { attendees }, columns: {} }), "answered", false);
}

interface Update {
  input: EventInput;
  columns: Partial<EventRow>;
}

/** Changes the event, the series, or the occurrence that the invitation is about. */
async function change(
  { ctx, invited, sender, main, edited }: Received,
  updateFor: (row: EventRow) => Update,
  action: InvitationAction,
  isOrganizers = true,
): Promise<Decision> {
  const external = isOrganizers
    ? { externalSequence: invited.sequence, externalUpdatedAt: invited.stamp === null ? null : new Date(invited.stamp) }
    : {};
  const target = invited.recurrenceStart === null ? main : edited;
  if (target) {
    const sequence = isOrganizers ? Math.max(target.sequence, invited.sequence) : target.sequence;
    const { input, columns } = updateFor(target);
    const next = changeEvent(ctx, target, input, "origin", { ...columns, ...external, deletedAt: null, sequence });
    const plan = await updatePlan(ctx, target, next);
    // Nothing says whether the organizer has left out what was deleted here.
    if (isOrganizers) plan.also = [...(plan.also ?? []), forgetKept(ctx, target.id)];
    return { action: plan.statement ? action : "unchanged", eventId: target.id, plan };
  }
  if (main?.deletedAt) return { ...ignored("there is no such event", main), outdates: { row: main } };
  if (!main || !isSeries(main) || invited.recurrenceStart === null) {
    return ignored("it is about one occurrence of an event that is not a series", main);
  }
  const occurrence = occursAt(seriesOf(main), invited.recurrenceStart);
  if (!occurrence) {
    const outdates = { row: main, occurrence: new Date(invited.recurrenceStart) };
    return { ...ignored("the series has no occurrence at that time", main), ...(isOrganizers && { outdates }) };
  }
  // A reply adds an occurrence as an update does.
  const isStrangers = !sender.isKnown && main.awaitsAnswer;
  if (isStrangers && !sender.mayAdd) return ignored(TOO_MANY, main);
  const row = occurrenceRow(main, occurrence);
  const { input, columns } = updateFor(row);
  const plan = editPlan(ctx, main, row, input, "origin", { ...columns, ...external });
  const condition = and(plan.condition, isStrangers ? limitFor(ctx, sender) : undefined);
  return { action, eventId: main.id, plan: { ...plan, condition } };
}

/** Negative if the invitation is older than the stored event, zero if it is a repetition. */
function compareAge({ sequence, stamp }: InvitedEvent, current: EventRow): number {
  const known = current.externalSequence ?? current.sequence;
  if (sequence !== known) return sequence - known;
  if (stamp === null || current.externalUpdatedAt === null) return 0;
  return Math.sign(stamp - current.externalUpdatedAt.getTime());
}

export function detailsOf(invited: InvitedEvent, from: string, current?: EventRow) {
  const { title, start, end, allDay, timeZone, description, location } = invited;
  const exdates = invited.rrule === null ? invited.exdates : [...invited.exdates, ...deletedHere(current)];
  const series = invited.recurrenceStart === null ? { rrule: invited.rrule, exdates } : {};
  return {
    ...{ title, start, end, allDay, timeZone, description, location },
    ...series,
    organizer: organizerOf(invited, from, current),
    meetingUrl: invited.url,
  };
}

/** What an update changes in the event, the series or the occurrence that it is about. */
function updateOf({ invited, email, sender }: Received, row: EventRow): Update {
  const details = detailsOf(invited, email.from, row);
  const { awaitsAnswer, invitation, ...stance } = stanceAfter(invited, sender, row, details);
  return { input: { ...details, ...stance }, columns: { awaitsAnswer, invitation } };
}

function draftOf(ctx: Context, invited: InvitedEvent, { emailId, from }: InvitationEmail, sender: Sender): Draft {
  const { rrule, ...details } = detailsOf(invited, from);
  const { invitation, ...stance } = stanceAfter(invited, sender);
  const given: NewEvent = {
    ...details,
    ...(rrule ? { rrule } : { exdates: undefined }),
    ...stance,
    invitation: invitation ?? undefined,
    emailId,
    addedByStranger: sender.isKnown ? null : sender.address,
    source: "email",
    icalUid: invited.uid,
    sequence: invited.sequence,
    externalSequence: invited.sequence,
    externalUpdatedAt: invited.stamp === null ? null : new Date(invited.stamp),
  };
  const draft = draftEvent(ctx, given);
  if (draft.rrule && occurrencesPerDay(draft.rrule) > MAX_A_DAY) {
    throw validationFailed({ path: "rrule", message: `must repeat at most ${MAX_A_DAY} times a day in an invitation` });
  }
  return { ...draft, originalStart: invited.recurrenceStart === null ? null : new Date(invited.recurrenceStart) };
}

/** A new series adopts those of its occurrences that arrived before it. */
function createPlan({ ctx, invited, email, sender, strays }: Received): Plan {
  const draft = draftOf(ctx, invited, email, sender);
  if (draft.originalStart !== null || !isSeries(draft)) return { row: draft, statement: insertStatement(ctx, draft) };
  const row = { ...draft, overrides: strays.flatMap(({ originalStart }) => originalStart?.getTime() ?? []) };
  const own = eq(events.icalUid, row.icalUid);
  const adopt = ctx.db
    .update(events)
    .set({ recurringEventId: sql`(SELECT id FROM events WHERE ${own} AND original_start IS NULL)` })
    .where(and(own, isNotNull(events.originalStart), isNull(events.recurringEventId)));
  return { row, statement: insertStatement(ctx, row), also: strays.length > 0 ? [adopt] : [] };
}
