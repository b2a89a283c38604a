import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { FreeBusy, RangeQuery, SlotQuery, Slots } from "./schemas.ts";
import { freeBusy, freeSlots } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/calendar/freebusy", {
  operationId: "getFreeBusy",
  summary: "Get busy times",
  description: "Returns the busy times, without the events. At most 366 days and 10,000 occurrences.",
  guard: data("calendar:read"),
  query: RangeQuery,
  returns: { 200: FreeBusy },
  handle: ({ ctx, query }) => freeBusy(ctx, query),
});

routes.endpoint("get", "/api/calendar/slots", {
  operationId: "findFreeSlots",
  summary: "Find free slots",
  description: "Returns free times of the given length within working hours, from now on, on quarters of an hour.",
  guard: data("calendar:read"),
  query: SlotQuery,
  returns: { 200: Slots },
  handle: ({ ctx, query }) => freeSlots(ctx, query),
});
