/*
 * SELECTs of the hottest paths, built once and decoded by functions chosen in advance: the session and API key check,
 * emails, tasks and events, one by one and in lists, conflicts, free time, statistics and the stream's status. Writes:
 * `compiled-write.ts`. Everything else uses the query builder directly; what it costs there is small beside the request.
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

import { type AnyColumn, Column, is, noopDecoder, Param, Placeholder, SQL } from "drizzle-orm";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";
import { RowStatement } from "./row-statement.ts";

/** A value that is known when the query is built, or a placeholder for one that is given when it runs. */
export type Given<Value = number> = Value | Placeholder;

/** A select as drizzle builds it. */
export interface Query extends PromiseLike<unknown> {
  toSQL(): { sql: string; params: unknown[] };
  _: object;
}

export type Field = AnyColumn | SQL | SQL.Aliased;

/** The text of a select, and what makes a row of what it returns. */
interface Decoded {
  text: string;
  /** How many columns it returns. */
  width: number;
  toRow(cells: readonly unknown[]): unknown;
}

export interface Compiled extends Decoded {
  params: readonly unknown[];
  paramsOf(values: Record<string, unknown>): unknown[];
  bind(db: Database, values: Record<string, unknown>): D1PreparedStatement;
}

/** Filters combine in many ways, but few combinations are used. */
const MAX_SHAPES = 200;

interface Options {
  /**
   * Each row travels as JSON in one column. D1 makes objects of rows, member by member: for a page of 50 rows with 20 to
   * 40 columns this saves 3 to 16 % of the whole request. Not for blobs, or JSON that SQL has made.
   */
  isPacked?: boolean;
}

/**
 * A select that is built once for each `shape`: a text that names everything the SQL depends on but its values. Null:
 * built each time. To be awaited, or put into a batch.
 */
export function compiledQuery<Row>({ isPacked = false }: Options = {}) {
  const compiled = rememberShapes<Compiled>();
  return function select(
    db: Database,
    shape: string | null,
    build: () => Query,
    values: Record<string, unknown>,
  ): RowStatement<Row> {
    const { text, paramsOf, toRow } =
      shape === null ? compile(build(), { isPacked }) : compiled(shape, () => compile(build(), { isPacked }));
    return new RowStatement<Row>(db, text, paramsOf(values), assertType(toRow));
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

/**
 * Several selects in one statement: D1 takes about 0.1 ms for each statement of a batch, as long as a short select
 * itself. Each is a column with its rows as JSON. `apart`: those whose rows may be too many for that (D1 limits a value
 * to 2 MB), each a statement of the same batch. Returns the rows of each by its name. None may return blobs, or JSON
 * that SQL has made.
 */
export function compiledBatch<Queries extends Record<string, Query>>(
  build: (source: { db: Database }) => Queries,
  { apart }: { apart: readonly (keyof Queries & string)[] },
) {
  type Rows = { [Name in keyof Queries]: Awaited<Queries[Name]> };
  let compiled: { packed: Packed; separate: (Compiled & { name: string })[] } | undefined;
  const compileAll = (db: Database) => {
    const queries = Object.entries(build({ db }));
    const together = queries.filter(([name]) => !apart.includes(name));
    const separate = queries.filter(([name]) => apart.includes(name));
    return {
      packed: pack(together.map(([name, query]) => ({ name, ...compile(query, { isPart: true }) }))),
      separate: separate.map(([name, query]) => ({ name, ...compile(query) })),
    };
  };
  return async function selectAll(db: Database, values: Record<string, unknown>): Promise<Rows> {
    compiled ??= compileAll(db);
    const { packed, separate } = compiled;
    const [first, ...others] = await db.$client.batch<Record<string, unknown>>([
      packed.bind(db, values),
      ...separate.map(({ bind }) => bind(db, values)),
    ]);
    const rows = separate.map(({ name, toRow }, index) => [
      name,
      others[index]?.results.map((row) => toRow(Object.values(row))),
    ]);
    return assertType<Rows>({ ...packed.unpack(first?.results[0]), ...Object.fromEntries(rows) });
  };
}

/** D1 allows 32 arguments to a function of SQL. */
const MAX_PACKED = 30;

/** The same select with its cells in few columns of JSON. The rows keep the order that a select with a limit has. */
function packRows({ text, width, toRow }: Decoded): Decoded {
  const cells = Array.from({ length: width }, (_, index) => `c${index}`);
  const parts = Array.from({ length: Math.ceil(width / MAX_PACKED) }, (_, part) => {
    const some = cells.slice(part * MAX_PACKED, (part + 1) * MAX_PACKED);
    return `json_array(${some.join(", ")}) AS "part${part}"`;
  });
  return {
    text: `SELECT ${parts.join(", ")} FROM (WITH q (${cells.join(", ")}) AS (${text}) SELECT * FROM q)`,
    width: parts.length,
    toRow: ([first, ...rest]) => {
      const read = (part: unknown): unknown[] => JSON.parse(String(part));
      return toRow(rest.length === 0 ? read(first) : [first, ...rest].flatMap(read));
    },
  };
}

/** All rows of a select in one cell. */
export function groupedRows(text: string, width: number): string {
  const cells = Array.from({ length: width }, (_, index) => `c${index}`).join(", ");
  return `(WITH q (${cells}) AS (${text}) SELECT json_group_array(json_array(${cells})) FROM q)`;
}

interface Packed {
  bind(db: Database, values: Record<string, unknown>): D1PreparedStatement;
  unpack(row: Record<string, unknown> | undefined): Record<string, unknown[]>;
}

function pack(queries: readonly (Compiled & { name: string })[]): Packed {
  const columns = queries.map(({ name, text, width }) => `${groupedRows(text, width)} AS "${name}"`);
  const { sql: text, params } = boundOnce({
    sql: `SELECT ${columns.join(", ")}`,
    params: queries.flatMap((query) => query.params),
  });
  const paramsOf = paramsFrom(params);
  return {
    bind: (db, values) => db.$client.prepare(text).bind(...paramsOf(values)),
    unpack: (row) =>
      Object.fromEntries(
        queries.map(({ name, toRow }) => [name, assertType<unknown[][]>(JSON.parse(String(row?.[name]))).map(toRow)]),
      ),
  };
}

export function rememberShapes<Built>(): (shape: string, build: () => Built) => Built {
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

interface CompileOptions extends Options {
  /** The text becomes part of a longer statement. */
  isPart?: boolean;
}

export function compile(query: Query, { isPacked = false, isPart = false }: CompileOptions = {}): Compiled {
  const built = withPlannedLimit(query.toSQL());
  const { sql: text, params } = isPart ? built : boundOnce(built);
  const { selectedFields } = assertType<{ selectedFields: Record<string, Field> }>(query._);
  const plain = { text, width: Object.keys(selectedFields).length, toRow: rowMaker(selectedFields) };
  const decoded = isPacked ? packRows(plain) : plain;
  const paramsOf = paramsFrom(params);
  const bind: Compiled["bind"] = (db, values) => db.$client.prepare(decoded.text).bind(...paramsOf(values));
  return { ...decoded, params, paramsOf, bind };
}

interface Text {
  sql: string;
  params: unknown[];
}

/**
 * SQLite makes a new plan whenever a value is bound directly to a LIMIT, because that may change the plan: for a list of
 * emails this takes longer than reading the page. Of an expression it does not know the value.
 */
function withPlannedLimit({ sql: text, params }: Text): Text {
  return { sql: text.replaceAll(/\blimit \?/gi, "$& + 0"), params };
}

/** Binds each value once, however often it occurs: fewer to send, and D1 allows at most a hundred. */
function boundOnce(query: Text): Text {
  const pieces = query.sql.split("?");
  // A question mark in a text literal would be taken for a value.
  if (pieces.length !== query.params.length + 1) return query;
  const keyOf = (param: unknown) => (is(param, Placeholder) ? Symbol.for(param.name) : param);
  const distinct = new Map(query.params.map((param) => [keyOf(param), param]));
  if (distinct.size === query.params.length) return query;
  const numbers = new Map([...distinct.keys()].map((key, index) => [key, index + 1]));
  const rest = query.params.map((param, index) => `?${numbers.get(keyOf(param))}${pieces[index + 1]}`);
  return { sql: `${pieces[0]}${rest.join("")}`, params: [...distinct.values()] };
}

/** What makes a row of the values that D1 returns for these fields. */
export function rowMaker(selectedFields: Record<string, Field>): (cells: readonly unknown[]) => unknown {
  const fields = Object.entries(selectedFields).map(([name, field]) => ({ name, decode: decoderOf(field) }));
  // Copying a complete object is several times faster than adding members one by one.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map(({ name }) => [name, null]));
  return (cells) => {
    const row = { ...blank };
    fields.forEach(({ name, decode }, index) => {
      const cell = cells[index];
      if (cell !== null) row[name] = decode ? decode(cell) : cell;
    });
    return row;
  };
}

/** What puts the values of placeholders among the parameters of a statement. */
export function paramsFrom(params: readonly unknown[]): (values: Record<string, unknown>) => unknown[] {
  const getters = params.map(getterOf);
  return (values) => getters.map((valueIn) => valueIn(values));
}

/**
 * A placeholder's value is given as D1 takes it: drizzle does not encode it either. It encodes the value of a column
 * that is written.
 */
function getterOf(param: unknown): (values: Record<string, unknown>) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value } = param;
  return (values) => {
    const given = values[value.name];
    return given === null ? null : encoder.mapToDriverValue(given);
  };
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
