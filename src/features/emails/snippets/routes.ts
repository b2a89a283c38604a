import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { NewSnippet, Snippet, SnippetChanges, SnippetList, SnippetQuery } from "./schemas.ts";
import { createSnippet, deleteSnippet, listSnippets, updateSnippet } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/snippets", {
  operationId: "listSnippets",
  summary: "List snippets",
  description: "Returns texts that you insert while writing, alphabetically.",
  guard: data("emails:read"),
  query: SnippetQuery,
  returns: { 200: SnippetList },
  handle: ({ ctx, query }) => listSnippets(ctx, query),
});

routes.endpoint("post", "/api/emails/snippets", {
  operationId: "createSnippet",
  summary: "Create a snippet",
  description:
    "Adds a text that the console inserts when you type `;` and its name in an email. There are at most 500.",
  guard: data("emails:write"),
  body: NewSnippet,
  returns: { 201: Snippet },
  errors: ["conflict"],
  idempotent: true,
  handle: ({ ctx, body }) => createSnippet(ctx, body),
});

routes.endpoint("patch", "/api/emails/snippets/{id}", {
  operationId: "updateSnippet",
  summary: "Update a snippet",
  description: "Changes its name or text. Emails in which it was inserted stay as they are.",
  guard: data("emails:write"),
  body: SnippetChanges,
  returns: { 200: Snippet },
  errors: ["nothing_to_update", "conflict"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateSnippet(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/emails/snippets/{id}", {
  operationId: "deleteSnippet",
  summary: "Delete a snippet",
  description: "Emails in which it was inserted stay as they are.",
  guard: data("emails:write"),
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteSnippet(ctx, params.id, ifMatch),
});
