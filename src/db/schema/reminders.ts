import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type PersonalChannel, REMINDER_CHANNELS } from "../../lib/channels.ts";
import { REMINDER_RECORDS, REMINDER_STATES, type ReminderDelivery } from "../../lib/reminder-kinds.ts";
import { moment } from "../columns.ts";
import { ownerId } from "./users.ts";

/**
 * Reminders that have fired, one row for each person who is reminded: the log of what was sent, and what is still owed.
 * Triggers raise the outbound events and tell live clients.
 */
export const reminders = sqliteTable(
  "reminders",
  {
    id: integer("id").primaryKey(),
    userId: ownerId(),
    kind: text("kind", { enum: REMINDER_RECORDS }).notNull(),
    /** The record may have been deleted since. */
    recordId: integer("record_id").notNull(),
    /** When the task was due or the event began, as the record said when the reminder fired. Null: no such time. */
    recordAt: moment("record_at"),
    /** The time that the reminder was set for. */
    at: moment("at").notNull(),
    channel: text("channel", { enum: REMINDER_CHANNELS }).notNull(),
    state: text("state", { enum: REMINDER_STATES }).notNull(),
    /** When it fired; after a snooze, when it fired again. */
    firedAt: moment("fired_at").notNull(),
    /** Whether it fired late, because the service was not running at its time. */
    late: integer("late", { mode: "boolean" }).notNull(),
    /** When a delivery is due: now, after quiet hours, after a snooze, or after a try without a result. Null: none is. */
    deliverAt: moment("deliver_at"),
    /** The channel of a delivery that has begun and has no result yet. */
    sending: text("sending").$type<PersonalChannel>(),
    /** How often all channels have failed. */
    rounds: integer("rounds").notNull().default(0),
    /** The log. `roundFrom` of its entries belong to earlier rounds: a channel is tried once a round. */
    deliveries: text("deliveries", { mode: "json" }).$type<ReminderDelivery[]>().notNull().default([]),
    roundFrom: integer("round_from").notNull().default(0),
    version: integer("version").notNull().default(1),
  },
  (table) => [
    // A reminder fires once for each person, whoever finds it due and however often.
    uniqueIndex("reminders_once").on(table.userId, table.kind, table.recordId, table.at, table.channel),
    index("reminders_user").on(table.userId, table.id),
    index("reminders_state").on(table.userId, table.state, table.id),
    index("reminders_owed").on(table.deliverAt).where(sql`deliver_at IS NOT NULL`),
  ],
);

/**
 * When the reminders fire that tasks and single events have of their own. Those with the defaults of a profile have no
 * row: the indexes on due times and starts find them. Written by triggers; a row stays when its time has passed.
 */
export const reminderTimes = sqliteTable(
  "reminder_times",
  {
    /** 32 for each id of a record, plus the place of the reminder in its list, plus 8 for an event. */
    id: integer("id").primaryKey(),
    at: integer("at").notNull(),
  },
  (table) => [index("reminder_times_at").on(table.at)],
);

/** The series that may remind, and when to look at each again. Triggers write 0, which is at once. */
export const seriesReminders = sqliteTable(
  "series_reminders",
  {
    eventId: integer("event_id").primaryKey(),
    lookAt: integer("look_at").notNull(),
  },
  (table) => [index("series_reminders_look_at").on(table.lookAt)],
);

/** One row: how far reminders have been looked for. */
export const reminderState = sqliteTable("reminder_state", {
  id: integer("id").primaryKey(),
  /** Everything due up to this time has fired. */
  checkedUntil: integer("checked_until").notNull(),
  /** A default has changed: series with higher ids are still to be looked at again. Null: none. */
  recheckAfter: integer("recheck_after"),
});
