import { contextOf } from "../../http/app-env.ts";
import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { EmailAnalysis } from "../emails/analysis/schemas.ts";
import { emailIntelligence } from "./email-intelligence.ts";
import { generate, generateEvents } from "./generate.ts";
import { Generated, GenerateRequest, IntelligenceRequest } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/ai/email-intelligence", {
    operationId: "emailIntelligence",
    summary: "Understand a mail",
    description:
      "Urgency with reasons, category, sentiment, a summary in the mail's own words, insights, action items with exact quotes, " +
      "the meeting it is about, and whether it waits for a reply. Nothing is stored.",
    guard: data("ai:use"),
    rateLimit: "expensive",
    body: IntelligenceRequest,
    returns: { 200: EmailAnalysis },
    errors: ["not_found"],
    idempotent: true,
  }),
  async (c) => c.json(await emailIntelligence(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/ai/generate", {
    operationId: "generateText",
    summary: "Generate text",
    description:
      "By the active model, or by `model`. Without a key the built-in engine does what it can really do; another prompt is " +
      "answered 503 with how to add a key. With `Accept: text/event-stream` the text comes as it is written.",
    guard: data("ai:use"),
    rateLimit: "expensive",
    body: GenerateRequest,
    returns: { 200: Generated },
    events:
      "`delta` {text} for each piece, then `done` {usage, engine}; `error` with a problem document when it breaks off.",
    errors: [
      "model_not_configured",
      "token_budget_exhausted",
      "provider_error",
      "provider_unauthorized",
      "provider_timeout",
      "unavailable",
    ],
    idempotent: true,
  }),
  async (c) => {
    const input = c.req.valid("json");
    if (wantsEvents(c)) return eventStream(c, (signal) => generateEvents(contextOf(c), input, signal));
    return c.json(await generate(contextOf(c), input), 200);
  },
);
