import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import { type InvitedEvent, readInvitation } from "../../../lib/ics/read.ts";
import { occurrencesPerDay, occursAt } from "../../../lib/recurrence.ts";
import { toInstant, toWall } from "../../../lib/time-zone.ts";
import { ownerTimeZone } from "../../people/owners.ts";
import { changeEvent, type Draft, draftEvent, type EventInput, type NewEvent } from "../events/changes.ts";
import { type EventRow, isSeries, occurrenceRow, type Status, seriesOf } from "../events/event.ts";
import { broken } from "../events/event-times.ts";
import { commit, insertStatement, type Plan, untilWritten, updatePlan } from "../events/write.ts";
import { editPlan } from "../series/occurrence.ts";
import { lowerCase, organizerOf, refusalOf } from "./organizers.ts";

/** No calendar offers more, and a stranger must not fill the days of the one who reads the mail. */
const MAX_A_DAY = 4;

/** `outdated`: a newer word was heard before. `ignored`: not for us to act on; `reason` says why. */
export type InvitationAction = "created" | "updated" | "cancelled" | "answered" | "unchanged" | "outdated" | "ignored";

export interface InvitationResult {
  action: InvitationAction;
  eventId: number | null;
  reason?: string;
}

export interface InvitationMail {
  /** The mail it came with, where that is kept. */
  emailId: number | null;
  /** The sender's address: nobody answers for another, or changes another's event. */
  from: string;
  /** The address it was delivered to: as an attendee, that is us. */
  to: string;
}

/**
 * Does what a text/calendar part of a mail asks: REQUEST and PUBLISH create or update by UID, CANCEL cancels,
 * REPLY records an answer. What is older than what is known changes nothing. One result for each VEVENT.
 */
export async function applyInvitation(
  ctx: Context,
  icsText: string,
  mail: InvitationMail,
): Promise<{ method: string; results: InvitationResult[] }> {
  const { method, events: invited } = readInvitation(icsText, await ownerTimeZone(ctx));
  // Worked out for all before anything is written, so that a file with a mistake in it changes nothing.
  if (method === "REQUEST" || method === "PUBLISH") for (const event of invited) draftOf(ctx, event, mail);
  const results: InvitationResult[] = [];
  for (const event of invited) results.push(await applyOne(ctx, method, event, mail));
  return { method, results };
}

interface Decision extends InvitationResult {
  plan?: Plan;
}

function applyOne(ctx: Context, method: string, sent: InvitedEvent, mail: InvitationMail): Promise<InvitationResult> {
  return untilWritten(async () => {
    const { invited, known } = await findKnown(ctx, sent);
    const { plan, ...result } = await decide(ctx, method, invited, known, mail);
    if (!plan?.statement) return result;
    const written = await commit(ctx, plan);
    return { ...result, eventId: written.id };
  });
}

interface Known {
  /** The series, or the single event, of this UID. */
  main: EventRow | undefined;
  /** The row of the occurrence it is about, if that has one. */
  edited: EventRow | undefined;
  /** Occurrences we were invited to before we heard of their series. */
  strays: EventRow[];
}

async function findKnown(ctx: Context, sent: InvitedEvent): Promise<{ invited: InvitedEvent; known: Known }> {
  const rows = await ctx.db.select().from(events).where(eq(events.icalUid, sent.uid));
  const main = rows.find((row) => row.originalStart === null);
  const invited = inZoneOf(main, sent);
  const start = invited.recurrenceStart;
  const edited = rows.find((row) => row.originalStart !== null && row.originalStart.getTime() === start);
  const strays = rows.filter((row) => row.originalStart !== null && row.recurringEventId === null);
  return { invited, known: { main, edited, strays } };
}

/** A date has no zone: the days of an event we know are those of the zone it has here, wherever its reader lives now. */
function inZoneOf(main: EventRow | undefined, sent: InvitedEvent): InvitedEvent {
  if (!main?.startDate) return sent;
  const { recurrenceStart: start, timeZone, allDay } = sent;
  return {
    ...sent,
    timeZone: allDay ? main.timeZone : timeZone,
    recurrenceStart: start && toInstant(main.timeZone, toWall(timeZone, start)),
  };
}

const ignored = (reason: string, row?: EventRow): Decision => ({ action: "ignored", eventId: row?.id ?? null, reason });

async function decide(
  ctx: Context,
  method: string,
  invited: InvitedEvent,
  known: Known,
  mail: InvitationMail,
): Promise<Decision> {
  const current = invited.recurrenceStart === null ? known.main : (known.edited ?? known.main);
  // Whose the event is, its series says, or before that is here any occurrence of it.
  const owned = known.main ?? known.edited ?? known.strays[0];
  if (owned?.source === "bookingsvc") return ignored("the booking provider keeps this event", current);
  const refusal = owned && method !== "REPLY" ? await refusalOf(ctx, owned, mail.from) : undefined;
  if (refusal) return ignored(refusal, owned);
  switch (method) {
    case "REQUEST":
    case "PUBLISH":
      return invited.status === "cancelled"
        ? cancel(ctx, invited, known, current)
        : request(ctx, invited, known, current, mail);
    case "CANCEL":
      return cancel(ctx, invited, known, current);
    case "REPLY":
      return reply(ctx, invited, known, current, mail);
    default:
      return ignored(`the method ${method} is not supported`, current);
  }
}

async function request(
  ctx: Context,
  invited: InvitedEvent,
  known: Known,
  current: EventRow | undefined,
  mail: InvitationMail,
): Promise<Decision> {
  if (!current) return { action: "created", eventId: null, plan: createPlan(ctx, draftOf(ctx, invited, mail), known) };
  const age = compareAge(invited, current);
  // The same word again does not bring back what was deleted here; a new one does.
  if (age < 0 || (current.deletedAt !== null && invited.sequence <= (current.externalSequence ?? 0))) {
    return { action: "outdated", eventId: current.id };
  }
  const isNewToUs = invited.recurrenceStart !== null && !known.edited;
  if (age === 0 && !isNewToUs) return { action: "unchanged", eventId: current.id };
  return change(ctx, invited, known, inputOf(invited, mail, current), "updated");
}

async function cancel(
  ctx: Context,
  invited: InvitedEvent,
  known: Known,
  current: EventRow | undefined,
): Promise<Decision> {
  if (!current || current.deletedAt) return ignored("there is no such event", current);
  if (invited.sequence < (current.externalSequence ?? 0)) return { action: "outdated", eventId: current.id };
  return change(ctx, invited, known, { status: "cancelled", cancelReason: invited.comment }, "cancelled");
}

async function reply(
  ctx: Context,
  invited: InvitedEvent,
  known: Known,
  current: EventRow | undefined,
  { from }: InvitationMail,
): Promise<Decision> {
  const [answer] = invited.attendees;
  if (!current || current.deletedAt) return ignored("there is no such event", current);
  if (!answer) return ignored("it holds no answer", current);
  if (lowerCase(from) !== answer.email) return ignored("it answers for another", current);
  if (!current.attendees.some(({ email }) => email === answer.email))
    return ignored("its sender is not invited", current);
  if (invited.sequence < (current.externalSequence ?? 0)) return { action: "outdated", eventId: current.id };
  const attendees = current.attendees.map((attendee) =>
    attendee.email === answer.email ? { ...attendee, response: answer.response } : attendee,
  );
  return change(ctx, invited, known, { attendees }, "answered", false);
}

/** Changes the event, the series, or the one occurrence the invitation is about. */
async function change(
  ctx: Context,
  invited: InvitedEvent,
  { main, edited }: Known,
  input: EventInput,
  action: InvitationAction,
  isOrganizers = true,
): Promise<Decision> {
  const said = isOrganizers
    ? { externalSequence: invited.sequence, externalUpdatedAt: invited.stamp === null ? null : new Date(invited.stamp) }
    : {};
  const target = invited.recurrenceStart === null ? main : edited;
  if (target) {
    const sequence = isOrganizers ? Math.max(target.sequence, invited.sequence) : target.sequence;
    const next = changeEvent(ctx, target, input, "origin", { ...said, deletedAt: null, sequence });
    const plan = await updatePlan(ctx, target, next);
    return { action: plan.statement ? action : "unchanged", eventId: target.id, plan };
  }
  if (!main || main.deletedAt || !isSeries(main) || invited.recurrenceStart === null) {
    return ignored("the event it belongs to is not a series", main);
  }
  const occurrence = occursAt(seriesOf(main), invited.recurrenceStart);
  if (!occurrence) return ignored("the series does not take place then", main);
  const plan = editPlan(ctx, main, occurrenceRow(main, occurrence), input, "origin", said);
  return { action, eventId: main.id, plan };
}

/** Negative when the invitation is older than what is known, zero when it says the same again. */
function compareAge({ sequence, stamp }: InvitedEvent, current: EventRow): number {
  const known = current.externalSequence ?? current.sequence;
  if (sequence !== known) return sequence - known;
  if (stamp === null || current.externalUpdatedAt === null) return 0;
  return Math.sign(stamp - current.externalUpdatedAt.getTime());
}

function inputOf(
  invited: InvitedEvent,
  { emailId, from, to }: InvitationMail,
  current?: EventRow,
): EventInput & { title: string; start: string } {
  const { title, start, end, allDay, timeZone, description, location, busy, attendees } = invited;
  const series = invited.recurrenceStart === null ? { rrule: invited.rrule, exdates: invited.exdates } : {};
  return {
    ...{ title, start, end, allDay, timeZone, description, location, busy, attendees },
    ...series,
    status: statusOf(invited, to, current),
    organizer: organizerOf(invited, from, current),
    meetingUrl: invited.url,
    ...(!current && { emailId }),
  };
}

/** What nobody here has answered yet is tentative, until the person settles it. */
function statusOf({ status, attendees }: InvitedEvent, to: string, current: EventRow | undefined): Status {
  const own = lowerCase(to);
  const isUnanswered = attendees.some(({ email, response }) => email === own && response === "needs_action");
  if (status !== "confirmed" || !isUnanswered) return status;
  return current?.status === "confirmed" ? "confirmed" : "tentative";
}

function draftOf(ctx: Context, invited: InvitedEvent, mail: InvitationMail): Draft {
  const { rrule, ...input } = inputOf(invited, mail);
  const given: NewEvent = {
    ...input,
    ...(rrule ? { rrule } : { exdates: undefined }),
    source: "email",
    icalUid: invited.uid,
    sequence: invited.sequence,
    externalSequence: invited.sequence,
    externalUpdatedAt: invited.stamp === null ? null : new Date(invited.stamp),
  };
  const draft = draftEvent(ctx, given);
  if (draft.rrule && occurrencesPerDay(draft.rrule) > MAX_A_DAY) {
    throw broken("rrule", `an invitation takes place at most ${MAX_A_DAY} times a day`);
  }
  return { ...draft, originalStart: invited.recurrenceStart === null ? null : new Date(invited.recurrenceStart) };
}

/** A series takes in the occurrences of it that came before it. */
function createPlan(ctx: Context, draft: Draft, { strays }: Known): Plan {
  if (draft.originalStart !== null || !isSeries(draft)) return { row: draft, statement: insertStatement(ctx, draft) };
  const row = { ...draft, overrides: strays.flatMap(({ originalStart }) => originalStart?.getTime() ?? []) };
  const own = eq(events.icalUid, row.icalUid);
  const adopt = ctx.db
    .update(events)
    .set({ recurringEventId: sql`(SELECT id FROM events WHERE ${own} AND original_start IS NULL)` })
    .where(and(own, isNotNull(events.originalStart), isNull(events.recurringEventId)));
  return { row, statement: insertStatement(ctx, row), also: strays.length > 0 ? [adopt] : [] };
}
