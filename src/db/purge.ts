import { type AnyColumn, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

const ROWS_A_ROUND = 1000;
const MAX_ROUNDS = 20;

/** Deletes rows in bounded bites; what is left over waits for the next run. */
export async function purge(db: Database, table: SQLiteTable, where: SQL): Promise<number> {
  let purged = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const bite = db.select({ rowid: sql`rowid` }).from(table).where(where).limit(ROWS_A_ROUND);
    const { meta } = await db.delete(table).where(sql`rowid IN ${bite}`);
    purged += meta.changes;
    if (meta.changes < ROWS_A_ROUND) break;
  }
  return purged;
}

/** Deletes rows whose time is over. */
export async function purgeExpired(
  db: Database,
  now: Date,
  tables: readonly (SQLiteTable & { expiresAt: AnyColumn })[],
): Promise<number> {
  let purged = 0;
  for (const table of tables) purged += await purge(db, table, lt(table.expiresAt, now));
  return purged;
}
