/*
 * The data endpoints as a competent person would write them for themselves: plain Hono, SQL of its own over tables of
 * its own with rows as wide as ours, the index that the list needs, no triggers, validation, limits, headers or logs.
 * The credential is checked in the same batch, and a write is made only while it is valid.
 */
import { type Context, Hono } from "hono";
import { jwtVerify } from "jose";
import { EMAIL_LIST, iso, type Row, toEmail, toEvent, toTask } from "./data-bare-items.ts";

type Env = { Bindings: { DB: D1Database; JWT_SECRET: string } };
type Statement = D1PreparedStatement;

export const dataBare = new Hono<Env>();

/** A SELECT that returns a row while the credential is valid. */
interface Check {
  sql: string;
  values: (string | number)[];
}

const OPEN: Check = { sql: "SELECT 1", values: [] };

async function checkOf(c: Context<Env>): Promise<Check> {
  const bearer = c.req.header("authorization")?.slice("Bearer ".length);
  if (!bearer) return OPEN;
  if (bearer.startsWith("poa_")) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(bearer)));
    const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return {
      sql: `SELECT u.id, u.role, u.time_zone, k.scopes FROM api_keys k JOIN users u ON u.id = k.user_id
        WHERE k.key_hash = ? AND (k.expires_at IS NULL OR k.expires_at > ?)`,
      values: [hash, Date.now()],
    };
  }
  const { payload } = await jwtVerify<{ sid: string }>(bearer, new TextEncoder().encode(c.env.JWT_SECRET));
  return {
    sql: `SELECT u.id, u.role, u.time_zone, s.expires_at FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = ? AND s.user_id = ? AND s.expires_at > ?`,
    values: [payload.sid, Number(payload.sub), Date.now()],
  };
}

/** Runs the statements with the check in one batch. Null if the credential is not valid. */
async function run(c: Context<Env>, statements: (check: Check) => Statement[]): Promise<Row[][] | null> {
  const check = await checkOf(c);
  const db = c.env.DB;
  const checking = check === OPEN ? [] : [db.prepare(check.sql).bind(...check.values)];
  const results = await db.batch<Row>([...checking, ...statements(check)]);
  const rows = results.map((result) => result.results);
  if (check === OPEN) return rows;
  return rows[0]?.length ? rows.slice(1) : null;
}

const LIMIT = 50;

/** A page by the index, whatever the query selects. */
function list(
  path: string,
  toItem: (row: Row) => object,
  select: (c: Context<Env>) => [string, ...(string | number)[]],
) {
  dataBare.get(path, async (c) => {
    const [query, ...values] = select(c);
    const rows = await run(c, () => [c.env.DB.prepare(`${query} LIMIT ?`).bind(...values, LIMIT + 1)]);
    if (!rows) return c.json({ status: 401 }, 401);
    const [page = []] = rows;
    return c.json({ data: page.slice(0, LIMIT).map(toItem), nextCursor: page.length > LIMIT ? "next" : null });
  });
}

list("/tasks", toTask, (c) => {
  const status = c.req.query("status");
  if (status) return ["SELECT * FROM bare_tasks WHERE status = ? ORDER BY due_at, id", status];
  return ["SELECT * FROM bare_tasks ORDER BY due_at, id"];
});
list("/emails", toEmail, (c) => [
  `SELECT ${EMAIL_LIST} FROM bare_emails ${c.req.query("unread") ? "WHERE is_read = 0" : ""} ORDER BY received_at DESC, id DESC`,
]);
list("/events", toEvent, (c) => [
  "SELECT * FROM bare_events WHERE start_at >= ? AND start_at < ? ORDER BY start_at, id",
  Date.parse(c.req.query("start") ?? ""),
  Date.parse(c.req.query("end") ?? ""),
]);
list("/upcoming", toEvent, () => [
  "SELECT * FROM bare_events WHERE start_at >= ? AND status <> 'cancelled' ORDER BY start_at, id",
  Date.now(),
]);

dataBare.get("/freebusy", async (c) => {
  const { start = "", end = "" } = c.req.query();
  const rows = await run(c, () => [
    c.env.DB.prepare(
      "SELECT start_at, end_at FROM bare_events WHERE start_at >= ? AND start_at < ? ORDER BY start_at",
    ).bind(Date.parse(start), Date.parse(end)),
  ]);
  if (!rows) return c.json({ status: 401 }, 401);
  const busy: { start: number; end: number }[] = [];
  for (const { start_at, end_at } of rows[0] ?? []) {
    const last = busy.at(-1);
    if (last && Number(start_at) <= last.end) last.end = Math.max(last.end, Number(end_at));
    else busy.push({ start: Number(start_at), end: Number(end_at) });
  }
  return c.json({ start, end, busy: busy.map((each) => ({ start: iso(each.start), end: iso(each.end) })) });
});

/** One record by its id: read, changed by a few columns, deleted. */
function record(path: string, table: string, toItem: (row: Row) => object, changes: (body: Row) => Row) {
  dataBare.get(`${path}/:id`, async (c) => {
    const rows = await run(c, () => [
      c.env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`).bind(Number(c.req.param("id"))),
    ]);
    return answer(c, rows, toItem);
  });
  dataBare.patch(`${path}/:id`, async (c) => {
    const set = Object.entries({ ...changes(await c.req.json<Row>()), updated_at: Date.now() });
    const rows = await run(c, (check) => [
      c.env.DB.prepare(
        `UPDATE ${table} SET ${set.map(([name]) => `${name} = ?`).join(", ")}, version = version + 1
        WHERE id = ? AND EXISTS (${check.sql}) RETURNING *`,
      ).bind(...set.map(([, value]) => value), Number(c.req.param("id")), ...check.values),
    ]);
    return answer(c, rows, toItem);
  });
  dataBare.delete(`${path}/:id`, async (c) => {
    const rows = await run(c, (check) => [
      c.env.DB.prepare(`DELETE FROM ${table} WHERE id = ? AND EXISTS (${check.sql}) RETURNING id`).bind(
        Number(c.req.param("id")),
        ...check.values,
      ),
    ]);
    if (!rows) return c.json({ status: 401 }, 401);
    return rows[0]?.length ? c.body(null, 204) : c.json({ status: 404 }, 404);
  });
}

function answer(c: Context<Env>, rows: Row[][] | null, toItem: (row: Row) => object, status: 200 | 201 = 200) {
  if (!rows) return c.json({ status: 401 }, 401);
  const row = rows[0]?.[0];
  return row ? c.json(toItem(row), status) : c.json({ status: 404 }, 404);
}

record("/tasks", "bare_tasks", toTask, ({ priority = null }) => ({ priority }));
record("/emails", "bare_emails", toEmail, ({ isStarred = null }) => ({ is_starred: isStarred ? 1 : 0 }));
record("/events", "bare_events", toEvent, ({ title = null }) => ({ title }));

function creation(path: string, table: string, toItem: (row: Row) => object, columns: (body: Row) => Row) {
  dataBare.post(path, async (c) => {
    const now = Date.now();
    const row = Object.entries({ ...columns(await c.req.json<Row>()), version: 1, created_at: now, updated_at: now });
    const rows = await run(c, (check) => [
      c.env.DB.prepare(
        `INSERT INTO ${table} (${row.map(([name]) => name).join(", ")})
        SELECT ${row.map(() => "?").join(", ")} WHERE EXISTS (${check.sql}) RETURNING *`,
      ).bind(...row.map(([, value]) => value), ...check.values),
    ]);
    return answer(c, rows, toItem, 201);
  });
}

creation("/tasks", "bare_tasks", toTask, ({ title = "", tags = null }) => ({
  title,
  description: "",
  status: "todo",
  priority: "medium",
  tags: JSON.stringify(tags ?? []),
  source: "manual",
}));
creation("/emails", "bare_emails", toEmail, ({ subject = "", body = "" }) => ({
  message_id: `<${crypto.randomUUID()}@example.com>`,
  direction: "inbound",
  source: "import",
  kind: "person",
  from_name: "Ann Lee",
  from_email: "ann@example.com",
  to_recipients: '[{"name":"","email":"hello@example.com"}]',
  cc_recipients: "[]",
  subject,
  snippet: String(body).slice(0, 200),
  body,
  attachments: "[]",
  tags: '["hello"]',
  status: "inbox",
  is_read: 0,
  is_starred: 0,
  received_at: Date.now(),
}));
creation("/events", "bare_events", toEvent, ({ title = "", start = "", durationMinutes = 0 }) => ({
  title,
  start_at: Date.parse(String(start)),
  end_at: Date.parse(String(start)) + Number(durationMinutes) * 60_000,
  time_zone: "UTC",
  status: "confirmed",
  source: "manual",
  ical_uid: crypto.randomUUID(),
  attendees: "[]",
  tags: "[]",
  exdates: "[]",
}));

/** From counters that its author would keep: one row a figure, and one a day. */
dataBare.get("/stats", async (c) => {
  const db = c.env.DB;
  const rows = await run(c, () => [
    db.prepare("SELECT area, key, value FROM bare_figures"),
    db.prepare("SELECT day, emails, tasks_done, events FROM bare_days ORDER BY day DESC LIMIT 14"),
    db
      .prepare("SELECT id, title, start_at, end_at FROM bare_events WHERE start_at >= ? ORDER BY start_at, id LIMIT 1")
      .bind(Date.now()),
    db.prepare("SELECT * FROM sync_runs ORDER BY started_at DESC LIMIT 1"),
  ]);
  if (!rows) return c.json({ status: 401 }, 401);
  const [figures = [], days = [], [next] = [], [lastSync] = []] = rows;
  const area = (name: string) =>
    Object.fromEntries(figures.filter((row) => row.area === name).map(({ key, value }) => [key, value]));
  return c.json({
    ...area("totals"),
    emailsByTag: area("emails_by_tag"),
    emailsByUrgency: area("emails_by_urgency"),
    tasksByStatus: area("tasks_by_status"),
    nextEvent: next ? { id: next.id, title: next.title, start: iso(next.start_at), end: iso(next.end_at) } : null,
    ai: { calls: 0, fallbacks: 0, byModel: {} },
    lastSync: lastSync ?? null,
    stream: { state: "offline" },
    series: days.map((day) => ({ date: day.day, emails: day.emails, tasksDone: day.tasks_done, events: day.events })),
  });
});
