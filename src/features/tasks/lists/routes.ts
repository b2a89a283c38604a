import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { List, ListChanges, ListDeletion, ListPage, ListParams, ListQuery, NewList } from "./schemas.ts";
import { createList, deleteList, getList, listLists, updateList } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/tasks/lists", {
    operationId: "listTaskLists",
    summary: "List task lists",
    description: "Returns the lists that tasks can be in, such as projects or a shopping list, in their order.",
    guard: data("tasks:read"),
    query: ListQuery,
    returns: { 200: ListPage },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listLists(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/tasks/lists", {
    operationId: "createTaskList",
    summary: "Create a task list",
    description: "Creates an empty list. You can have 200.",
    guard: data("tasks:write"),
    body: NewList,
    returns: { 201: List },
    errors: ["list_limit_reached", "list_exists"],
    idempotent: true,
  }),
  async (c) => c.json(withETag(c, await createList(contextOf(c), c.req.valid("json"))), 201),
);

routes.openapi(
  route("get", "/api/tasks/lists/{id}", {
    operationId: "getTaskList",
    summary: "Get a task list",
    description: "Returns the list and the number of its tasks. The tasks are at `GET /api/tasks?listId=`.",
    guard: data("tasks:read"),
    params: ListParams,
    returns: { 200: List },
    errors: ["not_found"],
    // The number of tasks changes without the version.
    ifNoneMatch: false,
  }),
  async (c) => c.json(withETag(c, await getList(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/tasks/lists/{id}", {
    operationId: "updateTaskList",
    summary: "Update a task list",
    description: "Renames, recolors, moves or archives the list. An archived list keeps its tasks.",
    guard: data("tasks:write"),
    params: ListParams,
    body: ListChanges,
    returns: { 200: List },
    errors: ["not_found", "nothing_to_update", "list_exists"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateList(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/tasks/lists/{id}", {
    operationId: "deleteTaskList",
    summary: "Delete a task list",
    description:
      "Deletes the list. `tasks` decides what happens to its tasks; by default they are kept without a list.",
    guard: data("tasks:write"),
    params: ListParams,
    query: ListDeletion,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return noContent(c, await deleteList(contextOf(c), id, c.req.valid("query"), ifMatch(c)));
  },
);
