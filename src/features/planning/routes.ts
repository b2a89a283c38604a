import { contextOf } from "../../http/app-env.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { proposePlan } from "./propose.ts";
import { PlanInput, PlanResult } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/tasks/plan", {
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
  }),
  async (c) => c.json(await proposePlan(contextOf(c), c.req.valid("json")), 200),
);
