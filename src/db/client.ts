import type { Config } from "../config.ts";
import { logged } from "./log-sql.ts";
import { type Database, databaseWith, sendTo } from "./statement.ts";

export type { Database } from "./statement.ts";

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

export interface DatabaseSession {
  db: Database;
  /** The state of the database the session has seen; null before its first query. */
  bookmark(): string | null;
}

/** Queries that may run on a nearby read replica. Each sees at least what the ones before it saw. */
export function openSession(origin: Origin, start: SessionStart): DatabaseSession {
  const session = origin.config.bindings.DB.withSession(start);
  return { db: openWith(origin, session), bookmark: () => session.getBookmark() };
}
