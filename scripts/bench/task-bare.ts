// Tasks as plain Hono with the same queries.
import { Hono } from "hono";

export const taskBare = new Hono<{ Bindings: { DB: D1Database } }>();

interface Row {
  [column: string]: string | number | null;
  due_at: number | null;
  tags: string;
  completed_at: number | null;
  created_at: number;
  updated_at: number;
}

const COLUMNS = `t.id, t.title, t.description, t.status, t.priority, t.due_at, t.tags, t.source, t.email_id, t.event_id,
  t.quote, t.email_part, t.completed_at, t.version, t.created_at, t.updated_at, t.due_order, t.priority_order`;

const iso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());

function toTask(row: Row) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    dueAt: iso(row.due_at),
    tags: JSON.parse(row.tags),
    source: row.source,
    emailId: row.email_id,
    eventId: row.event_id,
    quote: row.quote,
    completedAt: iso(row.completed_at),
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}

taskBare.get("/", async (c) => {
  const { limit = "50", tag, status } = c.req.query();
  const [from, ...values] = tag
    ? [
        "task_tags k CROSS JOIN tasks t WHERE k.tag = ? AND t.id = k.task_id ORDER BY k.due_order, k.task_id LIMIT ?",
        tag,
      ]
    : status
      ? ["tasks t WHERE t.status = ? ORDER BY t.due_order, t.id LIMIT ?", status]
      : ["tasks t ORDER BY t.due_order, t.id LIMIT ?"];
  const { results } = await c.env.DB.prepare(`SELECT ${COLUMNS} FROM ${from}`)
    .bind(...values, Number(limit) + 1)
    .all<Row>();
  return c.json({
    data: results.slice(0, Number(limit)).map(toTask),
    nextCursor: results.length > Number(limit) ? "next" : null,
  });
});

taskBare.post("/", async (c) => {
  const { title, tags = [] } = await c.req.json<{ title: string; tags?: string[] }>();
  const now = Date.now();
  const row = await c.env.DB.prepare(
    `INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
    VALUES (?, '', 'todo', 'medium', ?, 'manual', 1, ?, ?) RETURNING *`,
  )
    .bind(title, JSON.stringify(tags), now, now)
    .first<Row>();
  return row ? c.json(toTask(row), 201) : c.json({ status: 500 }, 500);
});
