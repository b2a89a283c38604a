import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { SCOPES, type Scope } from "../../lib/api-key-scopes.ts";
import { assertType } from "../../lib/cast.ts";
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
    summary: "List API keys",
    description: "Returns your API keys without their values, newest first.",
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
    summary: "Create an API key",
    description: "Creates a key for a program that calls this API on your behalf. Its value is shown only once.",
    guard: user,
    reauth: "recent",
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
    summary: "List API key scopes",
    description: "Returns every scope and what it allows an API key to do.",
    guard: user,
    returns: { 200: ScopeList },
  }),
  (c) => c.json({ data: SCOPE_LIST }, 200),
);

routes.openapi(
  route("patch", "/api/settings/security/api-keys/{id}", {
    operationId: "updateApiKey",
    summary: "Update an API key",
    description: "Renames the key or removes scopes from it. Create a new key to get more scopes.",
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
    description: "The key stops working immediately.",
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
    summary: "Rotate an API key",
    description:
      "Returns a new value, which is shown only once. The old value stops working immediately. An expiring key is " +
      "renewed for its original lifetime.",
    guard: user,
    reauth: "recent",
    params: ApiKeyParams,
    returns: { 200: ShownApiKey },
    errors: ["not_found"],
    idempotent: { secrets: ["key"] },
    ifMatch: true,
  }),
  async (c) => c.json(withETag(c, await rotateApiKey(contextOf(c), c.req.valid("param").id, ifMatch(c))), 200),
);
