import { z } from "@hono/zod-openapi";
import { doc, named } from "../../http/schemas.ts";
import { PERSONAL_CHANNELS } from "../../lib/channels.ts";
import { MAX_DEFAULT_MINUTES } from "../../lib/reminder-kinds.ts";

const switches = {
  syncFailure: doc(z.boolean(), "Whether you get an email when the booking sync starts to fail.", true),
  tokenAlerts: doc(z.boolean(), "Whether you get an email when one of your AI token alerts fires.", true),
  dailyBrief: doc(z.boolean(), "Whether you get an email every morning with the events and tasks of the day.", true),
};
const briefHour = doc(z.int().min(0).max(23), "Hour of the day, in your time zone, when the daily brief is sent.", 7);

const minutes = z.int().min(0).max(MAX_DEFAULT_MINUTES).nullable();
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");
const QuietHours = z
  .object({
    start: doc(Clock, "When quiet hours begin, in your time zone.", "22:00"),
    end: doc(Clock, "When they end; on the next day if that is not after `start`.", "07:00"),
  })
  .refine(({ start, end }) => start !== end, { path: ["end"], message: "must differ from start" });

const reminderFields = {
  reminders: doc(z.boolean(), "Whether you are reminded of tasks and events at all.", true),
  taskReminderMinutes: doc(
    minutes,
    "Minutes before a task is due when you are reminded, unless the task has reminders of its own; null: not at all. For " +
      "a task that is due on a day, you are reminded when your working hours begin on that day, or at 09:00.",
    0,
  ),
  eventReminderMinutes: doc(
    minutes,
    "Minutes before an event begins when you are reminded, unless the event has reminders of its own; null: not at all. " +
      "For an all-day event, you are reminded when your working hours begin on its first day, or at 09:00.",
    10,
  ),
  reminderChannels: doc(
    z
      .array(z.enum(PERSONAL_CHANNELS))
      .max(PERSONAL_CHANNELS.length)
      .refine((list) => new Set(list).size === list.length, "must not repeat a channel"),
    "How you are reminded. The first channel that works is used. An empty list: only in the console and by outbound events.",
    ["push", "email"],
  ),
  quietHours: doc(
    QuietHours.nullable(),
    "Reminders wait until these hours end; null for no quiet hours. A reminder does not wait if its " +
      "record is due or begins within them, if it has a fixed time, or if it was snoozed.",
    { start: "22:00", end: "07:00" },
  ),
};

const LastBrief = z.object({
  date: doc(z.iso.date(), "Day of the brief, in your time zone.", "2026-11-16"),
  status: doc(
    z.enum(["sent", "skipped", "failed"]),
    "`skipped` if outgoing email is not set up; `failed` if the email could not be sent.",
    "sent",
  ),
});

export const NotificationPreferences = named("NotificationPreferences", () => ({
  securityAlerts: doc(z.literal(true), "Always true. Security alerts cannot be turned off.", true),
  ...switches,
  briefHour,
  ...reminderFields,
  lastBrief: doc(LastBrief.nullable(), "The latest daily brief; null if there has been none."),
  version: doc(z.int(), "Version of the preferences, for `If-Match`.", 3),
}));

export const NotificationChanges = z
  .object({ ...switches, briefHour, ...reminderFields })
  .partial()
  .openapi("NotificationChanges", {
    example: { dailyBrief: true, eventReminderMinutes: 15, quietHours: { start: "22:00", end: "07:00" } },
  });
export type PreferenceChanges = z.output<typeof NotificationChanges>;
