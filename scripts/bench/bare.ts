// What a competent person would write for one endpoint and nothing else: plain Hono, the same query,
// the same answer, no validation, limits, headers or logs. It is the measure our service is held to.
import bcrypt from "bcryptjs";
import { Hono } from "hono";
import { accountBare } from "./account-bare.ts";
import { calendarBare } from "./calendar-bare.ts";
import { dashboardBare } from "./dashboard-bare.ts";
import { taskBare } from "./task-bare.ts";

const app = new Hono<{ Bindings: { DB: D1Database; KV: KVNamespace; JWT_SECRET: string } }>();

app.get("/health", async (c) => {
  const started = Date.now();
  await Promise.all([c.env.DB.prepare("SELECT 1").run(), c.env.KV.get("health")]);
  return c.json({
    status: "ok",
    version: "0.0.0",
    time: new Date().toISOString(),
    checks: {
      database: { ok: true, latencyMs: Date.now() - started },
      kv: { ok: true },
      secrets: { ok: true, problems: [] },
    },
  });
});

let document = "";

app.put("/document", async (c) => {
  document = await c.req.text();
  return c.body(null, 204);
});

app.get("/document", (c) => c.body(document, 200, { "Content-Type": "application/json" }));

const MAIL = `e.id, e.message_id, e.thread_id, e.in_reply_to, e.direction, e.source, e.kind, e.authentication,
  e.delivery, e.delivery_error, e.from_name, e.from_email, e.to_recipients,
  e.cc_recipients, e.reply_to, e.subject, e.snippet, e.attachments, e.tags, e.status, e.is_read, e.is_starred, e.snoozed_until,
  e.received_at, e.analysis, e.version, e.created_at, e.updated_at,
  iif(e.has_thread_count, (SELECT t.email_count FROM threads t WHERE t.id = e.thread_id), 1) AS thread_count`;

interface MailRow {
  [column: string]: string | number | null;
  to_recipients: string;
  cc_recipients: string;
  attachments: string;
  tags: string;
  received_at: number;
  created_at: number;
  updated_at: number;
}

app.get("/emails", async (c) => {
  const { limit = "50", tag, unread, q } = c.req.query();
  const [from, value] = tag
    ? [
        "email_tags k CROSS JOIN emails e ON e.id = k.email_id WHERE k.tag = ? ORDER BY k.received_at DESC, k.email_id DESC",
        tag,
      ]
    : q
      ? [
          "emails_search s CROSS JOIN emails e ON e.received_at = s.rowid >> 20 AND e.id & 1048575 = s.rowid & 1048575 WHERE s.emails_search MATCH ? ORDER BY s.rowid DESC",
          `"${q}"*`,
        ]
      : [`emails e WHERE ${unread ? "is_read = 0 AND " : ""}? = '' ORDER BY e.received_at DESC, e.id DESC`, ""];
  const { results } = await c.env.DB.prepare(`SELECT ${MAIL} FROM ${from} LIMIT ?`)
    .bind(value, Number(limit) + 1)
    .all<MailRow>();
  return c.json({
    data: results.slice(0, Number(limit)).map((row) => ({
      id: row.id,
      messageId: row.message_id,
      threadId: row.thread_id,
      threadCount: row.thread_count,
      inReplyTo: row.in_reply_to,
      direction: row.direction,
      source: row.source,
      kind: row.kind,
      authentication: row.authentication,
      delivery: row.delivery,
      deliveryError: row.delivery_error,
      from: { name: row.from_name, email: row.from_email },
      to: JSON.parse(row.to_recipients),
      cc: JSON.parse(row.cc_recipients),
      replyTo: row.reply_to,
      subject: row.subject,
      snippet: row.snippet,
      attachments: JSON.parse(row.attachments),
      tags: JSON.parse(row.tags),
      status: row.status,
      isRead: row.is_read === 1,
      isStarred: row.is_starred === 1,
      snoozedUntil: row.snoozed_until,
      receivedAt: new Date(row.received_at).toISOString(),
      analysis: row.analysis,
      version: row.version,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    })),
    nextCursor: results.length > Number(limit) ? "next" : null,
  });
});

app.post("/bcrypt", async (c) => {
  const { password, hash } = await c.req.json();
  return c.json({ matches: await bcrypt.compare(password, hash) });
});

app.route("/account", accountBare);
app.route("/calendar", calendarBare);
app.route("/dashboard", dashboardBare);
app.route("/tasks", taskBare);

/** Only downloads the pages a sync needs, in the simplest way that gets them all. */
app.get("/download", async (c) => {
  const headers = { authorization: `Bearer ${c.req.query("key")}`, "cal-api-version": "2024-08-13" };
  let count = 0;
  for (let skip = 0; ; skip += 250) {
    const response = await fetch(`${c.req.query("base")}/bookings?sortUpdatedAt=asc&take=250&skip=${skip}`, {
      headers,
    });
    const { data } = await response.json<{ data: unknown[] }>();
    count += data.length;
    if (data.length < 250) return c.json({ count });
  }
});

app.notFound((c) => c.json({ status: 404, title: "There is no such path", detail: c.req.path }, 404));

export default app;
