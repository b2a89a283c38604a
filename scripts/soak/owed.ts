import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Each counts background work that has no result yet. All must be 0 after two crons. */
const OWED: Record<string, string> = {
  "events in the outbox": "SELECT count(*) AS n FROM outbox",
  "pending deliveries": "SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'pending'",
  "analyses due": "SELECT count(*) AS n FROM emails WHERE analysis_due_at IS NOT NULL",
  "streams without captions": "SELECT count(*) AS n FROM stream_sessions WHERE captions_owed_since IS NOT NULL",
  "milestones without captions": "SELECT count(*) AS n FROM stream_milestones WHERE captions_owed_since IS NOT NULL",
  "captions due from a model": "SELECT count(*) AS n FROM captions WHERE model_due_at IS NOT NULL",
  "captions being posted": "SELECT count(*) AS n FROM captions WHERE status = 'posting'",
  "emails being sent": "SELECT count(*) AS n FROM emails WHERE delivery = 'sending'",
  "syncs that run": "SELECT count(*) AS n FROM sync_runs WHERE status = 'running'",
};

/** More than every lease, pause and retry that the load can have left. */
const LONG_MS = 3_600_000;
/** The times by which the service knows that work is overdue. */
const DUE_TIMES = [
  ["webhook_deliveries", "next_attempt_at", "status = 'pending'"],
  ["webhook_endpoints", "paused_until", "paused_until IS NOT NULL"],
  ["emails", "analysis_due_at", "analysis_due_at IS NOT NULL"],
  ["emails", "updated_at", "delivery = 'sending'"],
  ["captions", "model_due_at", "model_due_at IS NOT NULL"],
  ["captions", "claimed_at", "status = 'posting'"],
  ["sync_runs", "lease_until", "status = 'running'"],
] as const;

export function databaseFile(state: string): string {
  const folder = join(state, "d1", "miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  if (!file) throw new Error(`No database in ${folder}`);
  return join(folder, file);
}

/** What is owed and how often, without what is not. */
export function owed(state: string): Record<string, number> {
  const db = new DatabaseSync(databaseFile(state), { readOnly: true, timeout: 5000 });
  try {
    const counts = Object.entries(OWED).map(([name, sql]) => [name, Number(db.prepare(sql).get()?.n)] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  } finally {
    db.close();
  }
}

/** As if an hour had passed: what is owed is overdue. Only while the server is down. */
export function letAnHourPass(state: string): void {
  const db = new DatabaseSync(databaseFile(state));
  for (const [table, column, where] of DUE_TIMES) {
    db.exec(`UPDATE ${table} SET ${column} = ${column} - ${LONG_MS} WHERE ${where}`);
  }
  db.close();
}

export function told(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return parts.join(", ") || "nothing";
}
