import { drizzle } from "drizzle-orm/d1";
import type { Config } from "../config.ts";

export type Database = ReturnType<typeof createDatabase>;

function createDatabase(d1: D1Database) {
  return drizzle(d1);
}

const databases = new WeakMap<Config, Database>();

/** One for each configuration: it holds no state, and queries prepared on it serve every request of the isolate. */
export function openDatabase(config: Config): Database {
  let database = databases.get(config);
  if (!database) {
    database = createDatabase(config.bindings.DB);
    databases.set(config, database);
  }
  return database;
}

/** Builds a query's SQL once for each database rather than at every request; for the paths that every request takes. */
export function preparedOnce<Prepared>(build: (db: Database) => Prepared): (db: Database) => Prepared {
  const prepared = new WeakMap<Database, Prepared>();
  return (db) => {
    let query = prepared.get(db);
    if (!query) {
      query = build(db);
      prepared.set(db, query);
    }
    return query;
  };
}
