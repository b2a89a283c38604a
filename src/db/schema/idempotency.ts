import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** One row for each Idempotency-Key seen in the last day: a claim while it runs, then its answer. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** Who used the key: keys of different actors never meet. */
    actor: text("actor").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** Names the request that holds the key, so that only it can finish or release it. */
    claim: text("claim").notNull(),
    claimedAt: moment("claimed_at").notNull(),
    /** Whether the request has written anything, recorded in the same batch as its first write. */
    hasWritten: integer("has_written", { mode: "boolean" }).notNull().default(false),
    status: integer("status"),
    headers: text("headers", { mode: "json" }).$type<Record<string, string>>(),
    body: text("body"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.actor, table.key] }),
    index("idempotency_keys_expires_at").on(table.expiresAt),
  ],
);
