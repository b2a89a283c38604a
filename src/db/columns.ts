import { type AnyColumn, getTableName, is, SQL, sql } from "drizzle-orm";
import { integer } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";

/** A point in time, stored as milliseconds. */
export const moment = (name: string) => integer(name, { mode: "timestamp_ms" });

/** The last columns of a record that clients change: see version.ts. */
export const versionColumns = () => ({
  version: integer("version").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** Columns by name alone, for statements in raw SQL, which have no table that drizzle knows. */
export function fieldsOf<Columns extends Record<string, AnyColumn>>(columns: Columns) {
  const fields = Object.entries(columns).map(([key, column]) => [
    key,
    sql`${sql.identifier(column.name)}`.mapWith(column),
  ]);
  return assertType<{ [Key in keyof Columns]: SQL<Value<Columns[Key]>> }>(Object.fromEntries(fields));
}

/** The columns of a select as part of a statement in raw SQL. */
export function selectList(columns: Record<string, AnyColumn | SQL.Aliased>): SQL {
  const list = Object.values(columns).map((column) =>
    is(column, SQL.Aliased)
      ? sql`${column.sql} AS ${sql.identifier(column.fieldAlias)}`
      : sql`${sql.raw(`${getTableName(column.table)}.${column.name}`)}`,
  );
  return sql.join(list, sql`, `);
}

type Value<Column extends AnyColumn> = Column["_"]["notNull"] extends true
  ? Column["_"]["data"]
  : Column["_"]["data"] | null;
