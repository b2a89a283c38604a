import { type AnyColumn, and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../context.ts";
import { assertType } from "../lib/cast.ts";
import { AppError } from "../lib/errors.ts";
import { assertExists, assertThat, runBatch } from "./assert.ts";

export type Row = Record<string, unknown>;

/** A record as it is to be again: `before` takes the place of the present version. Null: there is no record. */
export interface PutBack {
  id: number;
  before: Row | null;
  version: number | null;
}

/** What was replaced, and the version that the record has now: with them, this can be taken back as well. */
export interface Replaced {
  before: Row | null;
  version: number | null;
}

/** Statements of another feature for the same batch. */
export type Also = (replaced: Replaced) => readonly BatchItem<"sqlite">[];

export function outdated(name: string): AppError {
  const detail = `The ${name} has changed since, so it is left as it is. Nothing was undone.`;
  return new AppError("undo_outdated", detail);
}

interface Versioned extends SQLiteTable {
  id: AnySQLiteColumn<{ data: number }>;
  version: AnySQLiteColumn<{ data: number; notNull: true }>;
}

/** JSON has moments as texts. */
export function rowFromJson(columns: Record<string, AnyColumn>, row: Row): Row {
  const values = Object.entries(row).filter(([name]) => name in columns);
  return Object.fromEntries(
    values.map(([name, value]) => [
      name,
      columns[name]?.dataType === "date" && typeof value === "string" ? new Date(value) : value,
    ]),
  );
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

interface PutBackOptions {
  /** What the record is called in an error. */
  name: string;
  /** The columns that are put back. */
  columns: Record<string, AnyColumn>;
  /** Of `columns`: what an update leaves alone. */
  fixed?: readonly string[];
  /** Values of a row that is inserted again, where what they point to may be gone. */
  checked?(row: Row): Row;
  /** Further statements that belong to this record, made from the present row and the one to put back. */
  within?(current: Row | null, before: Row | null): readonly BatchItem<"sqlite">[];
}

/** Puts one row of a table back, in one batch with `also`, unless it has changed since. */
export async function putRowBack(
  { db, now }: Context,
  table: Versioned,
  { id, before: stored, version }: PutBack,
  { name, columns, fixed = [], checked = (row) => row, within }: PutBackOptions,
  also: Also,
): Promise<Replaced> {
  const [current] = await db
    .select(assertType<{ version: typeof table.version }>(columns))
    .from(table)
    .where(eq(table.id, id));
  if ((current?.version ?? null) !== version) throw outdated(name);
  const row = current ? assertType<Row>(current) : null;
  const before = stored && rowFromJson(columns, stored);
  const isThis = and(eq(table.id, id), eq(table.version, version ?? 0));
  const refusal = () => outdated(name);
  const check = row
    ? assertExists(db, table, isThis, refusal)
    : assertThat(db, "record_is_absent", sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id})`, refusal);
  const next = before ? Math.max(Number(before.version), version ?? 0) + 1 : null;
  const kept = ["id", "version", "createdAt", "updatedAt", ...fixed];
  const changed = Object.entries(before ?? {}).filter(
    ([column, value]) => !kept.includes(column) && !isSame(value, row?.[column]),
  );
  const meta = { version: next, updatedAt: now };
  const write = !before
    ? db.delete(table).where(eq(table.id, id))
    : row
      ? db
          .update(table)
          .set(assertType({ ...Object.fromEntries(changed), ...meta }))
          .where(eq(table.id, id))
      : db.insert(table).values(assertType({ ...before, ...checked(before), ...meta }));
  const replaced = { before: row, version: next };
  await runBatch(db, [check, ...(within?.(row, before) ?? []), write, ...also(replaced)]);
  return replaced;
}
