import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { Statistics, StatisticsQuery } from "./schemas.ts";
import { calendarStatistics } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/calendar/stats", {
  operationId: "getCalendarStatistics",
  summary: "Get calendar statistics",
  description: "Returns counts by status and source, busy hours this and next week, and the next 14 days.",
  guard: data("calendar:read"),
  query: StatisticsQuery,
  returns: { 200: Statistics },
  handle: ({ ctx, query }) => calendarStatistics(ctx, query.timeZone),
});
