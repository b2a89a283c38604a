import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Engine } from "../../lib/ai-kinds.ts";
import {
  CAPTION_KINDS,
  CAPTION_PLATFORMS,
  CAPTION_STATUSES,
  CREDENTIAL_PLATFORMS,
  CREDENTIAL_STATUSES,
  FORMATS,
  TONES,
} from "../../lib/caption-kinds.ts";
import { moment, versionColumns } from "../columns.ts";

/** Posts about a stream: written, approved by a person, posted once. */
export const captions = sqliteTable(
  "captions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: CAPTION_KINDS }).notNull(),
    sessionId: integer("session_id"),
    milestoneId: integer("milestone_id"),
    platform: text("platform", { enum: CAPTION_PLATFORMS }).notNull(),
    /** Kind and id of the stream or milestone in one column, because a unique index never treats NULLs as equal. */
    topic: text("subject").notNull(),
    text: text("text").notNull(),
    hashtags: text("hashtags", { mode: "json" }).$type<string[]>().notNull(),
    status: text("status", { enum: CAPTION_STATUSES }).notNull(),
    /** No response came, so the post may or may not exist. */
    uncertain: integer("uncertain", { mode: "boolean" }).notNull(),
    postUrl: text("post_url"),
    error: text("error"),
    /** When the platform accepts posts again. */
    retryAt: moment("retry_at"),
    attempts: integer("attempts").notNull(),
    engine: text("engine", { mode: "json" }).$type<Engine>().notNull(),
    /**
     * When a model is asked next for a text in place of the built-in writer's; null if it is not. Every change by a person
     * and every dispatch clears it: from then on the text stays.
     */
    modelDueAt: moment("model_due_at"),
    /** Attempts of the model that have begun. */
    modelAttempts: integer("model_attempts").notNull().default(0),
    /** When the current dispatch claimed it. */
    claimedAt: moment("claimed_at"),
    postedAt: moment("posted_at"),
    ...versionColumns(),
  },
  (table) => [
    uniqueIndex("captions_subject").on(table.topic, table.platform),
    index("captions_status").on(table.status, table.id),
    index("captions_platform").on(table.platform, table.id),
    index("captions_session").on(table.sessionId, table.id),
    index("captions_model_due").on(table.modelDueAt).where(sql`model_due_at IS NOT NULL`),
  ],
);

/** Number of captions by platform and status. Written by triggers, so that counting needs no scan. */
export const captionTotals = sqliteTable(
  "caption_totals",
  {
    platform: text("platform", { enum: CAPTION_PLATFORMS }).notNull(),
    status: text("status", { enum: CAPTION_STATUSES }).notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.platform, table.status] })],
);

/** Access to the platforms. */
export const streamCredentials = sqliteTable("stream_credentials", {
  platform: text("platform", { enum: CREDENTIAL_PLATFORMS }).primaryKey(),
  /** The fields as JSON, encrypted with ENCRYPTION_KEY for this platform and version. */
  sealed: text("sealed").notNull(),
  status: text("status", { enum: CREDENTIAL_STATUSES }).notNull(),
  /** Name of the account at the platform. */
  account: text("account"),
  checkedAt: moment("checked_at"),
  /** Lease of the request that exchanges the refresh token, which works only once. */
  refreshingUntil: moment("refreshing_until"),
  ...versionColumns(),
});

/** How captions are worded on each platform. The migration inserts one row per platform. */
export const streamVoices = sqliteTable("stream_voices", {
  platform: text("platform", { enum: CAPTION_PLATFORMS }).primaryKey(),
  tone: text("tone", { enum: TONES }).notNull(),
  customPrompt: text("custom_prompt").notNull(),
  hashtags: text("hashtags", { mode: "json" }).$type<string[]>().notNull(),
  callToAction: text("call_to_action").notNull(),
  format: text("format", { enum: FORMATS }).notNull(),
  autoApprove: integer("auto_approve", { mode: "boolean" }).notNull(),
  version: integer("version").notNull(),
  /** Null until a person changes it. */
  updatedAt: moment("updated_at"),
});
