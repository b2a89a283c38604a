// What the dashboard and the stream's status read, as plain Hono: the same statements in the same batch, in UTC.
import { Hono } from "hono";
import { CLASSES } from "./calendar-bare.ts";

export const dashboardBare = new Hono<{ Bindings: { DB: D1Database } }>();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 14;
const iso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());

const IS_OPEN = "status IN ('todo', 'in_progress', 'waiting')";
const SPANS = `(SELECT column1 AS span, column2 AS longest
  FROM (VALUES ${CLASSES.map(({ span, longest }) => `(${span}, ${longest})`).join(", ")})) AS spans`;
const NEXT_EVENT = `SELECT id, title, start_at, end_at FROM events WHERE id IN (SELECT id FROM (${CLASSES.map(
  ({ span, longest }) =>
    `SELECT id, start_at FROM events WHERE span = ${span} AND start_at >= max(?1 - ${longest}, ?1) AND end_at > ?1 AND status <> 'cancelled'`,
).join(" UNION ALL ")} ORDER BY start_at, id LIMIT 1))`;

interface Row {
  [column: string]: string | number;
}

interface Timed extends Row {
  start_at: number;
  end_at: number;
}

dashboardBare.get("/stats", async (c) => {
  const db = c.env.DB;
  const now = Date.now();
  const today = now - (now % DAY);
  const first = today - (DAYS - 1) * DAY;
  const ahead = today + 7 * DAY;
  const batch = await db.batch<Row>([
    db.prepare("SELECT area, key, value FROM counters"),
    db.prepare("SELECT tag, count FROM tags ORDER BY count DESC, tag DESC LIMIT 100"),
    db.prepare(`SELECT count(*) AS count FROM tasks WHERE ${IS_OPEN} AND due_order < ?`).bind(now),
    db
      .prepare(`SELECT count(*) AS count FROM tasks WHERE ${IS_OPEN} AND due_order < ? AND due_order >= ?`)
      .bind(today + DAY, today),
    db
      .prepare("SELECT span, start, emails, tasks_done FROM activity WHERE span = 180 AND start >= ? AND start < ?")
      .bind(first, today + DAY),
    db.prepare("SELECT * FROM sync_runs ORDER BY started_at DESC, id DESC LIMIT 1"),
    db
      .prepare(
        "SELECT model, sum(calls) AS calls, sum(fallbacks) AS fallbacks FROM ai_usage WHERE hour >= ? GROUP BY model",
      )
      .bind(now - DAY),
    db.prepare("SELECT state FROM stream_sessions WHERE state IN ('live', 'scheduled') ORDER BY state LIMIT 1"),
    db
      .prepare(
        `SELECT events.id, title, start_at, end_at FROM ${SPANS} CROSS JOIN events WHERE events.span = spans.span
        AND start_at > ?1 - spans.longest AND start_at < ?2 AND end_at > ?1 AND status <> 'cancelled'`,
      )
      .bind(first, ahead),
    db
      .prepare("SELECT * FROM events WHERE series_end > ? AND start_at < ? AND status <> 'cancelled'")
      .bind(first, now + 366 * DAY),
    db.prepare(NEXT_EVENT).bind(now),
  ]);
  const [counters = [], tags = [], [overdue] = [], [due] = [], moments = [], [run] = [], usage = [], [stream] = []] =
    batch.map(({ results }) => results);
  const events = (batch[8]?.results ?? []) as Timed[];
  const next = batch[10]?.results[0] as Timed | undefined;
  const counted = (area: string) =>
    Object.fromEntries(counters.filter((row) => row.area === area).map(({ key, value }) => [key, value]));
  const mails = counted("emails");
  const overlapping = (from: number, until: number) =>
    events.filter((row) => row.start_at < until && row.end_at > from).length;
  const sum = (from: number, until: number, column: "emails" | "tasks_done") =>
    moments
      .filter(({ start }) => Number(start) >= from && Number(start) < until)
      .reduce((all, row) => all + Number(row[column]), 0);
  return c.json({
    totalEmails: mails.total ?? 0,
    unreadEmails: mails.unread ?? 0,
    emailsByTag: Object.fromEntries(tags.map(({ tag, count }) => [tag, count])),
    emailsByUrgency: { critical: 0, high: 0, normal: 0, low: 0, ...counted("emails_by_urgency") },
    tasksByStatus: { todo: 0, in_progress: 0, waiting: 0, done: 0, cancelled: 0, ...counted("tasks_by_status") },
    overdueTasks: overdue?.count,
    tasksDueToday: due?.count,
    tasksDoneLast7Days: sum(today - 6 * DAY, today + DAY, "tasks_done"),
    eventsToday: overlapping(today, today + DAY),
    eventsNext7Days: overlapping(now, ahead),
    nextEvent: next ? { id: next.id, title: next.title, start: iso(next.start_at), end: iso(next.end_at) } : null,
    ai: {
      calls: usage.reduce((all, row) => all + Number(row.calls), 0),
      fallbacks: usage.reduce((all, row) => all + Number(row.fallbacks), 0),
      byModel: Object.fromEntries(usage.map(({ model, calls }) => [model, calls])),
    },
    lastSync: run ?? null,
    stream: { state: stream?.state ?? "offline" },
    series: Array.from({ length: DAYS }, (_, index) => {
      const day = first + index * DAY;
      return {
        date: new Date(day).toISOString().slice(0, 10),
        emails: sum(day, day + DAY, "emails"),
        tasksDone: sum(day, day + DAY, "tasks_done"),
        events: overlapping(day, day + DAY),
      };
    }),
  });
});

const STATUS = `SELECT s.*, c.* FROM (
  SELECT max(subscribers) AS subscribers, max(last_report_at) AS last_report_at, max(last_checked_at) AS last_checked_at,
    (SELECT check_problem FROM stream_channels WHERE last_checked_at IS NOT NULL ORDER BY last_checked_at DESC LIMIT 1)
      AS check_problem FROM stream_channels
) c LEFT JOIN stream_sessions s ON s.id = coalesce(
  (SELECT id FROM stream_sessions WHERE state = 'live' ORDER BY started_at DESC LIMIT 1),
  (SELECT id FROM stream_sessions WHERE state = 'scheduled' ORDER BY scheduled_for, id LIMIT 1))`;

interface Status extends Record<string, string | number | null> {
  state: string | null;
  scheduled_for: number | null;
  started_at: number | null;
  ended_at: number | null;
  created_at: number;
  updated_at: number;
  last_report_at: number | null;
  last_checked_at: number | null;
}

dashboardBare.get("/stream", async (c) => {
  const row = await c.env.DB.prepare(STATUS).first<Status>();
  const live = row?.state === "live" ? row : undefined;
  return c.json({
    state: row?.state ?? "offline",
    session: row?.id
      ? {
          id: row.id,
          platform: row.platform,
          externalId: row.external_id,
          title: row.title,
          url: row.url,
          thumbnailUrl: row.thumbnail_url,
          state: row.state,
          scheduledFor: iso(row.scheduled_for),
          startedAt: iso(row.started_at),
          endedAt: iso(row.ended_at),
          durationSeconds: row.started_at && Math.round(((row.ended_at ?? Date.now()) - row.started_at) / 1000),
          viewers: row.viewers,
          peakViewers: row.peak_viewers,
          version: row.version,
          createdAt: iso(row.created_at),
          updatedAt: iso(row.updated_at),
        }
      : null,
    subscribers: row?.subscribers ?? null,
    viewers: live?.viewers ?? 0,
    peakViewers: live?.peak_viewers ?? 0,
    lastReportAt: iso(row?.last_report_at ?? null),
    lastCheckedAt: iso(row?.last_checked_at ?? null),
    checkProblem: row?.check_problem ?? null,
  });
});
