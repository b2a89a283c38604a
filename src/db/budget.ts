import { drizzle } from "drizzle-orm/d1";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

type Statement = D1PreparedStatement;

/** The same database, which asks `spend` before it sends statements. What `spend` throws stops them. */
export function withBudget(base: Database, spend: (statements: number) => void): Database {
  const client = base.$client;
  /** The statements behind the wrapped ones that the query builder gets. */
  const inner = new WeakMap<Statement, Statement>();

  function wrap(statement: Statement): Statement {
    const sending =
      <Result>(send: () => Promise<Result>) =>
      async () => {
        spend(1);
        return send();
      };
    const members = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: sending(() => statement.run()),
      all: sending(() => statement.all()),
      raw: sending(() => statement.raw()),
      first: sending(() => statement.first()),
    };
    const wrapped = assertType<Statement>(members);
    inner.set(wrapped, statement);
    return wrapped;
  }

  const members = {
    prepare: (query: string) => wrap(client.prepare(query)),
    batch: async (statements: Statement[]) => {
      spend(statements.length);
      return client.batch(statements.map((statement) => inner.get(statement) ?? statement));
    },
  };
  return drizzle(assertType<D1Database>(members));
}
