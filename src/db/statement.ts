import { drizzle } from "drizzle-orm/d1";
import { assertType } from "../lib/cast.ts";
import { remembered } from "../lib/remembered.ts";

export type Result = D1Result<Record<string, unknown>>;

/** Sends statements in one round trip and one transaction. */
export type Send = (statements: readonly Statement[]) => Promise<Result[]>;

/**
 * SQL with the values of its `?`. It stands in for a statement of D1 until it is sent, alone or in a batch, so that the
 * handles it passes through can read its text and add statements of their own.
 *
 * Rows are always read as objects, because D1 returns the rows of a batch that way. So no two columns may have the same
 * name, and none a number for a name: `test/distinct-columns.ts` checks every statement that the tests send.
 */
export class Statement {
  private readonly send: Send;
  readonly query: string;
  readonly values: readonly unknown[];

  constructor(send: Send, query: string, values: readonly unknown[] = []) {
    this.send = send;
    this.query = query;
    this.values = values;
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.send, this.query, values);
  }

  async all(): Promise<Result | undefined> {
    const [result] = await this.send([this]);
    return result;
  }

  run(): Promise<Result | undefined> {
    return this.all();
  }

  async raw(): Promise<unknown[][]> {
    const result = await this.all();
    return result?.results.map((row) => Object.values(row)) ?? [];
  }
}

/** What drizzle and our own code use of a D1 client. */
class Client {
  readonly batch: Send;

  constructor(send: Send) {
    this.batch = send;
  }

  prepare(query: string): Statement {
    return new Statement(this.batch, query);
  }
}

export type Database = ReturnType<typeof drizzle<Record<string, never>, D1Database>>;

/** A drizzle handle that sends its statements with `send`. */
export function databaseWith(send: Send): Database {
  return drizzle(assertType<D1Database>(new Client(send)));
}

/** What a handle sends its statements with. */
export function sendOf({ $client }: Database): Send {
  return assertType<Client>($client).batch;
}

/** Sends statements to D1, or to a session of it. */
export function sendTo(client: D1Database | D1DatabaseSession): Send {
  const bound = ({ query, values }: Statement) => client.prepare(query).bind(...values);
  return async (statements) => {
    const [first, ...others] = statements.map(bound);
    if (!first) return [];
    return others.length > 0 ? client.batch([first, ...others]) : [await first.all<Record<string, unknown>>()];
  };
}

/** The same handle, whose statements go through `around`: it sends them on, or throws instead. */
export function intercept(
  base: Database,
  around: (statements: readonly Statement[], send: () => Promise<Result[]>) => Promise<Result[]>,
): Database {
  const send = sendOf(base);
  return databaseWith((statements) => around(statements, () => send(statements)));
}

export function hasWrite(statements: readonly Statement[]): boolean {
  return !statements.every(({ query }) => isRead(query));
}

/** Values are bound, so a verb in the text is a verb, or at worst a name: then a read is taken for a write. */
export const isRead = remembered(
  (query) => /^\s*(?:select|with)\b/i.test(query) && !/\b(?:insert|update|delete|replace)\b/i.test(query),
);
