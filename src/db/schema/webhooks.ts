import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OutboundEvent } from "../../lib/outbound-events.ts";
import { moment, versionColumns } from "../columns.ts";
import { ownerId } from "./users.ts";

/** Endpoints that receive outbound events. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    url: text("url").notNull(),
    description: text("description"),
    /** The event types it receives; empty means all. */
    eventTypes: text("event_types", { mode: "json" }).$type<OutboundEvent[]>().notNull(),
    /** Encrypted with ENCRYPTION_KEY. The previous secret also signs until it expires. */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretUntil: moment("previous_secret_until"),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    /** Why the service disabled it; null while enabled, or when a person disabled it. */
    disabledReason: text("disabled_reason"),
    /** The first failure since the last success. */
    failingSince: moment("failing_since"),
    /** Until then nothing is sent, and no attempt is counted. */
    pausedUntil: moment("paused_until"),
    /** Slow responses in a row, counted as far as matters. */
    slowResponses: integer("slow_responses").notNull().default(0),
    ...versionColumns(),
  },
  (table) => [
    index("webhook_endpoints_user_id").on(table.userId, table.id),
    // Every trigger that writes an event checks this first.
    index("webhook_endpoints_enabled").on(table.enabled).where(sql`enabled = 1`),
  ],
);

/**
 * What happened, before it is turned into messages. Written by triggers in the statement that makes the change, so that
 * no code can forget it; nothing is written while no endpoint is enabled. `record_id` is the changed record.
 */
export const outbox = sqliteTable("outbox", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  type: text("type").notNull(),
  recordId: text("record_id").notNull(),
  at: moment("at").notNull(),
});

/** An event as it is sent: the same bytes and id for every endpoint and attempt. */
export const webhookMessages = sqliteTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    payload: text("payload").notNull(),
    /** The row of `outbox` it was made from; null for a test. */
    outboxId: integer("outbox_id"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("webhook_messages_created_at").on(table.createdAt)],
);

/** The delivery of a message to one endpoint. `attempts` also identifies the attempt that is made. */
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
    /** When it is overdue, and the cron has it sent. While an attempt is made, when that one is given up. */
    nextAttemptAt: moment("next_attempt_at"),
    lastAttemptAt: moment("last_attempt_at"),
    responseStatus: integer("response_status"),
    error: text("error"),
    /** Null while an attempt is made. */
    durationMs: integer("duration_ms"),
    deliveredAt: moment("delivered_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("webhook_deliveries_message_id").on(table.messageId),
    index("webhook_deliveries_endpoint").on(table.endpointId, table.createdAt, table.id),
    index("webhook_deliveries_status").on(table.endpointId, table.status, table.createdAt, table.id),
    index("webhook_deliveries_due")
      .on(table.endpointId, table.attempts, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
  ],
);
