import { type AnyColumn, lt, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

const ROWS_A_ROUND = 1000;
const MAX_ROUNDS = 20;

/** Deletes rows whose time is over, in bounded bites; what is left over waits for the next run. */
export async function purgeExpired(
  db: Database,
  now: Date,
  tables: readonly (SQLiteTable & { expiresAt: AnyColumn })[],
): Promise<number> {
  let purged = 0;
  for (const table of tables) {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const expired = db.select({ rowid: sql`rowid` }).from(table).where(lt(table.expiresAt, now)).limit(ROWS_A_ROUND);
      const { meta } = await db.delete(table).where(sql`rowid IN ${expired}`);
      purged += meta.changes;
      if (meta.changes < ROWS_A_ROUND) break;
    }
  }
  return purged;
}
