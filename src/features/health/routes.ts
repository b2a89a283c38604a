import { contextOf } from "../../http/app-env.ts";
import { anyone } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { Health } from "./schemas.ts";
import { checkHealth } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/health", {
    operationId: "getHealth",
    summary: "Check the service's health",
    description:
      "Checks the database, the key-value store and the configuration. Returns 503 if the database cannot be reached.",
    guard: anyone,
    returns: { 200: Health, 503: Health },
  }),
  async (c) => {
    const result = await checkHealth(contextOf(c));
    return c.json(result, result.checks.database.ok ? 200 : 503);
  },
);
