import type { Context as HonoContext } from "hono";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";

/** A file of the static assets, which scripts/setup.mjs puts together. */
export async function sendAsset(c: HonoContext<AppEnv>, path: string, cacheControl: string): Promise<Response> {
  const { ASSETS } = contextOf(c).config.bindings;
  const asset = await ASSETS?.fetch(new URL(path, c.req.url));
  if (!asset?.ok) throw new AppError("route_not_found", "There is no such file.");
  c.header("Cache-Control", cacheControl);
  const headers = { "Content-Type": asset.headers.get("content-type") ?? "application/octet-stream" };
  return c.body(asset.body ?? "", 200, headers);
}
