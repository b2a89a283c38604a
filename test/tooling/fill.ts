import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { migrationsFolder } from "../../scripts/schema.ts";

interface Column {
  name: string;
  type: string;
  primaryKey: boolean;
  notNull: boolean;
  autoincrement: boolean;
  default?: unknown;
  generated?: unknown;
}

interface Table {
  name: string;
  columns: Record<string, Column>;
  indexes: Record<string, { name: string; isUnique: boolean }>;
  foreignKeys: Record<string, { tableTo: string }>;
}

/** The tables of src/db/schema at one migration, as drizzle-kit wrote them down. */
export interface Snapshot {
  /** The number of its migration, as `0000`. */
  number: string;
  tables: readonly Table[];
}

/** One for each migration that changed src/db/schema, oldest first. */
export function readSnapshots(): Snapshot[] {
  const folder = join(migrationsFolder, "meta");
  return readdirSync(folder)
    .filter((name) => name.endsWith("_snapshot.json"))
    .sort()
    .map((name) => {
      const { tables }: { tables: Record<string, Table> } = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return { number: name.slice(0, 4), tables: inOrder(Object.values(tables)) };
    });
}

/** A table after those that it refers to. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table) => {
    const parents = Object.values(table.foreignKeys).map(({ tableTo }) => tableTo);
    for (const parent of tables) if (parent !== table && parents.includes(parent.name)) add(parent);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

/** The schema that a migration finds. */
export function snapshotBefore(snapshots: readonly Snapshot[], migration: string): Snapshot | undefined {
  return snapshots.findLast(({ number }) => number < migration.slice(0, 4));
}

/** JSON and text alike, so that it suits every text column. */
const sampleOf = ({ type }: Column, row: number) => (type === "text" ? JSON.stringify([String(row)]) : row);

/** Never has a row: a trigger refuses every insert. */
const WITHOUT_ROWS = "assertions";

/** Far from the ids of the rows that the migrations insert. */
const FIRST_ROW = 1000;
const ROWS = 3;

/** Adds rows to every table: rows with every column of the snapshot, then one with only those it has to have. */
export function fill(db: DatabaseSync, { tables }: Snapshot): void {
  for (const { name, columns } of tables) {
    if (name === WITHOUT_ROWS) continue;
    const all = Object.values(columns).filter(({ generated }) => generated === undefined);
    // A row's number is its id in every table, and with that the id that other rows refer to.
    const required = all.filter((column) => column.primaryKey || (column.notNull && column.default === undefined));
    for (let row = FIRST_ROW; row < FIRST_ROW + ROWS; row++) insert(db, name, all, row);
    insert(db, name, required, FIRST_ROW + ROWS);
  }
}

/** A trigger may have made the row already; anything but a duplicate still fails. */
function insert(db: DatabaseSync, table: string, columns: readonly Column[], row: number): void {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const places = columns.map(() => "?").join(", ");
  try {
    db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places}) ON CONFLICT DO NOTHING`).run(
      ...columns.map((column) => sampleOf(column, row)),
    );
  } catch (error) {
    throw new Error(`insert into ${table}: ${error instanceof Error ? error.message : error}`);
  }
}

/** What a release with this schema does to its tables: insert, read, update and delete rows, and rely on unique keys. */
export function use(db: DatabaseSync, snapshot: Snapshot): void {
  fill(db, snapshot);
  for (const { name, columns, indexes } of snapshot.tables) {
    const all = Object.values(columns);
    const names = all.map((column) => `"${column.name}"`);
    const select = db.prepare(`SELECT ${names.join(", ")} FROM "${name}"`);
    // A generated number may be too large for JavaScript, and then only SQL reads it.
    select.setReadBigInts(true);
    const rows = select.all();
    if (rows.length === 0 && name !== WITHOUT_ROWS) throw new Error(`${name} has no rows`);
    const own = all.filter(({ generated }) => generated === undefined).map((column) => `"${column.name}"`);
    db.exec(`UPDATE "${name}" SET ${own.map((column) => `${column} = ${column}`).join(", ")}`);
    for (const index of Object.values(indexes)) {
      if (!index.isUnique) continue;
      const isThere = db
        .prepare('SELECT 1 FROM pragma_index_list(?) WHERE name = ? AND "unique" = 1')
        .get(name, index.name);
      if (!isThere) throw new Error(`${name} has lost its unique index ${index.name}`);
    }
  }
  for (const { name } of snapshot.tables.toReversed()) db.exec(`DELETE FROM "${name}"`);
}
