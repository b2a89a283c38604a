import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { Draft } from "../drafts/schemas.ts";
import { Email } from "../schemas.ts";
import { NewForward, NewMessage, NewReply, ScheduledParams } from "./schemas.ts";

export const routes = createRouter();

/** Loaded here, because every request for an email loads its routes, and few of them send one. */
const service = () => import("./service.ts");

const OUTCOME =
  "The email is stored first. `delivery` shows its state; an email that the email service refuses is " +
  "kept as `failed`. Send an `Idempotency-Key` to be able to repeat the request safely.";
const SENDING_ERRORS = ["mail_not_configured", "provider_error", "provider_timeout", "unavailable"] as const;

routes.endpoint("post", "/api/emails/send", {
  operationId: "sendEmail",
  summary: "Send an email",
  description: `Sends an email at once or at \`sendAt\`. ${OUTCOME}`,
  guard: data("emails:write"),
  rateLimit: "expensive",
  body: NewMessage,
  returns: { 201: Email },
  errors: SENDING_ERRORS,
  idempotent: true,
  handle: async ({ ctx, body }) => (await service()).sendEmail(ctx, body),
});

routes.endpoint("post", "/api/emails/{id}/reply", {
  operationId: "replyToEmail",
  showsSignIn: true,
  summary: "Reply to an email",
  description:
    "Sends a reply to the Reply-To address or the sender of the email, in its thread and with the original quoted " +
    `below. Replies come to the inbox that received the original. ${OUTCOME}`,
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  rateLimit: "expensive",
  body: NewReply,
  returns: { 201: Email },
  idempotent: true,
  errors: SENDING_ERRORS,
  handle: async ({ ctx, params, body }) => (await service()).replyToEmail(ctx, params.id, body),
});

routes.endpoint("post", "/api/emails/{id}/forward", {
  operationId: "forwardEmail",
  showsSignIn: true,
  summary: "Forward an email",
  description: `Sends the email on to others, below your own text and with its attachments. ${OUTCOME}`,
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  rateLimit: "expensive",
  body: NewForward,
  returns: { 201: Email },
  idempotent: true,
  errors: SENDING_ERRORS,
  handle: async ({ ctx, params, body }) => (await service()).forwardEmail(ctx, params.id, body),
});

routes.endpoint("post", "/api/emails/{id}/cancel-send", {
  operationId: "cancelSending",
  showsSignIn: true,
  summary: "Cancel sending an email",
  description:
    "Turns an email that has not been sent into a draft: one that is `scheduled`, or that `failed` and was " +
    "certainly not sent. An email that was sent from a draft becomes that draft again, with a new id. Otherwise the " +
    "text contains the signature and the quote.",
  guard: data("emails:write"),
  params: ScheduledParams,
  returns: { 200: Draft },
  errors: ["email_already_sent"],
  idempotent: true,
  handle: async ({ ctx, params }) => {
    const { cancelSending } = await import("../drafts/sending.ts");
    return cancelSending(ctx, params.id);
  },
});
