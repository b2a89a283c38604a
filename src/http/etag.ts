import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { AppEnv } from "./app-env.ts";

/**
 * Sends the record's version as its ETag and returns the record. `detail`: what the record shows that changes without
 * its version. It tells a cached copy apart, and does not count in `If-Match`.
 */
export function withETag<T extends { version: number }>(c: HonoContext<AppEnv>, record: T, detail = ""): T {
  c.header("ETag", `"${record.version}${detail && `-${detail}`}"`);
  return record;
}

/**
 * The versions the client allows the write to replace, or undefined for any. A tag that is no version matches none,
 * which makes the write a `version_conflict`.
 */
export function ifMatch(c: HonoContext<AppEnv>): readonly number[] | undefined {
  return ifMatchTags(c)?.map((tag) => Number(/^(\d{1,15})(?:-[\d-]+)?$/.exec(tag)?.[1] ?? -1));
}

/** The same for resources whose tags are not versions, such as images. */
export function ifMatchTags(c: HonoContext<AppEnv>): readonly string[] | undefined {
  const header = c.req.header("if-match");
  return header === undefined || header.trim() === "*" ? undefined : tagsIn(header);
}

/** Sends the tag as the ETag. True when `If-None-Match` shows that the client already has this representation. */
export function isNotModified(c: HonoContext<AppEnv>, tag: string): boolean {
  c.header("ETag", `"${tag}"`);
  return hasTag(c.req.header("if-none-match"), tag);
}

/** Responds 304 instead of a record whose version the client already has, if the endpoint is conditional. */
export function skipUnchanged(isConditional: () => boolean): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const header = c.req.header("if-none-match");
    await next();
    if (header === undefined || c.res.status !== 200 || !isConditional()) return;
    const [tag] = tagsIn(c.res.headers.get("etag") ?? "");
    // Hono copies the headers of the response it replaces, except the content type.
    if (tag && hasTag(header, tag)) c.res = new Response(null, { status: 304 });
  };
}

function hasTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === "*" || tagsIn(header).includes(tag));
}

/** The text between the quotes. A proxy that compresses makes tags weak, but each still names one version. */
function tagsIn(header: string): readonly string[] {
  return header.split(",").map((tag) => /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(tag)?.[1] ?? "");
}
