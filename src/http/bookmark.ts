import type { MiddlewareHandler } from "hono";
import { openSession, type SessionStart } from "../db/replica.ts";
import { type AppEnv, contextOf } from "./app-env.ts";

/** Says how far the sender has seen the database go; answers carry it too, to be sent with the next request. */
export const BOOKMARK_HEADER = "X-D1-Bookmark";

/** What D1 gives, or one of its own words; it fails on anything else, so that is not passed on. */
const BOOKMARK = /^(?:first-primary|first-unconstrained|[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})$/;

/**
 * Lets data be read from a copy of the database near the caller, who still sees every write of their own.
 * Only for those who send a bookmark: without one, or with one that cannot be, the primary answers.
 */
export const readNearby: MiddlewareHandler<AppEnv> = async (c, next) => {
  const start = sessionStart(c.req.method, c.req.header(BOOKMARK_HEADER));
  if (!start) return next();
  const ctx = contextOf(c);
  const session = openSession(ctx.config, start);
  ctx.db = session.db;
  ctx.bookkeeping = session.db;
  await next();
  const bookmark = session.bookmark();
  // Through `c.header`, Hono would build the answer anew.
  if (bookmark) c.res.headers.set(BOOKMARK_HEADER, bookmark);
};

function sessionStart(method: string, given: string | undefined): SessionStart | null {
  if (method !== "GET" && method !== "HEAD") return "first-primary";
  return given !== undefined && BOOKMARK.test(given) ? given : null;
}
