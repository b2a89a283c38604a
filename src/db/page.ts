import { type AnyColumn, and, asc, desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../context.ts";
import { assertType } from "../lib/cast.ts";
import { type CursorKey, decodeCursor, encodeCursor } from "../lib/cursor.ts";

export interface PageRequest {
  limit: number;
  cursor?: string;
}

export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

/**
 * Keyset pagination over columns that together are unique (the id last). `list` names the list and its order; a
 * cursor works for that list only. Read `limit + 1` rows, ordered by the columns.
 */
export function keyset(ctx: Context, list: string, columns: readonly AnyColumn[], direction: "asc" | "desc") {
  const secrets = () => ctx.config.secrets("JWT_SECRET");
  const decode = (cursor: string | undefined): CursorKey | undefined =>
    cursor === undefined ? undefined : decodeCursor(secrets(), list, cursor);
  return {
    /** The sort values of the previous page's last row; undefined on the first page. */
    key: decode,
    /** The condition that skips the rows of earlier pages; undefined on the first page. */
    after(cursor: string | undefined): SQL | undefined {
      const key = decode(cursor);
      if (key === undefined) return undefined;
      const names = sql.join([...columns], sql`, `);
      const values = sql.join(
        key.map((value) => sql`${value}`),
        sql`, `,
      );
      return direction === "asc" ? sql`(${names}) > (${values})` : sql`(${names}) < (${values})`;
    },
    cursor: (key: CursorKey): string => encodeCursor(secrets(), list, key),
    /** Drops the extra row and creates the cursor of the next page, if there is one. */
    page<Row, Item>(
      rows: readonly Row[],
      { limit }: PageRequest,
      keyOf: (row: Row) => CursorKey,
      toItem: (row: Row) => Item,
    ): Page<Item> {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const more = rows.length > limit && last !== undefined;
      return { data: shown.map(toItem), nextCursor: more ? encodeCursor(secrets(), list, keyOf(last)) : null };
    },
  };
}

type Computed = Record<string, SQL.Aliased>;

interface PagedList<Table extends SQLiteTable, Also extends Computed> {
  /** Names the list; a cursor works for that list only. */
  list: string;
  table: Table;
  /** Read beside the columns of the table. */
  also?: Also;
  /** Members of a row that together are unique, the id last. */
  by: readonly (keyof Table["$inferSelect"] & string)[];
  /** Default: ascending. */
  order?: "desc";
  where?: SQL | undefined;
}

type RowOf<Table extends SQLiteTable, Also extends Computed> = Table["$inferSelect"] & {
  [Name in keyof Also]: Also[Name]["_"]["type"];
};

/** A page of the rows of one table. */
export async function listPage<Table extends SQLiteTable, Item, Also extends Computed = Record<never, never>>(
  ctx: Context,
  request: PageRequest,
  { list, table, also, by, order, where }: PagedList<Table, Also>,
  toItem: (row: RowOf<Table, Also>) => Item,
): Promise<Page<Item>> {
  const all = getTableColumns(table);
  const columns = by.map((name) => assertType<AnyColumn>(all[name]));
  const { after, page } = keyset(ctx, list, columns, order ?? "asc");
  const rows = await ctx.db
    .select({ ...all, ...also })
    .from(assertType<SQLiteTable>(table))
    .where(and(where, after(request.cursor)))
    .orderBy(...columns.map(order === "desc" ? desc : asc))
    .limit(request.limit + 1);
  const keyOf = (row: Table["$inferSelect"]) => by.map((name) => keyPart(row[name]));
  return page(assertType<RowOf<Table, Also>[]>(rows), request, keyOf, toItem);
}

function keyPart(value: unknown): CursorKey[number] {
  return assertType(value instanceof Date ? value.getTime() : value);
}
