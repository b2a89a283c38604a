import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Ledger, MARK } from "./acts.ts";
import type { Provider } from "./bookings.ts";

/**
 * Counts of the records (`name`, `n`) beside those that are kept: a count that is missing is as wrong as one
 * that is off.
 */
const differing = (records: string, kept: string) => `
  SELECT name, records.n AS there, kept.n AS kept FROM (${records}) AS records FULL JOIN (${kept}) AS kept USING (name)
  WHERE coalesce(records.n, 0) <> coalesce(kept.n, 0)`;
const counters = (area: string) => `SELECT key AS name, value AS n FROM counters WHERE area = '${area}'`;

/** Each selects what must not be there. */
const RULES: Record<string, string> = {
  "the counted mails are those": differing(
    `SELECT 'total' AS name, count(*) AS n FROM emails
     UNION ALL SELECT 'unread', count(*) FROM emails WHERE is_read = 0
     UNION ALL SELECT 'starred', count(*) FROM emails WHERE is_starred = 1
     UNION ALL SELECT 'outbound', count(*) FROM emails WHERE direction = 'outbound'`,
    counters("emails"),
  ),
  "the counted urgencies are those": differing(
    "SELECT urgency AS name, count(*) AS n FROM emails WHERE urgency IS NOT NULL GROUP BY urgency",
    counters("emails_by_urgency"),
  ),
  "the counted mails of each status are those": differing(
    "SELECT status AS name, count(*) AS n FROM emails GROUP BY status",
    counters("emails_by_status"),
  ),
  "the counted task states are those": differing(
    "SELECT status AS name, count(*) AS n FROM tasks GROUP BY status",
    counters("tasks_by_status"),
  ),
  "every tag is counted right": differing(
    "SELECT tag AS name, count(*) AS n FROM email_tags GROUP BY tag",
    "SELECT tag AS name, count AS n FROM tags",
  ),
  "the unread mails of every tag are counted right": differing(
    "SELECT tag AS name, count(*) AS n FROM email_tags WHERE is_read = 0 GROUP BY tag",
    "SELECT tag AS name, unread AS n FROM tags",
  ),
  "the spread tags are those of the mails": `
    SELECT emails.id, value FROM emails, json_each(tags) EXCEPT SELECT email_id, tag FROM email_tags`,
  "no spread tag is of no mail": `
    SELECT email_id, tag FROM email_tags EXCEPT SELECT emails.id, value FROM emails, json_each(tags)`,
  "the spread tags of tasks are theirs": `
    SELECT tasks.id, value FROM tasks, json_each(tags) EXCEPT SELECT task_id, tag FROM task_tags`,
  "no spread tag is of no task": `
    SELECT task_id, tag FROM task_tags EXCEPT SELECT tasks.id, value FROM tasks, json_each(tags)`,
  "the spread tags of tasks are in the order of their tasks": `
    SELECT k.tag, k.task_id FROM task_tags k JOIN tasks t ON t.id = k.task_id
    WHERE k.due_order <> t.due_order OR k.priority_order <> t.priority_order`,
  "every thread counts its mails": `
    SELECT t.id, t.email_count FROM threads t WHERE t.email_count <> (SELECT count(*) FROM emails WHERE thread_id = t.id)`,
  "no mail is without its thread": "SELECT id FROM emails WHERE thread_id NOT IN (SELECT id FROM threads)",
  "the search index holds every mail once": `
    SELECT 1 WHERE (SELECT count(*) FROM emails_search_docsize) <> (SELECT count(*) FROM emails)`,
  "the counted events are those": differing(
    `SELECT status || ' ' || source AS name, count(*) AS n FROM events
     WHERE deleted_at IS NULL AND recurring_event_id IS NULL GROUP BY 1`,
    "SELECT status || ' ' || source AS name, count AS n FROM event_totals",
  ),
  "no mail is there twice": "SELECT message_key FROM emails GROUP BY message_key HAVING count(*) > 1",
  "no task of ours is there twice": `
    SELECT title FROM tasks WHERE title LIKE '${MARK} task %' GROUP BY title HAVING count(*) > 1`,
  "no event of ours is there twice": `
    SELECT title FROM events WHERE title LIKE '${MARK} event %' GROUP BY title HAVING count(*) > 1`,
  "no booking is there twice": `
    SELECT booking_id FROM events WHERE booking_id IS NOT NULL GROUP BY booking_id HAVING count(*) > 1`,
  "no platform has two live streams": `
    SELECT platform FROM stream_sessions WHERE state = 'live' GROUP BY platform HAVING count(*) > 1`,
  "no stream is there twice": `
    SELECT external_id FROM stream_sessions WHERE external_id IS NOT NULL GROUP BY platform, external_id HAVING count(*) > 1`,
  "every stream of the encoder has ended": "SELECT id FROM stream_sessions WHERE state <> 'ended'",
  "each milestone is told of once": `
    SELECT json_extract(data, '$.milestoneId') AS milestone, count(*) FROM stream_events WHERE type = 'milestone.reached'
    GROUP BY 1 HAVING count(*) > 1`,
  "no caption is written twice": "SELECT subject FROM captions GROUP BY subject, platform HAVING count(*) > 1",
  "the counted captions are those": differing(
    "SELECT platform || ' ' || status AS name, count(*) AS n FROM captions GROUP BY 1",
    "SELECT platform || ' ' || status AS name, count AS n FROM caption_totals",
  ),
  "the AI calls add up": `
    SELECT 1 WHERE (SELECT count(*) FROM ai_calls) <> (SELECT coalesce(sum(calls), 0) FROM ai_usage)`,
  "no sync still claims to run": "SELECT id FROM sync_runs WHERE status = 'running'",
  "no row points at nothing": "SELECT * FROM pragma_foreign_key_check",
  "the file is whole": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
};

type Row = Record<string, string | number | null>;

/** What others know: the callers, the booking provider, and the platform where captions are posted. */
export interface Known {
  ledgers: readonly Ledger[];
  provider: Provider;
  posts: readonly string[];
}

/** Holds the database to its own rules and to what others know. Empty when all is well. */
export function audit(state: string, { ledgers, provider, posts }: Known): string[] {
  const db = new DatabaseSync(databaseFile(state), { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all() as Row[];
  const findings = Object.entries(RULES).flatMap(([rule, sql]) => {
    const broken = rows(sql);
    return broken.length > 0 ? [`not so: ${rule}: ${JSON.stringify(broken.slice(0, 3))}`] : [];
  });
  for (const ledger of ledgers) findings.push(...compareLedger(rows, ledger));
  findings.push(...compareBookings(rows, provider), ...comparePosts(rows, posts));
  db.close();
  return findings;
}

function databaseFile(state: string): string {
  const folder = join(state, "d1", "miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  if (!file) throw new Error(`No database in ${folder}`);
  return join(folder, file);
}

type Select = (sql: string) => Row[];

function compareLedger(rows: Select, ledger: Ledger): string[] {
  const findings: string[] = [];
  const tasks = new Map(rows("SELECT id, title, status FROM tasks").map((row) => [row.id, row]));
  for (const [id, { title, status }] of ledger.tasks) {
    const row = tasks.get(id);
    if (row?.title !== title || row.status !== status) findings.push(`task ${id} is lost or wrong: ${told(row)}`);
  }
  for (const id of ledger.deletedTasks) if (tasks.has(id)) findings.push(`task ${id} was deleted and is there`);
  const mails = new Map(rows("SELECT message_id, id, is_read FROM emails").map((row) => [row.message_id, row]));
  for (const [messageId, { id, isRead }] of ledger.mails) {
    const row = mails.get(messageId);
    if (row?.id !== id || row.is_read !== Number(isRead)) findings.push(`mail ${id} is lost or wrong: ${told(row)}`);
  }
  const events = new Map(rows("SELECT id, title, start_at, status FROM events").map((row) => [row.id, row]));
  for (const [id, { title, start, status }] of ledger.events) {
    const row = events.get(id);
    const isRight = row?.title === title && row.start_at === Date.parse(start) && row.status === status;
    if (!isRight) findings.push(`event ${id} is lost or wrong: ${told(row)}`);
  }
  return findings;
}

function compareBookings(rows: Select, { bookings }: Provider): string[] {
  const stored = new Map(
    rows("SELECT booking_id, start_at, status FROM events WHERE booking_id IS NOT NULL").map((row) => [
      row.booking_id,
      row,
    ]),
  );
  const findings: string[] = [];
  for (const booking of bookings.values()) {
    const row = stored.get(booking.uid);
    const status = booking.status === "accepted" ? "confirmed" : "cancelled";
    if (row?.start_at !== Date.parse(booking.start) || row.status !== status) {
      findings.push(`booking ${booking.uid} (${booking.status}, ${booking.start}) is not so here: ${told(row)}`);
    }
  }
  return findings;
}

/** Each caption's text is its own, so a text that was posted twice is a caption that was. */
function comparePosts(rows: Select, posts: readonly string[]): string[] {
  const twice = posts.filter((text, index) => posts.indexOf(text) !== index);
  const stored = rows("SELECT id, text FROM captions WHERE status = 'posted'");
  const missing = stored.filter(({ text }) => !posts.some((post) => post.startsWith(String(text).slice(0, 40))));
  return [
    ...twice.map((text) => `posted twice: ${text.slice(0, 80)}`),
    ...missing.map(({ id }) => `caption ${id} is called posted and is not there`),
  ];
}

const told = (row: Row | undefined) => (row ? JSON.stringify(row) : "not there");
