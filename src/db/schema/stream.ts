import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MILESTONE_METRICS, SESSION_STATES, STREAM_PLATFORMS } from "../../lib/stream-session.ts";
import { moment, versionColumns } from "../columns.ts";

const platform = () => text("platform", { enum: STREAM_PLATFORMS });
const counter = (name: string) => integer(name).notNull().default(0);

/** Triggers write the event log, the totals and the outbox. */
export const streamSessions = sqliteTable(
  "stream_sessions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    platform: platform().notNull(),
    /** The platform's id. */
    externalId: text("external_id"),
    title: text("title"),
    url: text("url"),
    thumbnailUrl: text("thumbnail_url"),
    state: text("state", { enum: SESSION_STATES }).notNull(),
    scheduledFor: moment("scheduled_for"),
    startedAt: moment("started_at"),
    endedAt: moment("ended_at"),
    viewers: counter("viewers"),
    peakViewers: counter("peak_viewers"),
    /** By the time of the reports: when it entered its state, and the newest report. */
    stateAt: moment("state_at").notNull(),
    reportedAt: moment("reported_at").notNull(),
    /** Set when the state changes, cleared when the captions are there: the cron writes what a crash left. */
    captionsDueSince: moment("captions_owed_since"),
    ...versionColumns(),
  },
  (table) => [
    uniqueIndex("stream_sessions_one_live").on(table.platform).where(sql`state = 'live'`),
    uniqueIndex("stream_sessions_one_unnamed_plan")
      .on(table.platform)
      .where(sql`state = 'scheduled' AND external_id IS NULL`),
    uniqueIndex("stream_sessions_external_id").on(table.platform, table.externalId),
    index("stream_sessions_platform").on(table.platform, table.id),
    index("stream_sessions_state").on(table.state, table.id),
    index("stream_sessions_platform_state").on(table.platform, table.state, table.id),
    index("stream_sessions_plan").on(table.platform, table.scheduledFor, table.id).where(sql`state = 'scheduled'`),
    index("stream_sessions_next").on(table.scheduledFor, table.id).where(sql`state = 'scheduled'`),
    index("stream_sessions_over").on(table.platform, table.stateAt).where(sql`state IN ('ended', 'cancelled')`),
    index("stream_sessions_aired").on(table.platform, table.stateAt).where(sql`state IN ('live', 'ended')`),
    index("stream_sessions_peak").on(table.peakViewers, table.id),
    index("stream_sessions_owed").on(table.captionsDueSince).where(sql`captions_owed_since IS NOT NULL`),
  ],
);

/** Reports already applied, so that a repeated one does nothing. */
export const streamReports = sqliteTable(
  "stream_reports",
  {
    platform: platform().notNull(),
    eventId: text("event_id").notNull(),
    at: moment("at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.platform, table.eventId] }),
    index("stream_reports_expires_at").on(table.expiresAt),
  ],
);

export const streamChannels = sqliteTable("stream_channels", {
  platform: platform().primaryKey(),
  title: text("title"),
  /** The channel's id at the platform, where the service queries it. Another channel starts with another count. */
  channelId: text("channel_id"),
  subscribers: integer("subscribers"),
  subscribersAt: moment("subscribers_at"),
  lastReportAt: moment("last_report_at"),
  /** The last query of the platform's API, its problem, and until when no further query is made. */
  lastCheckedAt: moment("last_checked_at"),
  checkProblem: text("check_problem"),
  quietUntil: moment("quiet_until"),
});

/** Written by triggers only. */
export const streamEvents = sqliteTable(
  "stream_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    type: text("type").notNull(),
    at: moment("at").notNull(),
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("stream_events_at").on(table.at)],
);

export const streamMilestones = sqliteTable(
  "stream_milestones",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    metric: text("metric", { enum: MILESTONE_METRICS }).notNull(),
    threshold: integer("threshold").notNull(),
    /** Null: derived from metric and threshold. */
    label: text("label"),
    reachedAt: moment("reached_at"),
    /** The count had passed it before the service knew the channel or the milestone: it is not celebrated. */
    passedBefore: integer("passed_before", { mode: "boolean" }).notNull().default(false),
    /** The count that reached it, and the platform and session where. */
    reachedValue: integer("reached_value"),
    platform: platform(),
    sessionId: integer("session_id").references(() => streamSessions.id, { onDelete: "set null" }),
    captionsDueSince: moment("captions_owed_since"),
    ...versionColumns(),
  },
  (table) => [
    uniqueIndex("stream_milestones_threshold").on(table.metric, table.threshold),
    index("stream_milestones_ahead").on(table.metric, table.threshold).where(sql`reached_at IS NULL`),
    index("stream_milestones_reached").on(table.metric, table.threshold).where(sql`reached_at IS NOT NULL`),
    index("stream_milestones_owed").on(table.captionsDueSince).where(sql`captions_owed_since IS NOT NULL`),
  ],
);

/** Running totals per platform. Written by triggers only. */
export const streamTotals = sqliteTable("stream_totals", {
  platform: platform().primaryKey(),
  scheduled: counter("scheduled"),
  live: counter("live"),
  ended: counter("ended"),
  cancelled: counter("cancelled"),
  streamedMs: counter("streamed_ms"),
  /** Sum of the peaks of ended sessions, for their average. */
  peakSum: counter("peak_sum"),
});
