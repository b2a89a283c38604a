import { OpenAPIHono } from "@hono/zod-openapi";
import type { Handler, Context as HonoContext } from "hono";
import { assertType } from "../lib/cast.ts";
import type { AppEnv } from "./app-env.ts";
import { rejectInvalidInput } from "./problem.ts";

/** A feature's endpoints. */
export function createRouter() {
  const router = new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalidInput });
  const { openapi } = router;
  const register = assertType<(route: unknown, handler: Handler<AppEnv>) => typeof router>(openapi);
  router.openapi = assertType<typeof openapi>((route: unknown, handler: Handler<AppEnv>) =>
    register(route, admitted(handler)),
  );
  return router;
}

/** A handler that begins again if it took its actor for somebody else; see `Admission`. */
function admitted(handler: Handler<AppEnv>): Handler<AppEnv> {
  return (c, next) => {
    const admission = c.get("admission");
    return admission ? admission.run(() => handler(c, next)) : handler(c, next);
  };
}

/** The response of a verb that returns nothing: `noContent(c, await deleteTask(ctx, id))`. */
export function noContent(c: HonoContext<AppEnv>, _done: unknown) {
  return c.body(null, 204);
}
