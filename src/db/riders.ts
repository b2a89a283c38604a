import { assertType } from "../lib/cast.ts";
import { failedAssertion } from "./assert.ts";
import { type Database, databaseWith, hasWrite, type Result, Statement, sendOf } from "./client.ts";

/** A condition on which a write depends, in SQL with the values of its `?`. The name is letters and underscores. */
interface Assertion {
  name: string;
  sql: string;
  values: readonly unknown[];
}

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
  statements?(db: Database, batch: { isWrite: boolean }): D1PreparedStatement[];
  /** What has to hold when a write is made; otherwise nothing of the batch is written. */
  assertion?(): Assertion | null;
  /** Gets the results of its statements before the request gets its own. Throws to withhold those. */
  inspect?(results: Result[], batch: { isWrite: boolean }): void;
  /** What to throw instead when the batch failed because of this rider. */
  refusal?(error: unknown): Error | null | Promise<Error | null>;
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
  const sendOn = sendOf(base);
  const underWay = new Set<Promise<unknown>>();
  let unanswered = 0;
  let hasWritten = false;
  const mayHaveWritten = () => hasWritten || unanswered > 0;

  async function send(own: readonly Statement[], isWrite: boolean): Promise<Result[]> {
    const loads = riders.map((rider) => ({
      rider,
      statements: assertType<Statement[]>(rider.statements?.(base, { isWrite }) ?? []),
      assertion: (isWrite && rider.assertion?.()) || null,
    }));
    const ahead = [
      ...loads.flatMap(({ statements }) => statements),
      ...loads.flatMap(({ assertion }) => (assertion ? [asStatement(assertion)] : [])),
    ];
    if (isWrite) unanswered += 1;
    const results = await sendOn([...ahead, ...own]).catch(async (error) => {
      // Other failures stay unanswered: the write may have been made before its answer was lost.
      if (isWrite && failedAssertion(error)) unanswered -= 1;
      let known: unknown = error;
      for (const rider of riders) known = (await rider.refusal?.(error)) ?? known;
      throw known;
    });
    const ownResults = results.slice(ahead.length);
    if (isWrite) {
      unanswered -= 1;
      hasWritten ||= ownResults.some(({ meta }) => meta.rows_written > 0);
    }
    let at = 0;
    for (const { rider, statements } of loads) {
      rider.inspect?.(results.slice(at, at + statements.length), { isWrite });
      at += statements.length;
    }
    return ownResults;
  }

  const asStatement = ({ name, sql, values }: Assertion) =>
    new Statement(sendOn, `INSERT INTO assertions (name) SELECT '${name}' WHERE NOT (${sql})`, values);

  async function sendNoted(own: readonly Statement[], isWrite = hasWrite(own)): Promise<Result[]> {
    const sent = send(own, isWrite);
    if (!isWrite) return sent;
    underWay.add(sent);
    try {
      return await sent;
    } finally {
      underWay.delete(sent);
    }
  }

  return {
    db: databaseWith((statements) => sendNoted(statements)),
    announceWrite: async () => void (await sendNoted([], true)),
    mayHaveWritten,
    async hasWritten() {
      await Promise.allSettled(underWay);
      return mayHaveWritten();
    },
  };
}

/** The statement of a rider that uses the query builder. */
export function prepared({ $client }: Database, statement: Built): D1PreparedStatement {
  const { sql, params } = statement.toSQL();
  return $client.prepare(sql).bind(...params);
}
