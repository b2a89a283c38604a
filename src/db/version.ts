import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { AppError } from "../lib/errors.ts";
import { anyOf } from "./bulk.ts";

/** The versions that `If-Match` allows to overwrite; undefined without the header. */
export type ExpectedVersions = readonly number[] | undefined;

/** For the WHERE of the write itself, so that the check and the change are one statement. */
export function versionIs(column: AnyColumn | SQL, expected: ExpectedVersions): SQL | undefined {
  return expected && sql`${column} IN ${anyOf(expected)}`;
}

/** Why a conditional write changed no row: the record does not exist, or has another version. */
export function missedWrite(current: { version: number } | undefined, name: string): AppError {
  if (!current) return new AppError("not_found", `There is no ${name}.`);
  return new AppError("version_conflict", `The ${name} is at version ${current.version} now. Read it again.`);
}
