import { type AnyColumn, and, eq, type Placeholder, type SQL } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { AppError } from "../lib/errors.ts";
import { runBatch } from "./assert.ts";
import { isOneOf } from "./bulk.ts";
import type { Database } from "./client.ts";
import { LISTENED } from "./live-tables.ts";

/** The versions that `If-Match` allows to overwrite; undefined without the header. */
export type ExpectedVersions = readonly number[] | undefined;

/**
 * For the WHERE of the write itself, so that the check and the change are one statement. A placeholder stands for the
 * versions as JSON.
 */
export function versionIs(column: AnyColumn | SQL, expected: ExpectedVersions | Placeholder): SQL | undefined {
  return expected && isOneOf(column, expected);
}

/** Why a conditional write changed no row: the record does not exist, or has another version. */
export function missedWrite(current: { version: number } | undefined, name: string): AppError {
  if (!current) return new AppError("not_found", `There is no ${name}.`);
  return new AppError("version_conflict", `The ${name} is at version ${current.version} now. Read it again.`);
}

interface VersionedTable extends SQLiteTable {
  id: AnySQLiteColumn<{ data: number }>;
  version: AnySQLiteColumn<{ data: number; notNull: true }>;
}

/**
 * Why a write with `If-Match` changed no row. Asked only then: almost every write finds its record.
 */
export async function whyMissed(
  db: Database,
  table: VersionedTable,
  id: number,
  expected: ExpectedVersions,
  name: string,
): Promise<AppError> {
  if (!expected) return missedWrite(undefined, name);
  const [current] = await db.select({ version: table.version }).from(table).where(eq(table.id, id));
  return missedWrite(current, name);
}

/** Deletes a record if it still has an expected version. */
export async function deleteVersion(
  db: Database,
  table: VersionedTable,
  id: number,
  expected: ExpectedVersions,
  name: string,
): Promise<void> {
  const isThis = and(eq(table.id, id), versionIs(table.version, expected));
  const [deleted] = await runBatch(db, [
    db
      .delete(table)
      .where(isThis)
      .returning({ id: table.id, ...LISTENED }),
  ]);
  if (deleted.length === 0) throw await whyMissed(db, table, id, expected, name);
}
