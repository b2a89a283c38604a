import type { Context } from "../../context.ts";

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Whether a page of this origin may call the server. Programs send no origin. An origin has to be listed by name, `*`
 * is not enough: a page anywhere could otherwise try what it finds at an address inside the reader's network.
 */
export function isAllowedOrigin({ baseUrl, config }: Pick<Context, "baseUrl" | "config">, origin?: string): boolean {
  if (origin === undefined || origin === new URL(baseUrl).origin) return true;
  if (origin !== "*" && config.CORS_ORIGINS.includes(origin)) return true;
  return config.ALLOW_PRIVATE_HOSTS && LOOPBACK.test(origin);
}
