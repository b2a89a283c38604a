import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { Stats, StatsQuery } from "./schemas.ts";
import { readStats } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/stats", {
  operationId: "getStats",
  summary: "Get dashboard statistics",
  description: "Returns counts of emails, tasks, events and AI calls. Days are those of `timeZone`.",
  guard: data("stats:read"),
  query: StatsQuery,
  returns: { 200: Stats },
  handle: ({ ctx, query }) => readStats(ctx, query.timeZone),
});
