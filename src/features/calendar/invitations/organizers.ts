import type { Context } from "../../../context.ts";
import type { Person } from "../../../db/schema/calendar.ts";
import type { InvitedEvent } from "../../../lib/ics/read.ts";
import { findSender } from "../../emails/store.ts";
import type { EventRow } from "../events/event.ts";

export const lowerCase = (address: string) => address.trim().toLowerCase();

/**
 * Why a mail may not change or cancel an event we know; undefined when it may. A UID is no secret, so:
 * - Only what an invitation made is changed by one, never what was made here or what a booking keeps.
 * - The sender must be the event's organizer, or who sent the first invitation: calendar systems send on behalf
 *   of an organizer, so the first may come from anyone, but then nobody else comes in between.
 * - What the file says of its organizer proves nothing.
 */
export async function refusalOf(ctx: Context, event: EventRow, from: string): Promise<string | undefined> {
  // Only an invitation sets the organizer's SEQUENCE; an event found in a mail's text has none.
  if (event.source !== "email" || event.externalSequence === null) return "the event was not made by an invitation";
  const isAllowed = isOrganizer(event, from) || lowerCase(from) === (await firstSender(ctx, event));
  return isAllowed ? undefined : "it is from another organizer";
}

function isOrganizer({ organizer }: EventRow, from: string): boolean {
  return organizer !== null && lowerCase(organizer.email) === lowerCase(from);
}

/** An event keeps the mail that brought it; what comes later does not replace it. */
async function firstSender(ctx: Context, { emailId }: EventRow): Promise<string | undefined> {
  const sender = emailId === null ? undefined : await findSender(ctx, emailId);
  return sender && lowerCase(sender);
}

/** Whoever sends an invitation without an organizer is the one. Only the organizer hands an event over. */
export function organizerOf({ organizer }: InvitedEvent, from: string, current: EventRow | undefined): Person | null {
  if (!current) return organizer ?? { name: null, email: lowerCase(from) };
  return isOrganizer(current, from) ? (organizer ?? current.organizer) : current.organizer;
}
