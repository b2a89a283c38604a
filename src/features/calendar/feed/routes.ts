import { isNotModified } from "../../../http/etag.ts";
import { anyone, user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { Feed, FeedQuery } from "./schemas.ts";
import { createFeed, readFeed, revokeFeed } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/calendar/feed", {
  operationId: "createCalendarFeed",
  summary: "Create a feed link",
  description:
    "Returns a link that calendar programs can subscribe to. Anyone with the link can read the whole calendar. The " +
    "previous link stops working. You are notified by email. The link stops working when your account is deleted, " +
    "your password is reset, or you change your password and end the other sessions. It keeps working when you sign " +
    "out.",
  guard: user,
  reauth: "recent",
  returns: { 201: Feed },
  idempotent: { secrets: ["url"] },
  handle: ({ ctx }) => createFeed(ctx),
});

routes.endpoint("delete", "/api/calendar/feed", {
  operationId: "revokeCalendarFeed",
  summary: "Revoke the feed link",
  description: "Calendar programs that use the link can no longer read the calendar.",
  guard: user,
  returns: { 204: null },
  handle: ({ ctx }) => revokeFeed(ctx),
});

routes.endpoint("get", "/api/calendar/feed.ics", {
  operationId: "getCalendarFeed",
  summary: "Get the calendar feed",
  description:
    "Returns the whole calendar as iCalendar (RFC 5545). With the last ETag in `If-None-Match`, an unchanged calendar " +
    "returns 304.",
  guard: anyone,
  query: FeedQuery,
  returns: { 200: { type: "text/calendar", description: "The whole calendar" }, 304: null },
  errors: ["not_found"],
  rateLimit: "public",
  handle: async ({ c, ctx, query }) => {
    const { tag, body } = await readFeed(ctx, query.token);
    // Subscribers may cache the feed, but have to revalidate it each time.
    c.header("Cache-Control", "private, no-cache");
    if (isNotModified(c, tag)) return c.body(null, 304);
    return c.body(body(), 200, { "Content-Type": "text/calendar; charset=utf-8" });
  },
});
