import {
  type AnyColumn,
  Column,
  getTableColumns,
  type InferInsertModel,
  is,
  noopDecoder,
  Param,
  Placeholder,
  SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";
import { failedAssertion } from "./assert.ts";
import type { Database } from "./client.ts";

/** A value that is known now, or one that a compiled query is given when it runs. */
export type Given<Value = number> = Value | Placeholder;

/** A row with a value for every column but those left to the database: none is forgotten that was added later. */
export type WholeRow<Table extends SQLiteTable, Left = never> = {
  [Name in Exclude<keyof InferInsertModel<Table>, Left>]-?:
    | Exclude<InferInsertModel<Table>[Name], undefined>
    | Placeholder
    | SQL;
};

/** Such a row for a compiled query, which is given every value by the name of its column. */
export function givenRow<Table extends SQLiteTable, Left extends keyof InferInsertModel<Table> = never>(
  table: Table,
  ...left: Left[]
) {
  const names = Object.keys(getTableColumns(table)).filter((name) => !left.some((each) => each === name));
  const row = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
  return assertType<Record<Exclude<keyof InferInsertModel<Table>, Left>, Placeholder>>(row);
}

/** A statement as drizzle builds it; awaited on its own it would give the same. */
interface Query extends PromiseLike<unknown> {
  toSQL(): { sql: string; params: unknown[] };
  /** For a select this has its `selectedFields`. */
  _: object;
}

type Field = AnyColumn | SQL | SQL.Aliased;

/** A query's text, built once, and how its rows are read. */
interface Compiled {
  bind(db: Database, values: Record<string, unknown>): D1PreparedStatement;
  toRow(cells: readonly unknown[]): unknown;
}

/** Filters combine in many ways, of which few are ever used. */
const MAX_SHAPES = 200;

/**
 * For what clients ask for all the time: a query's text is built once for each shape it can have, with placeholders
 * for its values, and rows are read by decoders chosen beforehand. Building and reading through the query builder
 * would take longer than the database does. `shape` says all that the text of the query depends on.
 */
export function compiledQuery<Row>() {
  const compiled = rememberShapes<Compiled>();
  return async function select(
    db: Database,
    shape: string,
    build: () => Query,
    values: Record<string, unknown>,
  ): Promise<Row[]> {
    const { bind, toRow } = compiled(shape, () => compile(build()));
    const rows = await bind(db, values).raw<unknown[]>();
    return assertType<Row[]>(rows.map(toRow));
  };
}

/**
 * The same for several statements in one round trip: it answers with the rows of each select by its name. Writes may
 * go along; what they would return is not read.
 */
export function compiledBatch<Queries extends Record<string, Query>>(
  build: (source: { db: Database }, shape: string) => Queries,
) {
  type Rows = { [Name in keyof Queries]: Awaited<Queries[Name]> };
  const compiled = rememberShapes<(Compiled & { name: string })[]>();
  return async function selectAll(db: Database, values: Record<string, unknown>, shape = ""): Promise<Rows> {
    const queries = compiled(shape, () =>
      Object.entries(build({ db }, shape)).map(([name, query]) => ({ name, ...compile(query) })),
    );
    const statements = queries.map(({ bind }) => bind(db, values));
    const results = await db.$client.batch<Record<string, unknown>>(statements).catch((error) => {
      throw failedAssertion(error) ?? error;
    });
    const rows = queries.map(({ name, toRow }, index) => [
      name,
      results[index]?.results.map((row) => toRow(Object.values(row))),
    ]);
    return assertType<Rows>(Object.fromEntries(rows));
  };
}

function rememberShapes<Built>(): (shape: string, build: () => Built) => Built {
  const shapes = new Map<string, Built>();
  return (shape, build) => {
    let built = shapes.get(shape);
    if (!built) {
      built = build();
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      shapes.set(shape, built);
    }
    return built;
  };
}

function compile(query: Query): Compiled {
  const { sql: text, params } = query.toSQL();
  const { selectedFields = {} } = assertType<{ selectedFields?: Record<string, Field> }>(query._ ?? {});
  const fields = Object.entries(selectedFields).map(([name, field]) => ({ name, decode: decoderOf(field) }));
  const getters = params.map(getterOf);
  // Rows start as copies of this one: to add members one by one would take several times as long.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map(({ name }) => [name, null]));
  return {
    bind: (db, values) => db.$client.prepare(text).bind(...getters.map((valueIn) => valueIn(values))),
    toRow(cells) {
      const row = { ...blank };
      fields.forEach(({ name, decode }, index) => {
        const cell = cells[index];
        if (cell !== null) row[name] = decode ? decode(cell) : cell;
      });
      return row;
    },
  };
}

/** Where a parameter's value comes from; as drizzle's `fillPlaceholders`, which asks anew at each call. */
function getterOf(param: unknown): (values: Record<string, unknown>) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { name } = param.value;
    return (values) => param.encoder.mapToDriverValue(values[name]);
  }
  return () => param;
}

/** Null for what is taken as the database gives it. */
function decoderOf(field: Field): ((cell: unknown) => unknown) | null {
  const decoder = is(field, Column) ? field : is(field, SQL) ? decoderIn(field) : decoderIn(field.sql);
  const isPlain = decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue || decoder === noopDecoder;
  return isPlain ? null : (cell) => decoder.mapFromDriverValue(cell);
}

interface Decoder {
  mapFromDriverValue(cell: unknown): unknown;
}

/** What `mapWith` set; drizzle keeps it to itself. */
function decoderIn(expression: SQL): Decoder {
  return assertType<{ decoder: Decoder }>(expression).decoder;
}
