import { contextOf } from "../../../http/app-env.ts";
import { withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { CreateQuery, WrittenEvent } from "../events/schemas.ts";
import { eventFromEmail } from "./from-email.ts";
import { DetectAnswer, DetectRequest, FromEmail } from "./schemas.ts";
import { detect } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/calendar/detect", {
    operationId: "detectMeetings",
    summary: "Find meetings in a text",
    description:
      "Reads structure first (iCalendar text, schema.org markup, video-meeting links), then language: requests, proposals, " +
      "confirmations, moves and cancellations. Quoted replies, signatures and disclaimers are no evidence. Nothing is stored.",
    guard: data("calendar:read"),
    rateLimit: "expensive",
    body: DetectRequest,
    returns: { 200: DetectAnswer },
    idempotent: true,
  }),
  async (c) => c.json(await detect(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/calendar/events/from-email", {
    operationId: "createEventFromEmail",
    summary: "Make an event of the meeting in a mail",
    description:
      "201 when the event is new, 200 with the event when that mail already made one. A proposal or an unclear time gives a " +
      "tentative event. `overrides` win over what the mail says.",
    guard: data("calendar:write"),
    rateLimit: "expensive",
    query: CreateQuery,
    body: FromEmail,
    returns: { 201: WrittenEvent, 200: WrittenEvent },
    errors: ["not_found", "no_meeting_detected", "time_conflict", "conflict"],
    idempotent: true,
  }),
  async (c) => {
    const { event, isNew } = await eventFromEmail(contextOf(c), c.req.valid("json"), c.req.valid("query"));
    if (isNew) c.header("Location", `/api/calendar/events/${event.id}`);
    return c.json(withETag(c, event), isNew ? 201 : 200);
  },
);
