import { type AnyColumn, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../context.ts";
import { letOthersIn } from "../lib/let-others-in.ts";
import type { Database } from "./client.ts";

const BATCH_ROWS = 1000;
const MAX_BATCHES = 20;

/**
 * Deletes rows in batches of limited size and number, until `signal` asks to stop. What is left waits for the next run.
 */
export async function purge(
  db: Database,
  table: SQLiteTable,
  where: SQL,
  signal: AbortSignal | null = null,
): Promise<number> {
  // A table WITHOUT ROWID has its primary key only.
  const key = Object.values(getTableColumns(table)).find(({ primary }) => primary) ?? sql`rowid`;
  let purged = 0;
  for (let batch = 0; batch < MAX_BATCHES && !signal?.aborted; batch++) {
    const rows = db.select({ key }).from(table).where(where).limit(BATCH_ROWS);
    const { meta } = await db.delete(table).where(sql`${key} IN ${rows}`);
    purged += meta.changes;
    if (meta.changes < BATCH_ROWS) break;
    await letOthersIn();
  }
  return purged;
}

/** Deletes rows that have expired. */
export async function purgeExpired(
  { db, now, signal }: Pick<Context, "db" | "now" | "signal">,
  tables: readonly (SQLiteTable & { expiresAt: AnyColumn })[],
): Promise<number> {
  let purged = 0;
  for (const table of tables) purged += await purge(db, table, lt(table.expiresAt, now), signal);
  return purged;
}
