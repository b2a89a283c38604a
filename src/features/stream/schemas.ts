import { z } from "@hono/zod-openapi";
import {
  countsOf,
  doc,
  EventIdParam,
  Id,
  listOf,
  listParam,
  named,
  pageParams,
  Timestamp,
  TimestampInput,
  versionFields,
} from "../../http/schemas.ts";
import { readBy } from "../../lib/receipts.ts";
import { SESSION_STATES, STREAM_PLATFORMS } from "../../lib/stream-session.ts";
import { Caption } from "./captions/schemas.ts";
import { Milestone } from "./milestones/schemas.ts";

const TITLE_CHARACTERS = 500;
const ID_CHARACTERS = 200;
const URL_CHARACTERS = 2000;
const MAX_COUNT = 10_000_000_000;

const PLATFORM = "Where the stream runs. `custom` is any platform without an integration of its own.";
const Platform = doc(z.enum(STREAM_PLATFORMS), PLATFORM, "youtube");
const State = doc(z.enum(SESSION_STATES), "State of the session.", "live");
const VIDEO_URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const count = z.int();

export const StreamSession = named("StreamSession", () => ({
  id: doc(Id, "Id of the session.", 3),
  platform: Platform,
  externalId: doc(z.string().nullable(), "The platform's id of the stream.", "dQw4w9WgXcQ"),
  title: doc(z.string().nullable(), "Title of the stream.", "Building a synthesizer, part 4"),
  url: doc(z.string().nullable(), "Address where the stream can be watched.", VIDEO_URL),
  thumbnailUrl: doc(z.string().nullable(), "Address of the preview image.", "https://i.ytimg.com/vi/dQw4w9WgXcQ/0.jpg"),
  state: State,
  scheduledFor: doc(Timestamp.nullable(), "Planned start."),
  startedAt: doc(Timestamp.nullable(), "When the stream went live."),
  endedAt: doc(Timestamp.nullable(), "When the stream ended."),
  durationSeconds: doc(z.int().nullable(), "Seconds from start to end, or until now while it is live.", 5400),
  viewers: doc(count, "Current viewers; 0 unless live.", 128),
  peakViewers: doc(count, "Highest number of viewers at one time.", 240),
  ...versionFields,
}));
readBy("stream:read", StreamSession);
export type StreamSession = z.infer<typeof StreamSession>;

export const StreamSessionList = listOf(StreamSession, "StreamSessionList");

export const SessionQuery = z.object({
  platform: listParam(STREAM_PLATFORMS).optional(),
  state: listParam(SESSION_STATES).optional(),
  ...pageParams,
});
export type SessionQuery = z.output<typeof SessionQuery>;

const nameText = (max: number) => z.string().trim().min(1).max(max).optional();
const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(URL_CHARACTERS)
  .optional();
const reportedCount = z.int().min(0).max(MAX_COUNT).optional();

export const NewReport = named(
  "NewStreamReport",
  () => ({
    eventId: doc(
      z.string().min(1).max(ID_CHARACTERS).optional(),
      "Unique id of this report. A second report with the same id and platform is ignored.",
    ),
    platform: Platform,
    state: doc(State.optional(), "New state of the session. Leave out to report counts only."),
    externalId: doc(
      nameText(ID_CHARACTERS),
      "The platform's id of the stream. Default: the live session, otherwise the next scheduled one, otherwise the last one.",
    ),
    title: doc(nameText(TITLE_CHARACTERS), "Title of the stream."),
    url: doc(webAddress, "Address where the stream can be watched."),
    thumbnailUrl: doc(webAddress, "Address of the preview image. Instagram posts need one."),
    scheduledFor: doc(TimestampInput.optional(), "Planned start of a scheduled stream."),
    viewers: doc(reportedCount, "Current viewers. Stored only for a live session."),
    subscribers: doc(reportedCount, "Subscribers of the channel."),
    at: doc(
      TimestampInput.optional(),
      "When this was the case. Default: now. Reports may arrive in any order; an older one never moves the state back.",
    ),
  }),
  {
    example: {
      eventId: "obs-7f3a-0001",
      platform: "youtube",
      state: "live",
      externalId: "dQw4w9WgXcQ",
      title: "Building a synthesizer, part 4",
      url: VIDEO_URL,
      viewers: 128,
      subscribers: 1012,
    },
  },
);
export type Report = z.output<typeof NewReport>;

const nullableSession = z.object(StreamSession.shape).nullable();

export const ReportResult = named("StreamReportResult", () => ({
  applied: doc(
    z.boolean(),
    "False for a repeated report and for one older than what is known. An older report can still raise the peak.",
    true,
  ),
  changed: doc(z.boolean(), "Whether a session changed its state.", true),
  session: doc(nullableSession, "The session after the report."),
  captions: doc(z.array(Caption), "Captions written because of this report."),
  milestones: doc(z.array(Milestone), "Milestones reached by this report."),
}));
export type ReportResult = z.infer<typeof ReportResult>;

export const StatusQuery = z.object({
  platform: doc(z.enum(STREAM_PLATFORMS).optional(), "Only this platform. Default: all platforms."),
});

export const StreamStatus = named("StreamStatus", () => ({
  state: doc(z.enum(["offline", "scheduled", "live"]), "Whether a stream is live or scheduled.", "live"),
  session: doc(nullableSession, "The live session, otherwise the next scheduled one."),
  subscribers: doc(count.nullable(), "Highest subscriber count of all channels; null until one is reported.", 1012),
  viewers: doc(count, "Current viewers of the live session; 0 otherwise.", 128),
  peakViewers: doc(count, "Peak viewers of the live session; 0 otherwise.", 240),
  lastReportAt: doc(Timestamp.nullable(), "When the newest report arrived."),
  lastCheckedAt: doc(Timestamp.nullable(), "When the service last queried YouTube."),
  checkProblem: doc(
    z.enum(["quota_exceeded", "key_refused", "channel_not_found", "unavailable", "timeout"]).nullable(),
    "Why the last query failed; null if it succeeded.",
    null,
  ),
}));
export type StreamStatus = z.infer<typeof StreamStatus>;

const hours = z.number();
const platformTotals = z.object({
  platform: Platform,
  ended: doc(count, "Ended sessions.", 22),
  hoursStreamed: doc(hours, "Total hours of the ended sessions.", 41.5),
});
const milestoneCounts = z.object({
  reached: doc(count, "Milestones reached.", 3),
  ahead: doc(count, "Milestones not reached yet.", 3),
});

export const StreamStats = named("StreamStats", () => ({
  sessions: doc(countsOf(SESSION_STATES), "Number of sessions by state."),
  hoursStreamed: doc(hours, "Total hours of the ended sessions.", 41.5),
  averageHours: doc(hours.nullable(), "Average length of an ended session in hours.", 1.9),
  averagePeakViewers: doc(z.number().nullable(), "Average peak of the ended sessions.", 96.4),
  byPlatform: doc(z.array(platformTotals), "Totals of every platform, including unused ones."),
  best: doc(nullableSession, "Session with the highest peak, the newest of equals; null if nobody has watched yet."),
  milestones: doc(milestoneCounts, "Number of milestones."),
  posts: doc(z.record(z.string(), z.record(z.string(), z.int())), "Number of captions by platform and status.", {
    discord: { posted: 12, failed: 1 },
  }),
}));
export type StreamStats = z.infer<typeof StreamStats>;

const EVENT_TYPES =
  "`session.scheduled`, `session.live`, `session.ended`, `session.cancelled`, `session.updated`, `milestone.reached`, `caption.posted` or `caption.failed`.";

export const StreamEvent = named("StreamEvent", () => ({
  id: doc(Id, "Increasing id, accepted by `after` and `Last-Event-ID`.", 57),
  type: doc(z.string(), EVENT_TYPES, "session.live"),
  at: doc(Timestamp, "When it happened."),
  data: z.record(z.string(), z.json()).openapi({
    type: "object",
    description: "Details, depending on the type.",
    example: { sessionId: 3, platform: "youtube", state: "live", viewers: 12 },
  }),
}));
export type StreamEvent = z.infer<typeof StreamEvent>;

export const StreamEventList = listOf(StreamEvent, "StreamEventList");

export const EventQuery = z.object({
  after: doc(EventIdParam, "Only events after this id."),
  lastEventId: doc(EventIdParam, "Same as `Last-Event-ID`, for clients that cannot send headers. The header wins."),
  ...pageParams,
});
export type EventQuery = z.output<typeof EventQuery>;
