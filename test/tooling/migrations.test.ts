import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { describe, expect, it } from "vitest";
import {
  additiveProblems,
  declaredOn,
  definitionsIn,
  type Migration,
  migrated,
  migrationsFolder,
  plainSql,
  readMigrations,
  readTriggers,
  schemaFolder,
  triggerMigration,
} from "../../scripts/schema.ts";
import { fill, readSnapshots, snapshotBefore, use } from "./fill.ts";

/** The schema of the first release in one piece. What comes after it only adds. */
const BASELINE = "0002_initial_rows";

const migrations = readMigrations();
const baseline = migrations.filter(({ name }) => name <= BASELINE);
const later = migrations.filter(({ name }) => name > BASELINE);
const snapshots = readSnapshots();

/** What drizzle-kit makes of src/db/schema, on an empty database. */
async function fromSchema(): Promise<DatabaseSync> {
  const modules = await Promise.all(
    readdirSync(schemaFolder).map((name) => import(/* @vite-ignore */ pathToFileURL(join(schemaFolder, name)).href)),
  );
  const tables = Object.assign({}, ...modules);
  const statements = await generateSQLiteMigration(
    await generateSQLiteDrizzleJson({}),
    await generateSQLiteDrizzleJson(tables),
  );
  return migrated(statements.map((sql, index) => ({ name: `statement ${index}`, sql })));
}

/** Tables, columns, keys and indexes. The order of columns is left out: `ALTER TABLE` can only add at the end. */
function structureOf(db: DatabaseSync): string[] {
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const search = new Set([...definitionsIn(db)].map(([name]) => name));
  return tables
    .filter((table) => !search.has(table))
    .flatMap((table) => [
      ...db
        .prepare(`SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)`)
        .all(table)
        .map((column) => `${table} column ${JSON.stringify(column)}`),
      ...db
        .prepare(`SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?)`)
        .all(table)
        .map((key) => `${table} foreign key ${JSON.stringify(key)}`),
      ...db
        .prepare("SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type = 'index' AND sql IS NOT NULL")
        .all(table)
        .map(({ sql }) => `${table} ${plainSql(String(sql))}`),
    ])
    .sort();
}

describe("the migrations", () => {
  it("make the tables that src/db/schema declares", async () => {
    expect(structureOf(migrated(migrations))).toEqual(structureOf(await fromSchema()));
  });

  it("make the triggers and search tables that src/db/triggers declares", () => {
    const db = migrated(migrations);
    const existing = definitionsIn(db);
    const plain = (definitions: typeof existing) =>
      Object.fromEntries([...definitions].map(([name, { sql }]) => [name, plainSql(sql)]));
    expect(plain(existing)).toEqual(plain(declaredOn(db)));
  });

  it("are all in drizzle-kit's journal, from which the next number is taken", () => {
    const journal: { entries: { idx: number; tag: string }[] } = JSON.parse(
      readFileSync(join(migrationsFolder, "meta", "_journal.json"), "utf8"),
    );
    expect(journal.entries.map(({ tag }) => tag)).toEqual(migrations.map(({ name }) => name));
    expect(journal.entries.map(({ idx }) => idx)).toEqual(migrations.map((_, index) => index));
  });

  it("insert the rows that the service counts on", () => {
    const db = migrated(migrations);
    const count = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    const singles = ["calendar_state", "model_state", "token_budget", "billing_account", "email_totals"];
    expect(singles.map(count)).toEqual([1, 1, 1, 1, 1]);
    expect(["stream_totals", "stream_voices", "stream_milestones", "counters"].map(count)).toEqual([3, 5, 6, 2]);
  });

  it("only add to the schema of the first release", () => {
    expect(baseline.at(-1)?.name).toBe(BASELINE);
    expect(later.flatMap(({ name, sql }) => additiveProblems(sql).map((problem) => `${name}: ${problem}`))).toEqual([]);
  });

  it("run on a database that has rows in every table", () => {
    for (const [index, migration] of later.entries()) applyFilled([...baseline, ...later.slice(0, index)], migration);
  });

  it.each(snapshots.map((snapshot) => [snapshot.number, snapshot] as const))(
    "leave everything as a release with the schema of %s uses it",
    (_, snapshot) => {
      use(migrated(migrations), snapshot);
    },
  );
});

function applyFilled(before: readonly Migration[], migration: Migration): void {
  const snapshot = snapshotBefore(snapshots, migration.name);
  if (!snapshot) throw new Error(`no schema before ${migration.name}`);
  const db = migrated(before);
  fill(db, snapshot);
  db.exec(migration.sql);
  expect(db.prepare("SELECT * FROM pragma_foreign_key_check").all()).toEqual([]);
}

const example = (sql: string): Migration => ({ name: "9999_example", sql });

describe("these checks", () => {
  it.each([
    ["ALTER TABLE `tasks` DROP COLUMN `quote`;"],
    ["ALTER TABLE tasks RENAME COLUMN quote TO citation;"],
    ["ALTER TABLE `tasks` RENAME TO `todos`;"],
    ["DROP TABLE `task_tags`;"],
    ["drop table if exists task_tags"],
    ["CREATE TABLE `__new_tasks` (`id` integer);--> statement-breakpoint\nDROP TABLE `tasks`;"],
    ["ALTER TABLE `tasks` ADD `colour` text NOT NULL;"],
    ["ALTER TABLE `tasks` ADD COLUMN `colour` text NOT NULL -- DEFAULT 'red'\n;"],
    ["CREATE UNIQUE INDEX `tasks_title` ON `tasks` (`title`);"],
  ])("refuse %s", (sql) => {
    expect(additiveProblems(sql)).toHaveLength(1);
  });

  it.each([
    ["ALTER TABLE `tasks` ADD `colour` text;"],
    ["ALTER TABLE `tasks` ADD `colour` text DEFAULT 'red' NOT NULL;"],
    ["ALTER TABLE `tasks` ADD `note` text DEFAULT 'DROP TABLE tasks';"],
    ["CREATE TABLE `colours` (`name` text NOT NULL);\nCREATE UNIQUE INDEX `colours_name` ON `colours` (`name`);"],
    ["DROP TRIGGER IF EXISTS tasks_search_insert; CREATE INDEX tasks_quote ON tasks (quote);"],
  ])("let %s through", (sql) => {
    expect(additiveProblems(sql)).toEqual([]);
  });

  it("see a migration that fails on existing rows", () => {
    expect(() =>
      applyFilled(migrations, example("ALTER TABLE tasks ADD colour text DEFAULT 'red' NOT NULL;")),
    ).not.toThrow();
    expect(() => applyFilled(migrations, example("ALTER TABLE tasks ADD colour text NOT NULL;"))).toThrow(/NOT NULL/);
    const checked = "CREATE TABLE one (id integer CHECK (id < 1000)); INSERT INTO one SELECT id FROM tasks;";
    expect(() => applyFilled(migrations, example(checked))).toThrow(/CHECK/);
  });

  it.each([
    ["a column that is gone", /no such column|no column named quote/, "ALTER TABLE tasks DROP COLUMN quote"],
    [
      "a new column without a default",
      /NOT NULL constraint failed: booking_deliveries.source/,
      "DROP TABLE booking_deliveries; CREATE TABLE booking_deliveries (body_hash PRIMARY KEY, expires_at, source NOT NULL)",
    ],
    ["a unique index that is gone", /lost its unique index/, "DROP INDEX token_alerts_threshold"],
    [
      "a trigger that refuses rows",
      /insert into tasks: no/,
      "CREATE TRIGGER no BEFORE INSERT ON tasks BEGIN SELECT RAISE(ABORT, 'no'); END",
    ],
  ])("see that the previous release would meet %s", (_, message, sql) => {
    const snapshot = snapshots.at(-1);
    if (!snapshot) throw new Error("no snapshot");
    expect(() => use(migrated([...migrations, example(sql)]), snapshot)).toThrow(message);
  });
});

describe("a migration of triggers", () => {
  const changed = (edit: (sql: string) => string) => readTriggers().map(({ name, sql }) => ({ name, sql: edit(sql) }));
  const migrationFor = (edit: (sql: string) => string) => {
    const db = migrated(migrations);
    return triggerMigration(definitionsIn(db), declaredOn(db, changed(edit)));
  };

  it("is empty when only layout and comments changed", () => {
    expect(migrationFor((sql) => `-- Another comment.\n${sql.replaceAll("  ", "\t")}`)).toBe("");
  });

  it("drops and creates a changed trigger, and then the database is as declared", () => {
    const edit = (sql: string) => sql.replace("NEW.snippet || ' '), 1, 200000)", "NEW.snippet || ' '), 1, 100000)");
    const sql = migrationFor(edit);
    expect(sql).toMatch(/^DROP TRIGGER IF EXISTS emails_search_insert;\n--> statement-breakpoint\nCREATE TRIGGER/);
    const db = migrated([...migrations, example(sql)]);
    expect(triggerMigration(definitionsIn(db), declaredOn(db, changed(edit)))).toBe("");
    expect(additiveProblems(sql)).toEqual([]);
  });

  it("drops a trigger that is gone, and creates a new one", () => {
    const sql = migrationFor((text) => text.replace("CREATE TRIGGER threads_delete", "CREATE TRIGGER threads_shrink"));
    expect(sql).toContain("DROP TRIGGER IF EXISTS threads_delete;");
    expect(sql).toContain("CREATE TRIGGER threads_shrink");
  });

  it("refuses to change a search table, whose rows could not be filled again", () => {
    expect(() => migrationFor((sql) => sql.replace("title, description,", "title,"))).toThrow(
      /tasks_search has changed/,
    );
  });
});
