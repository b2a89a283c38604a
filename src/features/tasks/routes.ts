import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { kept } from "../../lib/kept.ts";
import { BulkChanges, BulkResult, DeletedTasks, TasksToDelete, UndoRequest, UndoResult } from "./bulk/schemas.ts";
import { listTasks } from "./list.ts";
import { EditQuery, NewTask, Task, TaskChanges, TaskList, TaskQuery } from "./schemas.ts";

export const routes = createRouter();

// Loaded when one is needed: most new isolates begin with a list.
const tasks = kept(() => import("./service.ts"));
const bulk = kept(() => import("./bulk/service.ts"));
const deletion = kept(() => import("./bulk/deletion.ts"));
const series = kept(() => import("./series.ts"));

/** The progress of its subtasks changes without the version of a task. */
const etagDetail = ({ subtasks: { done, total } }: Task) => (total > 0 ? `${done}-${total}` : "");

routes.endpoint("get", "/api/tasks", {
  operationId: "listTasks",
  summary: "List tasks",
  description:
    "Returns the tasks that match every filter. Without `status`, only open tasks: neither done nor cancelled. A task " +
    "that repeats has one open occurrence.",
  guard: data("tasks:read"),
  query: TaskQuery,
  returns: { 200: TaskList },
  handle: ({ ctx, query }) => listTasks(ctx, query),
});

routes.endpoint("post", "/api/tasks", {
  operationId: "createTask",
  summary: "Create a task",
  description:
    "The due date is a time in `dueAt`, a day in `dueDate`, or plain English in `dueText`. With `rrule` the task " +
    "repeats: completing it creates the next one. To create a task from one line of text, use quick add.",
  guard: data("tasks:write"),
  body: NewTask,
  returns: { 201: Task },
  etagDetail,
  idempotent: true,
  handle: async ({ ctx, body }) => (await tasks()).createTask(ctx, body),
});

routes.endpoint("patch", "/api/tasks", {
  operationId: "updateTasks",
  summary: "Update several tasks",
  description:
    "Makes the same change to up to 500 tasks, named by id or by a filter: all of them, or none. Unknown ids are " +
    "returned in `missing`; the other tasks are still updated. `undo.id` takes the change back within a day.",
  guard: data("tasks:write"),
  body: BulkChanges,
  returns: { 200: BulkResult },
  errors: ["nothing_to_update"],
  handle: async ({ ctx, body }) => (await bulk()).updateTasks(ctx, body),
});

routes.endpoint("post", "/api/tasks/delete", {
  operationId: "deleteTasks",
  summary: "Delete several tasks",
  description:
    "Deletes up to 500 tasks and their subtasks: all of them, or none. Unknown ids are returned in `missing`; the " +
    "other tasks are still deleted. `undo.id` brings them back within a day, under the same ids.",
  guard: data("tasks:write"),
  body: TasksToDelete,
  returns: { 200: DeletedTasks },
  idempotent: true,
  handle: async ({ ctx, body }) => (await deletion()).deleteTasks(ctx, body.ids),
});

routes.endpoint("post", "/api/tasks/undo", {
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
  handle: async ({ ctx, body }) => (await bulk()).undoChange(ctx, body.id),
});

routes.endpoint("get", "/api/tasks/{id}", {
  operationId: "getTask",
  summary: "Get a task",
  description: "Returns one task.",
  guard: data("tasks:read"),
  returns: { 200: Task },
  etagDetail,
  handle: async ({ ctx, params }) => (await tasks()).getTask(ctx, params.id),
});

routes.endpoint("patch", "/api/tasks/{id}", {
  operationId: "updateTask",
  summary: "Update a task",
  description:
    "Any status can follow any other. `done` and `cancelled` set `completedAt` and also close the open subtasks; " +
    "going back to another status clears it. Completing a task that repeats creates the next one, with its " +
    "subtasks; reopening it removes the next one, unless it was changed. Cancelling it ends the series; to leave " +
    "out one occurrence, skip it.",
  guard: data("tasks:write"),
  query: EditQuery,
  body: TaskChanges,
  returns: { 200: Task },
  etagDetail,
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: async ({ ctx, params, query, body, ifMatch }) =>
    (await tasks()).updateTask(ctx, params.id, body, ifMatch, query.scope),
});

routes.endpoint("delete", "/api/tasks/{id}", {
  operationId: "deleteTask",
  summary: "Delete a task",
  description: "Permanently deletes the task and its subtasks. A repeating task ends.",
  guard: data("tasks:write"),
  returns: { 204: null },
  ifMatch: true,
  handle: async ({ ctx, params, ifMatch }) => (await tasks()).deleteTask(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/tasks/{id}/skip", {
  operationId: "skipTask",
  summary: "Skip an occurrence",
  description:
    "Moves a task that repeats to its next due date, without completing this occurrence. If there is none, the task is " +
    "cancelled.",
  guard: data("tasks:write"),
  returns: { 200: Task },
  etagDetail,
  errors: ["not_repeating"],
  ifMatch: true,
  idempotent: true,
  handle: async ({ ctx, params, ifMatch }) => (await series()).skipOccurrence(ctx, params.id, ifMatch),
});
