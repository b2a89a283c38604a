import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

/*
 * The files of a worker share its database and store, and which files those are changes from run to run. Each
 * begins as if it were alone: with what the migrations wrote and nothing else.
 */

interface Seed {
  table: string;
  rows: Record<string, unknown>[];
}

/** As the worker's first file found it. Kept beside the modules, which each file may load anew. */
const kept = globalThis as { migrated?: readonly Seed[] };

export async function beginClean(): Promise<void> {
  if (kept.migrated) await restore(kept.migrated);
  else {
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
    kept.migrated = await readAll();
  }
  const { keys } = await env.KV.list();
  await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
  const { objects } = await env.FILES.list();
  if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
}

/** Every row of every table. */
export async function readAll(): Promise<Seed[]> {
  // Neither the search indexes, which triggers keep, nor what they are made of.
  const { results } = await env.DB.prepare(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
     AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>();
  const tables = results.map(({ name }) => name);
  const contents = await env.DB.batch<Record<string, unknown>>(
    tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)),
  );
  return tables.map((table, index) => ({ table, rows: contents[index]?.results ?? [] }));
}

async function restore(seeds: readonly Seed[]): Promise<void> {
  const deletions = seeds.map(({ table }) => env.DB.prepare(`DELETE FROM ${table}`));
  const insertions = seeds.flatMap(({ table, rows }) =>
    rows.map((row) => {
      const columns = Object.keys(row);
      return env.DB.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      ).bind(...Object.values(row));
    }),
  );
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = on"),
    ...deletions,
    // Triggers have written of what was deleted.
    ...deletions,
    ...insertions,
  ]);
}
