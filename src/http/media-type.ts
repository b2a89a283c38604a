import type { Context as HonoContext } from "hono";
import type { AppEnv } from "./app-env.ts";

/** The declared content type, without parameters such as the charset. */
export function mediaTypeOf(c: HonoContext<AppEnv>): string {
  return (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function isJson(c: HonoContext<AppEnv>): boolean {
  return /^application\/([\w.+-]+\+)?json$/.test(mediaTypeOf(c));
}
