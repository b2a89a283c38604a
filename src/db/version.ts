import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { AppError } from "../lib/errors.ts";
import { anyOf } from "./bulk.ts";

/** The versions a writer is willing to overwrite, from its If-Match; undefined when it does not care. */
export type ExpectedVersions = readonly number[] | undefined;

/**
 * Put into the WHERE of the write itself: the check and the change are one statement. One bound value, since a
 * header can list more versions than D1 allows of those.
 */
export function versionIs(column: AnyColumn | SQL, expected: ExpectedVersions): SQL | undefined {
  return expected && sql`${column} IN ${anyOf(expected)}`;
}

/** Why a conditional write met no row: the record is gone, or it has another version by now. */
export function missedWrite(current: { version: number } | undefined, name: string): AppError {
  if (!current) return new AppError("not_found", `There is no ${name}.`);
  return new AppError("version_conflict", `The ${name} is at version ${current.version} now. Read it again.`);
}
