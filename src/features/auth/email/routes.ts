import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { ConfirmedEmail, EmailChange, EmailToken, PendingEmail } from "./schemas.ts";
import { cancelEmailChange, confirmEmail, requestEmailChange, requestEmailVerification } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/settings/profile/email", {
  operationId: "requestEmailChange",
  summary: "Request an email address change",
  description:
    "Emails a token to the new address. The address changes when you send the token to " +
    "`/api/settings/profile/email/confirm`. The old address is notified.",
  guard: user,
  rateLimit: "auth",
  reauth: "recent",
  body: EmailChange,
  returns: { 202: PendingEmail },
  errors: ["email_taken", "mail_not_configured", "provider_error", "provider_timeout"],
  idempotent: true,
  handle: ({ ctx, body }) => requestEmailChange(ctx, body.email),
});

routes.endpoint("delete", "/api/settings/profile/email", {
  operationId: "cancelEmailChange",
  summary: "Cancel the email address change",
  description: "The token that was sent to the new address stops working.",
  guard: user,
  returns: { 204: null },
  errors: ["not_found"],
  handle: ({ ctx }) => cancelEmailChange(ctx),
});

routes.endpoint("post", "/api/settings/profile/email/verify", {
  operationId: "requestEmailVerification",
  summary: "Request email address verification",
  description:
    "Emails a token to your current address. Send it to `/api/settings/profile/email/confirm` to verify the address.",
  guard: user,
  rateLimit: "auth",
  returns: { 202: PendingEmail },
  errors: ["email_already_verified", "mail_not_configured", "provider_error", "provider_timeout"],
  idempotent: true,
  handle: ({ ctx }) => requestEmailVerification(ctx),
});

routes.endpoint("post", "/api/settings/profile/email/confirm", {
  operationId: "confirmEmail",
  summary: "Confirm an email address",
  description: "Accepts the token of a verification or of an address change. The address is then verified.",
  guard: user,
  rateLimit: "auth",
  body: EmailToken,
  returns: { 200: ConfirmedEmail },
  errors: ["invalid_token", "email_taken"],
  handle: ({ ctx, body }) => confirmEmail(ctx, body.token),
});
