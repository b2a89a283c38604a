import { drizzle } from "drizzle-orm/d1";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

type Statement = D1PreparedStatement;

interface Inside {
  db: Database;
  write(statements: Statement[]): Promise<D1Result<Record<string, unknown>>[]>;
  /** Writes that have not come back. One that failed never does: it may have been made before its answer was lost. */
  away: number;
  /** Whether one that came back had met a row. */
  hasChanged: boolean;
}

const insides = new WeakMap<Database, Inside>();

/**
 * A database on which every write takes `fence` along in the same batch: where the fence fails, nothing is
 * written. Reads pass as they are.
 */
export function fenced(db: Database, fence: (client: D1Database) => Statement): Database {
  const client = db.$client;
  const writes = new WeakMap<Statement, Statement>();
  const inside: Inside = { db, write, away: 0, hasChanged: false };

  async function write(statements: Statement[]): Promise<D1Result<Record<string, unknown>>[]> {
    inside.away += 1;
    const [, ...results] = await client.batch<Record<string, unknown>>([fence(client), ...statements]);
    inside.away -= 1;
    inside.hasChanged ||= results.some(({ meta }) => meta.rows_written > 0);
    return results;
  }

  const one = async (statement: Statement) =>
    assertType<D1Result<Record<string, unknown>>>((await write([statement]))[0]);

  function fencedWrite(statement: Statement): Statement {
    const forms = {
      bind: (...values: unknown[]) => fencedWrite(statement.bind(...values)),
      run: () => one(statement),
      all: () => one(statement),
      // What a write returns are columns of one table, so no two have one name.
      raw: async () => (await one(statement)).results.map((row) => Object.values(row)),
    };
    const wrapped = assertType<Statement>(forms);
    writes.set(wrapped, statement);
    return wrapped;
  }

  const members = {
    prepare: (query: string) => (isRead(query) ? client.prepare(query) : fencedWrite(client.prepare(query))),
    batch(statements: Statement[]) {
      const originals = statements.map((statement) => writes.get(statement) ?? statement);
      return statements.some((statement) => writes.has(statement)) ? write(originals) : client.batch(originals);
    },
  };
  const outside = drizzle(assertType<D1Database>(members));
  insides.set(outside, inside);
  return outside;
}

/** The database without its fence, for writes that are not what the request is for: its cost, a wrong proof of who asks. */
export function unfenced(db: Database): Database {
  return insides.get(db)?.db ?? db;
}

/**
 * Does what the database cannot undo, such as sending a mail. That it may have been done is written before it is
 * tried, so that a request that is cut off or fails later does not do it again. `act` fails only where it did nothing.
 */
export async function actOutside<Result>(db: Database, act: () => Promise<Result>): Promise<Result> {
  const inside = insides.get(db);
  if (!inside) return act();
  await inside.write([]);
  const result = await act();
  inside.hasChanged = true;
  return result;
}

/** Whether anything may have been written behind the fence. */
export function mayHaveChanged(db: Database): boolean {
  const { away, hasChanged } = insides.get(db) ?? { away: 0, hasChanged: true };
  return hasChanged || away > 0;
}

export function withoutFence<Source extends { db: Database }>(source: Source): Source {
  return { ...source, db: unfenced(source.db) };
}

/** A WITH may begin either; values are bound, so a verb in the text is a verb, or at worst a name that costs a fence. */
function isRead(query: string): boolean {
  return /^\s*(?:select|with)\b/i.test(query) && !/\b(?:insert|update|delete|replace)\b/i.test(query);
}
