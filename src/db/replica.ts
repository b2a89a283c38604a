import type { Config } from "../config.ts";
import { assertType } from "../lib/cast.ts";
import { type Database, handleFor } from "./client.ts";

/** Where the first query runs: on the primary, the nearest replica, or a replica no older than a bookmark. */
export type SessionStart = "first-primary" | "first-unconstrained" | (string & {});

export interface DatabaseSession {
  db: Database;
  /** The state of the database the session has seen; null before its first query. */
  bookmark(): string | null;
}

/** Queries that may run on a nearby read replica. Each sees at least what the ones before it saw. */
export function openSession(config: Config, start: SessionStart): DatabaseSession {
  const session = config.bindings.DB.withSession(start);
  // A session has all of D1's members that drizzle uses.
  return { db: handleFor(assertType<D1Database>(session)), bookmark: () => session.getBookmark() };
}
