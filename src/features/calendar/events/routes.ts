import { withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { listEvents, upcomingEvents } from "./list.ts";
import {
  BookingPath,
  CreateQuery,
  Event,
  EventChange,
  EventFilter,
  EventList,
  NewEvent,
  OccurrenceQuery,
  UpcomingQuery,
  UpdateQuery,
  WrittenEvent,
} from "./schemas.ts";
import { createEvent, deleteEvent, getEvent, restoreEvent, updateEvent, updateEventOfBooking } from "./service.ts";

export const routes = createRouter();

const read = data("calendar:read");
const write = data("calendar:write");
const CHANGE_ERRORS = ["nothing_to_update", "invalid_transition", "time_conflict", "conflict"] as const;

routes.endpoint("get", "/api/calendar/events", {
  operationId: "listEvents",
  summary: "List events",
  description:
    "Returns the events that overlap the range from `start` to `end`, by start. With both bounds, a series is returned " +
    "as its occurrences in the range; otherwise as one record.",
  guard: read,
  query: EventFilter,
  returns: { 200: EventList },
  handle: ({ ctx, query }) => listEvents(ctx, query),
});

routes.endpoint("post", "/api/calendar/events", {
  operationId: "createEvent",
  summary: "Create an event",
  description:
    "Returns the event with its `conflicts`. If the `bookingId` already has an event, that event is updated and returned " +
    "with 200; fields that the body leaves out stay.",
  guard: write,
  query: CreateQuery,
  body: NewEvent,
  returns: { 201: WrittenEvent, 200: WrittenEvent },
  errors: ["time_conflict", "conflict"],
  idempotent: true,
  handle: async ({ c, ctx, query, body }) => {
    const { event, isNew } = await createEvent(ctx, body, query);
    if (isNew) c.header("Location", `/api/calendar/events/${event.id}`);
    return c.json(withETag(c, event), isNew ? 201 : 200);
  },
});

routes.endpoint("patch", "/api/calendar/events/by-bookingsvc/{bookingId}", {
  operationId: "updateEventByBooking",
  summary: "Update the event of a booking",
  description: "Works like updating an event by its id. Returns 404 if the booking has no event.",
  guard: write,
  params: BookingPath,
  query: CreateQuery,
  body: EventChange,
  returns: { 200: WrittenEvent },
  errors: CHANGE_ERRORS,
  ifMatch: true,
  handle: ({ ctx, params, query, body, ifMatch }) =>
    updateEventOfBooking(ctx, params.bookingId, body, { ...query, expected: ifMatch }),
});

routes.endpoint("get", "/api/calendar/events/{id}", {
  operationId: "getEvent",
  summary: "Get an event",
  description: "Returns an event or a series, or with `occurrence` one occurrence of a series.",
  guard: read,
  query: OccurrenceQuery,
  returns: { 200: Event },
  handle: ({ ctx, params, query }) => getEvent(ctx, params.id, query.occurrence),
});

routes.endpoint("patch", "/api/calendar/events/{id}", {
  operationId: "updateEvent",
  summary: "Update an event",
  description:
    "For a series, changes the whole series; edited and excluded occurrences move with it. With `occurrence`, changes " +
    "only that occurrence, which then has its own `id`. Your own events can change to any status. A cancelled booking " +
    "or invitation stays cancelled. Changing the status of an invitation counts as your response; the organizer is not " +
    "notified. A new `start` without `end` keeps the length.",
  guard: write,
  query: UpdateQuery,
  body: EventChange,
  returns: { 200: WrittenEvent },
  errors: CHANGE_ERRORS,
  ifMatch: true,
  handle: ({ ctx, params, query, body, ifMatch }) => updateEvent(ctx, params.id, body, { ...query, expected: ifMatch }),
});

routes.endpoint("delete", "/api/calendar/events/{id}", {
  operationId: "deleteEvent",
  summary: "Delete an event",
  description:
    "Deletes an event or a series. With `occurrence`, only that occurrence of the series. It can be restored for a day.",
  guard: write,
  query: OccurrenceQuery,
  returns: { 204: null },
  errors: ["conflict"],
  ifMatch: true,
  handle: ({ ctx, params, query, ifMatch }) => deleteEvent(ctx, params.id, { ...query, expected: ifMatch }),
});

routes.endpoint("post", "/api/calendar/events/{id}/restore", {
  operationId: "restoreEvent",
  summary: "Restore a deleted event",
  description:
    "Takes back a deletion within a day. Send the same `id` and `occurrence` as to delete. A series comes back with its " +
    "edited occurrences, and tasks that were linked to the event are linked again. Returns the event, with its `id` and " +
    "`icalUid`, a higher `version` and `sequence`, and its `conflicts`. An event that was not deleted, or was restored " +
    "before, is returned as it is. `not_found`: a day has passed, or the organizer has cancelled or changed the " +
    "invitation since. `undo_outdated`: another event has the same `icalUid`, or the series has changed so that the " +
    "occurrence cannot return.",
  guard: write,
  query: OccurrenceQuery,
  returns: { 200: WrittenEvent },
  errors: ["undo_outdated", "conflict"],
  ifMatch: true,
  handle: ({ ctx, params, query, ifMatch }) => restoreEvent(ctx, params.id, { ...query, expected: ifMatch }),
});

routes.endpoint("get", "/api/calendar/upcoming", {
  operationId: "listUpcomingEvents",
  summary: "List upcoming events",
  description: "Returns current and future events and occurrences that are not cancelled, by start.",
  guard: read,
  query: UpcomingQuery,
  returns: { 200: EventList },
  handle: ({ ctx, query }) => upcomingEvents(ctx, query),
});
