import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../../http/schemas.ts";

export const Feed = named("CalendarFeed", () => ({
  url: doc(
    z.string().nullable(),
    "Address to subscribe to. Only returned once: null when an `Idempotency-Key` is repeated.",
    "https://assistant.example.com/api/calendar/feed.ics?token=…",
  ),
  createdAt: doc(Timestamp, "When the link was created."),
}));

export const FeedQuery = z.object({ token: doc(z.string().min(1).max(200), "Token of the link.", "kX2…") });
