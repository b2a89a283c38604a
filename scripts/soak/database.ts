import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { recount } from "../../src/db/recount.ts";
import type { Part, Row } from "./part.ts";

/** More than every lease, pause and retry that the load can have left. */
const LONG_MS = 3_600_000;
/** A request that died with its server holds its key for a while. */
const KEYS = ["idempotency_keys", "claimed_at", "status IS NULL"] as const;

export function open(state: string, readOnly: boolean): DatabaseSync {
  const folder = join(state, "d1", "miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  if (!file) throw new Error(`No database in ${folder}`);
  const db = new DatabaseSync(join(folder, file), { readOnly });
  // A runtime that was killed may not have let go of the file yet, and one that runs may be writing.
  db.exec("PRAGMA busy_timeout = 10000");
  return db;
}

/** What is owed and how often, without what is not. The server may be running. */
export function owed(state: string, parts: readonly Part[]): Record<string, number> {
  const db = open(state, true);
  try {
    const counts = parts
      .flatMap((part) => Object.entries(part.owed ?? {}))
      .map(([name, sql]) => [name, Number(db.prepare(sql).get()?.n)] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  } finally {
    db.close();
  }
}

/** Deliveries to healthy webhooks that were made since then and still wait in the queue. */
export function waitingSince(state: string, time: number): number {
  const db = open(state, true);
  try {
    const sql = `SELECT count(*) AS n FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.status = 'pending' AND d.attempts = 0 AND d.created_at > ? AND e.failing_since IS NULL`;
    return Number(db.prepare(sql).get(time)?.n);
  } finally {
    db.close();
  }
}

export function toldOwed(counts: Record<string, number>): string {
  const entries = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return entries.join(", ") || "nothing";
}

/** As if an hour had passed: what is owed is overdue. Only while the server is down. */
export function letAnHourPass(state: string, parts: readonly Part[]): void {
  const db = open(state, false);
  for (const [table, column, where] of [KEYS, ...parts.flatMap(({ dueTimes = [] }) => dueTimes)]) {
    db.exec(`UPDATE ${table} SET ${column} = ${column} - ${LONG_MS} WHERE ${where}`);
  }
  db.close();
}

/** Rules that belong to no part. */
const RULES: Record<string, string> = {
  "no row points at nothing": "SELECT * FROM pragma_foreign_key_check",
  "the file is whole": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
};

/** Holds the database to the rules, to a recount, and to what each part knows. Empty when all is well. */
export async function audit(state: string, parts: readonly Part[]): Promise<string[]> {
  const db = open(state, true);
  const rows = (sql: string) => db.prepare(sql).all() as Row[];
  const rules = [RULES, ...parts.map((part) => part.rules ?? {})].flatMap((each) => Object.entries(each));
  const findings = rules.flatMap(([rule, sql]) => {
    const broken = rows(sql);
    return broken.length > 0 ? [`not so: ${rule}: ${JSON.stringify(broken.slice(0, 3))}`] : [];
  });
  const { differences } = await recount(async (sql) => rows(sql));
  findings.push(...differences.map((difference) => `counted wrong: ${JSON.stringify(difference)}`));
  for (const part of parts) findings.push(...((await part.audit?.(rows)) ?? []));
  db.close();
  return findings;
}
