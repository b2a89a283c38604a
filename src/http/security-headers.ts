import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./app-env.ts";

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
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  // Read once: the runtime creates the object at each access.
  const { headers } = c.res;
  for (const [name, value] of HEADERS) headers.set(name, value);
  const own = c.get("securityHeaders");
  if (own) for (const [name, value] of Object.entries(own)) headers.set(name, value);
};
