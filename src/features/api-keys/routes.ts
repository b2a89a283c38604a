import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { assertType } from "../../lib/cast.ts";
import { SCOPES, type Scope } from "../../lib/scopes.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { planRoom } from "../billing/account.ts";
import { ApiKey, ApiKeyChanges, ApiKeyList, ApiKeyParams, NewApiKey, ScopeList, ShownApiKey } from "./schemas.ts";
import { changeApiKey, createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "./service.ts";

export const routes = createRouter();

const SCOPE_LIST = Object.entries(SCOPES).map(([scope, description]) => ({
  scope: assertType<Scope>(scope),
  description,
}));

routes.openapi(
  route("get", "/api/settings/security/api-keys", {
    operationId: "listApiKeys",
    summary: "List your API keys",
    description: "Never their values.",
    guard: user,
    query: PageQuery,
    returns: { 200: ApiKeyList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listApiKeys(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/settings/security/api-keys", {
    operationId: "createApiKey",
    summary: "Make an API key",
    description: "For programs that read and write the data groups. Its value is shown this once.",
    guard: user,
    reauth: true,
    body: NewApiKey,
    returns: { 201: ShownApiKey },
    errors: ["conflict", "plan_limit_reached"],
    idempotent: { secrets: ["key"] },
  }),
  async (c) => {
    const ctx = contextOf(c);
    const { expiresInDays, ...key } = c.req.valid("json");
    const expiresAt = expiresInDays === null ? null : new Date(ctx.now.getTime() + expiresInDays * DAY_MS);
    return c.json(withETag(c, await createApiKey(ctx, { ...key, expiresAt }, await planRoom(ctx, "apiKeys"))), 201);
  },
);

routes.openapi(
  route("get", "/api/settings/security/api-keys/scopes", {
    operationId: "listScopes",
    summary: "What an API key can be allowed to do",
    guard: user,
    returns: { 200: ScopeList },
  }),
  (c) => c.json({ data: SCOPE_LIST }, 200),
);

routes.openapi(
  route("patch", "/api/settings/security/api-keys/{id}", {
    operationId: "updateApiKey",
    summary: "Rename an API key, or take scopes from it",
    guard: user,
    params: ApiKeyParams,
    body: ApiKeyChanges,
    returns: { 200: ApiKey },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await changeApiKey(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/settings/security/api-keys/{id}", {
    operationId: "revokeApiKey",
    summary: "Revoke an API key",
    description: "It stops working at once.",
    guard: user,
    params: ApiKeyParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await revokeApiKey(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);

routes.openapi(
  route("post", "/api/settings/security/api-keys/{id}/rotate", {
    operationId: "rotateApiKey",
    summary: "Give an API key a new value",
    description: "The old value stops working at once. A key with an end gets as long again as it had.",
    guard: user,
    reauth: true,
    params: ApiKeyParams,
    returns: { 200: ShownApiKey },
    errors: ["not_found"],
    idempotent: { secrets: ["key"] },
    ifMatch: true,
  }),
  async (c) => c.json(withETag(c, await rotateApiKey(contextOf(c), c.req.valid("param").id, ifMatch(c))), 200),
);
