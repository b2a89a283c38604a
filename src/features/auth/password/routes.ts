import { anyone, user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { SessionsEnded } from "../sessions/schemas.ts";
import { changePassword } from "./change.ts";
import { requestPasswordReset, resetPassword } from "./reset.ts";
import { Accepted, PasswordChange, PasswordForgotten, PasswordReset, RESET_REQUESTED } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/auth/password/forgot", {
  operationId: "forgotPassword",
  summary: "Request a password reset",
  description:
    "Emails a token that works once, for 30 minutes. The response is the same whether or not the account exists.",
  guard: anyone,
  rateLimit: "auth",
  body: PasswordForgotten,
  returns: { 202: Accepted },
  errors: ["mail_not_configured"],
  handle: ({ ctx, body }) => {
    requestPasswordReset(ctx, body.email);
    return { message: RESET_REQUESTED };
  },
});

routes.endpoint("post", "/api/auth/password/reset", {
  operationId: "resetPassword",
  summary: "Reset a password",
  description:
    "Sets a new password with the token of the reset email, ends every session of the account and unlocks it.",
  guard: anyone,
  rateLimit: "auth",
  body: PasswordReset,
  returns: { 204: null },
  errors: ["invalid_token", "weak_password", "misconfigured"],
  handle: ({ ctx, body }) => resetPassword(ctx, body),
});

routes.endpoint("post", "/api/settings/security/password", {
  operationId: "changePassword",
  summary: "Change the password",
  description:
    "Always needs the current password, even right after signing in. Wrong passwords count towards the lock of the " +
    "account. You are notified by email.",
  guard: user,
  rateLimit: "auth",
  body: PasswordChange,
  returns: { 200: SessionsEnded },
  errors: ["reauthentication_required", "account_locked", "weak_password"],
  handle: ({ ctx, body }) => changePassword(ctx, body),
});
