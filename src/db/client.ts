import { drizzle } from "drizzle-orm/d1";
import type { Config } from "../config.ts";
import { assertType } from "../lib/cast.ts";
import { remembered } from "../lib/remembered.ts";
import { log } from "../log.ts";

/*
 * How statements reach D1. A handle is drizzle's own database on a client of ours, which hands the statements to a
 * function: the last one sends them to D1, and those before it (`intercept`, `withRiders`) watch them or add others.
 */

export type Result = D1Result<Record<string, unknown>>;

/** Sends statements in one round trip and one transaction. */
type Send = (statements: readonly Statement[]) => Promise<Result[]>;

/**
 * SQL with the values of its `?`. It stands in for a statement of D1 until it is sent, alone or in a batch, so that the
 * handles it passes through can read its text and add statements of their own.
 *
 * Rows are always read as objects, because D1 returns the rows of a batch that way. So no two columns may have the same
 * name, and none a number for a name: `test/checked-statements.ts` checks every statement that the tests send.
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

/**
 * The same, and prints each statement as D1 gets it (`LOG_SQL`). Of bound values only the number: they may be personal
 * or secret.
 */
function logged(send: Send, requestId: string): Send {
  return async (statements) => {
    const begun = Date.now();
    const results = await send(statements).catch((error) => {
      print({ failed: true, tripMs: Date.now() - begun });
      throw error;
    });
    print({ tripMs: Date.now() - begun }, results);
    return results;

    function print(trip: { tripMs: number; failed?: true }, results?: Result[]): void {
      statements.forEach(({ query, values }, index) => {
        const meta = results?.[index]?.meta;
        log("info", "sql", {
          requestId,
          statement: `${index + 1} of ${statements.length}`,
          sql: query.replaceAll(/\s+/g, " ").trim(),
          values: values.length,
          rowsRead: meta?.rows_read,
          rowsWritten: meta?.rows_written,
          ms: meta?.duration,
          ...trip,
        });
      });
    }
  };
}

/** Whose statements they are: a request, a cron job or a message of the queue. */
interface Origin {
  config: Config;
  requestId: string;
}

const databases = new WeakMap<Config, Database>();

/** The database itself. The handle has no state, so all requests of an isolate share it. */
export function openDatabase(origin: Origin): Database {
  const { config } = origin;
  const known = databases.get(config);
  if (known) return known;
  const database = openWith(origin, config.bindings.DB);
  // While statements are printed, each request needs a handle that knows its id.
  if (!config.LOG_SQL) databases.set(config, database);
  return database;
}

function openWith({ config, requestId }: Origin, client: D1Database | D1DatabaseSession): Database {
  const send = sendTo(client);
  return databaseWith(config.LOG_SQL ? logged(send, requestId) : send);
}

/** Where the first query runs: on the primary, the nearest replica, or a replica no older than a bookmark. */
export type SessionStart = "first-primary" | "first-unconstrained" | (string & {});

interface DatabaseSession {
  db: Database;
  /** The state of the database the session has seen; null before its first query. */
  bookmark(): string | null;
}

/** Queries that may run on a nearby read replica. Each sees at least what the ones before it saw. */
export function openSession(origin: Origin, start: SessionStart): DatabaseSession {
  const session = origin.config.bindings.DB.withSession(start);
  return { db: openWith(origin, session), bookmark: () => session.getBookmark() };
}
