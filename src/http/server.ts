import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type Context as HonoContext, type MiddlewareHandler } from "hono";
import { configOf } from "../config.ts";
import { background, type Context } from "../context.ts";
import { openDatabase } from "../db/client.ts";
import { hubBell, withHints } from "../db/hints.ts";
import { assertType } from "../lib/cast.ts";
import { AppError } from "../lib/errors.ts";
import { log } from "../log.ts";
import { type AppEnv, contextOf, type ReadCredential, type Reauthenticate } from "./app-env.ts";
import { mountConsole } from "./console.ts";
import { crossOrigin } from "./cross-origin.ts";
import { mountDocs } from "./docs.ts";
import { anyone, enforce } from "./guards.ts";
import { limitBody, type StreamLimit } from "./limits.ts";
import { isJson } from "./media-type.ts";
import { refuseOtherPages } from "./origin.ts";
import { errorResponse, problem } from "./problem.ts";
import type { Feature, RouteExtensions, Tag } from "./route.ts";
import { createRouter } from "./router.ts";

interface ServerOptions {
  version: string;
  features: readonly Feature[];
  tags: readonly Tag[];
  readCredential: ReadCredential;
  reauthenticate: Reauthenticate;
  /** Called after the response to a request that may have written, once its deferred work is done; if it is needed. */
  afterWrite?: { isNeeded(): boolean; run(ctx: Context): Promise<unknown> };
}

/** The app: what every request passes through, and the features. */
export function createServer({ version, features, tags, ...verbs }: ServerOptions): OpenAPIHono<AppEnv> {
  const app = createRouter();
  app.onError(errorResponse);
  app.use(openContext(verbs), securityHeaders, refuseOtherPages, crossOrigin, limitBody(streamLimits(features)));
  for (const { tag, routes } of features) {
    // Not the library's own method, which copies every declaration and would make all that only the reference needs.
    Hono.prototype.route.call(assertType<Hono>(app), "/", assertType<Hono>(routes));
    for (const definition of routes.openAPIRegistry.definitions) {
      if (definition.type !== "route") continue;
      definition.route.tags = [tag];
      app.openAPIRegistry.registerPath(definition.route);
    }
  }
  for (const path of ["/", "/docs/*", "/api-docs", "/app/*"]) app.use(path, enforce(anyone, false));
  mountDocs(app, tags, version);
  mountConsole(app);
  const explainMiss = missedRoutes(app);
  app.notFound((c) => {
    const miss = explainMiss(c.req.method, c.req.path);
    // Programs that look for weaknesses ask for thousands of these, and a line of the log costs more than the response.
    if (miss.code === "route_not_found") c.set("isUnknownPath", true);
    return problem(c, miss);
  });
  return app;
}

/** Looks at the routes that take a file as a stream, which are few. */
function streamLimits(features: readonly Feature[]): StreamLimit {
  const streamed = features.flatMap(({ routes }) =>
    routes.openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== "route") return [];
      const { "x-streamed": upload } = assertType<Partial<RouteExtensions>>(definition.route);
      const { method, path } = definition.route;
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return upload ? [{ method: method.toUpperCase(), pattern, maxBytes: upload.maxBytes }] : [];
    }),
  );
  return (c) => {
    if (streamed.length === 0 || isJson(c)) return null;
    return (
      streamed.find(({ method, pattern }) => method === c.req.method && pattern.test(c.req.path))?.maxBytes ?? null
    );
  };
}

const API_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

function openContext({
  readCredential,
  reauthenticate,
  afterWrite,
}: Omit<ServerOptions, "version" | "features" | "tags">): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const config = configOf(c.env);
    const now = new Date();
    const given = c.req.header("x-request-id");
    const requestId = given && /^[\w.-]{8,64}$/.test(given) ? given : crypto.randomUUID();
    c.set("readCredential", readCredential);
    c.set("reauthenticate", reauthenticate);
    const wakeLive = hubBell(config, c.executionCtx);
    const db = withHints(openDatabase({ config, requestId }), wakeLive);
    c.set("context", {
      db,
      bookkeeping: db,
      config,
      actor: { kind: "anonymous" },
      now,
      requestId,
      // Computed only for the few requests that need them.
      get baseUrl() {
        return config.PUBLIC_URL ?? new URL(c.req.url).origin;
      },
      get client() {
        return {
          ip: c.req.header("cf-connecting-ip") ?? "local",
          userAgent: c.req.header("user-agent")?.slice(0, 400) ?? null,
        };
      },
      get signal() {
        return c.req.raw.signal;
      },
      irreversibly: (act) => act(),
      wakeLive,
      ...background(config, c.executionCtx, requestId),
    });
    c.header("X-Request-Id", requestId);
    c.header("Cache-Control", "no-store");
    c.header("Content-Security-Policy", API_CONTENT_POLICY);
    await next();
    const ctx = contextOf(c);
    if (afterWrite?.isNeeded() && mayHaveWritten(c)) ctx.deferLast(() => afterWrite.run(ctx));
    // The platform logs every request; our own line is for those that changed something or failed.
    if (c.res.status < 400 && (c.req.method === "GET" || c.req.method === "HEAD")) return;
    if (c.get("isUnknownPath")) return;
    // Without the query, where calendar feeds have their token.
    log("info", "request", {
      requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Date.now() - now.getTime(),
      actor: ctx.actor.kind,
    });
  };
}

/** A refused request wrote nothing; one that failed on our side or a provider's may have. */
function mayHaveWritten(c: HonoContext<AppEnv>): boolean {
  const { status } = c.res;
  const isRefused = status >= 400 && status < 500;
  return !isRefused && (c.get("writes") ?? !["GET", "HEAD", "OPTIONS"].includes(c.req.method));
}

/** Distinguishes a path that supports other methods (405) from one that does not exist (404). */
function missedRoutes(app: OpenAPIHono<AppEnv>): (method: string, path: string) => AppError {
  let table: { pattern: RegExp; methods: string[] }[] | undefined;
  return (method, path) => {
    table ??= tableOf(app);
    const allowed = new Set(table.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])));
    if (allowed.size === 0) return new AppError("route_not_found", `There is no endpoint at ${path}. See /docs.`);
    if (allowed.has("GET")) allowed.add("HEAD");
    const list = [...allowed].sort().join(", ");
    return new AppError("method_not_allowed", `${path} supports ${list}, not ${method}.`, { allow: list });
  };
}

function tableOf(app: OpenAPIHono<AppEnv>) {
  const methods = new Map<string, Set<string>>();
  for (const route of app.routes) {
    // "ALL" is middleware.
    if (route.method !== "ALL") methods.set(route.path, (methods.get(route.path) ?? new Set()).add(route.method));
  }
  return [...methods].map(([path, set]) => ({ pattern: patternOf(path), methods: [...set] }));
}

/** Hono's path syntax: `:name`, or `:name{pattern}`. */
function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    const custom = /^:\w+\{(.+)\}$/.exec(part);
    if (custom) return custom[1];
    return part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("/")}$`);
}

/** Headers that only old browsers use are left out, because every response pays for each header. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  // Images and feeds may be embedded elsewhere; reading data from another origin still needs CORS.
  ["Cross-Origin-Resource-Policy", "cross-origin"],
];

/** The same for every response but a few pages; each page sets its own content security policy. */
const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  // Read once: the runtime creates the object at each access.
  const { headers } = c.res;
  for (const [name, value] of HEADERS) headers.set(name, value);
  const own = c.get("securityHeaders");
  if (own) for (const [name, value] of Object.entries(own)) headers.set(name, value);
};
