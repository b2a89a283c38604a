import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { OccurrenceQuery } from "../events/schemas.ts";
import { respondToInvitation } from "./respond.ts";
import { AnsweredEvent, InvitationPath, InvitationResponse } from "./schemas.ts";

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
