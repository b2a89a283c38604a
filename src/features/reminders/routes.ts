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
      "Returns your reminders that have fired, newest first, with what was sent by which channel. They are kept for 90 " +
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
      "Returns when you will be reminded of what, as far as is known now: a record that moves takes its reminders along, " +
      `and one that is done, cancelled or deleted has none. ${WHOSE}`,
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
      "Has a reminder fire again later, also within quiet hours. It does not fire again if the record is done, cancelled, " +
      "deleted or moved until then.",
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
    description: "Marks a reminder as seen. What is still to be sent of it is not sent. The record stays as it is.",
    guard: write,
    params: ReminderParams,
    returns: { 200: Reminder },
    errors: ["not_found"],
  }),
  async (c) => c.json(await dismissReminder(contextOf(c), c.req.valid("param").id), 200),
);
