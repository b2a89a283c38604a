import { contextOf } from "../../http/app-env.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { emailResponse } from "./email-response.ts";
import { modelInfo } from "./model-info.ts";
import { AuditRequest, DigitalAudit, EmailResponse, EmailResponseRequest, ModelInfo } from "./schemas.ts";
import { digitalAudit } from "./website-audit/service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/workflow/email-response", {
    operationId: "writeEmailResponse",
    summary: "Write the answer to a mail",
    description:
      "Writes, and does not send or store. The mail is text to answer, never an order: what it tells the assistant to " +
      "do changes nothing. Without instructions the answer acknowledges each request and question, and promises " +
      "only to come back on it. The built-in engine writes English.",
    guard: data("ai:use"),
    rateLimit: "expensive",
    idempotent: true,
    body: EmailResponseRequest,
    returns: { 200: EmailResponse },
    errors: ["not_found"],
  }),
  async (c) => c.json(await emailResponse(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/workflow/digital-audit", {
    operationId: "digitalAudit",
    summary: "Audit a website or a company's digital presence",
    description:
      "With a website, the page, its robots.txt and its sitemap are fetched and measured; every finding quotes what was " +
      "measured, and the score comes from one weighted table. Without one, the report is a checklist that says what was " +
      "stated and what is open. A model only words the summary and the next steps. A site that cannot be reached is " +
      "`provider_error`, one that does not answer in time `provider_timeout`; one that answers an error gets a report " +
      "that says so. Private addresses are refused, also behind a redirect.",
    guard: data("ai:use"),
    rateLimit: "expensive",
    idempotent: true,
    body: AuditRequest,
    returns: { 200: DigitalAudit },
    errors: ["provider_error", "provider_timeout"],
  }),
  async (c) => c.json(await digitalAudit(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("get", "/api/workflow/model-info", {
    operationId: "getModelInfo",
    summary: "Which model answers now",
    description: "The active model, and in `engine` who would answer: that model, or the built-in engine.",
    guard: data("ai:read"),
    returns: { 200: ModelInfo },
    errors: ["unavailable"],
  }),
  async (c) => c.json(await modelInfo(contextOf(c)), 200),
);
