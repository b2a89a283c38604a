import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, isNotModified, withETag } from "../../../http/etag.ts";
import { anyone, data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { createFeed, readFeed, revokeFeed } from "../feed/service.ts";
import { freeBusy, freeSlots } from "../free-time/service.ts";
import { calendarStatistics } from "../statistics/service.ts";
import { listEvents, upcomingEvents } from "./list.ts";
import {
  BookingPath,
  CreateQuery,
  Event,
  EventChange,
  EventFilter,
  EventList,
  EventPath,
  Feed,
  FeedQuery,
  FreeBusy,
  NewEvent,
  OccurrenceQuery,
  RangeQuery,
  SlotQuery,
  Slots,
  Statistics,
  UpcomingQuery,
  UpdateQuery,
  WrittenEvent,
  ZoneQuery,
} from "./schemas.ts";
import { createEvent, deleteEvent, getEvent, updateEvent, updateEventOfBooking } from "./service.ts";

export const routes = createRouter();

const read = data("calendar:read");
const write = data("calendar:write");
const CHANGE_ERRORS = ["not_found", "nothing_to_update", "invalid_transition", "time_conflict", "conflict"] as const;

routes.openapi(
  route("get", "/api/calendar/events", {
    operationId: "listEvents",
    summary: "List events",
    description:
      "Events that overlap the half-open range from `start` to `end`, by start. With both bounds a series is shown as " +
      "its occurrences in the range; otherwise as the one record it is.",
    guard: read,
    query: EventFilter,
    returns: { 200: EventList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listEvents(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/calendar/events", {
    operationId: "createEvent",
    summary: "Create an event, or update the one of a booking",
    description:
      "With a `bookingId` that has an event already, updates that one and answers 200; members the body does not name " +
      "stay as they are. Answers with the `conflicts` the event now has.",
    guard: write,
    query: CreateQuery,
    body: NewEvent,
    returns: { 201: WrittenEvent, 200: WrittenEvent },
    errors: ["time_conflict", "conflict"],
    idempotent: true,
  }),
  async (c) => {
    const { event, isNew } = await createEvent(contextOf(c), c.req.valid("json"), c.req.valid("query"));
    if (isNew) c.header("Location", `/api/calendar/events/${event.id}`);
    return c.json(withETag(c, event), isNew ? 201 : 200);
  },
);

routes.openapi(
  route("patch", "/api/calendar/events/by-bookingsvc/{bookingId}", {
    operationId: "updateEventByBooking",
    summary: "Update the event of a booking",
    guard: write,
    params: BookingPath,
    query: CreateQuery,
    body: EventChange,
    returns: { 200: WrittenEvent },
    errors: CHANGE_ERRORS,
    ifMatch: true,
  }),
  async (c) => {
    const options = { ...c.req.valid("query"), expected: ifMatch(c) };
    const { bookingId } = c.req.valid("param");
    return c.json(withETag(c, await updateEventOfBooking(contextOf(c), bookingId, c.req.valid("json"), options)), 200);
  },
);

routes.openapi(
  route("get", "/api/calendar/events/{id}", {
    operationId: "getEvent",
    summary: "Read an event",
    guard: read,
    params: EventPath,
    query: OccurrenceQuery,
    returns: { 200: Event },
    errors: ["not_found"],
  }),
  async (c) => {
    const { occurrence } = c.req.valid("query");
    return c.json(withETag(c, await getEvent(contextOf(c), c.req.valid("param").id, occurrence)), 200);
  },
);

routes.openapi(
  route("patch", "/api/calendar/events/{id}", {
    operationId: "updateEvent",
    summary: "Update an event, a series, or one occurrence",
    description:
      "Of a series, changes the whole series: edited and left-out occurrences move with it. With `occurrence`, changes " +
      "only that one, which then has an `id` of its own. Status moves: tentative → confirmed or cancelled; confirmed → " +
      "cancelled or tentative; cancelled is final. A new `start` without `end` keeps the length.",
    guard: write,
    params: EventPath,
    query: UpdateQuery,
    body: EventChange,
    returns: { 200: WrittenEvent },
    errors: CHANGE_ERRORS,
    ifMatch: true,
  }),
  async (c) => {
    const options = { ...c.req.valid("query"), expected: ifMatch(c) };
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateEvent(contextOf(c), id, c.req.valid("json"), options)), 200);
  },
);

routes.openapi(
  route("delete", "/api/calendar/events/{id}", {
    operationId: "deleteEvent",
    summary: "Delete an event, a series, or one occurrence",
    description: "With `occurrence`, the series goes on without that one.",
    guard: write,
    params: EventPath,
    query: OccurrenceQuery,
    returns: { 204: null },
    errors: ["not_found", "conflict"],
    ifMatch: true,
  }),
  async (c) => {
    const options = { ...c.req.valid("query"), expected: ifMatch(c) };
    await deleteEvent(contextOf(c), c.req.valid("param").id, options);
    return c.body(null, 204);
  },
);

routes.openapi(
  route("get", "/api/calendar/upcoming", {
    operationId: "listUpcomingEvents",
    summary: "What is on and what comes next",
    description: "Not cancelled, by start; what is running now comes first.",
    guard: read,
    query: UpcomingQuery,
    returns: { 200: EventList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await upcomingEvents(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/calendar/stats", {
    operationId: "getCalendarStatistics",
    summary: "The calendar in figures",
    guard: read,
    query: ZoneQuery,
    returns: { 200: Statistics },
  }),
  async (c) => c.json(await calendarStatistics(contextOf(c), c.req.valid("query").timeZone), 200),
);

routes.openapi(
  route("get", "/api/calendar/freebusy", {
    operationId: "getFreeBusy",
    summary: "When the person is taken",
    description: "Busy time as merged intervals, without saying with what. At most 366 days, and 10,000 occurrences.",
    guard: read,
    query: RangeQuery,
    returns: { 200: FreeBusy },
  }),
  async (c) => c.json(await freeBusy(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/calendar/slots", {
    operationId: "findFreeSlots",
    summary: "Find free slots",
    description:
      "Free times of the wanted length within working hours, by the clocks of `timeZone`; none that is past.",
    guard: read,
    query: SlotQuery,
    returns: { 200: Slots },
  }),
  async (c) => c.json(await freeSlots(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/calendar/feed", {
    operationId: "createCalendarFeed",
    summary: "Make a link to the calendar",
    description: "A link that any calendar program can subscribe to. There is one: making a new one ends the old.",
    guard: write,
    returns: { 201: Feed },
    idempotent: { secrets: ["url"] },
  }),
  async (c) => c.json(await createFeed(contextOf(c)), 201),
);

routes.openapi(
  route("delete", "/api/calendar/feed", {
    operationId: "revokeCalendarFeed",
    summary: "End the link to the calendar",
    guard: write,
    returns: { 204: null },
  }),
  async (c) => noContent(c, await revokeFeed(contextOf(c))),
);

routes.openapi(
  route("get", "/api/calendar/feed.ics", {
    operationId: "getCalendarFeed",
    summary: "The calendar as iCalendar",
    description:
      "RFC 5545, for calendar programs. `If-None-Match` with the ETag of the last answer gives 304 when nothing changed.",
    guard: anyone,
    query: FeedQuery,
    returns: { 200: { type: "text/calendar", description: "The whole calendar" }, 304: null },
    errors: ["not_found", "misconfigured"],
  }),
  async (c) => {
    const { tag, body } = await readFeed(contextOf(c), c.req.valid("query").token);
    // Kept by whoever subscribes, but asked about each time.
    c.header("Cache-Control", "private, no-cache");
    if (isNotModified(c, tag)) return c.body(null, 304);
    return c.body(body(), 200, { "Content-Type": "text/calendar; charset=utf-8" });
  },
);
