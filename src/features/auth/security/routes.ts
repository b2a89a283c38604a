import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { provedUntil, securityOverview } from "./overview.ts";
import { Confirmation, Confirmed, SecurityOverview } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/security", {
  operationId: "getSecurity",
  summary: "Get the security overview",
  description:
    "Returns the state of your password and two-factor authentication, the latest sign-ins, and how many sessions, API " +
    "keys, agents, webhooks, devices and calendar links can reach your data.",
  guard: user,
  returns: { 200: SecurityOverview },
  handle: ({ ctx }) => securityOverview(ctx),
});

routes.endpoint("post", "/api/settings/security/confirm", {
  operationId: "confirmPassword",
  summary: "Confirm your password",
  description:
    "For the next 15 minutes, requests of this session that need the password can be sent without it. Two always " +
    "need it: changing the password and deleting the account. Wrong passwords and codes count towards the lock of the account.",
  guard: user,
  rateLimit: "auth",
  reauth: "always",
  body: Confirmation,
  returns: { 200: Confirmed },
  handle: ({ ctx }) => ({ provedUntil: provedUntil(ctx) }),
});
