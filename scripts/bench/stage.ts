import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { type Bundles, root, runnable } from "./build.ts";
import { Client } from "./client.ts";

/**
 * The Workers to compare, in one runtime process over one migrated, empty database. Requests go by
 * loopback to a socket of each Worker's own: Miniflare's `dispatchFetch` and its shared entry pass every
 * request through one more Worker, which costs more than our own handlers and would hide the difference.
 */
export interface Stage {
  ours: Client;
  bare: Client;
  /** Ours in private mode. */
  secured: Client;
  /** With their databases watched. Only for costs: they are slower. */
  measured: Client;
  measuredSecured: Client;
  measuredBare: Client;
  db: D1Database;
  /** Inserts many rows fast; the members of a row are its columns. */
  insertRows(table: string, rows: readonly Record<string, string | number | null>[]): Promise<void>;
}

export const MAX_CONCURRENCY = 8;
/** The bundle that each Worker of a stage runs. */
const WORKERS = {
  ours: "ours",
  secured: "ours",
  bare: "bare",
  measured: "measured",
  measuredSecured: "measured",
  measuredBare: "measuredBare",
} as const;
type WorkerName = keyof typeof WORKERS;
const NAMES = Object.keys(WORKERS) as WorkerName[];
const IS_SECURED: ReadonlySet<WorkerName> = new Set(["secured", "measuredSecured"]);
export const SECRET_BINDINGS = {
  JWT_SECRET: "bench-only-jwt-secret-0123456789-abcdef",
  PASSWORD_PEPPER: "bench-only-pepper-0123456789-abcdefghij",
  ENCRYPTION_KEY: "bench-only-encryption-key-0123456789-abc",
  ALLOW_PRIVATE_HOSTS: "true",
};

// What is used of wrangler.toml; wrangler's own type of it comes out as untyped.
interface WorkerConfig {
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Record<string, string>;
  ratelimits: { name: string; namespace_id: string }[];
}

const config: WorkerConfig = unstable_readConfig({ config: join(root, "wrangler.toml") });
/** The runtime as the deployed Worker has it. */
export const compatibility = {
  compatibilityDate: config.compatibility_date,
  compatibilityFlags: config.compatibility_flags,
};

/** Gives `work` a stage of its own, so that no case sees the rows of another. */
export async function withStage<T>(
  bundles: Bundles,
  work: (stage: Stage) => Promise<T>,
  vars: Record<string, string> = {},
): Promise<T> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      cf: false,
      telemetry: { enabled: false },
      // Our request log is written and read like in production, and thrown away here.
      handleStructuredLogs: ({ level, message }) => {
        if (level === "error") console.error(message);
      },
      workers: NAMES.map((name) => workerOptions(name, bundles[WORKERS[name]], vars)),
    }),
  );
  const clients: Client[] = [];
  const connect = async (name: WorkerName) => {
    const client = new Client(await miniflare.unsafeGetDirectURL(name), MAX_CONCURRENCY);
    clients.push(client);
    return client;
  };
  try {
    const db = await miniflare.getD1Database("DB", "ours");
    await migrate(db);
    const stage: Stage = {
      ours: await connect("ours"),
      secured: await connect("secured"),
      bare: await connect("bare"),
      measured: await connect("measured"),
      measuredSecured: await connect("measuredSecured"),
      measuredBare: await connect("measuredBare"),
      db,
      insertRows: (table, rows) => insertRows(db, table, rows),
    };
    return await work(stage);
  } finally {
    for (const client of clients) client.close();
    await miniflare.dispose();
  }
}

function workerOptions(name: WorkerName, script: string, vars: Record<string, string>): V4WorkerOptions {
  // A limit that bites would measure 429s.
  const simple = { limit: 1_000_000_000, period: 60 as const };
  const limiters = config.ratelimits.map(({ name: binding, namespace_id }) => [binding, { namespace_id, simple }]);
  return {
    name,
    modules: runnable(script),
    ...compatibility,
    bindings: { ...config.vars, ...SECRET_BINDINGS, ...vars, ...(IS_SECURED.has(name) && { ACCESS_MODE: "private" }) },
    d1Databases: { DB: "bench" },
    kvNamespaces: { KV: "bench" },
    r2Buckets: { FILES: "bench" },
    ...(WORKERS[name] === "ours" && { durableObjects: { HUB: { className: "Hub", useSQLite: true } } }),
    ratelimits: Object.fromEntries(limiters),
    email: { send_email: [{ name: "EMAIL" }] },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

export async function migrate(db: D1Database): Promise<void> {
  const folder = join(root, "migrations");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  for (const file of files) {
    const statements = unstable_splitSqlQuery(await readFile(join(folder, file), "utf8"));
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

/**
 * Few: FTS5 keeps a hash table as large as the most that one statement has added, and goes through all of it at every
 * later commit on the same connection. Records do not arrive by thousands.
 */
const ROWS_PER_STATEMENT = 400;

async function insertRows(
  db: D1Database,
  table: string,
  rows: readonly Record<string, string | number | null>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map((column) => `json_extract(value, '$.${column}')`);
  const insert = `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = rows.slice(start, start + ROWS_PER_STATEMENT);
    await db.prepare(insert).bind(JSON.stringify(part)).run();
  }
}
