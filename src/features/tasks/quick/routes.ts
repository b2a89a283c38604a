import { contextOf } from "../../../http/app-env.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { QuickPreview, QuickRequest, QuickResult } from "./schemas.ts";
import { quickAdd } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/tasks/quick", {
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
  }),
  async (c) => {
    const result = await quickAdd(contextOf(c), c.req.valid("json"));
    return "task" in result ? c.json(result, 201) : c.json(result, 200);
  },
);
