import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { List, ListChanges, ListDeletion, ListPage, ListQuery, NewList } from "./schemas.ts";
import { createList, deleteList, getList, listLists, updateList } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/tasks/lists", {
  operationId: "listTaskLists",
  summary: "List task lists",
  description: "Returns the lists that tasks can be in, such as projects or a shopping list, in their order.",
  guard: data("tasks:read"),
  query: ListQuery,
  returns: { 200: ListPage },
  handle: ({ ctx, query }) => listLists(ctx, query),
});

routes.endpoint("post", "/api/tasks/lists", {
  operationId: "createTaskList",
  summary: "Create a task list",
  description: "Creates an empty list. You can have 200.",
  guard: data("tasks:write"),
  body: NewList,
  returns: { 201: List },
  errors: ["list_limit_reached", "list_exists"],
  idempotent: true,
  handle: ({ ctx, body }) => createList(ctx, body),
});

routes.endpoint("get", "/api/tasks/lists/{id}", {
  operationId: "getTaskList",
  summary: "Get a task list",
  description: "Returns the list and the number of its tasks. The tasks are at `GET /api/tasks?listId=`.",
  guard: data("tasks:read"),
  returns: { 200: List },
  // The number of tasks changes without the version.
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getList(ctx, params.id),
});

routes.endpoint("patch", "/api/tasks/lists/{id}", {
  operationId: "updateTaskList",
  summary: "Update a task list",
  description: "Renames, recolors, moves or archives the list. An archived list keeps its tasks.",
  guard: data("tasks:write"),
  body: ListChanges,
  returns: { 200: List },
  errors: ["nothing_to_update", "list_exists"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateList(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/tasks/lists/{id}", {
  operationId: "deleteTaskList",
  summary: "Delete a task list",
  description: "Deletes the list. `tasks` decides what happens to its tasks; by default they are kept without a list.",
  guard: data("tasks:write"),
  query: ListDeletion,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, query, ifMatch }) => deleteList(ctx, params.id, query, ifMatch),
});
