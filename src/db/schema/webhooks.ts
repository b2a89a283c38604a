import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";
import { users } from "./auth.ts";

/** Where outbound events go. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    description: text("description"),
    /** The event types it wants; empty is all of them. */
    eventTypes: text("event_types", { mode: "json" }).$type<string[]>().notNull(),
    /** Sealed with ENCRYPTION_KEY. The one before also signs until its time is up. */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretUntil: moment("previous_secret_until"),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    /** Why the service switched it off; null while it is on, or when a person did. */
    disabledReason: text("disabled_reason"),
    failingSince: moment("failing_since"),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [index("webhook_endpoints_user_id").on(table.userId, table.id)],
);

/**
 * What happened, to be told to the endpoints that want to know. Written by triggers on the tables of the
 * features, in the very statement that makes the change, so that no writer can forget it; nothing is
 * written while no endpoint is enabled. `record_id` says which record it happened to.
 */
export const outbox = sqliteTable("outbox", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  type: text("type").notNull(),
  recordId: text("record_id").notNull(),
  at: moment("at").notNull(),
});
