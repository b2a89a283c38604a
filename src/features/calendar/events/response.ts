import type { Attendee } from "../../../db/schema/calendar.ts";
import type { Response } from "../../../lib/event-kinds.ts";
import type { EventRow, Status } from "./event.ts";

/** The possible responses to an invitation. */
export type Answer = Exclude<Response, "needs_action">;

const STATUS = { accepted: "confirmed", declined: "cancelled", tentative: "tentative" } as const satisfies Record<
  Answer,
  Status
>;

/** The columns that the person's response to an invitation sets; none if they have given it already. */
export function answered(row: EventRow, response: Answer): Partial<EventRow> {
  const { invitation } = row;
  if (!invitation || (invitation.response === response && !row.awaitsAnswer)) return {};
  return {
    status: STATUS[response],
    busy: response !== "declined" && invitation.busy,
    awaitsAnswer: false,
    attendees: withResponse(row.attendees, invitation.attendee, response),
    invitation: { ...invitation, response },
  };
}

/** The columns of an occurrence that its organizer has moved with the series: the person is asked again. */
export function askedAgain({ invitation, status, busy, attendees }: EventRow, series: EventRow): Partial<EventRow> {
  if (!invitation || status === "cancelled") return {};
  return {
    status: "tentative",
    busy: busy && series.busy,
    awaitsAnswer: true,
    attendees: withResponse(attendees, invitation.attendee, "needs_action"),
    invitation: { ...invitation, response: "needs_action" },
  };
}

/** The attendees, with the person's own response. */
export function withResponse(attendees: readonly Attendee[], own: string | null, response: Response): Attendee[] {
  return attendees.map((each) => (each.email === own ? { ...each, response } : each));
}

const MEANT: Record<Status, Answer> = { confirmed: "accepted", cancelled: "declined", tentative: "tentative" };

/** A new status that the person gives an invitation is a response, of which the organizer is not told. */
export function answeredByStatus(row: EventRow, status: Status | undefined): Partial<EventRow> {
  if (!status || !row.invitation || status === row.status) return {};
  return answered(row, MEANT[status]);
}

/**
 * Whose invitations are known from now on, because the person has accepted this one. A calendar service sends for many
 * organizers, so it does not become known itself.
 */
export function newlyAccepted(before: EventRow, { invitation, organizer }: Pick<EventRow, "invitation" | "organizer">) {
  if (invitation?.response !== "accepted" || before.invitation?.response === "accepted") return [];
  return [organizer?.email ?? invitation.sender];
}
