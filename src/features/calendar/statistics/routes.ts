import { contextOf } from "../../../http/app-env.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { Statistics, StatisticsQuery } from "./schemas.ts";
import { calendarStatistics } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/calendar/stats", {
    operationId: "getCalendarStatistics",
    summary: "Get calendar statistics",
    description: "Returns counts by status and source, busy hours this and next week, and the next 14 days.",
    guard: data("calendar:read"),
    query: StatisticsQuery,
    returns: { 200: Statistics },
  }),
  async (c) => c.json(await calendarStatistics(contextOf(c), c.req.valid("query").timeZone), 200),
);
