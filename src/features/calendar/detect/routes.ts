import { contextOf, createRouter } from "../../../http/app-env.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { DetectAnswer, DetectRequest } from "./schemas.ts";
import { detect } from "./service.ts";

export const detection = createRouter();

detection.openapi(
  route({
    method: "post",
    path: "/detect",
    operationId: "detectMeetings",
    summary: "Find meetings in a text",
    description:
      "Reads structure first (iCalendar text, schema.org markup, video-meeting links), then language: requests, proposals, " +
      "confirmations, moves and cancellations. Quoted replies, signatures and disclaimers are no evidence. Nothing is stored.",
    guard: data("calendar:read"),
    rateLimit: "expensive",
    body: DetectRequest,
    returns: { 200: DetectAnswer },
  }),
  (c) => c.json(detect(contextOf(c), c.req.valid("json")), 200),
);
