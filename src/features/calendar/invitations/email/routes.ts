import { data } from "../../../../http/guards.ts";
import { createRouter } from "../../../../http/router.ts";
import { AnsweredEvent, EmailInvitationPath, EmailInvitationResponse, EmailInvitations } from "../schemas.ts";

export const routes = createRouter();

/** Every request for an email loads these routes, and few of them need the calendar. */
const inEmail = () => import("../in-email.ts");

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
  handle: async ({ ctx, params }) => (await inEmail()).readInvitations(ctx, params.id),
});

routes.endpoint("post", "/api/emails/{id}/invitation", {
  operationId: "answerEmailInvitation",
  summary: "Answer an email's invitation",
  description:
    "Takes an invitation in a stored email over into the calendar, also one that was imported: adds, updates or cancels " +
    "its event. With `response`, then responds to it as `POST /api/calendar/events/{id}/respond` does: of several equal " +
    "responses, one is sent to the organizer. If the organizer has changed the event since this email, the response is " +
    "409 unless `seenVersion` says that you have seen it.",
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
  handle: async ({ ctx, params, body }) => (await inEmail()).answerInEmail(ctx, params.id, body),
});
