import { and, asc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../context.ts";
import type { Database } from "./client.ts";
import { purge } from "./purge.ts";

/** One kind of stored data, for the export and for the deletion of an account. */
export interface PersonalData {
  /** Its name in the export. */
  name: string;
  /** Set for data that belongs to the service and not to a person. */
  ownersOnly?: true;
  /** All records without secrets, in pages that fit into memory. */
  pages(ctx: Context): AsyncIterable<readonly unknown[]>;
  /** Called when the last account is deleted. Foreign keys delete the data of a person with their account. */
  erase?(ctx: Context): Promise<void>;
}

const ROWS_A_PAGE = 200;

interface Page {
  where?: SQL;
  /** Fewer, where a row can be large. */
  size?: number;
}

/**
 * Pages over a table by its number, which no write can disturb. `read` runs the query; it is given the
 * condition and how many rows to take.
 */
export async function* walk<Row>(
  key: SQLiteColumn,
  keyOf: (row: Row) => number | string,
  read: (where: SQL | undefined, order: SQL, limit: number) => PromiseLike<Row[]>,
  { where, size = ROWS_A_PAGE }: Page = {},
): AsyncGenerator<Row[]> {
  let after: SQL | undefined;
  for (;;) {
    const rows = await read(and(where, after), asc(key), size);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
    after = sql`${key} > ${keyOf(last)}`;
  }
}

/** A single record as a page of one, or none. */
export async function* onePage<Row>(rows: PromiseLike<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield await rows;
}

/**
 * Empties a table in bounded bites, however large it is, and then its search index, which would keep the words of what
 * is gone until it happens to tidy up.
 */
export async function eraseAll(
  db: Database,
  table: SQLiteTable,
  search?: "emails_search" | "tasks_search",
): Promise<void> {
  while ((await purge(db, table, sql`1`)) > 0);
  if (!search) return;
  const index = sql.raw(search);
  await db.run(sql`INSERT INTO ${index} (${index}) SELECT 'delete-all' WHERE NOT EXISTS (SELECT 1 FROM ${table})`);
}
