import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { listTasks } from "./list.ts";
import { NewTask, Task, TaskChanges, TaskList, TaskParams, TaskQuery } from "./schemas.ts";
import { createTask, deleteTask, getTask, updateTask } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/tasks", {
    operationId: "listTasks",
    summary: "List tasks",
    description: "Returns the tasks that match every filter. Without `status`, tasks of every status are included.",
    guard: data("tasks:read"),
    query: TaskQuery,
    returns: { 200: TaskList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listTasks(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/tasks", {
    operationId: "createTask",
    summary: "Create a task",
    description: "The due time is a time or date in `dueAt`, or plain English in `dueText`.",
    guard: data("tasks:write"),
    body: NewTask,
    returns: { 201: Task },
    idempotent: true,
  }),
  async (c) => c.json(withETag(c, await createTask(contextOf(c), c.req.valid("json"))), 201),
);

routes.openapi(
  route("get", "/api/tasks/{id}", {
    operationId: "getTask",
    summary: "Get a task",
    description: "Returns one task.",
    guard: data("tasks:read"),
    params: TaskParams,
    returns: { 200: Task },
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getTask(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/tasks/{id}", {
    operationId: "updateTask",
    summary: "Update a task",
    description:
      "Any status can follow any other. `done` and `cancelled` set `completedAt`; going back to another status clears it.",
    guard: data("tasks:write"),
    params: TaskParams,
    body: TaskChanges,
    returns: { 200: Task },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateTask(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/tasks/{id}", {
    operationId: "deleteTask",
    summary: "Delete a task",
    description: "Deletes the task permanently.",
    guard: data("tasks:write"),
    params: TaskParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteTask(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);
