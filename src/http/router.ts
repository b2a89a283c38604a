import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Handler, Context as HonoContext } from "hono";
import { assertType } from "../lib/cast.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
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
    const admission = c.get("admission");
    if (!admission) return handler(c, next);
    return admission.run(
      contextOf(c),
      () => handler(c, next),
      (ctx) => c.set("context", ctx),
    );
  };
}

/** The response of a verb that returns nothing: `noContent(c, await deleteTask(ctx, id))`. */
export function noContent(c: HonoContext<AppEnv>, _done: unknown) {
  return c.body(null, 204);
}
