/*
 * SELECTs of the hottest paths, built once and decoded by functions chosen in advance: the session and API key check,
 * emails, tasks and events, one by one and in lists, free time, statistics and the stream's status. Everything else uses the query
 * builder directly; what it costs there is small beside the request.
 *
 * CPU time per call, without the database (Node 20, median of nine rounds of 400 calls, drizzle-orm 0.45):
 *
 *                        compiled   .prepare()   built each time
 *   session check           3 µs         5 µs            214 µs
 *   one email               5 µs        14 µs            240 µs
 *   20 emails              80 µs       198 µs            430 µs
 *   20 tasks               34 µs        97 µs            273 µs
 *   statistics (8 selects) 10 µs           –             446 µs
 *
 * A whole request takes 1.4 to 5 ms locally, so building would be 10 to 15 % of it. Drizzle's prepared queries are no
 * way out: they belong to one D1 client, while a request may read through a D1 session or a database with riders, and
 * `db.batch` does not fill their placeholders.
 *
 * Two members of drizzle are used that its types do not show: the `selectedFields` of a select and the `decoder` of an
 * SQL expression. test/db/compiled-query.test.ts compares the rows with drizzle's own and fails when they change.
 */

import { type AnyColumn, Column, is, noopDecoder, Placeholder, SQL } from "drizzle-orm";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

/** A value that is known when the query is built, or a placeholder for one that is given when it runs. */
export type Given<Value = number> = Value | Placeholder;

/** A select as drizzle builds it. */
interface Query extends PromiseLike<unknown> {
  toSQL(): { sql: string; params: unknown[] };
  _: object;
}

type Field = AnyColumn | SQL | SQL.Aliased;

interface Compiled {
  bind(db: Database, values: Record<string, unknown>): D1PreparedStatement;
  toRow(cells: readonly unknown[]): unknown;
}

/** Filters combine in many ways, but few combinations are used. */
const MAX_SHAPES = 200;

/**
 * A select that is built once for each `shape`: a text that names everything the SQL depends on but its values. Null:
 * built each time.
 */
export function compiledQuery<Row>() {
  const compiled = rememberShapes<Compiled>();
  return async function select(
    db: Database,
    shape: string | null,
    build: () => Query,
    values: Record<string, unknown>,
  ): Promise<Row[]> {
    const { bind, toRow } = shape === null ? compile(build()) : compiled(shape, () => compile(build()));
    const rows = await bind(db, values).raw<unknown[]>();
    return assertType<Row[]>(rows.map(toRow));
  };
}

/** A select whose text is always the same. */
export function compiledSelect<Row>(build: (source: { db: Database }) => Query) {
  const select = compiledQuery<Row>();
  return (db: Database, values: Record<string, unknown>) => select(db, "", () => build({ db }), values);
}

/** The same as a statement for a batch, and what makes a row of what the batch returns for it. */
export function compiledStatement<Row>(build: (source: { db: Database }) => Query) {
  let compiled: Compiled | undefined;
  return {
    bind(db: Database, values: Record<string, unknown>): D1PreparedStatement {
      compiled ??= compile(build({ db }));
      return compiled.bind(db, values);
    },
    toRow: (cells: Record<string, unknown>): Row => assertType<Row>(compiled?.toRow(Object.values(cells))),
  };
}

/** Several such selects in one round trip. Returns the rows of each by its name. No two columns may share a name. */
export function compiledBatch<Queries extends Record<string, Query>>(
  build: (source: { db: Database }, shape: string) => Queries,
) {
  type Rows = { [Name in keyof Queries]: Awaited<Queries[Name]> };
  const compiled = rememberShapes<(Compiled & { name: string })[]>();
  return async function selectAll(db: Database, values: Record<string, unknown>, shape = ""): Promise<Rows> {
    const queries = compiled(shape, () =>
      Object.entries(build({ db }, shape)).map(([name, query]) => ({ name, ...compile(query) })),
    );
    const results = await db.$client.batch<Record<string, unknown>>(queries.map(({ bind }) => bind(db, values)));
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
  const { sql: text, params } = withinLimit(query.toSQL());
  const { selectedFields } = assertType<{ selectedFields: Record<string, Field> }>(query._);
  const fields = Object.entries(selectedFields).map(([name, field]) => ({ name, decode: decoderOf(field) }));
  const getters = params.map(getterOf);
  // Copying a complete object is several times faster than adding members one by one.
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

/** D1 binds at most a hundred values. A statement with more binds those that repeat once. */
const MAX_BOUND = 100;

function withinLimit(query: { sql: string; params: unknown[] }): { sql: string; params: unknown[] } {
  const pieces = query.sql.split("?");
  // A question mark in a text literal would be taken for a value.
  if (query.params.length <= MAX_BOUND || pieces.length !== query.params.length + 1) return query;
  const keyOf = (param: unknown) => (is(param, Placeholder) ? `:${param.name}` : `${typeof param} ${param}`);
  const distinct = new Map(query.params.map((param) => [keyOf(param), param]));
  const numbers = new Map([...distinct.keys()].map((key, index) => [key, index + 1]));
  const rest = query.params.map((param, index) => `?${numbers.get(keyOf(param))}${pieces[index + 1]}`);
  return { sql: `${pieces[0]}${rest.join("")}`, params: [...distinct.values()] };
}

/** A placeholder's value is given as D1 takes it: drizzle does not encode it either. */
function getterOf(param: unknown): (values: Record<string, unknown>) => unknown {
  return is(param, Placeholder) ? (values) => values[param.name] : () => param;
}

/** Null where the value is used as D1 returns it. */
function decoderOf(field: Field): ((cell: unknown) => unknown) | null {
  const decoder = is(field, Column) ? field : is(field, SQL) ? decoderIn(field) : decoderIn(field.sql);
  const isPlain = decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue || decoder === noopDecoder;
  return isPlain ? null : (cell) => decoder.mapFromDriverValue(cell);
}

interface Decoder {
  mapFromDriverValue(cell: unknown): unknown;
}

/** What `mapWith` has set. */
function decoderIn(expression: SQL): Decoder {
  return assertType<{ decoder: Decoder }>(expression).decoder;
}
