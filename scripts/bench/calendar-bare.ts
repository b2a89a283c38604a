// The calendar as plain Hono: events by their start alone, which misses what began earlier, and no series.
import { Hono } from "hono";

export const calendarBare = new Hono<{ Bindings: { DB: D1Database } }>();

const BETWEEN = "SELECT * FROM events WHERE span = 0 AND start_at >= ? AND start_at < ? ORDER BY start_at, id LIMIT ?";

calendarBare.get("/events", async (c) => {
  const { start = "", end = "" } = c.req.query();
  const { results } = await c.env.DB.prepare(BETWEEN).bind(Date.parse(start), Date.parse(end), 50).all();
  return c.json({ data: results, nextCursor: null });
});

calendarBare.get("/upcoming", async (c) => {
  const now = Date.now();
  const { results } = await c.env.DB.prepare(BETWEEN)
    .bind(now, now + 30 * 86_400_000, 10)
    .all();
  return c.json({ data: results, nextCursor: null });
});

calendarBare.get("/freebusy", async (c) => {
  const { start = "", end = "" } = c.req.query();
  const { results } = await c.env.DB.prepare(
    "SELECT start_at AS start, end_at AS end FROM events WHERE span = 0 AND start_at >= ? AND start_at < ?",
  )
    .bind(Date.parse(start), Date.parse(end))
    .all();
  return c.json({ start, end, busy: results });
});
