import { type AnyColumn, Column, fillPlaceholders, is, type SQL } from "drizzle-orm";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

interface Compiled {
  text: string;
  params: unknown[];
}

interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** Filters combine in many ways, of which few are ever used. */
const MAX_SHAPES = 200;

/**
 * For lists that every client asks for all the time: a query's text is built once for each shape it can
 * have, with placeholders for its values, and rows are read by decoders chosen beforehand. Building and
 * reading through the query builder would take longer than the database does.
 */
export function compiledQueries<Row>(columns: Record<string, AnyColumn | SQL.Aliased>) {
  const compiled = new Map<string, Compiled>();
  const readers = Object.entries(columns).map(([name, column]) => [name, readerOf(column)] as const);

  function compile(shape: string, build: () => Query): Compiled {
    let query = compiled.get(shape);
    if (!query) {
      const { sql: text, params } = build().toSQL();
      query = { text, params };
      if (compiled.size >= MAX_SHAPES) compiled.clear();
      compiled.set(shape, query);
    }
    return query;
  }

  /** `shape` says all that the text of the query depends on; `build` selects the columns, in their order. */
  return async function select(
    db: Database,
    shape: string,
    build: () => Query,
    values: Record<string, unknown>,
  ): Promise<Row[]> {
    const { text, params } = compile(shape, build);
    const statement = db.$client.prepare(text).bind(...fillPlaceholders(params, values));
    const rows = await statement.raw<unknown[]>();
    return rows.map((row) => {
      const record: Record<string, unknown> = {};
      for (let index = 0; index < readers.length; index++) {
        const [name, read] = readers[index] ?? ["", identity];
        const value = row[index];
        record[name] = value === null ? null : read(value);
      }
      return assertType<Row>(record);
    });
  };
}

const identity = (value: unknown) => value;

function readerOf(column: AnyColumn | SQL.Aliased): (value: unknown) => unknown {
  return is(column, Column) ? (value) => column.mapFromDriverValue(value) : identity;
}
