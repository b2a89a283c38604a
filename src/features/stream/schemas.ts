import { z } from "@hono/zod-openapi";
import {
  Id,
  IdParam,
  integerParam,
  listOf,
  listParam,
  pageParams,
  Timestamp,
  TimestampInput,
} from "../../http/schemas.ts";
import { SESSION_STATES, STREAM_PLATFORMS } from "../../lib/stream-session.ts";
import { Caption } from "./captions/schemas.ts";
import { Milestone } from "./milestones/schemas.ts";

const TITLE_CHARACTERS = 500;
const ID_CHARACTERS = 200;
const URL_CHARACTERS = 2000;
const MAX_COUNT = 10_000_000_000;

export const Platform = z.enum(STREAM_PLATFORMS).openapi({ example: "youtube" });
const State = z.enum(SESSION_STATES).openapi({ example: "live" });
const count = z.int().openapi({ example: 128 });

export const StreamSession = z
  .object({
    id: Id,
    platform: Platform,
    externalId: z.string().nullable().openapi({ example: "dQw4w9WgXcQ", description: "The platform's own id." }),
    title: z.string().nullable().openapi({ example: "Building a synthesizer, part 4" }),
    url: z.string().nullable().openapi({ example: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" }),
    thumbnailUrl: z.string().nullable().openapi({ example: "https://i.ytimg.com/vi/dQw4w9WgXcQ/maxresdefault.jpg" }),
    state: State,
    scheduledFor: Timestamp.nullable(),
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    durationSeconds: z
      .int()
      .nullable()
      .openapi({ example: 5400, description: "From its start to its end, or until now while it is live." }),
    viewers: count.openapi({ description: "Watching now; 0 unless live." }),
    peakViewers: count.openapi({ example: 240 }),
    version: z.int().openapi({ example: 3, description: "Rises with every change; also the ETag." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .openapi("StreamSession");

export type StreamSession = z.infer<typeof StreamSession>;

export const StreamSessionList = listOf(StreamSession, "StreamSessionList");

export const SessionParams = z.object({ id: IdParam });

export const SessionQuery = z.object({
  platform: listParam(STREAM_PLATFORMS).optional(),
  state: listParam(SESSION_STATES).optional(),
  ...pageParams,
});

export type SessionQuery = z.output<typeof SessionQuery>;

const webAddress = z.url({ protocol: /^https?$/ }).max(URL_CHARACTERS);
const reportedCount = z.int().min(0).max(MAX_COUNT);

export const NewReport = z
  .object({
    eventId: z.string().min(1).max(ID_CHARACTERS).optional().openapi({
      example: "obs-7f3a-0001",
      description: "Names the report: a second one of this platform does nothing.",
    }),
    platform: Platform,
    state: State.optional().openapi({ description: "Leave out to report counts only." }),
    externalId: z.string().trim().min(1).max(ID_CHARACTERS).optional().openapi({
      example: "dQw4w9WgXcQ",
      description: "Which session it is about; without it, the one that is on, comes next, or was last.",
    }),
    title: z
      .string()
      .trim()
      .min(1)
      .max(TITLE_CHARACTERS)
      .optional()
      .openapi({ example: "Building a synthesizer, part 4" }),
    url: webAddress.optional().openapi({ example: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" }),
    thumbnailUrl: webAddress.optional().openapi({ example: "https://i.ytimg.com/vi/dQw4w9WgXcQ/maxresdefault.jpg" }),
    scheduledFor: TimestampInput.optional().openapi({ description: "When a planned stream is to begin." }),
    viewers: reportedCount.optional().openapi({ example: 128, description: "Watching now; kept for a live session." }),
    subscribers: reportedCount.optional().openapi({ example: 1012, description: "Of the platform's channel." }),
    at: TimestampInput.optional().openapi({
      description: "When it was so; now when left out. Reports may come in any order: an older one moves nothing back.",
    }),
  })
  .openapi("NewStreamReport");

export type Report = z.output<typeof NewReport>;

export const ReportAnswer = z
  .object({
    applied: z.boolean().openapi({
      example: true,
      description: "False for a repeated report, and for one older than what is known: only a peak it raises is kept.",
    }),
    changed: z.boolean().openapi({ example: true, description: "Whether a session came into another state." }),
    session: z
      .object(StreamSession.shape)
      .nullable()
      .openapi({ description: "The session it is about, as it is now." }),
    captions: z.array(Caption).openapi({ description: "The posts written because of it." }),
    milestones: z.array(Milestone).openapi({ description: "The milestones it reached." }),
  })
  .openapi("StreamReportAnswer");

export type ReportAnswer = z.infer<typeof ReportAnswer>;

export const StatusQuery = z.object({
  platform: Platform.optional().openapi({ description: "Only this platform; all of them when left out." }),
});

export const StreamStatus = z
  .object({
    state: z.enum(["offline", "scheduled", "live"]).openapi({ example: "live" }),
    session: z
      .object(StreamSession.shape)
      .nullable()
      .openapi({ description: "The live session, or else the plan that comes next." }),
    subscribers: count
      .nullable()
      .openapi({ example: 1012, description: "Of the channel that has most; null while nobody has told." }),
    viewers: count.openapi({ description: "Of the live session; 0 otherwise." }),
    peakViewers: count.openapi({ example: 240, description: "Of the live session; 0 otherwise." }),
    lastReportAt: Timestamp.nullable().openapi({ description: "The newest report's arrival." }),
    lastCheckedAt: Timestamp.nullable().openapi({ description: "When the service last asked the platform itself." }),
    checkProblem: z
      .enum(["quota_exceeded", "key_refused", "channel_not_found", "unavailable", "timeout"])
      .nullable()
      .openapi({ example: null, description: "Why that last question failed; null when it did not." }),
  })
  .openapi("StreamStatus");

export type StreamStatus = z.infer<typeof StreamStatus>;

const hours = z.number().openapi({ example: 41.5 });

export const StreamStats = z
  .object({
    sessions: z.object({ scheduled: count, live: count, ended: count, cancelled: count }),
    hoursStreamed: hours.openapi({ description: "Of the sessions that have ended." }),
    averageHours: hours.nullable().openapi({ example: 1.9 }),
    averagePeakViewers: z.number().nullable().openapi({ example: 96.4 }),
    byPlatform: z
      .array(z.object({ platform: Platform, ended: count, hoursStreamed: hours }))
      .openapi({ description: "Every platform, also those never used." }),
    best: z.object(StreamSession.shape).nullable().openapi({
      description: "The session with the highest peak, the newest of equals; null while nobody has watched.",
    }),
    milestones: z.object({ reached: count, ahead: count }),
    posts: z
      .record(z.string(), z.record(z.string(), z.int()))
      .openapi({ example: { discord: { posted: 12, failed: 1 } }, description: "Captions by platform and status." }),
  })
  .openapi("StreamStats");

export type StreamStats = z.infer<typeof StreamStats>;

export const StreamEvent = z
  .object({
    id: Id.openapi({ example: 57, description: "Rises; what `after` and `Last-Event-ID` take." }),
    type: z.string().openapi({
      example: "session.live",
      description:
        "`session.scheduled`, `.live`, `.ended`, `.cancelled`, `.updated`, `milestone.reached`, `caption.posted` and `caption.failed`.",
    }),
    at: Timestamp,
    data: z
      .record(z.string(), z.json())
      .openapi({ type: "object", example: { sessionId: 3, platform: "youtube", state: "live", viewers: 12 } }),
  })
  .openapi("StreamEvent");

export type StreamEvent = z.infer<typeof StreamEvent>;

export const StreamEventList = listOf(StreamEvent, "StreamEventList");

const eventId = z
  .string()
  .regex(/^\d{1,15}$/, "must be the id of an event")
  .transform(Number);

export const EventQuery = z.object({
  after: eventId
    .optional()
    .openapi({ type: "integer", minimum: 0, example: 56, description: "Only events after this one." }),
  lastEventId: eventId.optional().openapi({
    type: "integer",
    minimum: 0,
    example: 56,
    description: "The same for a live feed, for clients that cannot send `Last-Event-ID`; the header wins.",
  }),
  ...pageParams,
  limit: integerParam(1, 100)
    .default(50)
    .openapi({ description: "How many events a page holds.", default: 50, example: 20 }),
});

export type EventQuery = z.output<typeof EventQuery>;
