import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** How the jobs of the Cron Triggers went. A row is written when a job first runs. */
export const jobs = sqliteTable("jobs", {
  name: text("name").primaryKey(),
  lastStartedAt: moment("last_started_at").notNull(),
  lastSucceededAt: moment("last_succeeded_at"),
  lastFailedAt: moment("last_failed_at"),
  /** Why it failed last, without any data of a person. */
  lastError: text("last_error"),
  lastDurationMs: integer("last_duration_ms"),
  /** When the owner was told that it has not succeeded for a day; null again after a success. */
  alertedAt: moment("alerted_at"),
});

/** Files that no record refers to any more, and uploads that no record refers to yet. The cron deletes what is due. */
export const filesToDelete = sqliteTable(
  "files_to_delete",
  {
    key: text("key").primaryKey(),
    store: text("store", { enum: ["kv"] }).notNull(),
    dueAt: moment("due_at").notNull(),
  },
  (table) => [index("files_to_delete_due_at").on(table.dueAt)],
);
