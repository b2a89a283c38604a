import { drizzle } from "drizzle-orm/d1";
import type { Config } from "../config.ts";
import { assertType } from "../lib/cast.ts";
import { builtSql } from "./built-sql.ts";

export type Database = ReturnType<typeof createDatabase>;

function createDatabase(d1: D1Database) {
  return drizzle(d1);
}

/** What the query builder needs that is not of one client. */
let common: { database: Database; session: object } | undefined;

/**
 * A handle of the query builder for another client. A write has four of them in layers (a D1 session, what live clients
 * hear, the credential check), so each has only what is its own: the rest is in its prototypes.
 */
export function handleFor(client: D1Database): Database {
  if (!common) {
    const database = createDatabase(client);
    const { session, dialect } = assertType<{ session: object; dialect: object }>(database);
    Object.assign(dialect, { sqlToQuery: builtSql });
    common = { database, session };
  }
  const session: object = Object.assign(Object.create(common.session), { client });
  return Object.assign(Object.create(common.database), { session, $client: client });
}

const databases = new WeakMap<Config, Database>();

/** One for each configuration. It has no state, so all requests of an isolate share it. */
export function openDatabase(config: Config): Database {
  let database = databases.get(config);
  if (!database) {
    database = handleFor(config.bindings.DB);
    databases.set(config, database);
  }
  return database;
}
