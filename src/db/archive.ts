import { type AnyColumn, and, asc, eq, getTableColumns, gt, is, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { getTableConfig, integer, type SQLiteTable, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ZodType } from "zod";
import type { Context } from "../context.ts";
import { assertType } from "../lib/cast.ts";
import { toBytes } from "../lib/encoding.ts";
import type { FileStore } from "../lib/file-stores.ts";
import { shapeOf } from "./archived-shapes.ts";
import { excludedColumns } from "./bulk.ts";
import type { Database } from "./client.ts";
import { lastThatFits } from "./walk.ts";

/*
 * Rows of a table as lines of an archive, and lines as rows again. It follows the columns of the schema, so that a new
 * column is exported, checked and imported without a word.
 */

export type Row = Record<string, unknown>;

/** A file that a row refers to by its key. */
export interface ArchivedFile {
  store: FileStore;
  key: string;
  /** Its name in the archive, without a folder; unique for the table. */
  name: string;
}

/** How the rows of a table go into an archive, and back into an empty service. */
export interface ArchivedTable {
  table: SQLiteTable;
  /** Those of the person who exports. Default: all. */
  where?(ctx: Context): SQL | undefined;
  /** What columns with JSON may have, where the feature's own schemas say it; those of the others are in archived-shapes.ts. */
  shapes?: Readonly<Record<string, ZodType>>;
  /** Columns that are never exported: secrets, and what only this service can know. */
  leaveOut?: readonly string[];
  /** Bytes of the files that a row refers to, so that a part of the archive does not get too large. */
  fileBytes?: SQL;
  files?(row: Row): ArchivedFile[];
  /** The file of a row that the service itself reads, as JSON: it is checked like the row. */
  document?: { keyOf(row: Row): string | null; shape: ZodType };
  /** Where the files of an imported row go: the key in the row → the key of this service. */
  newKeys?(ctx: Context, row: Row): Map<string, string>;
  /** The row with other keys. A file that is not there has none. */
  withKeys?(row: Row, keyOf: (key: string) => string | null): Row;
  /** The column whose value cannot be with the others of the row; undefined for a row that the service may have written. */
  misfit?(row: Row): string | undefined;
  /** Why it is not imported, although it is in the archive. */
  notImported?: string;
  /** A row with the same key is replaced, and may be there before the import. Default: an existing row stays. */
  replaces?: true;
  /** For ids that are not AUTOINCREMENT: the statements after which new rows get higher ones. */
  reserve?(ctx: Context, lastId: number): BatchItem<"sqlite">[];
  /** Its rows do not keep anybody from importing. */
  mayExist?: true;
  /** Rows that every new service has are deleted first. */
  clears?: true;
  /** Rows that triggers add by themselves: they keep nobody from importing, and are deleted first. */
  addedByTriggers?: SQL;
  /** Imported after everything else: it changes the account of the person who imports. */
  isLast?: true;
  /** The values of the columns that were left out, and of those that must differ in another service. */
  complete?(ctx: Context, row: Row): Promise<Row> | Row;
  /**
   * What the service would do to others of its own accord because of a row, and the one that the archive is from may have
   * done already, such as sending a scheduled email: the row without that, or null for a row without consequences.
   */
  settle?: { row(row: Row, ctx: Context): Row | null | Promise<Row | null>; reason: string };
  /** The statements that end the import. */
  finish?(ctx: Context): Promise<BatchItem<"sqlite">[]>;
  /** Further statements, for what no trigger makes from the rows. `read` gives the document of a row. */
  derive?(ctx: Context, rows: readonly Row[], read: (row: Row) => Promise<unknown>): Promise<BatchItem<"sqlite">[]>;
  /** Default: an INSERT. */
  write?(ctx: Context, rows: readonly Row[]): BatchItem<"sqlite">[];
}

type Columns = [key: string, column: AnyColumn][];

/** The columns that an archive has. Generated ones follow from the others. */
function archivedColumns({ table, leaveOut = [] }: ArchivedTable): Columns {
  return Object.entries(getTableColumns(table)).filter(([key, column]) => !column.generated && !leaveOut.includes(key));
}

interface RowsPage {
  rows: Row[];
  /** Where the next page begins; null after the last row. */
  next: number | null;
}

/** Files are a dozen times as large as a page of rows may be. */
const FILE_WEIGHT = 12;

/** A page of rows after a rowid. Its texts fit into memory several times. */
export async function readRows(ctx: Context, archived: ArchivedTable, after: number, limit: number): Promise<RowsPage> {
  const { table, where, fileBytes } = archived;
  const columns = archivedColumns(archived);
  const rowid = sql<number>`rowid`;
  const texts = columns.filter(([, column]) => column.getSQLType() === "text");
  const sizes = texts.map(([, column]) => sql`coalesce(octet_length(${column}), 0)`);
  const bytes = sql.join([sql`500`, ...sizes, ...(fileBytes ? [sql`${fileBytes} / ${FILE_WEIGHT}`] : [])], sql` + `);
  const isWanted = and(where?.(ctx), gt(rowid, after));
  const weighed = sql`SELECT rowid AS key, ${bytes} AS bytes FROM ${table} WHERE ${isWanted} ORDER BY rowid LIMIT ${limit}`;
  const fields = { ...Object.fromEntries(columns), rowidInArchive: rowid.as("rowid_in_archive") };
  const found = await ctx.db
    .select(fields)
    .from(table)
    .where(and(isWanted, sql`rowid <= ${lastThatFits(weighed)}`))
    .orderBy(asc(rowid))
    .limit(limit);
  const rows = assertType<(Row & { rowidInArchive: number })[]>(found);
  return {
    rows: rows.map(({ rowidInArchive: _, ...row }) => row),
    next: rows.at(-1)?.rowidInArchive ?? null,
  };
}

/** A row as a line: times as ISO text. */
export function toLine(row: Row): string {
  return JSON.stringify(row);
}

/** A line as a row. Throws a sentence that says what is wrong with it. */
export function fromLine(archived: ArchivedTable, line: string): Row {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    throw new Error("is not JSON");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("is not an object");
  const values = assertType<Row>(given);
  const columns = archivedColumns(archived);
  const unknown = Object.keys(values).find((key) => !columns.some(([name]) => name === key));
  if (unknown !== undefined) throw new Error(`has the unknown member ${JSON.stringify(unknown.slice(0, 50))}`);
  const row = Object.fromEntries(
    columns.map(([key, column]) => [key, shapedCell(shapeIn(archived, key), key, column, values[key])]),
  );
  const bytes = Object.values(row).reduce<number>((sum, cell) => sum + bytesOf(cell), 0);
  if (bytes > MAX_ROW_BYTES) throw new Error("is too large for the database");
  const misfit = archived.misfit?.(row);
  if (misfit !== undefined) throw neverWritten(misfit);
  return row;
}

function bytesOf(cell: unknown): number {
  if (typeof cell === "string") return toBytes(cell).length;
  return typeof cell === "object" && cell !== null ? toBytes(JSON.stringify(cell)).length : 0;
}

const neverWritten = (key: string) => new Error(`has a value for ${key} that the service never writes`);

/** What the values of a column must be; undefined if its type says it all. */
export function shapeIn({ table, shapes }: ArchivedTable, key: string): ZodType | undefined {
  return shapes?.[key] ?? shapeOf(getTableConfig(table).name, key);
}

function shapedCell(known: ZodType | undefined, key: string, column: AnyColumn, value: unknown): unknown {
  const cell = cellOf(key, column, value);
  const shape = cell === null || cell === column.default ? undefined : known;
  if (!shape) return cell;
  const { success, data } = shape.safeParse(cell);
  if (!success) throw neverWritten(key);
  return data;
}

/** Far above what a service counts to, and far below where numbers lose their last digit. */
export const MAX_ID = 2 ** 40;
/** A row of the database has room for 2 MB. */
const MAX_ROW_BYTES = 2_000_000;
const FIRST_TIME = Date.UTC(0, 0, 1);
const LAST_TIME = Date.UTC(9999, 11, 31);

function cellOf(key: string, column: AnyColumn, value: unknown): unknown {
  if (value === null || value === undefined) {
    if (!column.notNull) return null;
    // An archive of an older version does not have the columns that were added since.
    if (value === undefined && column.default !== undefined && !is(column.default, SQL)) return column.default;
    throw new Error(`needs a value for ${key}`);
  }
  const wrong = (kind: string) => new Error(`needs ${kind} for ${key}`);
  switch (column.dataType) {
    case "number":
      if (column.getSQLType() === "real" && typeof value === "number" && Number.isFinite(value)) return value;
      if (typeof value !== "number" || !Number.isSafeInteger(value)) throw wrong("a whole number");
      if ((column.primary || key === "version") && (value < 0 || value > MAX_ID)) throw wrong("a number that can grow");
      return value;
    case "boolean":
      if (typeof value !== "boolean") throw wrong("true or false");
      return value;
    case "date": {
      const at = typeof value === "string" ? new Date(value) : null;
      if (!at || !(at.getTime() >= FIRST_TIME && at.getTime() <= LAST_TIME)) throw wrong("a time");
      return at;
    }
    case "json":
      if (typeof value !== "object") throw wrong("a list or an object");
      return value;
    default:
      if (typeof value !== "string") throw wrong("a text");
      if (column.enumValues && !column.enumValues.includes(value)) {
        throw wrong(`one of ${column.enumValues.join(", ")}`);
      }
      return value;
  }
}

/** The statement that imports rows. A row whose parent is not there loses the link or, where it needs one, is left out. */
export function insertRows(db: Database, { table, replaces }: ArchivedTable, rows: readonly Row[]) {
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated);
  const parents = parentsOf(table);
  const needed: SQL[] = [];
  const values = columns.map(([, column]) => {
    const value = sql.raw(`json_extract(value, '$.${column.name}')`);
    const parent = parents.get(column.name);
    if (!parent) return value;
    const found = sql`SELECT ${parent.column} FROM ${parent.table} WHERE ${parent.column} = ${value}`;
    if (column.notNull) needed.push(sql`EXISTS (${found})`);
    return column.notNull ? value : sql`(${found})`;
  });
  const json = JSON.stringify(rows.map((row) => driverRow(columns, row)));
  const source = sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${json}) WHERE ${and(sql`1`, ...needed)}`;
  const insert = db.insert(table).select(source);
  if (!replaces) return insert.onConflictDoNothing();
  const keys = primaryKeysOf(table);
  const fixed = Object.entries(getTableColumns(table)).flatMap(([key, column]) =>
    column.generated || keys.includes(column) ? [key] : [],
  );
  return insert.onConflictDoUpdate({
    target: assertType<Parameters<typeof insert.onConflictDoUpdate>[0]["target"]>(keys),
    set: excludedColumns(table, ...fixed),
  });
}

function driverRow(columns: Columns, row: Row): Row {
  return Object.fromEntries(
    columns.map(([key, column]) => {
      const value = row[key];
      return [column.name, value === null || value === undefined ? null : column.mapToDriverValue(value)];
    }),
  );
}

/** The columns that refer to other tables. Accounts are dealt with before: their ids differ between services. */
function parentsOf(table: SQLiteTable): Map<string, { table: SQLiteTable; column: AnyColumn }> {
  const parents = new Map<string, { table: SQLiteTable; column: AnyColumn }>();
  for (const key of getTableConfig(table).foreignKeys) {
    const { columns, foreignTable, foreignColumns } = key.reference();
    const [column, foreign] = [columns[0], foreignColumns[0]];
    if (column && foreign) parents.set(column.name, { table: foreignTable, column: foreign });
  }
  return parents;
}

/** The keys of the columns that hold the id of an account. */
export function accountColumnsOf(table: SQLiteTable): string[] {
  const names = [...parentsOf(table)].flatMap(([name, parent]) =>
    getTableConfig(parent.table).name === "users" ? [name] : [],
  );
  return Object.entries(getTableColumns(table)).flatMap(([key, column]) => (names.includes(column.name) ? [key] : []));
}

function primaryKeysOf(table: SQLiteTable): AnyColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter(({ primary }) => primary);
  return own.length > 0 ? own : (primaryKeys[0]?.columns ?? []);
}

/** The last ids of AUTOINCREMENT, a table of SQLite's own. */
const sequences = sqliteTable("sqlite_sequence", { name: text("name").notNull(), seq: integer("seq").notNull() });

/** The statements after which new rows get ids above `lastId`, however many rows there are. */
export function reserveIds(ctx: Context, { table, reserve }: ArchivedTable, lastId: number): BatchItem<"sqlite">[] {
  if (reserve) return reserve(ctx, lastId);
  const [key] = primaryKeysOf(table);
  if (!key || !("autoIncrement" in key) || key.autoIncrement !== true) return [];
  const { name } = getTableConfig(table);
  const isNew = sql`NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${name})`;
  return [
    ctx.db.insert(sequences).select(sql`SELECT ${name}, 0 WHERE ${isNew}`),
    ctx.db
      .update(sequences)
      .set({ seq: sql`max(seq, ${lastId})` })
      .where(eq(sequences.name, name)),
  ];
}

/** Whether its rows have whole numbers as ids, which an import keeps. */
export function hasNumericId(table: SQLiteTable): boolean {
  const [key] = primaryKeysOf(table);
  return key?.name === "id" && key.dataType === "number";
}
