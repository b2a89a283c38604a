import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";

/** Sent by the console. A form or a link of another page cannot send it. */
export const CONSOLE_HEADER = "X-POA-Console";

/**
 * Paths that take a cookie, or are pages of the console itself. No other origin may read them, so they get no CORS
 * headers, whatever `CORS_ORIGINS` says.
 */
const OWN_PAGES = /^\/(?:api\/auth\/session|app|oauth\/authorize|api\/emails\/[^/]+\/frame)(?:\/|$)/;

export function isForOwnPages(path: string): boolean {
  return OWN_PAGES.test(path);
}

/**
 * Refuses requests of other origins to endpoints that take a cookie. Browsers say where a request comes from; those
 * that do not send `Sec-Fetch-Site` send `Origin` with every POST and DELETE.
 */
export const requireSameOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!isSameOrigin(c) || c.req.header(CONSOLE_HEADER) !== "1") {
    throw new AppError("forbidden", "Only the console of this service may use this endpoint. Use /api/auth/login.");
  }
  await next();
};

export function isSameOrigin(c: HonoContext<AppEnv>): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  return origin !== undefined && isOwnOrigin(c, origin);
}

export function isOwnOrigin(c: HonoContext<AppEnv>, origin: string): boolean {
  return origin === new URL(c.req.url).origin || origin === new URL(contextOf(c).baseUrl).origin;
}
