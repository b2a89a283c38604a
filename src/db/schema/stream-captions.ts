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
import { moment } from "../columns.ts";

/** The posts about a stream: written, approved by a person, posted once. */
export const captions = sqliteTable(
  "captions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: CAPTION_KINDS }).notNull(),
    sessionId: integer("session_id"),
    milestoneId: integer("milestone_id"),
    platform: text("platform", { enum: CAPTION_PLATFORMS }).notNull(),
    /** What it is about, as one word: with the platform it is unique, since NULLs are never equal. */
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    hashtags: text("hashtags", { mode: "json" }).$type<string[]>().notNull(),
    status: text("status", { enum: CAPTION_STATUSES }).notNull(),
    /** It may or may not have been posted: the platform's answer never came. */
    uncertain: integer("uncertain", { mode: "boolean" }).notNull(),
    postUrl: text("post_url"),
    error: text("error"),
    /** When the platform said it would take a post again. */
    retryAt: moment("retry_at"),
    attempts: integer("attempts").notNull(),
    engine: text("engine", { mode: "json" }).$type<Engine>().notNull(),
    /** When the dispatch that holds it took it. */
    claimedAt: moment("claimed_at"),
    postedAt: moment("posted_at"),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("captions_subject").on(table.subject, table.platform),
    index("captions_status").on(table.status, table.id),
    index("captions_platform").on(table.platform, table.id),
    index("captions_session").on(table.sessionId, table.id),
  ],
);

/** How many captions there are. Written by triggers only, so that a count costs the same after any number of posts. */
export const captionTotals = sqliteTable(
  "caption_totals",
  {
    platform: text("platform", { enum: CAPTION_PLATFORMS }).notNull(),
    status: text("status", { enum: CAPTION_STATUSES }).notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.platform, table.status] })],
);

/** What the platforms let us in with. */
export const streamCredentials = sqliteTable("stream_credentials", {
  platform: text("platform", { enum: CREDENTIAL_PLATFORMS }).primaryKey(),
  /** The fields as JSON, sealed with ENCRYPTION_KEY for this platform and version. */
  sealed: text("sealed").notNull(),
  status: text("status", { enum: CREDENTIAL_STATUSES }).notNull(),
  /** Whose it is, as the platform names them. */
  account: text("account"),
  checkedAt: moment("checked_at"),
  /** Somebody is exchanging the refresh token until then; it works once. */
  refreshingUntil: moment("refreshing_until"),
  version: integer("version").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** How we speak on each platform: a row for each from the start. */
export const streamVoices = sqliteTable("stream_voices", {
  platform: text("platform", { enum: CAPTION_PLATFORMS }).primaryKey(),
  tone: text("tone", { enum: TONES }).notNull(),
  customPrompt: text("custom_prompt").notNull(),
  hashtags: text("hashtags", { mode: "json" }).$type<string[]>().notNull(),
  callToAction: text("call_to_action").notNull(),
  format: text("format", { enum: FORMATS }).notNull(),
  autoApprove: integer("auto_approve", { mode: "boolean" }).notNull(),
  version: integer("version").notNull(),
  /** When a person last changed it. */
  updatedAt: moment("updated_at"),
});
