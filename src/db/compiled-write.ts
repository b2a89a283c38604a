/*
 * INSERTs, UPDATEs and DELETEs of the hottest paths. Most of what the query builder takes for a statement with all columns
 * of a task or an event is for the list of columns that it returns: that is ready here. Insert: text and parameters are
 * built once for each set of columns. Update: what it sets and its condition are built each time, by `built-sql.ts`.
 */

import { type AnyColumn, getTableColumns, getTableName, is, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";
import { builtSql } from "./built-sql.ts";
import type { Database } from "./client.ts";
import { paramsFrom, rememberShapes, rowMaker } from "./compiled-query.ts";
import { LISTENED_UNTIL, LIVE_TABLES } from "./live-tables.ts";
import { RowStatement } from "./row-statement.ts";

/** The columns that a write returns, and what makes a row of them. */
export interface Returned<Row> {
  columns: SQL;
  /** How many columns. */
  width: number;
  toRow(cells: readonly unknown[]): Row;
}

/** `fields`: columns of one table, and expressions with a name. */
export function returned<Row>(fields: Record<string, AnyColumn | SQL.Aliased>): Returned<Row> {
  const columns = Object.values(fields).map((field) =>
    is(field, SQL.Aliased) ? sql`${field.sql} AS ${sql.identifier(field.fieldAlias)}` : namesOf([field]),
  );
  return { columns: sql.join(columns, sql`, `), width: columns.length, toRow: assertType(rowMaker(fields)) };
}

/** The same, and one more cell that a subquery makes. It sees what the statement has written. */
export function withCell<Row>(
  { columns, width, toRow }: Returned<Row>,
  cell: SQL,
): Returned<{ row: Row; cell: unknown }> {
  return {
    columns: sql`${columns}, ${cell} AS cell`,
    width: width + 1,
    toRow: (cells) => ({ row: toRow(cells), cell: cells[width] }),
  };
}

/** Also says until when live clients listen, where they want to know of the table's records: `hints.ts` reads that. */
function returning(table: SQLiteTable, columns: SQL): SQL {
  if (!LIVE_TABLES.includes(getTableName(table))) return sql`RETURNING ${columns}`;
  return sql`RETURNING ${columns}, (SELECT until FROM live_clients) AS ${sql.identifier(LISTENED_UNTIL)}`;
}

/**
 * Inserts a row with `computed` columns, whose placeholders get their values when it runs. The statement returns the row
 * as it was given, with what the database has computed. What is not given, or null, is left out: fewer values to send,
 * and the columns have their defaults. `orNothing`: not if a row like it exists.
 */
export function compiledInsert<Table extends SQLiteTable, Name extends string>(
  table: Table,
  computed: Record<Name, SQL>,
  { orNothing = false } = {},
) {
  const columns = getTableColumns<SQLiteTable>(table);
  const column = (name: string) => assertType<{ name: string; hasDefault: boolean }>(columns[name]);
  const shapes = rememberShapes<{ text: string; paramsOf: ReturnType<typeof paramsFrom> }>();
  const own: [string, SQL][] = Object.entries<SQL>(computed);
  const ownNames = namesOf(own.map(([name]) => column(name)));

  const onConflict = sql.raw(orNothing ? "ON CONFLICT DO NOTHING " : "");

  const build = (given: readonly string[]) => {
    const values = given.map((name) => sql`${sql.param(sql.placeholder(name), columns[name])}`);
    const names = namesOf([...own.map(([name]) => name), ...given].map(column));
    const all = sql.join([...own.map(([, value]) => value), ...values], sql`, `);
    const { sql: text, params } = builtSql(
      sql`INSERT INTO ${table} (${names}) VALUES (${all}) ${onConflict}${returning(table, ownNames)}`,
    );
    return { text, paramsOf: paramsFrom(params) };
  };

  return <Row extends Omit<Table["$inferInsert"], Name>>(
    db: Database,
    row: Row,
    further: Record<string, unknown> = {},
  ) => {
    const values = assertType<Record<string, unknown>>(row);
    const given = Object.keys(values).filter((name) => {
      const value = values[name];
      return name in columns && value !== undefined && (value !== null || column(name).hasDefault);
    });
    const { text, paramsOf } = shapes(given.join(), () => build(given));
    return new RowStatement<Row & Pick<Table["$inferSelect"], Name & keyof Table["$inferSelect"]>>(
      db,
      text,
      paramsOf({ ...values, ...further }),
      (cells) => {
        const made = own.map(([name], index) => [name, cells[index]]);
        return assertType({ ...row, ...Object.fromEntries(made) });
      },
    );
  };
}

/** Sets columns to values or expressions. What is undefined stays. */
export function updateRows<Row>(
  db: Database,
  table: SQLiteTable,
  set: Record<string, unknown>,
  where: SQL | undefined,
  { columns: names, toRow }: Returned<Row>,
): RowStatement<Row> {
  const columns = getTableColumns(table);
  const assignments = Object.entries(set).flatMap(([name, value]) => {
    const column = columns[name];
    if (!column || value === undefined) return [];
    return [sql`${sql.identifier(column.name)} = ${is(value, SQL) ? value : sql.param(value, column)}`];
  });
  const { sql: text, params } = builtSql(
    sql`UPDATE ${table} SET ${sql.join(assignments, sql`, `)} WHERE ${where} ${returning(table, names)}`,
  );
  return new RowStatement<Row>(db, text, params, toRow);
}

/** Returns the value of `column` of each row that it deletes. */
export function deleteRows(
  db: Database,
  table: SQLiteTable,
  where: SQL | undefined,
  column: { name: string },
): RowStatement<unknown> {
  const names = namesOf([column]);
  const { sql: text, params } = builtSql(sql`DELETE FROM ${table} WHERE ${where} ${returning(table, names)}`);
  return new RowStatement(db, text, params, ([value]) => value);
}

function namesOf(columns: readonly { name: string }[]): SQL {
  return sql.raw(columns.map(({ name }) => `"${name}"`).join(", "));
}
