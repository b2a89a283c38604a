import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./app-env.ts";

/** Those that only browsers of the past heeded are left out: each costs every answer a little. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  // Pictures and feeds are meant to be embedded elsewhere; reading data still takes CORS.
  ["Cross-Origin-Resource-Policy", "cross-origin"],
];

/** The same for every answer; the content policy depends on what is answered, see `openContext` and the docs. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  // Asked for once: the runtime makes them for each who asks.
  const { headers } = c.res;
  for (const [name, value] of HEADERS) headers.set(name, value);
};
