import type { Context as HonoContext } from "hono";
import type { AppEnv } from "./app-env.ts";

/** Sends the record's version as its ETag and hands the record on. */
export function withETag<T extends { version: number }>(c: HonoContext<AppEnv>, record: T): T {
  c.header("ETag", `"${record.version}"`);
  return record;
}

/**
 * The versions the client is willing to overwrite, or undefined when it does not care. A tag this
 * service never gave matches no version, which makes the write a `version_conflict`.
 */
export function ifMatch(c: HonoContext<AppEnv>): readonly number[] | undefined {
  return ifMatchTags(c)?.map((tag) => (/^\d{1,15}$/.test(tag) ? Number(tag) : -1));
}

/** The same for what also has tags that are no versions, such as a picture's. */
export function ifMatchTags(c: HonoContext<AppEnv>): readonly string[] | undefined {
  const header = c.req.header("if-match");
  return header === undefined || header.trim() === "*" ? undefined : tagsIn(header);
}

/** Sends the tag of a whole answer, and tells whether the client has that answer already. */
export function hasAnswer(c: HonoContext<AppEnv>, tag: string): boolean {
  c.header("ETag", `"${tag}"`);
  const header = c.req.header("if-none-match") ?? "";
  return header.trim() === "*" || tagsIn(header).includes(tag);
}

/** What stands between the quotes. A proxy that compresses makes tags weak; ours still name one version each. */
function tagsIn(header: string): readonly string[] {
  return header.split(",").map((tag) => /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(tag)?.[1] ?? "");
}
