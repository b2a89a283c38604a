import { contextOf } from "../../http/app-env.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { Stats, StatsQuery } from "./schemas.ts";
import { readStats } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/stats", {
    operationId: "getStats",
    summary: "Get dashboard statistics",
    description: "Returns counts of emails, tasks, events and AI calls. Days are those of `timeZone`.",
    guard: data("stats:read"),
    query: StatsQuery,
    returns: { 200: Stats },
  }),
  async (c) => c.json(await readStats(contextOf(c), c.req.valid("query").timeZone), 200),
);
