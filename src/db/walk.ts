import { and, asc, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

export interface WalkOptions {
  where?: SQL;
  /** Default: every column. The primary key must be one of them. */
  columns?: SelectedFields;
  /** Smaller where a row can be large. */
  pageSize?: number;
  /** The bytes of a row, where it can be large: then a page also ends before it has more than a few megabytes. */
  bytes?: SQL;
}

/** At least as large as the largest row. */
const PAGE_BYTES = 4_000_000;

/** Reads a table page by page in the order of its primary key, which no parallel write can disturb. */
export async function* walkTable<Row>(
  db: Database,
  table: SQLiteTable,
  { where, columns, pageSize = 200, bytes }: WalkOptions = {},
): AsyncGenerator<Row[]> {
  const [name, key] = primaryKeyOf(table);
  let isLater: SQL | undefined;
  for (;;) {
    const query = columns ? db.select(columns) : db.select();
    const isWanted = and(where, isLater);
    const sizes = sql`SELECT ${key} AS key, ${bytes} AS bytes FROM ${table} WHERE ${isWanted ?? sql`1`}
      ORDER BY ${key} LIMIT ${pageSize}`;
    const fits = bytes && sql`${key} <= ${lastThatFits(sizes)}`;
    const rows = await query.from(table).where(and(isWanted, fits)).orderBy(asc(key)).limit(pageSize);
    const last = assertType<Record<string, unknown> | undefined>(rows.at(-1));
    if (last) yield assertType<Row[]>(rows);
    if (!last || (!bytes && rows.length < pageSize)) return;
    isLater = gt(key, last[name]);
  }
}

/** The key of the last of these rows that a page has room for. */
export function lastThatFits(rows: SQL): SQL {
  const sums = sql`SELECT key, sum(bytes) OVER (ORDER BY key) AS total FROM (${rows})`;
  return sql`(SELECT max(key) FROM (${sums}) WHERE total <= ${PAGE_BYTES})`;
}

function primaryKeyOf(table: SQLiteTable) {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => column.primary);
  if (!found) throw new Error("a table without a primary key of one column cannot be read page by page");
  return found;
}
