import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { scopesOf } from "../context.ts";
import type { DataScope } from "../lib/api-key-scopes.ts";
import { readable, readScopeOf } from "../lib/receipts.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import type { Guard } from "./guards.ts";
import type { Returns } from "./responses.ts";

/** The parts of an endpoint's declaration that are needed here. */
interface Readable {
  guard: Guard;
  returns: Returns;
  derivesFrom?: readonly DataScope[];
}

const NOTHING = z.object({});

/** The scope that reads what an endpoint returns, where its schema declares none: of a write, that of its group. */
function defaultScope(guard: Guard) {
  return guard.kind === "data" ? readScopeOf(guard.scopes) : null;
}

/**
 * Leaves out of a response what the program's scopes do not read; see `receipts.ts`. Outside of `idempotent`, so that a
 * repeated request gets no more than the key may read by then.
 */
export function showReadable({ guard, returns }: Readable): MiddlewareHandler<AppEnv> {
  const known = new Map<string, z.ZodType>();
  const readableIn = (status: number, schema: z.ZodType, granted: readonly string[]) => {
    const name = [status, ...granted].join(" ");
    const found = known.get(name) ?? readable(schema, { granted, scope: defaultScope(guard) }) ?? NOTHING;
    known.set(name, found);
    return found;
  };
  return async (c, next) => {
    await next();
    // Errors leave out what they quote by themselves: see `readBy` in `lib/errors.ts`.
    if (!c.res.ok || !c.res.headers.get("content-type")?.startsWith("application/json")) return;
    const granted = scopesOf(contextOf(c).actor);
    const { status, headers } = c.res;
    const schema = returns[status];
    if (!granted || !(schema instanceof z.ZodType)) return;
    const left = readableIn(status, schema, granted);
    if (left === schema) return;
    const body = JSON.stringify(left.parse(await c.res.json()));
    // Hono would copy the headers of the response it replaces beside these.
    c.res = undefined;
    c.res = new Response(body, { status, headers });
  };
}

const wholes = new WeakMap<z.ZodType, z.ZodType>();

/** The schema of a response that is returned whole to whoever may read it. */
export function wholeOf(schema: z.ZodType): z.ZodType {
  return wholes.get(schema) ?? schema;
}

/** The same responses as the reference describes them: with what programs get that may not read the records. */
export function withReceipts({ guard, returns, derivesFrom = [] }: Readable): Returns {
  const scope = defaultScope(guard);
  if (scope === null) return returns;
  const described = Object.entries(returns).map(([status, schema]): [string, Returns[number]] => {
    if (!(schema instanceof z.ZodType)) return [status, schema];
    const receipt = readable(schema, { granted: derivesFrom, scope }) ?? NOTHING;
    if (receipt === schema) return [status, schema];
    const description = `The whole object. An API key without the scope \`${scope}\` gets its id, version and flags only.`;
    const either = z.union([schema, receipt]).openapi({ description, "x-receipt": true });
    wholes.set(either, schema);
    return [status, either];
  });
  return Object.fromEntries(described);
}
