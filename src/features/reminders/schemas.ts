import { z } from "@hono/zod-openapi";
import {
  doc,
  Id,
  integerParam,
  listOf,
  named,
  pageParams,
  Timestamp,
  TimestampInput,
  TimeZone,
} from "../../http/schemas.ts";
import { CHANNELS, REMINDER_CHANNELS } from "../../lib/channels.ts";
import { readBy } from "../../lib/receipts.ts";
import { DELIVERY_OUTCOMES, REMINDER_RECORDS, REMINDER_STATES } from "../../lib/reminder-kinds.ts";

const Delivery = z.object({
  channel: doc(z.enum(CHANNELS).nullable(), "The channel that was tried; null if nothing was left to send.", "push"),
  outcome: doc(
    z.enum(DELIVERY_OUTCOMES),
    "`skipped`: the channel is not set up. `unknown`: it may have been sent. After anything but `sent`, the next channel " +
      "is tried.",
    "sent",
  ),
  at: doc(Timestamp, "When it was tried."),
  detail: doc(z.string().nullable(), "Details of the result.", "Sent to 2 devices."),
});

const about = {
  recordType: doc(z.enum(REMINDER_RECORDS), "What the reminder is about.", "task"),
  recordId: doc(Id, "Id of the task or event; for an occurrence of a series, the id of the series.", 31),
  title: doc(
    z.string().nullable(),
    "Title of the task or event. Null if it was deleted, and of an event for an API key without `calendar:read`.",
    "Send the signed contract",
  ),
  recordAt: doc(Timestamp.nullable(), "When the task is due or the event begins; null without such a time."),
  at: doc(Timestamp, "The time that the reminder is set for."),
  channel: doc(z.enum(REMINDER_CHANNELS), "The channel that the reminder asks for.", "default"),
};

export const Reminder = named("Reminder", () => ({
  id: Id,
  userId: doc(Id, "Whom it reminds."),
  ...about,
  state: doc(z.enum(REMINDER_STATES), "`snoozed` until `snoozedUntil`; `dismissed` if you have seen it.", "fired"),
  firedAt: doc(Timestamp, "When it fired; after a snooze, when it fired again."),
  late: doc(z.boolean(), "Whether it fired more than two minutes after its time: the service was not running.", false),
  snoozedUntil: doc(Timestamp.nullable(), "When it fires again; null unless it is snoozed.", null),
  deliverAt: doc(Timestamp.nullable(), "When it will be sent, such as after quiet hours. Null if it was sent.", null),
  deliveries: doc(z.array(Delivery), "What was sent, oldest first."),
}));
readBy("tasks:read", Reminder);
export type Reminder = z.infer<typeof Reminder>;

export const ReminderList = listOf(Reminder, "ReminderList");

export const ReminderQuery = z.object({
  state: doc(z.enum(REMINDER_STATES).optional(), "Only reminders in this state."),
  ...pageParams,
});
export type ReminderQuery = z.output<typeof ReminderQuery>;

const UpcomingReminder = named("UpcomingReminder", () => ({
  ...about,
  deliverAt: doc(Timestamp, "When it is sent: `at`, or the end of your quiet hours."),
}));

export const UpcomingReminders = named("UpcomingReminders", () => ({
  data: doc(z.array(UpcomingReminder), "The reminders, earliest first."),
}));

export const UpcomingReminderQuery = z.object({
  days: integerParam(1, 31).default(7).meta({ description: "How many days to look ahead. Default: 7.", default: 7 }),
  limit: pageParams.limit,
});
export type UpcomingReminderQuery = z.output<typeof UpcomingReminderQuery>;

export const ReminderSnooze = z
  .object({
    minutes: doc(
      z
        .int()
        .min(1)
        .max(28 * 24 * 60)
        .optional(),
      "Snooze for this many minutes.",
      10,
    ),
    until: doc(TimestampInput.optional(), "Snooze until this time.", "2026-11-17T08:00:00+01:00"),
    untilText: doc(
      z.string().trim().min(1).max(200).optional(),
      "Snooze until this time in plain English, such as `in 10 minutes` or `tomorrow morning`.",
      "tomorrow morning",
    ),
    timeZone: doc(TimeZone.optional(), "IANA time zone of `untilText`. Default: the time zone of your profile."),
  })
  .refine(
    ({ minutes, until, untilText }) => [minutes, until, untilText].filter((each) => each !== undefined).length === 1,
    { message: "must have exactly one of minutes, until and untilText" },
  )
  .openapi("ReminderSnooze", { example: { untilText: "in 10 minutes" } });
export type ReminderSnooze = z.output<typeof ReminderSnooze>;
