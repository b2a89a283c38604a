import { drizzle } from "drizzle-orm/d1";
import type { Config } from "../config.ts";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

/** Where a session of queries begins: at the primary, at the nearest copy, or at a copy no older than a bookmark. */
export type SessionStart = "first-primary" | "first-unconstrained" | (string & {});

export interface DatabaseSession {
  db: Database;
  /** How far the session has seen the database go; null before its first query. */
  bookmark(): string | null;
}

/** Queries that may be answered by a copy of the database near the caller, each seeing what the ones before it saw. */
export function openSession(config: Config, start: SessionStart): DatabaseSession {
  const session = config.bindings.DB.withSession(start);
  // A session has all of D1's members that drizzle uses.
  return { db: drizzle(assertType<D1Database>(session)), bookmark: () => session.getBookmark() };
}
