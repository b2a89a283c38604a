import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Handler, Context as HonoContext } from "hono";
import { type Rider, withRiders } from "../db/riders.ts";
import { assertType } from "../lib/cast.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { isEventStream } from "./event-stream.ts";
import { rejectInvalidInput } from "./problem.ts";
import { type Declared, strict } from "./strict-input.ts";

/** A feature's endpoints. */
export function createRouter() {
  const router = new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalidInput });
  const { openapi, openAPIRegistry } = router;
  const register = assertType<(route: unknown, handler: Handler<AppEnv>) => typeof router>(openapi);
  router.openapi = assertType<typeof openapi>((declared: Declared, handler: Handler<AppEnv>) => {
    // Described as it was declared; what validates the requests knows more than a schema can say.
    openAPIRegistry.registerPath(assertType<RouteConfig>(declared));
    return register({ ...strict(declared, () => openAPIRegistry.definitions), hide: true }, admitted(handler));
  });
  return router;
}

/** A handler whose outcome is released once the request's credential is known to be valid; see `Admission`. */
function admitted(handler: Handler<AppEnv>): Handler<AppEnv> {
  return (c, next) => {
    const run = () => handler(c, next);
    const riders = c.get("riders") ?? [];
    if (riders.length > 0) return ridden(c, riders, run);
    const admission = c.get("admission");
    if (!admission) return run();
    return admission.run(contextOf(c), run, (ctx) => c.set("context", ctx));
  };
}

/**
 * Runs a handler whose writes depend on what the guards have found out. What the service does on its own afterwards,
 * such as storing the response or sending a notice, does not; a stream is the work of its handler to its end. Of a
 * handler that was refused, parts may still be under way: they go on depending on it.
 */
async function ridden(
  c: HonoContext<AppEnv>,
  riders: readonly Rider[],
  run: () => Promise<Response> | Response,
): Promise<Response> {
  const ctx = contextOf(c);
  const aboard = [...riders];
  c.set("context", { ...ctx, db: withRiders(ctx.db, aboard).db });
  try {
    const response = await run();
    if (!isEventStream(response)) aboard.length = 0;
    return response;
  } finally {
    c.set("context", ctx);
  }
}

/** The response of a verb that returns nothing: `noContent(c, await deleteTask(ctx, id))`. */
export function noContent(c: HonoContext<AppEnv>, _done: unknown) {
  return c.body(null, 204);
}
