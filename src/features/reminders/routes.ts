import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import {
  Reminder,
  ReminderList,
  ReminderQuery,
  ReminderSnooze,
  UpcomingReminderQuery,
  UpcomingReminders,
} from "./schemas.ts";
import { dismissReminder, getReminder, listReminders, snoozeReminder } from "./service.ts";
import { upcomingReminders } from "./upcoming.ts";

export const routes = createRouter();

const read = data("tasks:read");
const write = data("tasks:write");
const WHOSE = "Without a credential, in open mode, these are the owner's.";

routes.endpoint("get", "/api/reminders", {
  operationId: "listReminders",
  summary: "List reminders",
  description:
    "Returns reminders that have fired, newest first, with the result of each channel. They are kept for 90 " +
    `days. ${WHOSE}`,
  guard: read,
  query: ReminderQuery,
  returns: { 200: ReminderList },
  handle: ({ ctx, query }) => listReminders(ctx, query),
});

routes.endpoint("get", "/api/reminders/upcoming", {
  operationId: "listUpcomingReminders",
  summary: "List upcoming reminders",
  description:
    "Returns your upcoming reminders. They move with their task or event, and end when it is done, cancelled or " +
    `deleted. ${WHOSE}`,
  guard: read,
  query: UpcomingReminderQuery,
  returns: { 200: UpcomingReminders },
  handle: ({ ctx, query }) => upcomingReminders(ctx, query),
});

routes.endpoint("get", "/api/reminders/{id}", {
  operationId: "getReminder",
  summary: "Get a reminder",
  description: "Returns one of your reminders that have fired.",
  guard: read,
  returns: { 200: Reminder },
  handle: ({ ctx, params }) => getReminder(ctx, params.id),
});

routes.endpoint("post", "/api/reminders/{id}/snooze", {
  operationId: "snoozeReminder",
  summary: "Snooze a reminder",
  description:
    "Fires the reminder again later, even in quiet hours. It is dropped if the record is done, " +
    "cancelled, deleted or moved before then.",
  guard: write,
  body: ReminderSnooze,
  returns: { 200: Reminder },
  handle: ({ ctx, params, body }) => snoozeReminder(ctx, params.id, body),
});

routes.endpoint("post", "/api/reminders/{id}/dismiss", {
  operationId: "dismissReminder",
  summary: "Dismiss a reminder",
  description: "Marks a reminder as seen and cancels its pending deliveries. The task or event does not change.",
  guard: write,
  returns: { 200: Reminder },
  handle: ({ ctx, params }) => dismissReminder(ctx, params.id),
});
