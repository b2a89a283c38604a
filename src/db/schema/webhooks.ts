import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OutboundEvent } from "../../lib/outbound-events.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

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
    eventTypes: text("event_types", { mode: "json" }).$type<OutboundEvent[]>().notNull(),
    /** Sealed with ENCRYPTION_KEY. The one before also signs until its time is up. */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretUntil: moment("previous_secret_until"),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    /** Why the service switched it off; null while it is on, or when a person did. */
    disabledReason: text("disabled_reason"),
    /** The first of the failures that no success has come after. */
    failingSince: moment("failing_since"),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    index("webhook_endpoints_user_id").on(table.userId, table.id),
    // What every trigger that writes an event asks first.
    index("webhook_endpoints_enabled").on(table.enabled).where(sql`enabled = 1`),
  ],
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

/** An event as it goes out: the same bytes under the same id to every endpoint and at every try. */
export const webhookMessages = sqliteTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    payload: text("payload").notNull(),
    /** The row of the outbox it was made of; null for a test. */
    outboxId: integer("outbox_id"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("webhook_messages_created_at").on(table.createdAt)],
);

/** A message on its way to one endpoint. `attempts` also tells who holds it: each try has a number of its own. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    messageId: text("message_id")
      .notNull()
      .references(() => webhookMessages.id, { onDelete: "cascade" }),
    endpointId: integer("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer("attempts").notNull(),
    /** When it is to be tried; while a try runs, when that one is given up for dead. */
    nextAttemptAt: moment("next_attempt_at"),
    /** Until when the try that runs may take; null while none does. */
    leaseUntil: moment("lease_until"),
    lastAttemptAt: moment("last_attempt_at"),
    responseStatus: integer("response_status"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    deliveredAt: moment("delivered_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("webhook_deliveries_message_id").on(table.messageId),
    index("webhook_deliveries_endpoint").on(table.endpointId, table.createdAt, table.id),
    index("webhook_deliveries_status").on(table.endpointId, table.status, table.createdAt, table.id),
    index("webhook_deliveries_due").on(table.nextAttemptAt, table.id).where(sql`status = 'pending'`),
    index("webhook_deliveries_untried")
      .on(table.nextAttemptAt, table.id)
      .where(sql`status = 'pending' AND attempts = 0`),
  ],
);
