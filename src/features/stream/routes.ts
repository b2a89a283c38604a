import { eventStream, lastEventIdOf, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { SESSION_MOVES_TEXT } from "../../lib/stream-session.ts";
import { followStreamEvents, listStreamEvents } from "./events.ts";
import { applyReport } from "./report.ts";
import {
  EventQuery,
  NewReport,
  ReportResult,
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

routes.endpoint("get", "/api/stream/status", {
  operationId: "getStreamStatus",
  summary: "Get the stream status",
  description: "Returns the live session, otherwise the next scheduled one, with the current counts.",
  guard: read,
  query: StatusQuery,
  returns: { 200: StreamStatus },
  handle: ({ ctx, query }) => readStatus(ctx, query.platform),
});

routes.endpoint("post", "/api/stream/status", {
  operationId: "reportStreamStatus",
  summary: "Report a stream's state and counts",
  description: `For automations and encoders. Allowed state changes: ${SESSION_MOVES_TEXT}. Reporting the same state again changes nothing; any other change returns 409 with \`from\`, \`to\` and \`allowed\`. A platform has one live session: a second one returns 409 until the first has ended. An unknown \`externalId\` is assigned to the open session that has none yet. Going live and ending write captions, and counts are checked against the milestones. The captions in the response are by the built-in writer. If a model is configured (\`engine.fallbackReason\` is \`model_pending\`), its texts replace them within seconds, unless they were edited, approved, skipped or posted first; captions that \`autoApprove\` approved are replaced until they are posted. A refused report is not stored and can be sent again.`,
  guard: data("stream:write"),
  body: NewReport,
  returns: { 200: ReportResult },
  errors: ["invalid_transition", "stream_already_live", "not_found", "unavailable"],
  idempotent: true,
  handle: ({ ctx, body }) => applyReport(ctx, body),
});

routes.endpoint("get", "/api/stream/sessions", {
  operationId: "listStreamSessions",
  summary: "List sessions",
  description: "Returns past, live and scheduled streams, newest first.",
  guard: read,
  query: SessionQuery,
  returns: { 200: StreamSessionList },
  handle: ({ ctx, query }) => listSessions(ctx, query),
});

routes.endpoint("get", "/api/stream/sessions/{id}", {
  operationId: "getStreamSession",
  summary: "Get a session",
  description: "Returns one past, live or scheduled stream.",
  guard: read,
  returns: { 200: StreamSession },
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getSession(ctx, params.id),
});

routes.endpoint("get", "/api/stream/stats", {
  operationId: "getStreamStats",
  summary: "Get stream statistics",
  description: "Returns totals of all sessions, milestones and captions.",
  guard: read,
  returns: { 200: StreamStats },
  handle: ({ ctx }) => readStreamStats(ctx),
});

routes.endpoint("get", "/api/stream/events", {
  operationId: "listStreamEvents",
  summary: "List or follow stream events",
  description:
    "Returns events oldest first. Events are deleted after 30 days. With `Accept: text/event-stream` the response is a live feed of events from now on, or after `Last-Event-ID`. A feed ends after at most 15 minutes, and with the session or key it was opened with; a client that reconnects with the last id misses no event and gets none twice.",
  guard: read,
  query: EventQuery,
  returns: { 200: StreamEventList },
  events: "First `ready`, then one event per change, named by its `type`, with the event as data.",
  handle: async ({ c, ctx, query }) => {
    if (!wantsEvents(c)) return listStreamEvents(ctx, query);
    const resumed = lastEventIdOf(c);
    // An id that no feed has sent is ignored.
    const after = (resumed === "unknown" ? undefined : resumed) ?? query.lastEventId ?? query.after;
    const credential = c.get("credential");
    return eventStream(c, (signal) => followStreamEvents(ctx, after, { credential, signal }));
  },
});
