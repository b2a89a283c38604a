import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { OccurrenceQuery } from "../events/schemas.ts";
import { answerInEmail, readInvitations } from "./in-email.ts";
import { respondToInvitation } from "./respond.ts";
import {
  AnsweredEvent,
  EmailInvitationPath,
  EmailInvitationResponse,
  EmailInvitations,
  InvitationPath,
  InvitationResponse,
} from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/calendar/events/{id}/respond", {
  operationId: "respondToInvitation",
  summary: "Respond to an invitation",
  description:
    "Accepts, declines or tentatively accepts an event that came as an emailed invitation, and emails the response to " +
    "the organizer. An accepted event is `confirmed`, a declined one `cancelled`; you can change your mind. Accepting " +
    "also makes the organizer known: their next invitation blocks its time at once. For a series, responds to all of " +
    "it; with `occurrence`, to one occurrence. The same response again sends nothing, unless the comment is new. " +
    "An API key also needs `calendar:read` to have the organizer told; without it, send `notify: false`.",
  guard: data("calendar:write"),
  params: InvitationPath,
  query: OccurrenceQuery,
  body: InvitationResponse,
  returns: { 200: AnsweredEvent },
  errors: ["not_an_invitation", "organizer_unreachable", "invalid_transition", "conflict", "mail_not_configured"],
  idempotent: true,
  handle: ({ ctx, params, query, body }) => respondToInvitation(ctx, params.id, body, query),
});

routes.endpoint("get", "/api/emails/{id}/invitation", {
  operationId: "getEmailInvitation",
  summary: "Get an email's invitations",
  description:
    "Reads the calendars in a stored email, however it was stored, and compares them with your calendar. Returns what " +
    "each is about, what you can do with it, and what takes place at the same time. Nothing is stored.",
  guard: data("calendar:read"),
  params: EmailInvitationPath,
  returns: { 200: EmailInvitations },
  derivesFrom: ["emails:read"],
  handle: ({ ctx, params }) => readInvitations(ctx, params.id),
});

routes.endpoint("post", "/api/emails/{id}/invitation", {
  operationId: "answerEmailInvitation",
  summary: "Answer an email's invitation",
  description:
    "Takes an invitation in a stored email over into the calendar, also one that was imported: adds, updates or cancels " +
    "its event. With `response`, then responds to it as `POST /api/calendar/events/{id}/respond` does: of several equal " +
    "responses, one is sent to the organizer. If the organizer has changed the event since this email, the response is " +
    "409 unless `expectedVersion` says that you have seen it.",
  guard: data("calendar:write"),
  params: EmailInvitationPath,
  body: EmailInvitationResponse,
  returns: { 200: AnsweredEvent },
  errors: [
    "not_an_invitation",
    "organizer_unreachable",
    "invalid_transition",
    "conflict",
    "version_conflict",
    "mail_not_configured",
  ],
  derivesFrom: ["emails:read", "calendar:read"],
  idempotent: true,
  handle: ({ ctx, params, body }) => answerInEmail(ctx, params.id, body),
});
