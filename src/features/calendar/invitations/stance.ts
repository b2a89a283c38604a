import type { Attendee } from "../../../db/schema/calendar.ts";
import type { Response } from "../../../lib/event-kinds.ts";
import type { InvitedEvent } from "../../../lib/ics/read.ts";
import type { EventRow, Status } from "../events/event.ts";
import { resolveTimes, type TimesInput } from "../events/event-times.ts";
import { withResponse } from "../events/response.ts";
import type { Sender } from "./sender.ts";

/**
 * Where an event stands after an invitation or an update of it:
 * - An unknown sender never makes an event confirmed or busy, and never answers for the person.
 * - The person's response stays until the time changes; then they are asked again.
 * - No update makes an event busy that the person has declined or not answered.
 */
export function stanceAfter(
  invited: InvitedEvent,
  sender: Sender,
  current?: EventRow,
  times: TimesInput = {},
): Pick<EventRow, "status" | "busy" | "attendees" | "awaitsAnswer"> & { invitation: EventRow["invitation"] } {
  const own = ownAttendee(invited.attendees, sender);
  const response = responseAfter(own, sender, current, times);
  const state = current?.invitation ?? { sender: sender.address, told: null };
  return {
    status: statusOf(invited, response),
    busy: isBusy(invited.busy, response, sender, current),
    awaitsAnswer: response === "needs_action",
    attendees: response && own ? withResponse(invited.attendees, own.email, response) : invited.attendees,
    invitation: { ...state, attendee: own?.email ?? null, response, busy: invited.busy },
  };
}

function ownAttendee(attendees: readonly Attendee[], { ownAddresses }: Sender): Attendee | undefined {
  return ownAddresses.flatMap((own) => attendees.find(({ email }) => email === own) ?? [])[0];
}

function responseAfter(
  own: Attendee | undefined,
  sender: Sender,
  current: EventRow | undefined,
  times: TimesInput,
): Response | null {
  const isKept = current !== undefined && current.deletedAt === null && !isMoved(current, times);
  const before = current?.invitation?.response ?? null;
  const isAnswered = before !== null && before !== "needs_action";
  if (isKept && isAnswered) return before;
  if (isKept && before === null && !sender.isKnown) return null;
  // Only the person answers what a stranger has added, even if they have come to know the stranger since, and only
  // they agree to a new time.
  if (!sender.isKnown || isAnswered || current?.addedByStranger) return "needs_action";
  return own?.response ?? null;
}

export function isMoved(current: EventRow, times: TimesInput): boolean {
  const next = resolveTimes(times, current);
  const key = ({ startAt, endAt, rrule, seriesUntil, timeZone }: typeof next) =>
    JSON.stringify([startAt, endAt, rrule, seriesUntil, rrule === null ? null : timeZone]);
  // An exception that is taken back adds an occurrence.
  const kept = new Set(next.exdates);
  return key(next) !== key(current) || current.exdates.some((start) => !kept.has(start));
}

function statusOf({ status }: InvitedEvent, response: Response | null): Status {
  if (response === "declined") return "cancelled";
  return response === "needs_action" || response === "tentative" ? "tentative" : status;
}

function isBusy(wanted: boolean, response: Response | null, { isKnown }: Sender, current?: EventRow): boolean {
  if (response === "declined") return false;
  if (!current) return isKnown && wanted;
  if (response === "needs_action") return isKnown && current.busy && wanted;
  if (!isKnown) return current.busy && wanted;
  // The person's own values are kept, unless the organizer changes them.
  return wanted === current.invitation?.busy ? current.busy : wanted;
}

/** The occurrences that the person has deleted, and not restored since. */
export function deletedHere(current: EventRow | undefined): string[] {
  const deleted = current?.invitation?.deleted ?? [];
  return deleted.filter((start) => current?.exdates.includes(start)).map((start) => new Date(start).toISOString());
}
