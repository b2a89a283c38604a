import { z } from "@hono/zod-openapi";
import { REMINDER_CHANNELS } from "../lib/channels.ts";
import { MAX_MINUTES_BEFORE, MAX_REMINDERS, type StoredReminder } from "../lib/reminder-kinds.ts";
import { doc, named, Timestamp, TimestampInput } from "./schemas.ts";

const CHANNEL =
  "How you are reminded. `default`: the channels of your notification preferences, in their order. `webhook`: only by " +
  "the outbound events `task.due` and `event.starting`. A channel that fails is followed by the next one.";

const reminderInput = () =>
  z
    .object({
      at: doc(TimestampInput.nullish(), "When to remind. Not for a series.", "2026-11-20T08:00:00+01:00"),
      minutesBefore: doc(
        z.int().min(0).max(MAX_MINUTES_BEFORE).nullish(),
        "Instead of `at`: minutes before the task is due or the event begins. It moves with the record. A day without a " +
          "time counts from its start.",
        30,
      ),
      channel: doc(z.enum(REMINDER_CHANNELS), `${CHANNEL} Default: \`default\`.`).default("default"),
    })
    .transform(({ at = null, minutesBefore = null, channel }, ctx): StoredReminder => {
      if (at !== null && minutesBefore === null) return { at: at.getTime(), channel };
      if (at === null && minutesBefore !== null) return { minutesBefore, channel };
      ctx.addIssue({ code: "custom", message: "must have either at or minutesBefore" });
      return z.NEVER;
    });

/** The `reminders` of a task or an event, on input. */
export const remindersInput = () =>
  z
    .array(reminderInput())
    .max(MAX_REMINDERS)
    .refine(
      (list) => new Set(list.map((each) => JSON.stringify(each))).size === list.length,
      "must not repeat a reminder",
    )
    .nullable();

export const REMINDERS_TEXT =
  "Reminders of this record. Null: the defaults of each person's notification preferences. An empty list: none.";

const Reminder = named("RecordReminder", () => ({
  at: doc(Timestamp.nullable(), "When to remind; null if `minutesBefore` is set."),
  minutesBefore: doc(z.int().nullable(), "Minutes before the record's time; null if `at` is set.", null),
  channel: doc(z.enum(REMINDER_CHANNELS), CHANNEL, "default"),
}));

/** The `reminders` of a task or an event, on output. */
export const recordReminders = () => doc(z.array(Reminder).nullable(), REMINDERS_TEXT, null);
