import { drizzle } from "drizzle-orm/d1";
import type { Config } from "../config.ts";

export type Database = ReturnType<typeof createDatabase>;

function createDatabase(d1: D1Database) {
  return drizzle(d1);
}

const databases = new WeakMap<Config, Database>();

/** One for each configuration. It has no state, so all requests of an isolate share it. */
export function openDatabase(config: Config): Database {
  let database = databases.get(config);
  if (!database) {
    database = createDatabase(config.bindings.DB);
    databases.set(config, database);
  }
  return database;
}
