import { z } from "@hono/zod-openapi";
import { doc, IdParam, named, objectOf } from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";
import { Conflict, Event, WrittenEvent } from "../events/schemas.ts";

export const InvitationPath = z.object({ id: doc(IdParam, "Id of the event.", 8) });

export const ANSWERS = ["accepted", "declined", "tentative"] as const;

export const InvitationResponse = z
  .object({
    response: doc(z.enum(ANSWERS), "Your response."),
    comment: doc(z.string().trim().min(1).max(1000).optional(), "A comment for the organizer."),
    notify: doc(
      z.boolean().optional(),
      "Whether to email the response to the organizer. Default: it is sent if possible. With `true`, the request " +
        "fails and changes nothing if it cannot be sent.",
    ),
  })
  .openapi("InvitationResponse", { example: { response: "accepted", comment: "Looking forward to it." } });
export type InvitationResponse = z.output<typeof InvitationResponse>;

export const AnsweredEvent = named("AnsweredEvent", () => ({
  ...WrittenEvent.shape,
  notified: doc(
    z.boolean(),
    "Whether the organizer has been sent this response. False if email is not configured or was not accepted; send the " +
      "same response again to retry.",
    true,
  ),
  notNotifiedBecause: doc(
    z.string().nullable(),
    "Why the organizer has not been sent this response. Null if they have, and if you did not want it.",
    null,
  ),
}));
readBy("calendar:read", AnsweredEvent);

export const EmailInvitationPath = z.object({ id: doc(IdParam, "Id of the email.", 8) });

const INVITATION_STATES = [
  "new",
  "waiting",
  "answered",
  "listed",
  "update",
  "outdated",
  "cancelled",
  "cancellation",
  "response",
  "refused",
] as const;

const STATES =
  "`new`: not in the calendar. `waiting`: in the calendar, without your response. `answered`: you have responded. " +
  "`listed`: in the calendar, and asks for no response. `update`: newer than what the calendar has. `outdated`: the " +
  "organizer has changed the event since. `cancelled`: the organizer has cancelled it. `cancellation`: the organizer " +
  "cancels it, and the calendar still has it. `response`: an attendee's response to your event. `refused`: it may not " +
  "change the calendar; `reason` says why.";

/** As a part of another schema that may be null: zod-openapi would make `Event` itself nullable. */
const StoredEvent = objectOf(() => Event.shape);

const EmailInvitation = named("EmailInvitation", () => {
  const { title, start, end, allDay, startDate, endDate, timeZone, location, meetingUrl, organizer, attendees, rrule } =
    Event.shape;
  return {
    n: doc(z.int().min(1), "Number of the invitation in its email, from 1.", 1),
    state: doc(z.enum(INVITATION_STATES), STATES, "waiting"),
    reason: doc(z.string().nullable(), "Why it was `refused`.", null),
    ...{ title, start, end, allDay, startDate, endDate, timeZone, location, meetingUrl, organizer, attendees, rrule },
    isOccurrence: doc(z.boolean(), "Whether it is about one occurrence of a series.", false),
    isOver: doc(z.boolean(), "Whether it has ended.", false),
    canRespond: doc(z.boolean(), "Whether you can respond to it.", true),
    canApply: doc(
      z.boolean(),
      "Whether the calendar can take it over without a response: adds, updates or cancels the event.",
      false,
    ),
    comment: doc(z.string().nullable(), "What the organizer, or the attendee who responds, says about it.", null),
    event: doc(StoredEvent.nullable(), "The event as the calendar has it. Null if it has none."),
    conflicts: doc(z.array(Conflict), "Other events at that time, at most 20."),
  };
});

export const EmailInvitations = named("EmailInvitations", () => ({
  data: doc(z.array(EmailInvitation), "The invitations in the email, at most 40. Empty for an email that you sent."),
  problem: doc(z.string().nullable(), "Why a calendar in the email could not be read. Null if all could.", null),
}));
readBy("calendar:read", EmailInvitations);
export type EmailInvitation = z.output<typeof EmailInvitation>;

export const EmailInvitationResponse = z
  .object({
    n: doc(z.int().min(1).max(40), "Which invitation of the email, from 1. Default: 1.").default(1),
    response: doc(
      z.enum(ANSWERS).optional(),
      "Your response. Without it, the calendar only takes over what the email says.",
    ),
    comment: InvitationResponse.shape.comment,
    notify: InvitationResponse.shape.notify,
    seenVersion: doc(
      z.int().min(1).nullable().optional(),
      "The `version` of `event` that you saw, or null if it was not in the calendar. If that has changed, nothing is " +
        "changed or sent, and the response is 412.",
    ),
  })
  .openapi("EmailInvitationResponse", { example: { response: "accepted" } });
export type EmailInvitationResponse = z.output<typeof EmailInvitationResponse>;
