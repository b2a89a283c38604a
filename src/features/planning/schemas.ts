import { z } from "@hono/zod-openapi";
import { doc, Id, named, TimeOrDateInput, Timestamp, TimeZone } from "../../http/schemas.ts";
import { MAX_PLANNED } from "../../lib/task-kinds.ts";

export const PlanInput = named(
  "PlanRequest",
  () => ({
    date: doc(z.iso.date().optional(), "The day to plan. Default: today."),
    from: doc(TimeOrDateInput.optional(), "Start of the time to plan, instead of `date`. Never before now."),
    to: doc(
      TimeOrDateInput.optional(),
      "End of the time to plan; a date includes that day. At most 14 days after `from`.",
    ),
    timeZone: doc(TimeZone.optional(), "Your time zone. Default: that of your profile, otherwise UTC."),
    listId: doc(Id.optional(), "Only tasks of this list."),
    taskIds: doc(z.array(Id).min(1).max(100).optional(), "Only these tasks."),
    limit: doc(z.int().min(1).max(MAX_PLANNED).optional(), `At most this many tasks. Default: ${MAX_PLANNED}.`),
  }),
  { example: { timeZone: "Europe/Berlin" } },
);
export type PlanInput = z.output<typeof PlanInput>;

export const PlanResult = named("PlanResult", () => ({
  conversationId: doc(z.string(), "The conversation that has the proposals.", "3f9a1c5e7b2d4a6890c1e2f3a4b5c6d7"),
  timeZone: doc(z.string(), "The time zone of the plan.", "Europe/Berlin"),
  from: doc(Timestamp, "Start of the planned time."),
  to: doc(Timestamp, "End of the planned time."),
  planned: doc(
    z.array(
      z.object({
        taskId: doc(Id, "Id of the task."),
        title: doc(z.string(), "Title of the task.", "Send the signed contract"),
        start: doc(Timestamp, "When to begin."),
        end: doc(Timestamp, "When to end."),
        proposalId: doc(z.string(), "Apply it with POST /api/ai/chat/proposals/{id} within 24 hours.", "9c2e…"),
        summary: doc(z.string(), "Description of the change.", "Reserve time for task “Send the signed contract”, …"),
      }),
    ),
    "The tasks that have a time, by its start. None overlaps an event that blocks its time.",
  ),
  unplanned: doc(
    z.array(
      z.object({
        taskId: doc(Id, "Id of the task."),
        title: doc(z.string(), "Title of the task.", "Tidy the garage"),
        reason: doc(z.enum(["no_free_time", "limit"]), "Why no time was found.", "no_free_time"),
      }),
    ),
    "Tasks without a free time.",
  ),
}));
export type PlanResult = z.infer<typeof PlanResult>;
