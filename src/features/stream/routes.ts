import { contextOf } from "../../http/app-env.ts";
import { withETag } from "../../http/etag.ts";
import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { SESSION_MOVES_TEXT } from "../../lib/stream-session.ts";
import { followStreamEvents, listStreamEvents } from "./events.ts";
import { takeReport } from "./report.ts";
import {
  EventQuery,
  NewReport,
  ReportAnswer,
  SessionParams,
  SessionQuery,
  StatusQuery,
  StreamEventList,
  StreamSession,
  StreamSessionList,
  StreamStats,
  StreamStatus,
} from "./schemas.ts";
import { getSession, listSessions } from "./sessions.ts";
import { readStreamStats } from "./statistics.ts";
import { readStatus } from "./status.ts";

export const routes = createRouter();
const read = data("stream:read");

routes.openapi(
  route("get", "/api/stream/status", {
    operationId: "getStreamStatus",
    summary: "Whether the stream is on",
    guard: read,
    query: StatusQuery,
    returns: { 200: StreamStatus },
  }),
  async (c) => c.json(await readStatus(contextOf(c), c.req.valid("query").platform), 200),
);

routes.openapi(
  route("post", "/api/stream/status", {
    operationId: "reportStreamStatus",
    summary: "Report the state and the counts of a stream",
    description: `For automations and encoders. A session moves ${SESSION_MOVES_TEXT}. The same state again changes nothing; any other move is refused with \`from\`, \`to\` and \`allowed\`. A platform has one live session: another one's start is refused until that has ended. An unknown \`externalId\` is taken for that of the open session which has none yet. Going live and ending write captions, and counts are held against the milestones. A refused report is not remembered: it can be sent again.`,
    guard: data("stream:write"),
    body: NewReport,
    returns: { 200: ReportAnswer },
    errors: ["invalid_transition", "stream_already_live", "not_found", "unavailable"],
    idempotent: true,
  }),
  async (c) => c.json(await takeReport(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("get", "/api/stream/sessions", {
    operationId: "listStreamSessions",
    summary: "List streams",
    description: "Past, live and planned ones, the newest first.",
    guard: read,
    query: SessionQuery,
    returns: { 200: StreamSessionList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listSessions(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/stream/sessions/{id}", {
    operationId: "getStreamSession",
    summary: "Read a stream",
    guard: read,
    params: SessionParams,
    returns: { 200: StreamSession },
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getSession(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("get", "/api/stream/stats", {
    operationId: "getStreamStats",
    summary: "Statistics of all streams and posts",
    guard: read,
    returns: { 200: StreamStats },
  }),
  async (c) => c.json(await readStreamStats(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/stream/events", {
    operationId: "listStreamEvents",
    summary: "What happened, as a list or as a live feed",
    description:
      "Oldest first, kept for 30 days. With `Accept: text/event-stream` it goes on with what happens from now, or since `Last-Event-ID`. A feed ends after five minutes at the latest; a client that comes back with the last id misses nothing and sees nothing twice.",
    guard: read,
    query: EventQuery,
    returns: { 200: StreamEventList },
    events: "First `ready`, then an event a change, named by its `type`, with the event itself as data.",
    errors: ["invalid_cursor"],
  }),
  async (c) => {
    const query = c.req.valid("query");
    if (!wantsEvents(c)) return c.json(await listStreamEvents(contextOf(c), query), 200);
    const after = lastEventId(c.req.header("last-event-id")) ?? query.lastEventId ?? query.after;
    return eventStream(c, (signal) => followStreamEvents(contextOf(c), after, signal), { immediately: true });
  },
);

/** A header no feed of ours gave counts as none. */
function lastEventId(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
