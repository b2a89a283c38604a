import { assertType } from "../lib/cast.ts";
import { type Database, handleFor } from "./client.ts";

type Statement = D1PreparedStatement;

/** What is about to be sent to the database. */
export interface Call {
  statements: number;
  /** Their text, or "" where that is not known. */
  queries: readonly string[];
  isWrite: boolean;
}

interface Prepared {
  query: string;
  statement: Statement;
  isWrite: boolean;
}

/** Sends a call, or throws instead. */
export type Around = <Result>(call: Call, send: () => Promise<Result>) => Promise<Result>;

/** The same database, whose every call goes through `around`. */
export function intercept(base: Database, around: Around): Database {
  const client = base.$client;
  /** The statements behind the wrapped ones that the query builder gets. */
  const originals = new WeakMap<Statement, Prepared>();

  function wrap(query: string, statement: Statement, isWrite: boolean): Statement {
    const call = { statements: 1, queries: [query], isWrite };
    const members = {
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values), isWrite),
      run: () => around(call, () => statement.run()),
      all: () => around(call, () => statement.all()),
      raw: () => around(call, () => statement.raw()),
      first: () => around(call, () => statement.first()),
    };
    const wrapped = assertType<Statement>(members);
    originals.set(wrapped, { query, statement, isWrite });
    return wrapped;
  }

  const members = {
    prepare: (query: string) => wrap(query, client.prepare(query), !isRead(query)),
    batch(statements: Statement[]) {
      // What was not prepared through this handle may be anything.
      const known = statements.map((statement) => originals.get(statement) ?? { query: "", statement, isWrite: true });
      const queries = known.map(({ query }) => query);
      const call = { statements: known.length, queries, isWrite: known.some(({ isWrite }) => isWrite) };
      return around(call, () => client.batch(known.map(({ statement }) => statement)));
    },
  };
  return handleFor(assertType<D1Database>(members));
}

/** Values are bound, so a verb in the text is a verb, or at worst a name: then a read is taken for a write. */
export function isRead(query: string): boolean {
  return /^\s*(?:select|with)\b/i.test(query) && !/\b(?:insert|update|delete|replace)\b/i.test(query);
}
