import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MILESTONE_METRICS, SESSION_STATES, STREAM_PLATFORMS } from "../../lib/stream-session.ts";
import { moment } from "../columns.ts";

const platform = () => text("platform", { enum: STREAM_PLATFORMS });
const counter = (name: string) => integer(name).notNull().default(0);

/** Streams. The event log, the totals and the outbox follow by triggers. */
export const streamSessions = sqliteTable(
  "stream_sessions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    platform: platform().notNull(),
    /** The platform's own name for it. */
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
    /** When, by the reports' own time, it came into its state, and the newest report on it. */
    stateAt: moment("state_at").notNull(),
    reportedAt: moment("reported_at").notNull(),
    /** Set by the move, cleared once its captions are written, so that a crash in between loses none. */
    captionsOwedSince: moment("captions_owed_since"),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
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
    index("stream_sessions_owed").on(table.captionsOwedSince).where(sql`captions_owed_since IS NOT NULL`),
  ],
);

/** The reports already taken, so that a repeated one does nothing. */
export const streamReports = sqliteTable(
  "stream_reports",
  {
    /** NULL when what the report was decided on no longer holds: the column refuses it and undoes the batch. */
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

/** What is known of a platform's channel beyond its sessions. */
export const streamChannels = sqliteTable("stream_channels", {
  platform: platform().primaryKey(),
  title: text("title"),
  subscribers: integer("subscribers"),
  subscribersAt: moment("subscribers_at"),
  lastReportAt: moment("last_report_at"),
  /** When the platform was last asked, with what trouble, and until when it is left alone. */
  lastCheckedAt: moment("last_checked_at"),
  checkProblem: text("check_problem"),
  quietUntil: moment("quiet_until"),
});

/** What happened, in order. Written by triggers only. */
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
    /** Null: said from metric and threshold. */
    label: text("label"),
    reachedAt: moment("reached_at"),
    /** The count that reached it, and where. */
    reachedValue: integer("reached_value"),
    platform: platform(),
    sessionId: integer("session_id").references(() => streamSessions.id, { onDelete: "set null" }),
    captionsOwedSince: moment("captions_owed_since"),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("stream_milestones_threshold").on(table.metric, table.threshold),
    index("stream_milestones_ahead").on(table.metric, table.threshold).where(sql`reached_at IS NULL`),
    index("stream_milestones_reached").on(table.metric, table.threshold).where(sql`reached_at IS NOT NULL`),
    index("stream_milestones_owed").on(table.captionsOwedSince).where(sql`captions_owed_since IS NOT NULL`),
  ],
);

/** Running totals of a platform's sessions. Written by triggers only. */
export const streamTotals = sqliteTable("stream_totals", {
  platform: platform().primaryKey(),
  scheduled: counter("scheduled"),
  live: counter("live"),
  ended: counter("ended"),
  cancelled: counter("cancelled"),
  streamedMs: counter("streamed_ms"),
  /** The peaks of the ended sessions together, for their average. */
  peakSum: counter("peak_sum"),
});
