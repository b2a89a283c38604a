import { type AnyColumn, getTableColumns, is, Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Rows as the SELECT of an INSERT. One bound value for all of them: D1 allows a hundred. Missing columns are NULL, or what
 * `computed` says: `key` is the number of the row, from 0.
 */
export function selectRows(
  table: SQLiteTable,
  rows: readonly Record<string, unknown>[],
  computed: Record<string, SQL> = {},
): SQL {
  const columns = Object.entries(getTableColumns(table));
  const values = columns.map(([key, { name }]) => computed[key] ?? sql.raw(`json_extract(value, '$.${name}')`));
  const json = JSON.stringify(rows.map((row) => driverRow(columns, row)));
  // Without a WHERE, SQLite parses the ON of an ON CONFLICT as a join condition.
  return sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${json}) WHERE 1`;
}

/**
 * The start of a SELECT for `INSERT … SELECT`, which takes its values by position: the named columns in the order of
 * the table, NULL for every other column.
 */
export function selectColumns<Table extends SQLiteTable>(
  table: Table,
  values: { [Name in keyof Table["_"]["columns"]]?: SQL },
): SQL {
  const inserted = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated);
  const named: Record<string, SQL | undefined> = values;
  return sql`SELECT ${sql.join(
    inserted.map(([name]) => named[name] ?? sql`NULL`),
    sql`, `,
  )}`;
}

/** For ON CONFLICT: sets every column to the value that was to be inserted, except those named. */
export function excludedColumns(table: SQLiteTable, ...except: string[]): Record<string, SQL> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => !except.includes(key));
  return Object.fromEntries(columns.map(([key, { name }]) => [key, sql.raw(`excluded.${name}`)]));
}

function driverRow(columns: readonly [string, AnyColumn][], row: Record<string, unknown>) {
  const entries = columns.map(([key, column]) => {
    const value = row[key];
    return [column.name, value === null || value === undefined ? null : column.mapToDriverValue(value)];
  });
  return Object.fromEntries(entries);
}

/** D1 limits a value to 2 MB, and a character has up to three bytes. */
const MAX_VALUE_CHARACTERS = 600_000;

/** Splits what is to be written so that the rows of each part fit into one bound value. Usually it is one part. */
export function inParts<Item>(items: readonly Item[], rowOf: (item: Item) => unknown): Item[][] {
  const parts: Item[][] = [];
  let room = 0;
  for (const item of items) {
    // As JSON: the quotes inside a text are escaped, so its own length would be too small.
    const size = JSON.stringify(rowOf(item)).length;
    const part = parts.at(-1);
    if (part && size <= room) part.push(item);
    else {
      parts.push([item]);
      room = MAX_VALUE_CHARACTERS;
    }
    room -= size;
  }
  return parts;
}

/** For `IN`: one bound value for any number of them. A placeholder stands for them as JSON. */
export function anyOf(values: readonly (string | number | null)[] | Placeholder): SQL {
  return sql`(SELECT value FROM json_each(${is(values, Placeholder) ? values : JSON.stringify(values)}))`;
}

export function isOneOf(column: AnyColumn | SQL, values: readonly (string | number | null)[] | Placeholder): SQL {
  return sql`${column} IN ${anyOf(values)}`;
}
