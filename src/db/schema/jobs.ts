import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** How the jobs of the Cron Triggers went. Every job of the schedule has a row from the first run of any cron. */
export const jobs = sqliteTable("jobs", {
  name: text("name").primaryKey(),
  lastStartedAt: moment("last_started_at"),
  lastSucceededAt: moment("last_succeeded_at"),
  lastFailedAt: moment("last_failed_at"),
  /** Why it failed last, without any data of a person. */
  lastError: text("last_error"),
  lastDurationMs: integer("last_duration_ms"),
  /** When it must have succeeded: a day after its last success or its first run. */
  dueAt: moment("due_at").notNull(),
});
