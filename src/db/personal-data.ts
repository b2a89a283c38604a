import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../context.ts";
import type { ArchivedTable } from "./archive.ts";
import type { Database } from "./client.ts";
import { purge } from "./purge.ts";
import { type WalkOptions, walkTable } from "./walk.ts";

/** One kind of stored data, for the export and for the deletion of an account. */
export interface PersonalData {
  /** Its name in the export. */
  name: string;
  /** Set for data that belongs to the service and not to a person. */
  ownersOnly?: true;
  /** All records without secrets, in pages that fit into memory. None where another section has the same records. */
  pages?: Pages;
  /**
   * How it goes into an archive (`features/personal-data/archive`), and back from one into an empty service. A test
   * exports and imports everything, and fails for a table that nobody has thought of.
   */
  archive: Archive;
  /** Called when the last account is deleted. Foreign keys delete the data of a person with their account. */
  erase?(ctx: Context): Promise<void>;
  /** Set where work in the background writes other data only as long as this is there. */
  erasedFirst?: true;
}

type Archive =
  | ArchivedTable
  /** The archive has its pages for information; says why they cannot be imported. */
  | { notImported: string }
  /** The archive has the same records under another name. */
  | { within: string };

type Pages = (ctx: Context) => AsyncIterable<readonly unknown[]>;

interface TableOptions<Row> extends Omit<WalkOptions, "where"> {
  map(row: Row, ctx: Context): unknown;
  where?(ctx: Context): SQL | undefined;
}

/** The rows of a table, each as `map` exports it. */
export function tablePages<Table extends SQLiteTable, Row = Table["$inferSelect"]>(
  table: Table,
  { map, where, ...options }: TableOptions<Row>,
): Pages {
  return async function* pages(ctx) {
    for await (const rows of walkTable<Row>(ctx.db, table, { ...options, where: where?.(ctx) })) {
      yield rows.map((row) => map(row, ctx));
    }
  };
}

/** For data that always fits into memory. */
export function onePage(read: (ctx: Context) => PromiseLike<readonly unknown[]>): Pages {
  return async function* pages(ctx) {
    yield await read(ctx);
  };
}

/** Empties a table in batches, and its search indexes, which otherwise keep deleted words until they are next merged. */
export async function eraseAll(
  db: Database,
  table: SQLiteTable,
  ...searches: ("emails_search" | "tasks_search" | "tasks_by_due" | "contacts_search")[]
): Promise<void> {
  while ((await purge(db, table, sql`1`)) > 0);
  for (const search of searches) {
    const index = sql.raw(search);
    await db.run(sql`INSERT INTO ${index} (${index}) SELECT 'delete-all' WHERE NOT EXISTS (SELECT 1 FROM ${table})`);
  }
}
