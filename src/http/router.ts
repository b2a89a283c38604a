import { OpenAPIHono, type RouteConfig, type z } from "@hono/zod-openapi";
import type { Handler, Context as HonoContext } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { type Context, showingSignIn } from "../context.ts";
import { type Rider, withRiders } from "../db/riders.ts";
import { assertType } from "../lib/cast.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { ifMatch, withETag } from "./etag.ts";
import { isEventStream } from "./event-stream.ts";
import { rejectInvalidInput } from "./problem.ts";
import { withoutProof } from "./reauth.ts";
import type { Returns } from "./responses.ts";
import { type Declaration, type Method, route } from "./route.ts";
import { RecordPath } from "./schemas.ts";
import { strict } from "./strict-input.ts";

/** The type of a part after validation; undefined if the endpoint declares none. */
type Output<Schema extends z.ZodType, Missing = undefined> = [Schema] extends [never] ? Missing : z.output<Schema>;

/** An `{id}` in the path is that of a record, unless the endpoint declares its own `params`. */
type PathOutput<Path extends string> = Path extends `${string}/{id}${string}` ? z.output<typeof RecordPath> : undefined;

/** A request to an endpoint, with the validated parts that its path and its declaration name. */
interface Call<Path extends string, Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  c: HonoContext<AppEnv>;
  ctx: Context;
  params: Output<Params, PathOutput<Path>>;
  query: Output<Query>;
  body: Output<Body>;
  /** The versions that the write may replace, or undefined for any. */
  ifMatch: readonly number[] | undefined;
}

/** What a response is made of: the JSON that is declared for a status. */
type Answer<R extends Returns> = {
  [Status in keyof R]: R[Status] extends z.ZodType ? z.input<R[Status]> : R[Status] extends null ? unknown : never;
}[keyof R];

/** An endpoint: its declaration, and what it does. */
interface Endpoint<
  Path extends string,
  R extends Returns,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
> extends Declaration {
  params?: Params;
  query?: Query;
  body?: Body;
  returns: R;
  /** What a record shows that changes without its version: it tells a cached copy apart. */
  etagDetail?: (record: Answer<R>) => string;
  /**
   * Returns the JSON of the response, which is sent with the only status that is declared, or a response of its own.
   * A record is sent with its version as the ETag.
   */
  handle: (call: Call<Path, Params, Query, Body>) => Answer<R> | Response | Promise<Answer<R> | Response>;
}

/** A feature's endpoints. */
export function createRouter() {
  const router = new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalidInput });
  const { openapi, openAPIRegistry } = router;
  const register = assertType<(route: unknown, handler: Handler<AppEnv>) => typeof router>(openapi);
  const endpoint = <
    Path extends string,
    R extends Returns,
    Params extends z.ZodObject = never,
    Query extends z.ZodObject = never,
    Body extends z.ZodType = never,
  >(
    method: Method,
    path: Path,
    { handle, etagDetail, ...declaration }: Endpoint<Path, R, Params, Query, Body>,
  ) => {
    const params = declaration.params ?? (path.includes("/{id}") ? RecordPath : undefined);
    const declared = route(method, path, { ...declaration, params });
    const status = assertType<StatusCode & 200>(Number(Object.keys(declaration.returns)[0]));
    // Described as it was declared; what validates the requests knows more than a schema can say.
    openAPIRegistry.registerPath(assertType<RouteConfig>(declared));
    const handler = async (c: HonoContext<AppEnv>) => {
      const validated = assertType<{ valid: (part: "param" | "query" | "json") => never }>(c.req);
      const answer = await handle({
        c,
        ctx: declaration.showsSignIn ? showingSignIn(contextOf(c)) : contextOf(c),
        params: validated.valid("param"),
        query: validated.valid("query"),
        body: declaration.reauth ? withoutProof(validated.valid("json")) : validated.valid("json"),
        ifMatch: declaration.ifMatch && ifMatch(c),
      });
      if (answer instanceof Response) return answer;
      if (declaration.returns[status] === null) return c.body(null, status);
      if (hasVersion(answer)) withETag(c, answer, etagDetail?.(answer));
      return c.json(answer, status);
    };
    const validated = strict(declared, () => openAPIRegistry.definitions, declaration.reauth !== undefined);
    register({ ...validated, hide: true }, admitted(handler));
  };
  return Object.assign(router, { endpoint });
}

function hasVersion<T>(answer: T): answer is T & { version: number } {
  return typeof answer === "object" && answer !== null && "version" in answer && typeof answer.version === "number";
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
