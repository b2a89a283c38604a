/*
 * Selects of the hottest paths, and the writes of emails, tasks and events, as prepared statements of drizzle: built
 * once, then only given their values. Everything else uses the query builder directly; what that costs is small beside
 * the rest of the request.
 *
 *   const selectTask = compiledSelect(({ db }) => db.select().from(tasks).where(eq(tasks.id, sql.placeholder("id"))));
 *   const [task] = await selectTask(ctx.db, { id });
 *
 * drizzle's own `prepare().execute()` belongs to the client it was prepared with, and `db.batch` does not fill
 * placeholders. Here the text and the decoding come from drizzle's prepared statement, and the client from the request.
 */

import { type AnyColumn, Column, fillPlaceholders, is, Placeholder, SQL, sql } from "drizzle-orm";
import { assertType } from "../lib/cast.ts";
import { kept } from "../lib/kept.ts";
import { type Database, databaseWith, type Result } from "./client.ts";

/** A value that is known when the query is built, or a placeholder for one that is given when it runs. */
export type Given<Value = number> = Value | Placeholder;

/** A statement of the query builder. */
interface Query extends PromiseLike<unknown> {
  prepare(): {
    getQuery(): Text;
    mapResult(result: unknown, isFromBatch: boolean): unknown;
  };
}

interface Select extends Query {
  as(alias: string): { _: { selectedFields: object } };
}

interface Text {
  sql: string;
  params: unknown[];
}

/** What is kept of a statement. */
interface Prepared extends Text {
  toRows(result: Result): unknown;
}

type Columns = Record<string, AnyColumn | SQL.Aliased>;

type Build<Built extends Query> = (source: { db: Database }) => Built;
type Values = Record<string, unknown>;

/** Filters combine in many ways, but few combinations are used. */
const MAX_SHAPES = 200;

/** Builds statements and sends none, so that nothing of a request outlives it in a statement that is kept. */
const builder = { db: databaseWith(() => Promise.reject(new Error("This handle only builds statements."))) };

/**
 * A select that is built once for each `shape`: a text that names everything the SQL depends on but its values. Null:
 * built each time. `columns`: see `rowsBy`.
 */
export function compiledQuery<Row>(columns?: Columns) {
  const toRows = columns && rowsBy(columns);
  const shapes = new Map<string, Prepared>();
  return (db: Database, shape: string | null, build: Build<Query>, values: Values): CompiledStatement<Row[]> => {
    let prepared = shape === null ? undefined : shapes.get(shape);
    if (!prepared) {
      prepared = prepare(build(builder), toRows);
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      if (shape !== null) shapes.set(shape, prepared);
    }
    return new CompiledStatement(db, prepared, values);
  };
}

/** A select whose text is always the same. */
export function compiledSelect<Built extends Query>(build: Build<Built>) {
  const prepared = kept(() => prepare(build(builder)));
  return (db: Database, values: Values) => new CompiledStatement<Awaited<Built>>(db, prepared(), values);
}

/**
 * An INSERT or UPDATE that is built once for each set of columns that its row has: `build` gets a placeholder for each
 * value. Many columns take the query builder a tenth of the request. A row with SQL in it is built each time. `further`:
 * values of other placeholders; `build` gets a placeholder for each that is not undefined.
 */
export function compiledWrite<Row extends object, Built extends Query>(
  build: (source: { db: Database }, row: Row, further: Partial<Record<string, Placeholder>>) => Built,
) {
  const write = compiledQuery<unknown>();
  return (db: Database, row: Row, further: Values = {}) => {
    const given = entriesOf(row);
    const others = entriesOf(further).map(([name]) => name);
    const isFixed = given.every(([, value]) => !is(value, SQL));
    const names = given.map(([name, value]) => (value === null ? `${name}: null` : name));
    const shape = `${names.join()} / ${others.join()}`;
    const placeholders = given.map(([name, value]) => [name, value === null ? null : sql.placeholder(name)]);
    const buildThis: Build<Query> = (source) =>
      build(
        source,
        isFixed ? assertType<Row>(Object.fromEntries(placeholders)) : row,
        Object.fromEntries(others.map((name) => [name, sql.placeholder(name)])),
      );
    const statement = write(db, isFixed ? shape : null, buildThis, { ...row, ...further });
    return assertType<CompiledStatement<Awaited<Built>>>(statement);
  };
}

const entriesOf = (given: object) => Object.entries(given).filter(([, value]) => value !== undefined);

/** A select as a statement of D1, and what makes a row of what that returns. */
export function compiledStatement<Row>(build: Build<Query>) {
  const prepared = kept(() => prepare(build(builder)));
  return {
    bind: (db: Database, values: Values) => new CompiledStatement(db, prepared(), values).bound(),
    toRow(cells: Record<string, unknown>): Row {
      const [row] = assertType<[Row]>(prepared().toRows(assertType({ results: [cells] })));
      return row;
    },
  };
}

type Rows<Queries extends Record<string, Query>> = { [Name in keyof Queries]: Awaited<Queries[Name]> };

/**
 * Several short selects in one statement, each a column with its rows as JSON. Returns the rows of each by its name. Only
 * for the statistics: D1 takes as long for a further statement of a batch as for a short select, and with twelve of them
 * the whole request took a third longer. None may return many rows (D1 limits a value to 2 MB), blobs, or JSON that SQL
 * has made.
 */
export function compiledTogether<Queries extends Record<string, Select>>(build: (source: { db: Database }) => Queries) {
  const together = kept((): Prepared => {
    const parts = Object.entries(build(builder)).map(([name, query]) => ({
      name,
      cells: cellsOf(query),
      prepared: query.prepare(),
    }));
    const columns = parts.map(
      ({ name, cells, prepared }) =>
        `(WITH q (${cells}) AS (${prepared.getQuery().sql}) SELECT json_group_array(json_array(${cells})) FROM q) AS "${name}"`,
    );
    const params = parts.flatMap(({ prepared }) => prepared.getQuery().params);
    return {
      ...finished({ sql: `SELECT ${columns.join(", ")}`, params }),
      toRows: ({ results: [row] }) =>
        Object.fromEntries(
          parts.map(({ name, prepared }) => {
            return [name, prepared.mapResult({ results: JSON.parse(String(row?.[name])) }, true)];
          }),
        ),
    };
  });
  return (db: Database, values: Values) => new CompiledStatement<Rows<Queries>>(db, together(), values);
}

/** Names for as many cells as a select has columns. */
function cellsOf(query: Select): string {
  const fields = Object.keys(query.as("q")._.selectedFields);
  return fields.map((_, index) => `c${index}`).join(", ");
}

/** `toRows`: instead of drizzle's own mapping. */
function prepare(query: Query, toRows?: Prepared["toRows"]): Prepared {
  const prepared = query.prepare();
  return { ...finished(prepared.getQuery()), toRows: toRows ?? ((result) => prepared.mapResult(result, true)) };
}

/**
 * Binds each placeholder once, however often it occurs: D1 allows at most a hundred values. And none directly to a LIMIT:
 * SQLite makes a new plan whenever such a value is bound, because it may change the plan, which takes longer than reading
 * a page of emails. Of an expression it does not know the value.
 */
function finished({ sql: given, params }: Text): Text {
  const text = given.replaceAll(/\blimit \?/gi, "$& + 0");
  const pieces = text.split("?");
  const keys = params.map((param) => (is(param, Placeholder) ? Symbol.for(param.name) : param));
  const distinct = [...new Set(keys)];
  // A question mark in a text literal would be taken for a value.
  if (pieces.length !== params.length + 1 || distinct.length === params.length) return { sql: text, params };
  const rest = keys.map((key, index) => `?${distinct.indexOf(key) + 1}${pieces[index + 1]}`);
  return { sql: `${pieces[0]}${rest.join("")}`, params: distinct.map((key) => params[keys.indexOf(key)]) };
}

/**
 * Makes the rows of a long list by their columns. drizzle's own mapping looks for the kind of each cell in each row, which
 * takes three times as long: a sixth of a list of 50 tasks.
 */
function rowsBy(columns: Columns): (result: Result) => unknown[] {
  const cells = Object.entries(columns).map(([key, column]) =>
    is(column, Column) ? { key, name: column.name, column } : { key, name: column.fieldAlias, column: null },
  );
  // Copying a complete object is faster than adding its members one by one.
  const blank: Record<string, unknown> = Object.fromEntries(cells.map(({ key }) => [key, null]));
  const toRow = (row: Record<string, unknown>) => {
    const made = { ...blank };
    for (const { key, name, column } of cells) {
      const cell = row[name];
      if (cell !== null) made[key] = column ? column.mapFromDriverValue(cell) : cell;
    }
    return made;
  };
  return ({ results }) => results.map(toRow);
}

/** A statement of drizzle with its values. To be awaited, or put into `db.batch` among others of the query builder. */
class CompiledStatement<Rows> implements PromiseLike<Rows> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Rows };
  private readonly prepared: Prepared;
  private readonly params: unknown[];
  private readonly db: Database;

  constructor(db: Database, prepared: Prepared, values: Values) {
    this.db = db;
    this.prepared = prepared;
    this.params = fillPlaceholders(prepared.params, values);
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement of the query builder is sent when it is awaited, too.
  then<Done = Rows, Failed = never>(
    onDone?: ((rows: Rows) => Done | PromiseLike<Done>) | null,
    onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.bound()
      .all()
      .then((result) => this.mapResult(result))
      .then(onDone, onFailed);
  }

  toSQL() {
    return { sql: this.prepared.sql, params: this.params };
  }

  /** As a statement of D1, whose result `mapResult` reads. */
  bound(): D1PreparedStatement {
    return this.db.$client.prepare(this.prepared.sql).bind(...this.params);
  }

  mapResult(result: unknown): Rows {
    return assertType<Rows>(this.prepared.toRows(assertType<Result>(result)));
  }

  /** What `db.batch` calls. */
  _prepare() {
    return {
      stmt: this.db.$client.prepare(this.prepared.sql),
      getQuery: () => this.toSQL(),
      mapResult: (result: unknown) => this.mapResult(result),
    };
  }
}
