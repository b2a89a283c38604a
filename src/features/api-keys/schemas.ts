import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, Timestamp } from "../../http/schemas.ts";
import { SCOPES, type Scope } from "../../lib/api-key-scopes.ts";
import { assertType } from "../../lib/cast.ts";

const scopeNames = assertType<[Scope, ...Scope[]]>(Object.keys(SCOPES));
const SCOPES_EXAMPLE = ["emails:read", "tasks:write"];
const givenScopes = z
  .array(z.enum(scopeNames))
  .min(1)
  .max(scopeNames.length)
  .transform((given) => [...new Set(given)])
  .openapi({ type: "array", items: { type: "string", enum: scopeNames }, example: SCOPES_EXAMPLE });
const name = doc(z.string().trim().min(1).max(100), "Name of the key, for your own reference.", "Home automation");

export const NewApiKey = named(
  "NewApiKey",
  () => ({
    name,
    scopes: doc(givenScopes, "What the key may do; see `/api/settings/security/api-keys/scopes`."),
    expiresInDays: doc(
      z.int().min(1).max(366).nullable().default(90),
      "Lifetime of the key, in days; null if it never expires. Default: 90.",
      90,
    ),
  }),
  {
    example: {
      name: "Home automation",
      scopes: SCOPES_EXAMPLE,
      expiresInDays: 90,
      currentPassword: "correct horse battery staple",
    },
  },
);

export const ApiKeyChanges = named(
  "ApiKeyChanges",
  () => ({
    name: name.optional(),
    scopes: doc(givenScopes.optional(), "Scopes to keep. Scopes can only be removed."),
  }),
  { example: { name: "Home automation" } },
);

export type KeyChanges = z.output<typeof ApiKeyChanges>;

export const ApiKey = named("ApiKey", () => ({
  id: doc(Id, "Id of the API key."),
  name,
  scopes: doc(z.array(z.enum(scopeNames)), "What the key may do.", SCOPES_EXAMPLE),
  createdAt: doc(Timestamp, "When the key was created."),
  rotatedAt: doc(Timestamp.nullable(), "When the key last got a new value; null if it never did."),
  lastUsedAt: doc(Timestamp.nullable(), "When the key was last used, accurate to 5 minutes; null if it never was."),
  expiresAt: doc(Timestamp.nullable(), "When the key expires; null if it never does."),
  version: doc(z.int(), "Version of the key, for `If-Match`.", 1),
}));
export const ApiKeyList = listOf(ApiKey, "ApiKeyList");

const VALUE =
  "Value of the key, sent as a bearer token. Shown once; null when a request is repeated with its `Idempotency-Key`.";
export const ShownApiKey = named("ShownApiKey", () => ({
  ...ApiKey.shape,
  key: doc(z.string().nullable(), VALUE, "poa_8sJ…"),
}));

const ScopeDescription = z.object({
  scope: doc(z.enum(scopeNames), "Name of the scope.", "emails:read"),
  description: doc(z.string(), "What the scope allows.", SCOPES["emails:read"]),
});
export const ScopeList = named("ScopeList", () => ({ data: doc(z.array(ScopeDescription), "All scopes.") }));
