import { type Context, relayingOutsideWords, requireScopes, timeZoneOf } from "../../../context.ts";
import { AppError } from "../../../lib/errors.ts";
import { type InvitedEvent, readInvitation } from "../../../lib/ics/read.ts";
import { occursAt } from "../../../lib/recurrence.ts";
import { readCalendars } from "../../emails/attachments/calendars.ts";
import { conflictsOf } from "../events/conflicts.ts";
import { type EventRow, isSeries, occurrenceRow, seriesOf, toEvent } from "../events/event.ts";
import { resolveTimes } from "../events/event-times.ts";
import { applyOne, compareWithStored, type Decision, decide, detailsOf, type Received } from "./apply-invitation.ts";
import { lowerCase } from "./organizers.ts";
import { respondToInvitation } from "./respond.ts";
import type { EmailInvitation, EmailInvitationResponse } from "./schemas.ts";
import type { InvitationEmail } from "./sender.ts";

/** Together, as many as one calendar of an email may have. */
const MAX_INVITATIONS = 40;

interface Sent {
  method: string;
  invited: InvitedEvent;
  email: InvitationEmail;
}

interface Read {
  found: Sent[];
  problem: string | null;
}

/** The invitations of a stored email: what they are about, and what the calendar has of them. */
export async function readInvitations(ctx: Context, emailId: number) {
  const { found, problem } = await invitationsIn(ctx, emailId);
  const data: EmailInvitation[] = [];
  for (const [index, sent] of found.entries()) data.push(await shown(ctx, index + 1, await look(ctx, sent)));
  return { data, problem };
}

/** Takes one of them over into the calendar, and responds to it. */
export async function answerInEmail(
  ctx: Context,
  emailId: number,
  { n, response, comment, notify, seenVersion }: EmailInvitationResponse,
) {
  const { found, problem } = await invitationsIn(ctx, emailId);
  const sent = found[n - 1];
  requireScopes(ctx, ["calendar:read"]);
  if (!sent) {
    const why = problem ? `Its calendar could not be read: ${problem}` : "It contains no such invitation.";
    throw new AppError("not_an_invitation", `Email ${emailId} cannot be answered. ${why}`);
  }
  const seen = await look(ctx, sent);
  refuseChanged(seen, seenVersion);
  const answer = response === undefined ? undefined : { response, comment, notify };
  if (answer ? !canRespond(ctx, seen) : !canApply(seen) && seen.live === undefined) throw refusal(seen);
  const isApplied = canApply(seen);
  if (isApplied) await applyOne(relayingOutsideWords(ctx), sent.method, sent.invited, sent.email);
  const now = isApplied ? await look(ctx, sent) : seen;
  const { live } = now;
  // Between the two steps, the organizer may have changed or the person deleted it.
  if (!live || (isApplied && (live.externalSequence ?? 0) > sent.invited.sequence)) throw changedSince();
  if (!answer) {
    const { conflicts } = await conflictsWith(ctx, live);
    return { ...toEvent(live), conflicts, notified: false, notNotifiedBecause: null };
  }
  return respondToInvitation(ctx, live.id, answer, {
    ...(now.isDerived && { occurrence: live.originalStart ?? undefined }),
    ...(seenVersion !== undefined && { expected: [live.version] }),
  });
}

async function invitationsIn(ctx: Context, emailId: number): Promise<Read> {
  const { email, proof, calendars } = await readCalendars(ctx, emailId);
  if (email.direction === "outbound") return { found: [], problem: null };
  const result: Read = { found: [], problem: null };
  for (const text of calendars) {
    try {
      const { method, events } = readInvitation(text, timeZoneOf(ctx));
      for (const invited of events) {
        const to = soleRecipient(invited, [...email.to, ...email.cc]);
        const from = { emailId, from: email.fromEmail, to, isVerified: proof !== "failed", isAsked: true };
        result.found.push({ method, invited, email: from });
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.problem = error.extras.errors?.[0]?.message ?? error.message;
    }
  }
  // Many programs attach what is also a part of the message.
  const keyOf = ({ invited: { uid, recurrenceStart, sequence } }: Sent) => `${uid} ${recurrenceStart} ${sequence}`;
  const once = [...new Map(result.found.map((sent) => [keyOf(sent), sent])).values()];
  return { ...result, found: once.slice(0, MAX_INVITATIONS) };
}

/** Nothing says to which address a stored email was delivered: the only attendee among its recipients, if there is one. */
function soleRecipient({ attendees, organizer }: InvitedEvent, recipients: readonly { email: string }[]): string {
  const invited = new Set(attendees.map(({ email }) => email));
  const named = new Set(recipients.map(({ email }) => lowerCase(email)));
  const [only = "", ...others] = [...named].filter((email) => invited.has(email) && email !== organizer?.email);
  return others.length === 0 ? only : "";
}

/** An invitation beside the calendar. */
interface Seen {
  sent: Sent;
  received: Received;
  decision: Decision;
  /** What the calendar has of it: the event, the series or the occurrence. */
  live: EventRow | undefined;
  /** Whether `live` is an occurrence that has no row of its own. */
  isDerived: boolean;
}

async function look(ctx: Context, sent: Sent): Promise<Seen> {
  const received = await compareWithStored(relayingOutsideWords(ctx), sent.invited, sent.email);
  return { sent, received, decision: await decide(received, sent.method), ...liveOf(received) };
}

function liveOf({ invited, main, edited, current }: Received): Pick<Seen, "live" | "isDerived"> {
  const start = invited.recurrenceStart;
  if (!current || current.deletedAt !== null) return { live: undefined, isDerived: false };
  if (start === null || edited || !main || !isSeries(main)) return { live: current, isDerived: false };
  const occurrence = occursAt(seriesOf(main), start);
  return { live: occurrence && occurrenceRow(main, occurrence), isDerived: occurrence !== undefined };
}

function stateOf({ sent, decision, live }: Seen): EmailInvitation["state"] {
  const { action } = decision;
  if (sent.method === "REPLY") return "response";
  if (action === "created" || (action === "updated" && !live)) return "new";
  if (action === "updated") return "update";
  if (action === "cancelled") return "cancellation";
  if (!live) return sent.method === "CANCEL" || sent.invited.status === "cancelled" ? "cancelled" : "refused";
  if (live.status === "cancelled" && live.invitation?.response !== "declined") return "cancelled";
  if (action === "outdated") return "outdated";
  if (live.awaitsAnswer) return "waiting";
  return live.invitation?.response ? "answered" : "listed";
}

const APPLICABLE: readonly EmailInvitation["state"][] = ["new", "update", "cancellation"];

const canApply = (seen: Seen) => APPLICABLE.includes(stateOf(seen));

function canRespond(ctx: Context, seen: Seen): boolean {
  const state = stateOf(seen);
  if (isOver(ctx, seen)) return false;
  if (state === "new" || state === "update") return Boolean(seen.decision.plan?.row.invitation?.response);
  return ["waiting", "answered", "outdated"].includes(state) && Boolean(seen.live?.invitation?.response);
}

function isOver(ctx: Context, { sent, decision, live }: Seen): boolean {
  const row = decision.plan?.row ?? live;
  const end = row?.endAt ?? timesOf(ctx, sent.invited).endAt;
  const isRepeated = row ? row.rrule !== null : sent.invited.rrule !== null;
  const until = row?.seriesUntil ?? null;
  return (isRepeated ? (until?.getTime() ?? Infinity) : end.getTime()) < ctx.now.getTime();
}

/** As it is in the email. */
function timesOf(ctx: Context, { start, end, allDay, timeZone }: InvitedEvent) {
  return resolveTimes({ start, end, allDay, timeZone: timeZone || timeZoneOf(ctx) });
}

async function shown(ctx: Context, n: number, seen: Seen): Promise<EmailInvitation> {
  const { sent, decision, live } = seen;
  const { invited, email } = sent;
  const state = stateOf(seen);
  const { startAt, endAt, startDate, endDate } = timesOf(ctx, invited);
  const { title, allDay, timeZone, location, meetingUrl, organizer } = detailsOf(invited, email.from);
  const subject = decision.plan?.row ?? live;
  const isWanted = state !== "cancelled" && state !== "cancellation" && state !== "response";
  const { conflicts } = subject && isWanted ? await conflictsWith(ctx, subject) : { conflicts: [] };
  const { attendees } = state === "new" && decision.plan ? decision.plan.row : invited;
  return {
    ...{ n, state, reason: state === "refused" ? (decision.reason ?? null) : null },
    ...{ title, start: startAt.toISOString(), end: endAt.toISOString(), allDay, startDate, endDate, timeZone },
    ...{ location: location ?? null, meetingUrl: meetingUrl ?? null, organizer, attendees, rrule: invited.rrule },
    isOccurrence: invited.recurrenceStart !== null,
    isOver: isOver(ctx, seen),
    canRespond: canRespond(ctx, seen),
    canApply: canApply(seen),
    comment: invited.comment,
    event: live ? toEvent(live) : null,
    conflicts,
  };
}

/** What is at the same time, also if the event does not block its time yet. */
async function conflictsWith(ctx: Context, row: Omit<EventRow, "id">) {
  const { statements, read } = conflictsOf(ctx, { ...row, busy: true, status: "confirmed" });
  const [rows] = await Promise.all(statements);
  return { conflicts: read(rows) };
}

function refuseChanged({ decision, live }: Seen, seenVersion: number | null | undefined): void {
  if (seenVersion === undefined) {
    if (decision.action === "outdated") throw changedSince();
  } else if ((live?.version ?? null) !== seenVersion) {
    throw new AppError("version_conflict", "The event has changed since you read it. Read it again.");
  }
}

function changedSince(): AppError {
  return new AppError("conflict", "The event has changed since this email. Read it again before you respond.");
}

function refusal(seen: Seen): AppError {
  const { decision, live } = seen;
  if (stateOf(seen) === "cancelled") {
    return new AppError(
      "invalid_transition",
      "The organizer has cancelled the event, so there is nothing to respond to.",
    );
  }
  const why = live
    ? "The event is over, or asks for no response from you."
    : `It was not added to the calendar: ${decision.reason ?? "it asks for no response from you"}.`;
  return new AppError("not_an_invitation", why);
}
