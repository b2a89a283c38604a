import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { kept } from "../../lib/kept.ts";
import { BulkChanges, BulkResult, DeletedTasks, TasksToDelete, UndoRequest, UndoResult } from "./bulk/schemas.ts";
import { listTasks } from "./list.ts";
import { EditQuery, NewTask, Task, TaskChanges, TaskList, TaskParams, TaskQuery } from "./schemas.ts";

export const routes = createRouter();

// Loaded when one is needed: most new isolates begin with a list.
const tasks = kept(() => import("./service.ts"));
const bulk = kept(() => import("./bulk/service.ts"));
const deletion = kept(() => import("./bulk/deletion.ts"));
const series = kept(() => import("./series.ts"));

/** The progress of its subtasks changes without the version of a task. */
function tagged(c: Parameters<typeof withETag>[0], task: Task): Task {
  const { done, total } = task.subtasks;
  return withETag(c, task, total > 0 ? `${done}-${total}` : "");
}

routes.openapi(
  route("get", "/api/tasks", {
    operationId: "listTasks",
    summary: "List tasks",
    description:
      "Returns the tasks that match every filter. Without `status`, only open tasks: neither done nor cancelled. A task " +
      "that repeats has one open occurrence.",
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
    description:
      "The due date is a time in `dueAt`, a day in `dueDate`, or plain English in `dueText`. With `rrule` the task " +
      "repeats: completing it creates the next one. To create a task from one line of text, use quick add.",
    guard: data("tasks:write"),
    body: NewTask,
    returns: { 201: Task },
    idempotent: true,
  }),
  async (c) => {
    const { createTask } = await tasks();
    return c.json(tagged(c, await createTask(contextOf(c), c.req.valid("json"))), 201);
  },
);

routes.openapi(
  route("patch", "/api/tasks", {
    operationId: "updateTasks",
    summary: "Update several tasks",
    description:
      "Makes the same change to up to 500 tasks, named by id or by a filter: all of them, or none. Unknown ids are " +
      "returned in `missing`; the other tasks are still updated. `undo.id` takes the change back within a day.",
    guard: data("tasks:write"),
    body: BulkChanges,
    returns: { 200: BulkResult },
    errors: ["nothing_to_update"],
  }),
  async (c) => {
    const { updateTasks } = await bulk();
    return c.json(await updateTasks(contextOf(c), c.req.valid("json")), 200);
  },
);

routes.openapi(
  route("post", "/api/tasks/delete", {
    operationId: "deleteTasks",
    summary: "Delete several tasks",
    description:
      "Deletes up to 500 tasks and their subtasks: all of them, or none. Unknown ids are returned in `missing`; the " +
      "other tasks are still deleted. `undo.id` brings them back within a day, under the same ids.",
    guard: data("tasks:write"),
    body: TasksToDelete,
    returns: { 200: DeletedTasks },
    idempotent: true,
  }),
  async (c) => {
    const { deleteTasks } = await deletion();
    return c.json(await deleteTasks(contextOf(c), c.req.valid("json").ids), 200);
  },
);

routes.openapi(
  route("post", "/api/tasks/undo", {
    operationId: "undoTaskChange",
    summary: "Undo a bulk change",
    description:
      "Restores the tasks of a bulk change or deletion. Tasks that were changed or deleted since then do " +
      "not change. Next occurrences created by completing tasks are removed, unless they were changed.",
    guard: data("tasks:write"),
    body: UndoRequest,
    returns: { 200: UndoResult },
    errors: ["undo_expired"],
    idempotent: true,
  }),
  async (c) => {
    const { undoChange } = await bulk();
    return c.json(await undoChange(contextOf(c), c.req.valid("json").id), 200);
  },
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
  async (c) => {
    const { getTask } = await tasks();
    return c.json(tagged(c, await getTask(contextOf(c), c.req.valid("param").id)), 200);
  },
);

routes.openapi(
  route("patch", "/api/tasks/{id}", {
    operationId: "updateTask",
    summary: "Update a task",
    description:
      "Any status can follow any other. `done` and `cancelled` set `completedAt` and also close the open subtasks; " +
      "going back to another status clears it. Completing a task that repeats creates the next one, with its " +
      "subtasks; reopening it removes the next one, unless it was changed. Cancelling it ends the series; to leave " +
      "out one occurrence, skip it.",
    guard: data("tasks:write"),
    params: TaskParams,
    query: EditQuery,
    body: TaskChanges,
    returns: { 200: Task },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { scope } = c.req.valid("query");
    const { updateTask } = await tasks();
    return c.json(tagged(c, await updateTask(contextOf(c), id, c.req.valid("json"), ifMatch(c), scope)), 200);
  },
);

routes.openapi(
  route("delete", "/api/tasks/{id}", {
    operationId: "deleteTask",
    summary: "Delete a task",
    description: "Permanently deletes the task and its subtasks. A repeating task ends.",
    guard: data("tasks:write"),
    params: TaskParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => {
    const { deleteTask } = await tasks();
    return noContent(c, await deleteTask(contextOf(c), c.req.valid("param").id, ifMatch(c)));
  },
);

routes.openapi(
  route("post", "/api/tasks/{id}/skip", {
    operationId: "skipTask",
    summary: "Skip an occurrence",
    description:
      "Moves a task that repeats to its next due date, without completing this occurrence. If there is none, the task is " +
      "cancelled.",
    guard: data("tasks:write"),
    params: TaskParams,
    returns: { 200: Task },
    errors: ["not_found", "not_repeating"],
    ifMatch: true,
    idempotent: true,
  }),
  async (c) => {
    const { skipOccurrence } = await series();
    return c.json(tagged(c, await skipOccurrence(contextOf(c), c.req.valid("param").id, ifMatch(c))), 200);
  },
);
