import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { EmailAnalysis } from "../emails/analysis/schemas.ts";
import { analyse, readEmailSource } from "../emails/analysis/service.ts";
import { generate, generateEvents } from "./generate.ts";
import { Generated, GenerateRequest, IntelligenceRequest } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/ai/email-intelligence", {
  operationId: "emailIntelligence",
  summary: "Analyze an email",
  description:
    "Returns the urgency with reasons, category, sentiment, a summary in the email's own words, insights, action items " +
    "with exact quotes, the meeting it is about, and whether it needs a reply. Nothing is stored.",
  guard: data("ai:use"),
  rateLimit: "expensive",
  body: IntelligenceRequest,
  returns: { 200: EmailAnalysis },
  errors: ["not_found", "unavailable"],
  idempotent: true,
  handle: async ({ ctx, body }) => {
    const { input } = await readEmailSource(ctx, body);
    return analyse(ctx, input);
  },
});

routes.endpoint("post", "/api/ai/generate", {
  operationId: "generateText",
  summary: "Generate text",
  description:
    "Uses the active model, or `model`. Without a provider key the built-in engine can summarize, extract, make lists " +
    "and draft emails; other prompts return 503 with how to add a key. `Accept: text/event-stream` streams the text.",
  guard: data("ai:use"),
  rateLimit: "expensive",
  body: GenerateRequest,
  returns: { 200: Generated },
  events: "`delta` {text} for each piece, then `done` {usage, engine}; `error` with a problem document if it fails.",
  errors: [
    "model_not_configured",
    "token_budget_exhausted",
    "provider_error",
    "provider_unauthorized",
    "provider_timeout",
    "unavailable",
  ],
  idempotent: true,
  handle: async ({ c, ctx, body }) => {
    if (wantsEvents(c)) return eventStream(c, (signal) => generateEvents(ctx, body, signal));
    return generate(ctx, body);
  },
});
