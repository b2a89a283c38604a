/*
 * Selects of the hottest paths as prepared statements of drizzle: built once, then only given their values. Everything
 * else uses the query builder directly; what that costs is small beside the rest of the request.
 *
 *   const selectTask = compiledSelect(({ db }) => db.select().from(tasks).where(eq(tasks.id, sql.placeholder("id"))));
 *   const [task] = await selectTask(ctx.db, { id });
 *
 * drizzle's own `prepare().execute()` belongs to the client it was prepared with, and `db.batch` does not fill
 * placeholders. Here the text and the decoding come from drizzle's prepared statement, and the client from the request.
 */

import { type AnyColumn, Column, fillPlaceholders, is, type Placeholder, type SQL } from "drizzle-orm";
import { assertType } from "../lib/cast.ts";
import { kept } from "../lib/kept.ts";
import { remembered } from "../lib/remembered.ts";
import { type Database, databaseWith, type Result } from "./client.ts";

/** A value that is known when the query is built, or a placeholder for one that is given when it runs. */
export type Given<Value = number> = Value | Placeholder;

/** A statement of the query builder. */
interface Query extends PromiseLike<unknown> {
  prepare(): Prepared;
}

interface Select extends Query {
  as(alias: string): { _: { selectedFields: object } };
}

interface Prepared {
  getQuery(): { sql: string; params: unknown[] };
  mapResult(result: unknown, isFromBatch: boolean): unknown;
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
      prepared = build(builder).prepare();
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      if (shape !== null) shapes.set(shape, prepared);
    }
    return new CompiledStatement(db, prepared, values, assertType(toRows));
  };
}

/** A select whose text is always the same. */
export function compiledSelect<Built extends Query>(build: Build<Built>) {
  const prepared = kept(() => build(builder).prepare());
  return (db: Database, values: Values) => new CompiledStatement<Awaited<Built>>(db, prepared(), values);
}

/** The same as a statement of D1, and what makes a row of what that returns. */
export function compiledStatement<Row>(build: Build<Query>) {
  const prepared = kept(() => build(builder).prepare());
  return {
    bind: (db: Database, values: Values) => new CompiledStatement(db, prepared(), values).bound(),
    toRow(cells: Record<string, unknown>): Row {
      const [row] = assertType<[Row]>(prepared().mapResult({ results: [cells] }, true));
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
  const together = kept(() => {
    const parts = Object.entries(build(builder)).map(([name, query]) => ({
      name,
      query: query.prepare(),
      ...wide(query),
    }));
    const columns = parts.map(
      ({ name, query, cells }) =>
        `(WITH q (${cells}) AS (${query.getQuery().sql}) SELECT json_group_array(json_array(${cells})) FROM q) AS "${name}"`,
    );
    const query = {
      sql: `SELECT ${columns.join(", ")}`,
      params: parts.flatMap((part) => part.query.getQuery().params),
    };
    const toRows = ({ results: [row] }: Result) =>
      assertType<Rows<Queries>>(
        Object.fromEntries(
          parts.map(({ name, query }) => [name, query.mapResult({ results: JSON.parse(String(row?.[name])) }, true)]),
        ),
      );
    return { prepared: { getQuery: () => query, mapResult: () => [] }, toRows };
  });
  return (db: Database, values: Values) => {
    const { prepared, toRows } = together();
    return new CompiledStatement<Rows<Queries>>(db, prepared, values, toRows);
  };
}

/** Names for as many cells as a select has columns. */
function wide(query: Select): { cells: string } {
  const fields = Object.keys(query.as("q")._.selectedFields);
  return { cells: fields.map((_, index) => `c${index}`).join(", ") };
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
export class CompiledStatement<Rows> implements PromiseLike<Rows> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Rows };
  private readonly toRows: (result: Result) => Rows;
  private readonly text: string;
  private readonly params: unknown[];
  private readonly db: Database;

  constructor(db: Database, prepared: Prepared, values: Values, toRows?: (result: Result) => Rows) {
    const { sql, params } = prepared.getQuery();
    this.db = db;
    this.toRows = toRows ?? ((result) => assertType<Rows>(prepared.mapResult(result, true)));
    this.text = withPlannedLimit(sql);
    this.params = fillPlaceholders(params, values);
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
    return { sql: this.text, params: this.params };
  }

  /** As a statement of D1, whose result `mapResult` reads. */
  bound(): D1PreparedStatement {
    return this.db.$client.prepare(this.text).bind(...this.params);
  }

  mapResult(result: unknown): Rows {
    return this.toRows(assertType<Result>(result));
  }

  /** What `db.batch` calls. */
  _prepare() {
    return {
      stmt: this.db.$client.prepare(this.text),
      getQuery: () => this.toSQL(),
      mapResult: (result: unknown) => this.mapResult(result),
    };
  }
}

/**
 * SQLite makes a new plan whenever a value is bound directly to a LIMIT, because that may change the plan: for a list of
 * emails this takes longer than reading the page. Of an expression it does not know the value.
 */
const withPlannedLimit = remembered((text) => text.replaceAll(/\blimit \?/gi, "$& + 0"));
