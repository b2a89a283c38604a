import type { z } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { rejectInvalidInput } from "./problem.ts";

type Target = "query" | "param" | "json";

/** The schema of a part of a request. */
interface Schema {
  safeParse(input: unknown): { success: boolean; data?: unknown; error?: { issues: readonly z.core.$ZodIssue[] } };
}

interface Input {
  query?: Schema | undefined;
  params?: Schema | undefined;
  json?: { schema: Schema; isRequired: boolean } | undefined;
}

/**
 * Validates all parts of a request in one step, as the library does in one middleware for each: the layers took longer
 * than the schemas. Headers are only described: each is an optional text, which is read where it is needed.
 */
export function validatedInput({ query, params, json }: Input): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (query) accept(c, "query", query, queryOf(c));
    if (params) accept(c, "param", params, c.req.param());
    if (json) accept(c, "json", json.schema, await bodyOf(c, json.isRequired));
    await next();
  };
}

function accept(c: HonoContext<AppEnv>, target: Target, schema: Schema, input: unknown): void {
  const result = input === NONE ? { success: true, data: {} } : schema.safeParse(input);
  if (!result.success) rejectInvalidInput({ ...result, data: input, target });
  c.req.addValidatedData(target, result.data ?? {});
}

function queryOf(c: HonoContext<AppEnv>): Record<string, unknown> {
  if (!c.req.url.includes("?")) return {};
  const values = Object.entries(c.req.queries()).map(([name, list]) => [name, list.length === 1 ? list[0] : list]);
  return Object.fromEntries(values);
}

/** A body that need not be sent, and was not: the schema does not apply. */
const NONE = Symbol("no body");

const JSON_TYPE = /^application\/([a-z-.]+\+)?json(;\s*[a-zA-Z0-9-]+=([^;]+))*$/i;

async function bodyOf(c: HonoContext<AppEnv>, isRequired: boolean): Promise<unknown> {
  const type = c.req.header("content-type");
  if (type === undefined) {
    const isEmpty = c.req.raw.body === null || (await c.req.arrayBuffer()).byteLength === 0;
    if (!isEmpty) throw unsupported();
    return isRequired ? {} : NONE;
  }
  if (!JSON_TYPE.test(type)) throw unsupported();
  try {
    return await c.req.json();
  } catch {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  }
}

function unsupported(): AppError {
  return new AppError("unsupported_media_type", "Send JSON with Content-Type: application/json.");
}
