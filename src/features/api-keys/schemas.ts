import { z } from "@hono/zod-openapi";
import { Id, IdParam, listOf, Timestamp } from "../../http/schemas.ts";
import { assertType } from "../../lib/cast.ts";
import { SCOPES, type Scope } from "../../lib/scopes.ts";

const ONCE = "Shown once; null in a replay.";

const scopeNames = assertType<[Scope, ...Scope[]]>(Object.keys(SCOPES));
const scopes = z
  .array(z.enum(scopeNames))
  .min(1)
  .max(scopeNames.length)
  .transform((given) => [...new Set(given)])
  .openapi({ type: "array", items: { type: "string", enum: scopeNames }, example: ["emails:read", "tasks:write"] });
const keyName = z.string().trim().min(1).max(100).openapi({ example: "Home automation" });

export const NewApiKey = z
  .object({
    name: keyName,
    scopes,
    expiresInDays: z
      .int()
      .min(1)
      .max(366)
      .nullable()
      .default(90)
      .openapi({ default: 90, example: 90, description: "Null for a key that does not expire." }),
  })
  .openapi("NewApiKey");

export const ApiKeyChanges = z
  .object({
    name: keyName.optional(),
    scopes: scopes.optional().openapi({ description: "Scopes can be taken away; for more, make a new key." }),
  })
  .openapi("ApiKeyChanges");

export const ApiKey = z
  .object({
    id: Id,
    name: z.string().openapi({ example: "Home automation" }),
    scopes: z.array(z.enum(scopeNames)).openapi({ example: ["emails:read", "tasks:write"] }),
    createdAt: Timestamp,
    rotatedAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
    expiresAt: Timestamp.nullable(),
    version: z.int().openapi({ example: 1 }),
  })
  .openapi("ApiKey");
export const ApiKeyList = listOf(ApiKey, "ApiKeyList");
export const ShownApiKey = z
  .object({
    ...ApiKey.shape,
    key: z
      .string()
      .nullable()
      .openapi({ example: "poa_8sJ…", description: `Send as a bearer token. ${ONCE}` }),
  })
  .openapi("ShownApiKey");
export const ApiKeyParams = z.object({ id: IdParam });

export const ScopeList = z
  .object({
    data: z.array(
      z.object({
        scope: z.enum(scopeNames).openapi({ example: "emails:read" }),
        description: z.string().openapi({ example: "Read mail" }),
      }),
    ),
  })
  .openapi("ScopeList");
