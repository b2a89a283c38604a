import { DatabaseSync } from "node:sqlite";
import { recount } from "../../src/db/recount.ts";
import { type Ledger, MARK } from "./acts.ts";
import { compareDeliveries, compareEmails, compareLive, type Row, type Select } from "./audit-engines.ts";
import type { Provider } from "./bookings.ts";
import type { Correspondence } from "./emails.ts";
import type { LiveClient } from "./live.ts";
import { databaseFile } from "./owed.ts";
import type { Received } from "./receivers.ts";

/** Each selects what must not be there. */
const RULES: Record<string, string> = {
  "no mail is without the count of its thread": `
    SELECT id FROM emails WHERE has_thread_count AND thread_id NOT IN (SELECT id FROM threads)`,
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
  "no sync still claims to run": "SELECT id FROM sync_runs WHERE status = 'running'",
  "no change is missing in the log": "SELECT max(id) FROM changes HAVING max(id) - min(id) + 1 <> count(*)",
  "no row points at nothing": "SELECT * FROM pragma_foreign_key_check",
  "the file is whole": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
};

/** What others know: callers, correspondents, live clients, and the servers that the service talks to. */
export interface Known {
  ledgers: readonly Ledger[];
  provider: Provider;
  posts: readonly string[];
  correspondence: Correspondence;
  /** What the receiver of each webhook got. */
  boxes: ReadonlyMap<number, readonly Received[]>;
  clients: readonly { client: LiveClient; audience: string }[];
}

/** Holds the database to its own rules and to what others know. Empty when all is well. */
export async function audit(state: string, known: Known): Promise<string[]> {
  const { ledgers, provider, posts } = known;
  const db = new DatabaseSync(databaseFile(state), { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all() as Row[];
  const findings = Object.entries(RULES).flatMap(([rule, sql]) => {
    const broken = rows(sql);
    return broken.length > 0 ? [`not so: ${rule}: ${JSON.stringify(broken.slice(0, 3))}`] : [];
  });
  const { differences } = await recount(async (sql) => rows(sql));
  findings.push(...differences.map((difference) => `counted wrong: ${JSON.stringify(difference)}`));
  for (const ledger of ledgers) findings.push(...compareLedger(rows, ledger));
  findings.push(...compareBookings(rows, provider), ...comparePosts(rows, posts));
  findings.push(...compareDeliveries(rows, ledgers, known.boxes), ...compareLive(rows, known.clients));
  findings.push(...compareEmails(rows, known.correspondence));
  db.close();
  return findings;
}

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
