import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { QuickPreview, QuickRequest, QuickResult } from "./schemas.ts";
import { quickAdd } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/tasks/quick", {
  operationId: "quickAddTask",
  summary: "Add a task from text",
  description:
    "Reads one line such as “Call Ann tomorrow 5pm #home p1 every week” and creates the task. Returns the " +
    "recognized parts and their positions in the text. With `preview` nothing is created, so a form can show the " +
    "result while you type.",
  guard: data("tasks:write"),
  body: QuickRequest,
  returns: { 200: QuickPreview, 201: QuickResult },
  errors: ["list_limit_reached"],
  idempotent: true,
  handle: async ({ c, ctx, body }) => {
    const result = await quickAdd(ctx, body);
    return c.json(result, "task" in result ? 201 : 200);
  },
});
