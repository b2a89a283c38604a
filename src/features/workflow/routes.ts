import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { emailResponse } from "./email-response.ts";
import { modelInfo } from "./model-info.ts";
import { AuditRequest, DigitalAudit, EmailResponse, EmailResponseRequest, ModelInfo } from "./schemas.ts";
import { digitalAudit } from "./website-audit/service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/workflow/email-response", {
  operationId: "writeEmailResponse",
  summary: "Write a reply to an email",
  description:
    "Returns the text of a reply. Nothing is sent or stored. Instructions inside the email are ignored. The reply says " +
    "what `instructions` say and nothing else; without them it only thanks for the email. The built-in engine writes the " +
    "reply in the language of your words, because it cannot translate; an order without words of its own, such as " +
    "`accept`, is answered in the language of the email. If it does not understand every part of the instructions, the " +
    "reply quotes them, and `note` says so.",
  guard: data("ai:use"),
  rateLimit: "expensive",
  idempotent: true,
  body: EmailResponseRequest,
  returns: { 200: EmailResponse },
  errors: ["not_found", "unavailable"],
  handle: ({ ctx, body }) => emailResponse(ctx, body),
});

routes.endpoint("post", "/api/workflow/digital-audit", {
  operationId: "digitalAudit",
  summary: "Audit a website or company",
  description:
    "With `website` the page, its robots.txt and its sitemap are fetched and measured, and every finding quotes " +
    "what was measured. Without it the report is a checklist based on your statements. A model only rewords the " +
    "summary and the next steps. Returns `provider_error` if the site cannot be reached and `provider_timeout` if " +
    "it does not respond in time; a site that responds with an error gets a report. Private addresses are refused, " +
    "also after a redirect.",
  guard: data("ai:use"),
  rateLimit: "expensive",
  idempotent: true,
  body: AuditRequest,
  returns: { 200: DigitalAudit },
  errors: ["provider_error", "provider_timeout"],
  handle: ({ ctx, body }) => digitalAudit(ctx, body),
});

routes.endpoint("get", "/api/workflow/model-info", {
  operationId: "getModelInfo",
  summary: "Get the active model",
  description: "Returns the active model and, in `engine`, whether it or the built-in engine is used.",
  guard: data("ai:read"),
  returns: { 200: ModelInfo },
  errors: ["unavailable"],
  handle: ({ ctx }) => modelInfo(ctx),
});
