import { withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { CreateQuery, WrittenEvent } from "../events/schemas.ts";
import { eventFromEmail } from "./from-email.ts";
import { DetectRequest, DetectResponse, FromEmail } from "./schemas.ts";
import { detect } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/calendar/detect", {
  operationId: "detectMeetings",
  summary: "Detect meetings in text",
  description:
    "Reads structured data first (iCalendar, schema.org markup, links to video calls), then the language: requests, " +
    "proposals, confirmations, changes and cancellations. Ignores quoted replies, signatures and disclaimers. Nothing " +
    "is stored.",
  guard: data("calendar:read"),
  rateLimit: "expensive",
  body: DetectRequest,
  returns: { 200: DetectResponse },
  idempotent: true,
  handle: ({ ctx, body }) => detect(ctx, body),
});

routes.endpoint("post", "/api/calendar/events/from-email", {
  operationId: "createEventFromEmail",
  summary: "Create an event from an email",
  description:
    "Creates an event for the meeting in a stored email or in the given content. Returns 201 with the new event, also if " +
    "it restores a deleted one, or 200 with the event that this email already has. A proposal or an unclear time gives " +
    "a tentative event. With a stored email, an API key also needs the scope `emails:read`.",
  guard: data("calendar:write"),
  rateLimit: "expensive",
  query: CreateQuery,
  body: FromEmail,
  returns: { 201: WrittenEvent, 200: WrittenEvent },
  errors: ["not_found", "no_meeting_detected", "time_conflict", "conflict", "unavailable"],
  idempotent: true,
  handle: async ({ c, ctx, query, body }) => {
    const { event, isNew } = await eventFromEmail(ctx, body, query);
    if (isNew) c.header("Location", `/api/calendar/events/${event.id}`);
    return c.json(withETag(c, event), isNew ? 201 : 200);
  },
});
