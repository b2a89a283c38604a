import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { TRANSFER_KINDS, TRANSFER_STATES } from "../../lib/transfer-kinds.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/**
 * Imports and exports, which take longer than a request. Each is done in slices: a queue message claims the next one, and
 * the cron sends the message again for a slice that was cut off. A trigger has the files deleted with the row.
 */
export const transfers = sqliteTable(
  "transfers",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: TRANSFER_KINDS }).notNull(),
    /** Whose it is; null for what somebody without an account began. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    state: text("state", { enum: TRANSFER_STATES }).notNull(),
    /** Number of the slice that was last claimed. */
    slice: integer("slice").notNull(),
    /** Slices since the last one that got on. */
    attempts: integer("attempts").notNull(),
    /** When the next slice is overdue, and the cron sends its message; null when there is nothing more to do. */
    dueAt: moment("due_at"),
    /** Where the next slice goes on; null at the beginning. Only the code that wrote it reads it. */
    position: text("position", { mode: "json" }).$type<unknown>(),
    options: text("options", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    done: integer("done").notNull(),
    /** Null while it is not known. */
    total: integer("total"),
    result: text("result", { mode: "json" }).$type<Record<string, unknown>>(),
    /** What went wrong, for the person. */
    error: text("error"),
    /** The object in R2 that it writes or reads, and those that it keeps between its slices. */
    fileKey: text("file_key"),
    fileSize: integer("file_size"),
    scratchKeys: text("scratch_keys", { mode: "json" }).$type<string[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    finishedAt: moment("finished_at"),
    /** When it is deleted with its file. */
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("transfers_user").on(table.userId, table.kind, table.createdAt, table.id),
    index("transfers_due").on(table.dueAt).where(sql`due_at IS NOT NULL`),
    index("transfers_expires_at").on(table.expiresAt),
    // One of a kind at a time: an export reads everything, and two imports would meet each other's records.
    uniqueIndex("transfers_under_way")
      .on(table.userId, table.kind)
      .where(sql`due_at IS NOT NULL AND kind IN ('export', 'import')`),
  ],
);
