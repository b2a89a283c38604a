/*
 * INSERTs, UPDATEs and DELETEs of the hottest paths, without the query builder's objects. The list of columns that a
 * statement returns, most of the builder's work, is ready here. Insert: text and parameters are built once for each set of
 * columns. Update: plain values take no object, and expressions that are the same each time are read once.
 */

import { type AnyColumn, getTableColumns, getTableName, is, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";
import { remembered, sameText } from "../lib/remembered.ts";
import { builtSql } from "./built-sql.ts";
import type { Database } from "./client.ts";
import { paramsFrom, rememberShapes, rowMaker } from "./compiled-query.ts";
import { LISTENED_UNTIL, LIVE_TABLES } from "./live-tables.ts";
import { RowStatement } from "./row-statement.ts";

/** SQL with the values of its `?`. */
export interface Text {
  text: string;
  params: readonly unknown[];
}

const NO_CELL: Text = { text: "", params: [] };

/** The columns that a write returns, and what makes a row of them. */
export interface Returned<Row> extends Text {
  /** How many columns. */
  width: number;
  toRow(cells: readonly unknown[]): Row;
}

/** `fields`: columns of one table, and expressions with a name. */
export function returned<Row>(fields: Record<string, AnyColumn | SQL.Aliased>): Returned<Row> {
  const columns = Object.values(fields).map((field) =>
    is(field, SQL.Aliased) ? sql`${field.sql} AS ${sql.identifier(field.fieldAlias)}` : sql.raw(quoted(field.name)),
  );
  const { sql: text, params } = builtSql(sql.join(columns, sql`, `));
  return { text, params, width: columns.length, toRow: assertType(rowMaker(fields)) };
}

/** The same, and one more cell that a subquery makes. It sees what the statement has written. */
export function withCell<Row>(
  { text, params, width, toRow }: Returned<Row>,
  cell: Text,
): Returned<{ row: Row; cell: unknown }> {
  return {
    text: `${text}, ${cell.text} AS cell`,
    params: [...params, ...cell.params],
    width: width + 1,
    toRow: (cells) => ({ row: toRow(cells), cell: cells[width] }),
  };
}

/** Also says until when live clients listen, where they want to know of the table's records: `hints.ts` reads that. */
function returning(table: SQLiteTable, columns: string): string {
  const listened = LIVE_TABLES.includes(getTableName(table));
  return `RETURNING ${columns}${listened ? `, (SELECT until FROM live_clients) AS "${LISTENED_UNTIL}"` : ""}`;
}

/**
 * Inserts a row with `computed` columns, whose placeholders get their values when it runs. The statement returns the row
 * as it was given, with what the database has computed; without such columns, nothing. What is not given, or null, is left out: fewer values to send,
 * and the columns have their defaults. `orNothing`: not if a row like it exists. `cell`: a subquery whose value the row has, too.
 */
export function compiledInsert<Table extends SQLiteTable, Name extends string>(
  table: Table,
  computed: Record<Name, SQL>,
  { orNothing = false } = {},
) {
  const columns = getTableColumns<SQLiteTable>(table);
  const column = (name: string) => assertType<{ name: string; hasDefault: boolean }>(columns[name]);
  const shapesWith = remembered((_cell) => rememberShapes<{ text: string; paramsOf: ReturnType<typeof paramsFrom> }>());
  const own: [string, SQL][] = Object.entries<SQL>(computed);
  const ownNames = namesOf(own.map(([name]) => column(name)));
  const endWith = (cell: string) =>
    `${orNothing ? "ON CONFLICT DO NOTHING " : ""}${own.length > 0 ? returning(table, `${ownNames}${cell}`) : ""}`;

  const build = (given: readonly string[], cell: string) => {
    const values = given.map((name) => sql`${sql.param(sql.placeholder(name), columns[name])}`);
    const names = namesOf([...own.map(([name]) => name), ...given].map(column));
    const all = sql.join([...own.map(([, value]) => value), ...values], sql`, `);
    const { sql: text, params } = builtSql(
      sql`INSERT INTO ${table} (${sql.raw(names)}) VALUES (${all}) ${sql.raw(endWith(cell))}`,
    );
    return { text, paramsOf: paramsFrom(params) };
  };

  return <Row extends Omit<Table["$inferInsert"], Name>>(
    db: Database,
    row: Row,
    further: Record<string, unknown> = {},
    cell: Text = NO_CELL,
  ) => {
    const values = assertType<Record<string, unknown>>(row);
    const given = Object.keys(values).filter((name) => {
      const value = values[name];
      return name in columns && value !== undefined && (value !== null || column(name).hasDefault);
    });
    const shapes = shapesWith(cell.text);
    const { text, paramsOf } = shapes(given.join(), () => build(given, cell.text && `, ${cell.text} AS cell`));
    return new RowStatement<Row & Pick<Table["$inferSelect"], Name & keyof Table["$inferSelect"]> & { cell?: unknown }>(
      db,
      text,
      [...paramsOf({ ...values, ...further }), ...cell.params],
      (cells) => {
        const made = own.map(([name], index) => [name, cells[index]]);
        const further = cell === NO_CELL ? {} : { cell: cells[own.length] };
        return assertType({ ...row, ...Object.fromEntries(made), ...further });
      },
    );
  };
}

/** A row of a table, and what else must be true of it. */
export interface Target {
  table: SQLiteTable & { id: AnyColumn };
  id: number;
  /** Each depends on the row: SQLite looks at what does not before it looks for the row. */
  where?: readonly (SQL | undefined)[];
}

/** Sets columns of one row to values or expressions. What is undefined stays. */
export function updateRow<Row>(
  db: Database,
  target: Target,
  set: Record<string, unknown>,
  { text: names, params: cells, toRow }: Returned<Row>,
): RowStatement<Row> {
  const columns = getTableColumns(target.table);
  const params: unknown[] = [];
  let assignments = "";
  for (const name of Object.keys(set)) {
    const column = columns[name];
    const value = set[name];
    if (!column || value === undefined) continue;
    assignments += `${assignments && ", "}${quoted(column.name)} = ${valueText(value, column, params)}`;
  }
  const where = whereText(target, params);
  params.push(...cells);
  const table = quoted(getTableName(target.table));
  const text = `UPDATE ${table} SET ${assignments} WHERE ${where} ${returning(target.table, names)}`;
  return new RowStatement<Row>(db, sameText(text), params, toRow);
}

/** Returns the id of the row, if it deletes one. */
export function deleteRow(db: Database, target: Target): RowStatement<unknown> {
  const params: unknown[] = [];
  const where = whereText(target, params);
  const text = `DELETE FROM ${quoted(getTableName(target.table))} WHERE ${where} ${returning(target.table, quoted(target.table.id.name))}`;
  return new RowStatement(db, sameText(text), params, ([value]) => value);
}

/** Returns the value of `column` of each row that it deletes. */
export function deleteRows(
  db: Database,
  table: SQLiteTable,
  where: SQL | undefined,
  column: { name: string },
): RowStatement<unknown> {
  const names = sql.raw(returning(table, quoted(column.name)));
  const { sql: text, params } = builtSql(sql`DELETE FROM ${table} WHERE ${where} ${names}`);
  return new RowStatement(db, text, params, ([value]) => value);
}

function whereText({ table, id, where = [] }: Target, params: unknown[]): string {
  params.push(id);
  let text = `${quoted(table.id.name)} = ?`;
  for (const condition of where) if (condition) text += ` AND (${addSql(condition, params)})`;
  return text;
}

function valueText(value: unknown, column: AnyColumn, params: unknown[]): string {
  if (value instanceof SQL) return addSql(value, params);
  params.push(value === null ? null : column.mapToDriverValue(value));
  return "?";
}

/** Expressions without values are the same each time, most of them constants of a module. */
const constants = new WeakMap<SQL, string>();

function addSql(expression: SQL, params: unknown[]): string {
  const known = constants.get(expression);
  if (known !== undefined) return known;
  const built = builtSql(expression);
  params.push(...built.params);
  if (built.params.length === 0) constants.set(expression, built.sql);
  return built.sql;
}

const quoted = (name: string) => `"${name}"`;

function namesOf(columns: readonly { name: string }[]): string {
  return columns.map(({ name }) => quoted(name)).join(", ");
}
