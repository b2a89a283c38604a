import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { configOf } from "../config.ts";
import type { AppEnv } from "./app-env.ts";
import { BOOKMARK_HEADER } from "./bookmark.ts";

/** Lets pages of the configured origins call. No cookies are used, so by default all may. */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const allow = configOf(c.env).CORS_ORIGINS.includes("*") ? anyOrigin : listedOrigins;
  if (c.req.method === "OPTIONS") return allow(c, next);
  // Hono builds an answer anew that comes when headers have been set on `c.res`, so they are set afterwards.
  await next();
  return allow(c, async () => {});
};

const OPTIONS: Parameters<typeof cors>[0] = {
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    BOOKMARK_HEADER,
    "X-Request-Id",
  ],
  exposeHeaders: [
    "ETag",
    "Idempotency-Replayed",
    "Location",
    "Retry-After",
    "WWW-Authenticate",
    BOOKMARK_HEADER,
    "X-Request-Id",
  ],
  maxAge: 86_400,
};

const anyOrigin = cors({ ...OPTIONS, origin: "*" });
const listedOrigins = cors({
  ...OPTIONS,
  origin: (origin, c) => (configOf(c.env).CORS_ORIGINS.includes(origin) ? origin : null),
});
