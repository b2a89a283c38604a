import { contextOf } from "../../../http/app-env.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { securityOverview } from "./overview.ts";
import { SecurityOverview } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/security", {
    operationId: "getSecurity",
    summary: "Get the security overview",
    description: "Returns the state of your password, two-factor authentication, sessions, API keys and sign-ins.",
    guard: user,
    returns: { 200: SecurityOverview },
  }),
  async (c) => c.json(await securityOverview(contextOf(c)), 200),
);
