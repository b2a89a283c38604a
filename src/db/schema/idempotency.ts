import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** Idempotency keys of the last day: a claim while the request runs, then its response. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** Each actor has its own keys. */
    actor: text("actor").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** Identifies the request that holds the key: only it can complete or release the key. */
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
