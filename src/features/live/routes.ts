import { eventStream, lastEventIdOf, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { LiveChanges, LiveQuery } from "./schemas.ts";
import { followChanges, listChanges } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/live", {
  operationId: "followChanges",
  summary: "Follow changes",
  description:
    "Reports which records change: emails, drafts, tasks, events, booking syncs, streams, milestones, captions, " +
    "proposals and webhook deliveries. Read the record to see its new state. With `Accept: text/event-stream` the " +
    "response stays open, and a change arrives right after it was made, or within 30 seconds at the latest. It " +
    "starts now, or after `Last-Event-ID`. After 15 minutes it ends; a client that connects again with the last id " +
    "misses no change and gets none twice. With any other `Accept` it returns the changes after `lastEventId` once, " +
    "for clients that poll; without an id, only the current one. The newest 5,000 changes are kept: after an older " +
    "id, and after a request that changed more than 200 records, a `reset` tells the client to read everything " +
    "again. An API key receives only changes to records its scopes can read. Proposals and deliveries are sent only " +
    "to their person, and deliveries only to a session. The response ends when the session or key ends or loses a " +
    "scope.",
  guard: data("emails:read", "tasks:read", "calendar:read", "stream:read", "ai:use"),
  query: LiveQuery,
  returns: { 200: LiveChanges },
  events: {
    description:
      "First `ready` with `lastEventId` and the time to wait before connecting again (`retry`). Without an id to " +
      "continue from, it also has `quietMs`, the milliseconds since the last change: read again what you have read " +
      "since then. Then `change` with a " +
      "LiveChange for each change, or `reset`: read everything again. `end` before the response ends after 15 " +
      "minutes; `error` with a problem document if it ends for another reason, such as signing out. Every event has " +
      "the `id` to continue from, and a comment is sent every 15 seconds.",
    example:
      'retry: 2000\nid: 56\nevent: ready\ndata: {"lastEventId":56,"quietMs":81234}\n\nid: 57\nevent: change\ndata: {"id":57,"type":"task.updated","recordId":12,"version":3}\n\n',
  },
  handle: async ({ c, ctx, query }) => {
    const position = lastEventIdOf(c) ?? query.lastEventId;
    if (!wantsEvents(c)) return listChanges(ctx, position);
    const credential = c.get("credential");
    return eventStream(c, (signal) => followChanges(ctx, position, { credential, signal }));
  },
});
