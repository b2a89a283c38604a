// What the migrations make of a database, what src/db declares, and how both differ. Used by `npm run migration` and by
// the tests of the migrations.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { GENERATED } from "../src/db/triggers/generated.ts";
import { root } from "./migrate.mjs";

export const migrationsFolder = join(root, "migrations");
export const schemaFolder = join(root, "src", "db", "schema");
const triggersFolder = join(root, "src", "db", "triggers");

export interface Migration {
  /** The file's name without `.sql`. */
  name: string;
  sql: string;
}

/** In the order in which wrangler applies them. */
export function readMigrations(): Migration[] {
  return sqlFiles(migrationsFolder);
}

/** The declared triggers and search tables: those that follow a template, and those by hand. */
export function readTriggers(): Migration[] {
  return [{ name: "generated", sql: GENERATED }, ...sqlFiles(triggersFolder)];
}

function sqlFiles(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name: name.slice(0, -".sql".length), sql: readFileSync(join(folder, name), "utf8") }));
}

/** A database in memory with these migrations applied. */
export function migrated(migrations: readonly Migration[]): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const { name, sql } of migrations) {
    try {
      db.exec(sql);
    } catch (error) {
      throw new Error(`migration ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return db;
}

export interface Definition {
  type: "trigger" | "search table";
  sql: string;
}

/** The triggers and search tables of a database, by name. */
export function definitionsIn(db: DatabaseSync): Map<string, Definition> {
  const rows = db
    .prepare(
      `SELECT name, type, sql FROM sqlite_master
       WHERE type = 'trigger' OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%') ORDER BY name`,
    )
    .all();
  return new Map(
    rows.map(({ name, type, sql }) => [
      String(name),
      { type: type === "trigger" ? "trigger" : "search table", sql: String(sql) } as const,
    ]),
  );
}

/** What `src/db/triggers` declares, on the tables of the migrated database `db`, which loses its own. */
export function declaredOn(db: DatabaseSync, triggers: readonly Migration[] = readTriggers()): Map<string, Definition> {
  for (const [name, { type }] of definitionsIn(db)) {
    db.exec(`DROP ${type === "trigger" ? "TRIGGER" : "TABLE"} "${name}"`);
    // SQLite 3.47 and later leave the table in which a search table without text keeps its other columns.
    if (type === "search table") db.exec(`DROP TABLE IF EXISTS "${name}_content"`);
  }
  for (const { name, sql } of triggers) {
    try {
      db.exec(sql);
    } catch (error) {
      throw new Error(`src/db/triggers/${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return definitionsIn(db);
}

/** The same for definitions that differ only in layout, quotes and comments. */
export function plainSql(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, " ")
    .replaceAll(/[`"]/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1")
    .trim();
}

/** The migration that brings the triggers of a database to those declared; empty when they are equal. */
export function triggerMigration(
  existing: ReadonlyMap<string, Definition>,
  declared: ReadonlyMap<string, Definition>,
): string {
  const parts: string[] = [];
  for (const [name, { type }] of existing) {
    if (declared.has(name)) continue;
    if (type !== "trigger")
      throw new Error(`${name} is gone. Search tables cannot be dropped: see docs/data-model.md.`);
    parts.push(`DROP TRIGGER IF EXISTS ${name};`);
  }
  for (const [name, { type, sql }] of declared) {
    const before = existing.get(name);
    if (before && plainSql(before.sql) === plainSql(sql)) continue;
    if (before && type !== "trigger")
      throw new Error(`${name} has changed. Add a search table with another name: see docs/data-model.md.`);
    if (before) parts.push(`DROP TRIGGER IF EXISTS ${name};`);
    parts.push(`${sql};`);
  }
  return parts.length === 0 ? "" : `${parts.join("\n--> statement-breakpoint\n")}\n`;
}

/**
 * Why a migration would break the release that still runs while it is applied, or could fail on existing rows.
 * An empty list when it only adds.
 */
export function additiveProblems(migration: string): string[] {
  const sql = plainSql(migration.replaceAll(/'(?:[^']|'')*'/g, "''"));
  const created = new Set([...sql.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi)].map(([, table]) => table));
  const problems: string[] = [];
  for (const [text] of sql.matchAll(/\bDROP (?:TABLE|VIEW) (?:IF EXISTS )?\w+/gi))
    problems.push(`${text}: drops a table`);
  for (const [, table, rest = ""] of sql.matchAll(/\bALTER TABLE (\w+) ([^;]*)/gi)) {
    if (/^DROP\b/i.test(rest)) problems.push(`ALTER TABLE ${table} ${rest}: drops a column`);
    else if (/^RENAME\b/i.test(rest)) problems.push(`ALTER TABLE ${table} ${rest}: renames`);
    else if (/\bNOT NULL\b/i.test(rest) && !/\bDEFAULT\b|\bGENERATED\b/i.test(rest))
      problems.push(`ALTER TABLE ${table} ${rest}: the column needs a default, or to be nullable`);
  }
  for (const [text, table] of sql.matchAll(/\bCREATE UNIQUE INDEX (?:IF NOT EXISTS )?\w+ ON (\w+)/gi)) {
    if (!created.has(table)) problems.push(`${text}: existing rows and the previous release may have duplicates`);
  }
  return problems;
}
