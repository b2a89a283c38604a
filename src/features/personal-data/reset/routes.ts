import { contextOf } from "../../../http/app-env.ts";
import { anyone } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PasswordReset } from "../../auth/password/schemas.ts";
import { resetPasswordAndWebhooks } from "./take-back.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/auth/password/reset", {
    operationId: "resetPassword",
    summary: "Reset a password",
    description:
      "Sets a new password with the token of the reset email, ends every session of the account and unlocks it.",
    guard: anyone,
    rateLimit: "auth",
    body: PasswordReset,
    returns: { 204: null },
    errors: ["invalid_token", "misconfigured"],
  }),
  async (c) => noContent(c, await resetPasswordAndWebhooks(contextOf(c), c.req.valid("json"))),
);
