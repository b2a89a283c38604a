import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { isOwnOrigin } from "./same-origin.ts";

/** Where agents in browsers learn how to connect, and get tokens for what a person has allowed. */
export const FOR_EVERY_ORIGIN = /^\/(?:oauth\/(?:token|register|revoke)$|\.well-known\/oauth-)/;
/** Ask for a credential or a sign-in in every mode, and look at the origin themselves. */
const WITH_OWN_RULE = /^\/(?:mcp|oauth\/authorize)$/;
/** Pictures of an email. Their document has no origin, so browsers take them for another site. Their addresses are signed. */
const SIGNED_PICTURE = /^\/api\/emails\/\d+\/frame\/\d+$/;

/**
 * Whether a page of this origin may call the service. An origin has to be named in `CORS_ORIGINS`, `*` is not enough: a
 * page anywhere could otherwise try what it finds at an address inside the reader's network.
 */
export function isAllowedOrigin(c: HonoContext<AppEnv>, origin: string): boolean {
  const { config } = contextOf(c);
  if (isOwnOrigin(c, origin) || (origin !== "*" && config.CORS_ORIGINS.includes(origin))) return true;
  // Tools for agents that run on this machine. They send a credential.
  return c.req.path === "/mcp" && config.ALLOW_PRIVATE_HOSTS && LOOPBACK_ORIGIN.test(origin);
}

const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * In open mode, whoever reaches the service may do everything, and so might every web page that a person visits: its
 * requests come from the person's own browser. So only pages of the service itself are answered, and those of origins
 * that `CORS_ORIGINS` names. Programs send none of these headers.
 */
export const refuseOtherPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { config } = contextOf(c);
  if (config.ACCESS_MODE !== "open") return next();
  if (config.ALLOW_PRIVATE_HOSTS && !isOwnHost(c)) {
    throw new AppError(
      "forbidden",
      "In open mode, this service can be reached only as localhost, by an IP address, or by the host name in " +
        "PUBLIC_URL.",
    );
  }
  if (isOfOtherPage(c)) {
    throw new AppError(
      "forbidden",
      "In open mode, only pages of this service may call it. Add other origins to CORS_ORIGINS.",
    );
  }
  await next();
};

const LOCAL_HOST = /^(?:(?:[\w-]+\.)*localhost|[\d.]+|\[[\da-f:]+\])$/;

/**
 * Whether the name in the address is one that nobody else can point to this machine. A page at a name of its own may
 * let that name lead here (DNS rebinding): its requests then have the same origin as the service.
 */
function isOwnHost(c: HonoContext<AppEnv>): boolean {
  const { hostname } = new URL(c.req.url);
  const { PUBLIC_URL } = contextOf(c).config;
  return LOCAL_HOST.test(hostname) || (PUBLIC_URL !== undefined && hostname === new URL(PUBLIC_URL).hostname);
}

function isOfOtherPage(c: HonoContext<AppEnv>): boolean {
  const { path } = c.req;
  if (FOR_EVERY_ORIGIN.test(path) || WITH_OWN_RULE.test(path) || SIGNED_PICTURE.test(path)) return false;
  const site = c.req.header("sec-fetch-site");
  // Also a form of a page that sends no referrer: its origin is `null`.
  if (site === "same-origin") return false;
  const origin = c.req.header("origin");
  if (origin !== undefined) return !isAllowedOrigin(c, origin);
  // Images, scripts, frames and links have no origin. A link to a page of the service is harmless; a GET of the API may
  // write or cost something.
  return (site === "cross-site" || site === "same-site") && path.startsWith("/api/");
}
