import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { AppEnv } from "./app-env.ts";
import { rejectInvalidInput } from "./problem.ts";

/** A feature's endpoints. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalidInput });
}

/** The response of a verb that returns nothing: `noContent(c, await deleteTask(ctx, id))`. */
export function noContent(c: HonoContext<AppEnv>, _done: unknown) {
  return c.body(null, 204);
}
