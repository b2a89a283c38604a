import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Env } from "../config.ts";
import type { Actor, Context } from "../context.ts";
import { rejectInvalidInput } from "./problem.ts";

/** Turns the credential of a request into the actor behind it, or throws a 401 `AppError`. */
export type Authenticate = (ctx: Context, credential: string) => Promise<Actor>;

export interface AppEnv {
  Bindings: Env;
  Variables: { context: Context; authenticate: Authenticate };
}

export function contextOf(c: HonoContext<AppEnv>): Context {
  return c.get("context");
}

/** A feature's endpoints. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalidInput });
}
