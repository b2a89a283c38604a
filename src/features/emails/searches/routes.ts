import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { NewSavedSearch, SavedSearch, SavedSearchChanges, SavedSearchList, SavedSearchQuery } from "./schemas.ts";
import { createSearch, deleteSearch, listSearches, updateSearch } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/searches", {
  operationId: "listSavedSearches",
  summary: "List saved searches",
  description: "Returns the searches that are kept in Mail, in the order they were saved.",
  guard: data("emails:read"),
  query: SavedSearchQuery,
  returns: { 200: SavedSearchList },
  handle: ({ ctx, query }) => listSearches(ctx, query),
});

routes.endpoint("post", "/api/emails/searches", {
  operationId: "createSavedSearch",
  summary: "Save a search",
  description: "You can have 100. A search that `GET /api/emails` would refuse is 422.",
  guard: data("emails:write"),
  body: NewSavedSearch,
  returns: { 201: SavedSearch },
  errors: ["search_limit_reached"],
  idempotent: true,
  handle: ({ ctx, body }) => createSearch(ctx, body),
});

routes.endpoint("patch", "/api/emails/searches/{id}", {
  operationId: "updateSavedSearch",
  summary: "Update a saved search",
  description: "Changes its name, or what it looks for.",
  guard: data("emails:write"),
  body: SavedSearchChanges,
  returns: { 200: SavedSearch },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateSearch(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/emails/searches/{id}", {
  operationId: "deleteSavedSearch",
  summary: "Delete a saved search",
  description: "Emails that it finds are kept.",
  guard: data("emails:write"),
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteSearch(ctx, params.id, ifMatch),
});
