import { contextOf, createRouter } from "../../http/app-env.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { EmailAnalysis } from "../emails/analysis/schemas.ts";
import { IntelligenceRequest } from "./schemas.ts";
import { emailIntelligence } from "./service.ts";

export const ai = createRouter();

ai.openapi(
  route({
    method: "post",
    path: "/email-intelligence",
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
  }),
  async (c) => c.json(await emailIntelligence(contextOf(c), c.req.valid("json")), 200),
);
