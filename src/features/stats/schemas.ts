import { z } from "@hono/zod-openapi";
import { countsOf, doc, Id, named, Timestamp, TimeZone } from "../../http/schemas.ts";
import { URGENCIES } from "../../lib/email-kinds.ts";
import { quoting } from "../../lib/receipts.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { SyncRun } from "../bookings/schemas.ts";

const count = (description: string) => doc(z.int(), description, 3);

export const StatsQuery = z.object({
  timeZone: doc(TimeZone.optional(), "The time zone of the days. Default: your profile's, or UTC if not signed in."),
});

export const Stats = named("Stats", () => ({
  totalEmails: count("Emails, without those in spam and trash."),
  unreadEmails: count("Unread emails, without those in spam and trash."),
  emailsByTag: quoting(
    "emails:read",
    doc(
      z.record(z.string(), z.int()),
      "Emails for each of the 10 most used tags. `/api/emails/tags` lists all tags. Empty for an API key without the scope `emails:read`.",
      { hello: 12 },
    ),
  ),
  emailsByUrgency: doc(countsOf(URGENCIES), "Analyzed emails by urgency."),
  tasksByStatus: doc(countsOf(TASK_STATUSES), "Tasks by status."),
  overdueTasks: count("Open tasks that were due before now."),
  tasksDueToday: count("Open tasks due today."),
  tasksDoneLast7Days: count("Tasks done today or in the six days before."),
  eventsToday: count("Events today."),
  eventsNext7Days: count("Events today and in the six days after."),
  nextEvent: quoting(
    "calendar:read",
    doc(
      z
        .object({
          id: Id,
          title: doc(z.string(), "The event's title.", "Quarterly review"),
          start: doc(Timestamp, "When it starts."),
          end: doc(Timestamp, "When it ends."),
        })
        .nullable(),
      "The event that starts next; null if there is none. Null for an API key without the scope `calendar:read`.",
    ),
  ),
  ai: doc(
    z.object({
      calls: count("AI calls."),
      fallbacks: count("Calls where the built-in engine replaced a model."),
      byModel: doc(z.record(z.string(), z.int()), "Calls by model; `builtin` is the built-in engine.", {}),
    }),
    "AI usage of the last 24 hours.",
  ),
  lastSync: quoting(
    "calendar:read",
    doc(
      z.object(SyncRun.shape).nullable(),
      "The latest booking sync. Null for an API key without the scope `calendar:read`.",
    ),
  ),
  stream: doc(
    z.object({ state: doc(z.enum(["offline", "scheduled", "live"]), "Whether a stream is live.", "offline") }),
    "The live stream.",
  ),
  series: doc(
    z.array(
      z.object({
        date: doc(z.iso.date(), "The day.", "2026-11-16"),
        emails: count("Emails received."),
        tasksDone: count("Tasks done."),
        events: count("Events."),
      }),
    ),
    "The last 14 days, ending with today.",
  ),
}));

export type Stats = z.infer<typeof Stats>;
