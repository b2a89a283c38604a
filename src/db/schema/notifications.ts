import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DEFAULT_CHANNELS, type PersonalChannel } from "../../lib/channels.ts";
import type { QuietHours } from "../../lib/reminder-kinds.ts";
import { moment } from "../columns.ts";
import { sessions } from "./auth.ts";
import { ownerId, users } from "./users.ts";

const flag = (name: string, on: boolean) => integer(name, { mode: "boolean" }).notNull().default(on);

/** A trigger creates the row with the account. Security alerts cannot be turned off, so they have no column. */
export const notificationPreferences = sqliteTable(
  "notification_preferences",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    syncFailure: flag("sync_failure", true),
    tokenAlerts: flag("token_alerts", true),
    dailyBrief: flag("daily_brief", false),
    /** In the time zone of the person. */
    briefHour: integer("brief_hour").notNull().default(7),
    /** Day of the latest brief, in the time zone of the person. */
    briefDate: text("brief_date"),
    briefStatus: text("brief_status", { enum: ["sent", "skipped", "failed"] }),
    reminders: flag("reminders", true),
    /** Minutes before a task is due, and before an event begins, for those without reminders of their own. Null: none. */
    taskReminder: integer("task_reminder").default(0),
    eventReminder: integer("event_reminder").default(10),
    /** The channels for reminders, in the order in which they are tried. */
    reminderChannels: text("reminder_channels", { mode: "json" })
      .$type<PersonalChannel[]>()
      .notNull()
      .default([...DEFAULT_CHANNELS]),
    /** In the time zone of the person. */
    quietHours: text("quiet_hours", { mode: "json" }).$type<QuietHours>(),
    version: integer("version").notNull().default(1),
    updatedAt: moment("updated_at"),
  },
  (table) => [index("notification_preferences_brief").on(table.userId).where(sql`daily_brief = 1`)],
);

/** Browsers and devices that a person gets Web Push on. Each ends with the session that subscribed it. */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** Of the push service. Whoever knows it and the VAPID key can send to the device. */
    endpoint: text("endpoint").notNull(),
    /** The device's public key and secret, in base64url (RFC 8291). */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    name: text("name").notNull(),
    createdAt: moment("created_at").notNull(),
    lastSentAt: moment("last_sent_at"),
    lastError: text("last_error"),
  },
  (table) => [
    uniqueIndex("push_subscriptions_endpoint").on(table.endpoint),
    index("push_subscriptions_user").on(table.userId),
    index("push_subscriptions_session").on(table.sessionId),
  ],
);
