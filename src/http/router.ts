import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";
import { rejectInvalidInput } from "./problem.ts";

/** A feature's endpoints. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalidInput });
}
