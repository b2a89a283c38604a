import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

const counter = (name: string) => integer(name).notNull().default(0);

/** The connection to the booking provider: one row, or none. */
export const bookingConnection = sqliteTable("booking_connection", {
  id: integer("id").primaryKey(),
  /** Both encrypted with ENCRYPTION_KEY. */
  apiKey: text("api_key").notNull(),
  webhookSecret: text("webhook_secret"),
  status: text("status", { enum: ["unverified", "connected", "invalid_key"] }).notNull(),
  account: text("account", { mode: "json" }).$type<{ email: string; name: string; timeZone: string }>(),
  keyUpdatedAt: moment("key_updated_at").notNull(),
  /** Every change up to here is in the calendar. */
  watermark: moment("watermark"),
  /** Where an unfinished run stopped; the next run continues from there. */
  resumeAt: moment("resume_at"),
  /** When the first full sync began, until it is complete: changes since then are still to be read. */
  firstWalkAt: moment("first_walk_at"),
  /** Where the second pass of an unfinished full sync is, by start; the next run continues there. */
  fullResumeAt: moment("full_resume_at"),
  lastFullAt: moment("last_full_at"),
  /** When the owner was notified that the sync fails; null while it works. One notification per outage. */
  outageReportedAt: moment("outage_reported_at"),
});

/** Runs of the sync. A run that is `running` and whose lease has not expired is also the lock. */
export const syncRuns = sqliteTable(
  "sync_runs",
  {
    id: text("id").primaryKey(),
    trigger: text("trigger", { enum: ["manual", "cron", "webhook"] }).notNull(),
    mode: text("mode", { enum: ["incremental", "full"] }).notNull(),
    status: text("status", { enum: ["running", "succeeded", "partial", "failed"] }).notNull(),
    leaseUntil: moment("lease_until").notNull(),
    fetched: counter("fetched"),
    created: counter("created"),
    updated: counter("updated"),
    unchanged: counter("unchanged"),
    cancelled: counter("cancelled"),
    skipped: counter("skipped"),
    errors: text("errors", { mode: "json" }).$type<string[]>().notNull().default([]),
    startedAt: moment("started_at").notNull(),
    finishedAt: moment("finished_at"),
  },
  (table) => [
    index("sync_runs_started_at").on(table.startedAt, table.id),
    index("sync_runs_status").on(table.status, table.leaseUntil),
  ],
);

/** Webhooks that were processed, so that a repeated one does nothing. */
export const bookingDeliveries = sqliteTable(
  "booking_deliveries",
  {
    bodyHash: text("body_hash").primaryKey(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("booking_deliveries_expires_at").on(table.expiresAt)],
);
