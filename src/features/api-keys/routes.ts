import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { SCOPES, type Scope } from "../../lib/api-key-scopes.ts";
import { assertType } from "../../lib/cast.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { planRoom } from "../billing/account.ts";
import { ApiKey, ApiKeyChanges, ApiKeyList, NewApiKey, ScopeList, ShownApiKey } from "./schemas.ts";
import { changeApiKey, createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "./service.ts";

export const routes = createRouter();

const SCOPE_LIST = Object.entries(SCOPES).map(([scope, description]) => ({
  scope: assertType<Scope>(scope),
  description,
}));

routes.endpoint("get", "/api/settings/security/api-keys", {
  operationId: "listApiKeys",
  summary: "List API keys",
  description: "Returns your API keys without their values, newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: ApiKeyList },
  handle: ({ ctx, query }) => listApiKeys(ctx, query),
});

routes.endpoint("post", "/api/settings/security/api-keys", {
  operationId: "createApiKey",
  summary: "Create an API key",
  description: "Creates a key for a program that calls this API on your behalf. Its value is shown only once.",
  guard: user,
  reauth: "recent",
  body: NewApiKey,
  returns: { 201: ShownApiKey },
  errors: ["conflict", "plan_limit_reached"],
  idempotent: { secrets: ["key"] },
  handle: async ({ ctx, body }) => {
    const { expiresInDays, ...key } = body;
    const expiresAt = expiresInDays === null ? null : new Date(ctx.now.getTime() + expiresInDays * DAY_MS);
    return createApiKey(ctx, { ...key, expiresAt }, await planRoom(ctx, "apiKeys"));
  },
});

routes.endpoint("get", "/api/settings/security/api-keys/scopes", {
  operationId: "listScopes",
  summary: "List API key scopes",
  description: "Returns every scope and what it allows an API key to do.",
  guard: user,
  returns: { 200: ScopeList },
  handle: () => ({ data: SCOPE_LIST }),
});

routes.endpoint("patch", "/api/settings/security/api-keys/{id}", {
  operationId: "updateApiKey",
  summary: "Update an API key",
  description: "Renames the key or removes scopes from it. Create a new key to get more scopes.",
  guard: user,
  body: ApiKeyChanges,
  returns: { 200: ApiKey },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => changeApiKey(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/settings/security/api-keys/{id}", {
  operationId: "revokeApiKey",
  summary: "Revoke an API key",
  description: "The key stops working immediately.",
  guard: user,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => revokeApiKey(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/settings/security/api-keys/{id}/rotate", {
  operationId: "rotateApiKey",
  summary: "Rotate an API key",
  description:
    "Returns a new value, which is shown only once. The old value stops working immediately. An expiring key is " +
    "renewed for its original lifetime.",
  guard: user,
  reauth: "recent",
  returns: { 200: ShownApiKey },
  idempotent: { secrets: ["key"] },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => rotateApiKey(ctx, params.id, ifMatch),
});
