import { z } from "@hono/zod-openapi";
import { countsOf, Id, Timestamp, TimeZone } from "../../http/schemas.ts";
import { URGENCIES } from "../../lib/email-kinds.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { SyncRun } from "../bookingsvc/schemas.ts";

const count = z.int().openapi({ example: 3 });

export const StatsQuery = z.object({
  timeZone: TimeZone.optional().openapi({
    description: "Where days begin. Your profile's zone when left out, UTC for whoever is not signed in.",
  }),
});

export const Stats = z
  .object({
    totalEmails: count,
    unreadEmails: count,
    emailsByTag: z
      .record(z.string(), z.int())
      .openapi({ example: { hello: 12 }, description: "The 100 most used tags; all are at `/api/emails/tags`." }),
    emailsByUrgency: countsOf(URGENCIES).openapi({ description: "Of the mail that has been analysed." }),
    tasksByStatus: countsOf(TASK_STATUSES),
    overdueTasks: count.openapi({ description: "Open, and due before now." }),
    tasksDueToday: count.openapi({ description: "Open, and due within today." }),
    tasksDoneLast7Days: count.openapi({ description: "Done today or in the six days before." }),
    eventsToday: count,
    eventsNext7Days: count,
    nextEvent: z
      .object({ id: Id, title: z.string(), start: Timestamp, end: Timestamp })
      .nullable()
      .openapi({ description: "The event that starts next." }),
    ai: z
      .object({ calls: count, fallbacks: count, byModel: z.record(z.string(), z.int()).openapi({ example: {} }) })
      .openapi({ description: "The last 24 hours." }),
    lastSync: z.object(SyncRun.shape).nullable().openapi({ description: "The newest run of the booking sync." }),
    stream: z.object({ state: z.enum(["offline", "scheduled", "live"]).openapi({ example: "offline" }) }),
    series: z
      .array(
        z.object({
          date: z.iso.date().openapi({ example: "2026-11-16" }),
          emails: count,
          tasksDone: count,
          events: count,
        }),
      )
      .openapi({ description: "The last 14 days, today last." }),
  })
  .openapi("Stats");

export type Stats = z.infer<typeof Stats>;
