import type { MiddlewareHandler } from "hono";
import { openSession, type SessionStart } from "../db/client.ts";
import { withHints } from "../db/hints.ts";
import { type AppEnv, contextOf } from "./app-env.ts";

/** Database bookmark: responses return it, and the next request sends it back. */
export const BOOKMARK_HEADER = "X-D1-Bookmark";

/** What D1 returns, or one of its constants. D1 throws on anything else, so that is ignored. */
const BOOKMARK = /^(?:first-primary|first-unconstrained|[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})$/;

/**
 * Lets a read replica near the client respond, with data at least as recent as the bookmark. Without a valid bookmark
 * the primary database responds.
 */
export const readNearby: MiddlewareHandler<AppEnv> = async (c, next) => {
  const start = sessionStart(c.req.method, c.req.header(BOOKMARK_HEADER));
  if (!start) return next();
  const ctx = contextOf(c);
  const session = openSession(ctx, start);
  ctx.db = withHints(session.db, ctx.wakeLive);
  ctx.bookkeeping = ctx.db;
  if (start !== "first-primary") c.set("readsReplica", true);
  await next();
  // It shows how much was written, which is not for those whom the guard refuses.
  const bookmark = [401, 403].includes(c.res.status) ? null : session.bookmark();
  // `c.header` would make Hono copy the response.
  if (bookmark) c.res.headers.set(BOOKMARK_HEADER, bookmark);
};

function sessionStart(method: string, given: string | undefined): SessionStart | null {
  if (method !== "GET" && method !== "HEAD") return "first-primary";
  return given !== undefined && BOOKMARK.test(given) ? given : null;
}
