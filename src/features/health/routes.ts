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
    summary: "Is the service well?",
    description:
      "Checks the database, the key-value store and the settings. 200 while requests can be served, 503 when the database is gone.",
    guard: anyone,
    returns: { 200: Health, 503: Health },
  }),
  async (c) => {
    const result = await checkHealth(contextOf(c));
    return c.json(result, result.checks.database.ok ? 200 : 503);
  },
);
