import { contextOf } from "../../http/app-env.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import {
  Reminder,
  ReminderList,
  ReminderParams,
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

routes.openapi(
  route("get", "/api/reminders", {
    operationId: "listReminders",
    summary: "List reminders",
    description:
      "Returns reminders that have fired, newest first, with the result of each channel. They are kept for 90 " +
      `days. ${WHOSE}`,
    guard: read,
    query: ReminderQuery,
    returns: { 200: ReminderList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listReminders(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/reminders/upcoming", {
    operationId: "listUpcomingReminders",
    summary: "List upcoming reminders",
    description:
      "Returns your upcoming reminders. They move with their task or event, and end when it is done, cancelled or " +
      `deleted. ${WHOSE}`,
    guard: read,
    query: UpcomingReminderQuery,
    returns: { 200: UpcomingReminders },
  }),
  async (c) => c.json(await upcomingReminders(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/reminders/{id}", {
    operationId: "getReminder",
    summary: "Get a reminder",
    description: "Returns one of your reminders that have fired.",
    guard: read,
    params: ReminderParams,
    returns: { 200: Reminder },
    errors: ["not_found"],
  }),
  async (c) => c.json(await getReminder(contextOf(c), c.req.valid("param").id), 200),
);

routes.openapi(
  route("post", "/api/reminders/{id}/snooze", {
    operationId: "snoozeReminder",
    summary: "Snooze a reminder",
    description:
      "Fires the reminder again later, even in quiet hours. It is dropped if the record is done, " +
      "cancelled, deleted or moved before then.",
    guard: write,
    params: ReminderParams,
    body: ReminderSnooze,
    returns: { 200: Reminder },
    errors: ["not_found"],
  }),
  async (c) => c.json(await snoozeReminder(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/reminders/{id}/dismiss", {
    operationId: "dismissReminder",
    summary: "Dismiss a reminder",
    description: "Marks a reminder as seen and cancels its pending deliveries. The task or event does not change.",
    guard: write,
    params: ReminderParams,
    returns: { 200: Reminder },
    errors: ["not_found"],
  }),
  async (c) => c.json(await dismissReminder(contextOf(c), c.req.valid("param").id), 200),
);
