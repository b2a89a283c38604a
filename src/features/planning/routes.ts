import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { proposePlan } from "./propose.ts";
import { PlanInput, PlanResult } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/tasks/plan", {
  operationId: "planTasks",
  summary: "Plan a day",
  description:
    "Proposes times for open tasks in the free parts of your working hours, by due date and then by priority. A " +
    "task takes its `estimateMinutes`, or 30 minutes. Nothing changes until you apply a proposal, which adds a busy " +
    "event and links the task to it; if the time is taken by then, the response is 409 `time_conflict`. Tasks that " +
    "wait, that have an event already, or that have open subtasks are left out.",
  guard: data("tasks:write"),
  derivesFrom: ["tasks:read", "calendar:read"],
  body: PlanInput,
  returns: { 200: PlanResult },
  errors: ["insufficient_scope"],
  idempotent: true,
  handle: ({ ctx, body }) => proposePlan(ctx, body),
});
