import { drizzle } from "drizzle-orm/d1";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

type Statement = D1PreparedStatement;
type Result = D1Result<Record<string, unknown>>;

/** A statement of the query builder. */
interface Built {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * Statements that travel with a request's own, in the same batch and thus in the same transaction: a check that fails
 * undoes the batch. A single write becomes a batch for it; a single read goes alone, since D1 returns the columns of
 * a batched read by name, and the columns of a join may share one.
 */
export interface Rider {
  /** What to put in front of this batch. Nothing: the batch goes as it is. */
  statements(db: Database, batch: { isWrite: boolean }): Built[];
  /** What to throw instead when the batch failed because of this rider. */
  refusal?(error: unknown): Error | null;
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
  /** The statements behind the wrapped writes that the query builder gets. */
  const writes = new WeakMap<Statement, Statement>();
  let unanswered = 0;
  let hasWritten = false;

  async function send(statements: Statement[], isWrite: boolean): Promise<Result[]> {
    const ahead = riders.flatMap((rider) => rider.statements(base, { isWrite })).map((each) => prepare(client, each));
    if (isWrite) unanswered += 1;
    const results = await client.batch<Record<string, unknown>>([...ahead, ...statements]).catch((error) => {
      throw riders.reduce<unknown>((known, rider) => rider.refusal?.(error) ?? known, error);
    });
    const own = results.slice(ahead.length);
    if (isWrite) {
      // A write that failed stays unanswered: it may have been made before its answer was lost.
      unanswered -= 1;
      hasWritten ||= own.some(({ meta }) => meta.rows_written > 0);
    }
    return own;
  }

  const sendOne = async (statement: Statement) => assertType<Result>((await send([statement], true))[0]);

  function wrapWrite(statement: Statement): Statement {
    const members = {
      bind: (...values: unknown[]) => wrapWrite(statement.bind(...values)),
      run: () => sendOne(statement),
      all: () => sendOne(statement),
      // What a write returns are columns of one table, so no two share a name.
      raw: async () => (await sendOne(statement)).results.map((row) => Object.values(row)),
    };
    const wrapped = assertType<Statement>(members);
    writes.set(wrapped, statement);
    return wrapped;
  }

  const members = {
    prepare: (query: string) => (isRead(query) ? client.prepare(query) : wrapWrite(client.prepare(query))),
    batch: (statements: Statement[]) =>
      send(
        statements.map((statement) => writes.get(statement) ?? statement),
        statements.some((statement) => writes.has(statement)),
      ),
  };
  return {
    db: drizzle(assertType<D1Database>(members)),
    announceWrite: async () => void (await send([], true)),
    mayHaveWritten: () => hasWritten || unanswered > 0,
  };
}

function prepare(client: D1Database, statement: Built): Statement {
  const { sql, params } = statement.toSQL();
  return client.prepare(sql).bind(...params);
}

/** Values are bound, so a verb in the text is a verb, or at worst a name: then a read is taken for a write. */
function isRead(query: string): boolean {
  return /^\s*(?:select|with)\b/i.test(query) && !/\b(?:insert|update|delete|replace)\b/i.test(query);
}
