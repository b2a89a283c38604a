import { contextOf } from "../../../http/app-env.ts";
import { anyone } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PasswordReset } from "../../auth/login/schemas.ts";
import { takeAccountBack } from "./take-back.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/auth/password/reset", {
    operationId: "resetPassword",
    summary: "Set a new password",
    description: "Spends the mailed token, sets the password and ends every session of the account.",
    guard: anyone,
    rateLimit: "auth",
    body: PasswordReset,
    returns: { 204: null },
    errors: ["invalid_token", "misconfigured"],
  }),
  async (c) => noContent(c, await takeAccountBack(contextOf(c), c.req.valid("json"))),
);
