import { contextOf } from "../../http/app-env.ts";
import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { EmailAnalysis } from "../emails/analysis/schemas.ts";
import { analyse, readEmailSource } from "../emails/analysis/service.ts";
import { generate, generateEvents } from "./generate.ts";
import { Generated, GenerateRequest, IntelligenceRequest } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/ai/email-intelligence", {
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
  }),
  async (c) => {
    const { input } = await readEmailSource(contextOf(c), c.req.valid("json"));
    return c.json(await analyse(contextOf(c), input), 200);
  },
);

routes.openapi(
  route("post", "/api/ai/generate", {
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
  }),
  async (c) => {
    const input = c.req.valid("json");
    if (wantsEvents(c)) return eventStream(c, (signal) => generateEvents(contextOf(c), input, signal));
    return c.json(await generate(contextOf(c), input), 200);
  },
);
