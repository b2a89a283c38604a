import { drizzle } from "drizzle-orm/d1";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";
import { isRead } from "./intercept.ts";
import { hasTwins } from "./twin-columns.ts";

type Statement = D1PreparedStatement;
export type Result = D1Result<Record<string, unknown>>;

/** A statement of the query builder. */
interface Built {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * Statements that travel with a request's own, in the same batch and thus in the same transaction: a check that fails
 * undoes the batch. A single statement becomes a batch for it.
 */
export interface Rider {
  /** What to put in front of this batch. Nothing: the batch goes as it is. */
  statements(db: Database, batch: { isWrite: boolean }): Statement[];
  /** Gets the results of its statements before the request gets its own. Throws to withhold those. */
  inspect?(results: Result[]): void;
  /** What to throw instead when the batch failed because of this rider. */
  refusal?(error: unknown): Error | null | Promise<Error | null>;
}

export interface RiddenDatabase {
  db: Database;
  /** Sends the riders of a write ahead of something that is not a statement. */
  announceWrite(): Promise<void>;
  /** Whether a write through `db` changed a row, or failed so that nobody knows whether it did. */
  mayHaveWritten(): boolean;
}

/** The same database, with riders on its batches. */
export function withRiders(base: Database, riders: readonly Rider[]): RiddenDatabase {
  const client = base.$client;
  /** The statements behind the wrapped ones that the query builder gets. */
  const originals = new WeakMap<Statement, { statement: Statement; isWrite: boolean }>();
  let unanswered = 0;
  let hasWritten = false;

  async function send(statements: Statement[], isWrite: boolean): Promise<Result[]> {
    const parts = riders.map((rider) => ({ rider, statements: rider.statements(base, { isWrite }) }));
    const ahead = parts.flatMap((part) => part.statements);
    if (isWrite) unanswered += 1;
    const results = await client.batch<Record<string, unknown>>([...ahead, ...statements]).catch(async (error) => {
      let known: unknown = error;
      for (const rider of riders) known = (await rider.refusal?.(error)) ?? known;
      throw known;
    });
    const own = results.slice(ahead.length);
    if (isWrite) {
      // A write that failed stays unanswered: it may have been made before its answer was lost.
      unanswered -= 1;
      hasWritten ||= own.some(({ meta }) => meta.rows_written > 0);
    }
    let at = 0;
    for (const part of parts) {
      part.rider.inspect?.(results.slice(at, at + part.statements.length));
      at += part.statements.length;
    }
    return own;
  }

  const hasRiders = () => riders.some((rider) => rider.statements(base, { isWrite: false }).length > 0);

  function wrap(query: string, statement: Statement, isWrite: boolean): Statement {
    const sendOne = async () => assertType<Result>((await send([statement], isWrite))[0]);
    const members = {
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values), isWrite),
      run: sendOne,
      all: sendOne,
      async raw() {
        if (isWrite) return valuesOf(await sendOne());
        if (!hasRiders()) return statement.raw();
        // D1 returns the rows of a batch as objects, in which one of two columns of the same name is lost.
        if (!hasTwins(query)) return valuesOf(await sendOne());
        const [, rows] = await Promise.all([send([], false), statement.raw()]);
        return rows;
      },
    };
    const wrapped = assertType<Statement>(members);
    originals.set(wrapped, { statement, isWrite });
    return wrapped;
  }

  const members = {
    prepare: (query: string) => wrap(query, client.prepare(query), !isRead(query)),
    batch(statements: Statement[]) {
      const known = statements.map((statement) => originals.get(statement) ?? { statement, isWrite: false });
      return send(
        known.map(({ statement }) => statement),
        known.some(({ isWrite }) => isWrite),
      );
    },
  };
  return {
    db: drizzle(assertType<D1Database>(members)),
    announceWrite: async () => void (await send([], true)),
    mayHaveWritten: () => hasWritten || unanswered > 0,
  };
}

/** The statement of a rider that uses the query builder. */
export function prepared({ $client }: Database, statement: Built): Statement {
  const { sql, params } = statement.toSQL();
  return $client.prepare(sql).bind(...params);
}

function valuesOf({ results }: Result): unknown[][] {
  return results.map((row) => Object.values(row));
}
