import type { Context } from "../../../context.ts";
import type { Person } from "../../../db/schema/calendar.ts";
import type { InvitedEvent } from "../../../lib/ics/read.ts";
import { findSender } from "../../emails/store.ts";
import type { EventRow } from "../events/event.ts";

export const lowerCase = (address: string) => address.trim().toLowerCase();

/**
 * Why an email may not change or cancel a stored event; undefined if it may. A UID is not a secret, so:
 * - An invitation may only change events that an invitation created.
 * - The sender must be the organizer, or the sender of the first invitation, because calendar systems send on behalf
 *   of an organizer.
 * - The organizer named in the file proves nothing.
 */
export async function refusalReason(ctx: Context, event: EventRow, from: string): Promise<string | undefined> {
  // Only invitations set the organizer's SEQUENCE; an event found in the text of an email has none.
  if (event.source !== "email" || event.externalSequence === null) return "the event was not created by an invitation";
  const isAllowed = isOrganizer(event, from) || lowerCase(from) === (await firstSender(ctx, event));
  return isAllowed ? undefined : "the sender is not the organizer";
}

/**
 * Whether a stranger has taken a UID with an invitation that the person has not accepted. UIDs are known to everybody
 * who is invited, so this must not keep out the invitation of somebody the person knows.
 */
export function isSquatted(rows: readonly EventRow[]): boolean {
  const isAccepted = ({ invitation }: EventRow) => /accepted|tentative/.test(invitation?.response ?? "");
  return rows.some(({ addedByStranger }) => addedByStranger !== null) && !rows.some(isAccepted);
}

function isOrganizer({ organizer }: EventRow, from: string): boolean {
  return organizer !== null && lowerCase(organizer.email) === lowerCase(from);
}

/** The sender of the email that created the event; later emails do not replace it. */
async function firstSender(ctx: Context, { emailId }: EventRow): Promise<string | undefined> {
  const sender = emailId === null ? undefined : await findSender(ctx, emailId);
  return sender && lowerCase(sender);
}

/** Without an organizer in the file, the sender is the organizer. Only the organizer can name another one. */
export function organizerOf({ organizer }: InvitedEvent, from: string, current: EventRow | undefined): Person | null {
  if (!current) return organizer ?? { name: null, email: lowerCase(from) };
  return isOrganizer(current, from) ? (organizer ?? current.organizer) : current.organizer;
}
