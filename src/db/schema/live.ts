import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LIVE_TYPES } from "../../lib/live-kinds.ts";

/**
 * What changed, for live clients: only which record, never what it says. Written by triggers (triggers/told.ts, triggers/live.sql).
 *
 * Ids are consecutive and in the order of commits, and none is used twice although old rows are purged: a new row gets
 * the highest id plus one, and the newest row is never deleted. AUTOINCREMENT would write a second row for each change.
 */
export const changes = sqliteTable("changes", {
  id: integer("id").primaryKey(),
  /** The same for all rows of a statement: SQLite reads the clock once for each. */
  at: integer("at").notNull().default(sql`(CAST(unixepoch('subsec') * 1000 AS INTEGER))`),
  /** `reset`: a statement changed too many records to name them. */
  type: text("type", { enum: ["reset", ...LIVE_TYPES] }).notNull(),
  recordId: text("record_id"),
  /** Null for records without a version. */
  version: integer("version"),
  /** Who may learn of it, separated by spaces: `user:1`, `key:2`, `anonymous`. Null: whoever may read such records. */
  audience: text("audience"),
});

/**
 * One row: until when live clients may be listening. Frequent writes of records return it (`LISTENED`), so that nobody
 * calls the hub while there is no client.
 */
export const liveClients = sqliteTable("live_clients", {
  id: integer("id").primaryKey(),
  until: integer("until").notNull(),
});
