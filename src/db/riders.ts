import { assertType } from "../lib/cast.ts";
import { failedAssertion } from "./assert.ts";
import { type Database, handleFor } from "./client.ts";
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
  inspect?(results: Result[], batch: { isWrite: boolean }): void;
  /** What to throw instead when the batch failed because of this rider. */
  refusal?(error: unknown): Error | null | Promise<Error | null>;
}

/** A rider with its statements of one batch. */
interface Load {
  rider: Rider;
  statements: Statement[];
}

export interface RiddenDatabase {
  db: Database;
  /** Sends the riders of a write ahead of something that is not a statement. */
  announceWrite(): Promise<void>;
  /** Whether a write through `db` changed a row, or failed so that nobody knows whether it did. */
  mayHaveWritten(): boolean;
  /** The same, once the writes that are under way have ended. */
  hasWritten(): Promise<boolean>;
}

/** The same database, with riders on its batches. */
export function withRiders(base: Database, riders: readonly Rider[]): RiddenDatabase {
  const client = base.$client;
  /** The statements behind the wrapped ones that the query builder gets. */
  const originals = new WeakMap<Statement, { statement: Statement; isWrite: boolean }>();
  const underWay = new Set<Promise<unknown>>();
  let unanswered = 0;
  let hasWritten = false;
  const mayHaveWritten = () => hasWritten || unanswered > 0;

  const ahead = (isWrite: boolean): Load[] =>
    riders.map((rider) => ({ rider, statements: rider.statements(base, { isWrite }) }));

  async function send(statements: Statement[], isWrite: boolean, loads = ahead(isWrite)): Promise<Result[]> {
    const sent = sendBehind(loads, statements, isWrite);
    if (!isWrite) return sent;
    underWay.add(sent);
    try {
      return await sent;
    } finally {
      underWay.delete(sent);
    }
  }

  async function sendBehind(loads: readonly Load[], statements: Statement[], isWrite: boolean): Promise<Result[]> {
    const all = [...loads.flatMap((load) => load.statements), ...statements];
    if (isWrite) unanswered += 1;
    const results = await client.batch<Record<string, unknown>>(all).catch(async (error) => {
      // Other failures stay unanswered: the write may have been made before its answer was lost.
      if (isWrite && failedAssertion(error)) unanswered -= 1;
      let known: unknown = error;
      for (const rider of riders) known = (await rider.refusal?.(error)) ?? known;
      throw known;
    });
    const own = results.slice(all.length - statements.length);
    if (isWrite) {
      unanswered -= 1;
      hasWritten ||= own.some(({ meta }) => meta.rows_written > 0);
    }
    let at = 0;
    for (const load of loads) {
      load.rider.inspect?.(results.slice(at, at + load.statements.length), { isWrite });
      at += load.statements.length;
    }
    return own;
  }

  function wrap(query: string, statement: Statement, isWrite: boolean): Statement {
    const sendOne = async () => assertType<Result>((await send([statement], isWrite))[0]);
    const members = {
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values), isWrite),
      run: sendOne,
      all: sendOne,
      async raw() {
        if (isWrite) return valuesOf(await sendOne());
        const loads = ahead(false);
        if (loads.every((load) => load.statements.length === 0)) return statement.raw();
        // D1 returns the rows of a batch as objects, in which one of two columns of the same name is lost.
        if (!hasTwins(query)) return valuesOf((await send([statement], false, loads))[0]);
        const [, rows] = await Promise.all([send([], false, loads), statement.raw()]);
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
      // What was not prepared through this handle may be anything.
      const known = statements.map((statement) => originals.get(statement) ?? { statement, isWrite: true });
      return send(
        known.map(({ statement }) => statement),
        known.some(({ isWrite }) => isWrite),
      );
    },
  };
  return {
    db: handleFor(assertType<D1Database>(members)),
    announceWrite: async () => void (await send([], true)),
    mayHaveWritten,
    async hasWritten() {
      await Promise.allSettled(underWay);
      return mayHaveWritten();
    },
  };
}

/** The statement of a rider that uses the query builder. */
export function prepared({ $client }: Database, statement: Built): Statement {
  const { sql, params } = statement.toSQL();
  return $client.prepare(sql).bind(...params);
}

function valuesOf(result: Result | undefined): unknown[][] {
  return result?.results.map((row) => Object.values(row)) ?? [];
}
