import { assertType } from "../lib/cast.ts";
import { failedAssertion } from "./assert.ts";
import { type Database, handleFor } from "./client.ts";
import { type Assertion, asStatement, inserted, isAssertion } from "./guarded-text.ts";
import { clientOf, type HeldStatement, heldBy, type Sender } from "./held-statement.ts";
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
  statements?(db: Database, batch: { isWrite: boolean }): Statement[];
  /**
   * What has to hold when a write is made; otherwise nothing of the batch is written. It becomes part of the write where
   * that is possible, since each statement of a batch has a price, and else a statement in front.
   */
  assertion?(): Assertion | null;
  /** Gets the results of its statements before the request gets its own. Throws to withhold those. */
  inspect?(results: Result[], batch: { isWrite: boolean }): void;
  /** What to throw instead when the batch failed because of this rider. */
  refusal?(error: unknown): Error | null | Promise<Error | null>;
}

/** A rider with its statements of one batch. */
interface Load {
  rider: Rider;
  statements: Statement[];
  assertion: Assertion | null;
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

/** A statement of the request: held by the handle, or one that was prepared elsewhere and may be anything. */
type Own = HeldStatement | Statement;

/** The same database, with riders on its batches. */
export function withRiders(base: Database, riders: readonly Rider[]): RiddenDatabase {
  const client = base.$client;
  const underWay = new Set<Promise<unknown>>();
  let unanswered = 0;
  let hasWritten = false;
  const mayHaveWritten = () => hasWritten || unanswered > 0;

  const ahead = (isWrite: boolean): Load[] =>
    riders.map((rider) => ({
      rider,
      statements: rider.statements?.(base, { isWrite }) ?? [],
      assertion: (isWrite && rider.assertion?.()) || null,
    }));

  async function send(own: Own[], isWrite: boolean, loads = ahead(isWrite)): Promise<Result[]> {
    const sent = sendBehind(loads, own, isWrite);
    if (!isWrite) return sent;
    underWay.add(sent);
    try {
      return await sent;
    } finally {
      underWay.delete(sent);
    }
  }

  async function sendBehind(loads: readonly Load[], own: Own[], isWrite: boolean): Promise<Result[]> {
    const asserted = loads.flatMap(({ assertion }) => assertion ?? []);
    const guarded = asserted.length > 0 ? withAssertions(own, asserted) : own;
    const separate = guarded ? [] : asserted.map((assertion) => asStatement(client, assertion));
    const all = [
      ...loads.flatMap((load) => load.statements),
      ...separate,
      ...(guarded ?? own).map((each) => heldBy(sender, each)?.through(client) ?? assertType<Statement>(each)),
    ];
    if (isWrite) unanswered += 1;
    const results = await client.batch<Record<string, unknown>>(all).catch(async (error) => {
      // Other failures stay unanswered: the write may have been made before its answer was lost.
      if (isWrite && failedAssertion(error)) unanswered -= 1;
      let known: unknown = error;
      for (const rider of riders) known = (await rider.refusal?.(error)) ?? known;
      throw known;
    });
    const ownResults = results.slice(all.length - own.length);
    if (isWrite) {
      unanswered -= 1;
      hasWritten ||= ownResults.some(({ meta }) => meta.rows_written > 0);
    }
    let at = 0;
    for (const load of loads) {
      load.rider.inspect?.(results.slice(at, at + load.statements.length), { isWrite });
      at += load.statements.length;
    }
    return ownResults;
  }

  const isWriteOf = (own: Own) => !isRead(heldBy(sender, own)?.query ?? "");

  /** The batch with the assertions in its one write; null if it has several, or one that takes none. */
  function withAssertions(own: Own[], asserted: readonly Assertion[]): Own[] | null {
    const [write, ...others] = own.filter((each) => isWriteOf(each) && !isAssertion(heldBy(sender, each)));
    const held = others.length === 0 && heldBy(sender, write);
    const guarded = held && inserted(held, asserted);
    return guarded ? own.map((each) => (each === held ? guarded : each)) : null;
  }

  const sender: Sender = {
    async one(held, form) {
      const isWrite = !isRead(held.query);
      const sendOne = async (loads?: Load[]) => assertType<Result>((await send([held], isWrite, loads))[0]);
      if (form !== "raw") return sendOne();
      if (isWrite) return valuesOf(await sendOne());
      const loads = ahead(false);
      if (loads.every((load) => load.statements.length === 0)) return held.through(client).raw();
      // D1 returns the rows of a batch as objects, in which one of two columns of the same name is lost.
      if (!hasTwins(held.query)) return valuesOf(await sendOne(loads));
      const [, rows] = await Promise.all([send([], false, loads), held.through(client).raw()]);
      return rows;
    },
    batch: (statements) => send(statements, statements.some(isWriteOf)),
  };
  return {
    db: handleFor(clientOf(sender)),
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
