// npm run migration -- --name <name>: writes the migration for what changed in src/db/schema, and a second one for what changed
// in src/db/triggers. See docs/data-model.md.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./migrate.mjs";
import {
  additiveProblems,
  declaredOn,
  definitionsIn,
  migrated,
  migrationsFolder,
  readMigrations,
  triggerMigration,
} from "./schema.ts";

const name = parseArgs({ options: { name: { type: "string" } } }).values.name;
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error("Name the migration: npm run migration -- --name add_task_colour");
  process.exit(1);
}
const before = readMigrations().map((migration) => migration.name);

const kit = join(root, "node_modules", "drizzle-kit", "bin.cjs");
const flags = ["generate", "--dialect", "sqlite", "--schema", "src/db/schema", "--out", "migrations", "--name", name];
const run = spawnSync(process.execPath, [kit, ...flags], { cwd: root, stdio: ["inherit", "ignore", "inherit"] });
if (run.status !== 0) process.exit(run.status ?? 1);

const db = migrated(readMigrations());
const sql = triggerMigration(definitionsIn(db), declaredOn(db));
if (sql) writeTriggerMigration(`${name}_triggers`, sql);

const added = readMigrations().filter((migration) => !before.includes(migration.name));
if (added.length === 0) console.log("Nothing to migrate: the migrations match src/db/schema and src/db/triggers.");
for (const migration of added) {
  console.log(`Wrote migrations/${migration.name}.sql`);
  for (const problem of additiveProblems(migration.sql)) {
    console.error(`  Not additive: ${problem}`);
    process.exitCode = 1;
  }
}

/** With a number after the last one of the journal, which drizzle-kit counts on from. It has no schema of its own. */
function writeTriggerMigration(slug: string, text: string): void {
  const file = join(migrationsFolder, "meta", "_journal.json");
  const journal: { entries: { idx: number; tag: string }[] } = JSON.parse(readFileSync(file, "utf8"));
  const idx = (journal.entries.at(-1)?.idx ?? -1) + 1;
  const tag = `${String(idx).padStart(4, "0")}_${slug}`;
  const entry = { idx, version: "6", when: Date.now(), tag, breakpoints: true };
  writeFileSync(file, `${JSON.stringify({ ...journal, entries: [...journal.entries, entry] }, null, 2)}\n`);
  writeFileSync(join(migrationsFolder, `${tag}.sql`), text);
}
