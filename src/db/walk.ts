import { and, asc, getTableColumns, gt, type SQL } from "drizzle-orm";
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

export interface WalkOptions {
  where?: SQL;
  /** Default: every column. The primary key must be one of them. */
  columns?: SelectedFields;
  /** Smaller where a row can be large. */
  pageSize?: number;
}

/** Reads a table page by page in the order of its primary key, which no parallel write can disturb. */
export async function* walkTable<Row>(
  db: Database,
  table: SQLiteTable,
  { where, columns, pageSize = 200 }: WalkOptions = {},
): AsyncGenerator<Row[]> {
  const [name, key] = primaryKeyOf(table);
  let isLater: SQL | undefined;
  for (;;) {
    const query = columns ? db.select(columns) : db.select();
    const rows = await query.from(table).where(and(where, isLater)).orderBy(asc(key)).limit(pageSize);
    const last = assertType<Record<string, unknown> | undefined>(rows.at(-1));
    if (last) yield assertType<Row[]>(rows);
    if (!last || rows.length < pageSize) return;
    isLater = gt(key, last[name]);
  }
}

function primaryKeyOf(table: SQLiteTable) {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => column.primary);
  if (!found) throw new Error("a table without a primary key of one column cannot be read page by page");
  return found;
}
