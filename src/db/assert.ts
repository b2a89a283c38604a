import { getTableName, type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";
import { assertions } from "./schema/assertions.ts";

/** What is thrown when the assertion fails. */
type Refusal = () => Error | Promise<Error>;

const refusals = new WeakMap<object, { name: string; refusal: Refusal }>();

/**
 * A statement for a batch that must not be written unless `condition` holds. D1 has no interactive transactions, so
 * the check has to run inside the batch: it writes nothing while the condition holds, and otherwise makes the whole
 * batch fail. `name` is letters, digits and underscores.
 */
export function assertThat(db: Database, name: string, condition: SQL, refusal?: Refusal) {
  const statement = db.insert(assertions).select(sql`SELECT ${name} WHERE (${condition}) IS NOT TRUE`);
  if (refusal) refusals.set(statement, { name, refusal });
  return statement;
}

/** Fails a batch unless the table has a row that meets `where`. */
export function assertExists(db: Database, table: SQLiteTable, where: SQL | undefined, refusal?: Refusal) {
  return assertThat(db, `${getTableName(table)}_has_row`, sql`EXISTS (SELECT 1 FROM ${table} WHERE ${where})`, refusal);
}

/** An assertion of a batch did not hold, so nothing of the batch was written. */
export class AssertionFailed extends Error {
  readonly assertion: string;

  constructor(assertion: string, cause: unknown) {
    super(`assertion failed: ${assertion}`, { cause });
    this.assertion = assertion;
  }
}

/** The failed assertion behind an error: D1 and the query builder wrap it in errors of their own. */
export function failedAssertion(error: unknown): AssertionFailed | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const name = /assertion failed: (\w+)/.exec(current.message)?.[1];
    if (name) return new AssertionFailed(name, error);
  }
  return null;
}

/**
 * Runs a batch, also of one statement: what a rider throws arrives as it is, while drizzle wraps it for a statement that
 * is awaited alone. When an assertion in it fails, throws the assertion's refusal, or `AssertionFailed` if it
 * has none.
 */
export async function runBatch<Item extends BatchItem<"sqlite">, Batch extends readonly [Item, ...Item[]]>(
  db: Database,
  statements: Batch,
): Promise<BatchResponse<Batch>> {
  try {
    return await db.batch(statements);
  } catch (error) {
    const failed = failedAssertion(error);
    const assertion = statements.map((each) => refusals.get(each)).find((each) => each?.name === failed?.assertion);
    throw (await assertion?.refusal()) ?? failed ?? error;
  }
}

/** Checks before a write, in one batch: they see the tables as they are without it. Returns what the write returns. */
export async function writeChecked<Row>(
  db: Database,
  [first, ...others]: readonly BatchItem<"sqlite">[],
  write: BatchItem<"sqlite">,
): Promise<Row[]> {
  const results: unknown[] = await runBatch(db, first ? [first, ...others, write] : [write]);
  return assertType<Row[]>(results.at(-1));
}
