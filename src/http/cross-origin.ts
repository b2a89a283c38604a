import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { configOf } from "../config.ts";
import type { AppEnv } from "./app-env.ts";
import { BOOKMARK_HEADER } from "./bookmark.ts";
import { FOR_EVERY_ORIGIN, isAllowedOrigin } from "./origin.ts";
import { isForOwnPages } from "./same-origin.ts";

/**
 * Allows pages of the configured origins to call the API. The default is every origin, and in open mode none: no
 * endpoint takes a cookie but those that are only for the pages of this service, which get no CORS headers.
 */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (isForOwnPages(c.req.path)) return next();
  const isOpen = configOf(c.env).CORS_ORIGINS.includes("*");
  if (c.req.method === "OPTIONS")
    return (isOpen || FOR_EVERY_ORIGIN.test(c.req.path) ? anyOrigin : listedOrigins)(c, next);
  // Hono copies a response that arrives after headers were set on `c.res`, so they are set afterwards.
  await next();
  if (!isOpen) return listedOrigins(c, async () => {});
  // The headers are the same for every origin, so Hono's middleware is not needed.
  const { headers } = c.res;
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", EXPOSED);
};

const EXPOSE_HEADERS = [
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Idempotency-Replayed",
  "Location",
  "Retry-After",
  "WWW-Authenticate",
  BOOKMARK_HEADER,
  "X-Request-Id",
];
const EXPOSED = EXPOSE_HEADERS.join(",");

const OPTIONS: Parameters<typeof cors>[0] = {
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "Last-Event-ID",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Protocol-Version",
    "Range",
    BOOKMARK_HEADER,
    "X-Request-Id",
  ],
  exposeHeaders: EXPOSE_HEADERS,
  maxAge: 86_400,
};

const anyOrigin = cors({ ...OPTIONS, origin: "*" });
const listedOrigins = cors({
  ...OPTIONS,
  origin: (origin, c) => (origin && isAllowedOrigin(c, origin) ? origin : null),
});
