import { env } from "cloudflare:workers";
import { eq, getTableColumns, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import { assertThat, failedAssertion, runBatch } from "../../src/db/assert.ts";
import { compiledInsert, deleteRow, deleteRows, returned, updateRow } from "../../src/db/compiled-write.ts";
import { withRiders } from "../../src/db/riders.ts";
import { databaseWith, sendTo } from "../../src/db/statement.ts";

/** One column of each kind the schema uses. */
const kinds = sqliteTable("written_kinds", {
  id: integer("id").primaryKey(),
  word: text("word").notNull(),
  flag: integer("flag", { mode: "boolean" }),
  at: integer("at", { mode: "timestamp_ms" }),
  list: text("list", { mode: "json" }).$type<string[]>().notNull().default([]),
  level: integer("level").default(5),
  double: integer("double").generatedAlwaysAs(sql`level * 2`),
});
type Kind = typeof kinds.$inferSelect;

const db = databaseWith(sendTo(env.DB));
await env.DB.exec(
  "CREATE TABLE IF NOT EXISTS written_kinds (id INTEGER PRIMARY KEY, word TEXT NOT NULL, flag INTEGER, at INTEGER, list TEXT NOT NULL DEFAULT '[]', level INTEGER DEFAULT 5, double INTEGER AS (level * 2))",
);
beforeEach(async () => {
  await db.delete(kinds);
});

const NEXT_ID = sql`(SELECT coalesce(max(id), 0) + 1 FROM written_kinds)`;
const insert = compiledInsert(kinds, { id: NEXT_ID });
const all = returned<Kind>(getTableColumns(kinds));
const AT = new Date(1_700_000_000_000);

const ROWS: Record<string, Omit<typeof kinds.$inferInsert, "id">> = {
  "every column": { word: "one", flag: true, at: AT, list: ["a", "b"], level: 3 },
  "only what it must have": { word: "two" },
  "null in a column without and one with a default": { word: "three", flag: null, at: null, level: null },
  "values that are false": { word: "", flag: false, at: new Date(0), list: [], level: 0 },
  "undefined for a column with a default": { word: "four", level: undefined, list: undefined },
};

describe("a compiled insert", () => {
  it.each(Object.entries(ROWS))("stores what drizzle stores: %s", async (_, row) => {
    const [first] = await insert(db, row);
    const [second] = await db
      .insert(kinds)
      .values({ ...row, id: NEXT_ID })
      .returning({ id: kinds.id });
    expect([first?.id, second?.id]).toEqual([1, 2]);
    const [compiled, plain] = await db.select().from(kinds).orderBy(kinds.id);
    expect(compiled).toEqual({ ...plain, id: 1 });
    expect(first).toEqual({ ...row, id: 1 });
  });

  it("is a statement of a batch, with its rows in their place", async () => {
    const [before, [one], [two], stored] = await runBatch(db, [
      db.select().from(kinds),
      insert(db, { word: "one" }),
      insert(db, { word: "two", at: AT }),
      db.select({ word: kinds.word }).from(kinds).orderBy(kinds.id),
    ]);
    expect(before).toEqual([]);
    expect([one, two]).toEqual([
      { id: 1, word: "one" },
      { id: 2, word: "two", at: AT },
    ]);
    expect(stored).toEqual([{ word: "one" }, { word: "two" }]);
  });

  it("gives the placeholders of computed columns their values, and does nothing where a row is in the way", async () => {
    const at = sql`${sql.placeholder("place")} * 10`;
    const insertAt = compiledInsert(kinds, { id: at }, { orNothing: true });
    expect(await insertAt(db, { word: "one" }, { place: 2 })).toEqual([{ id: 20, word: "one" }]);
    expect(await insertAt(db, { word: "two" }, { place: 2 })).toEqual([]);
    expect(await db.select({ id: kinds.id, word: kinds.word }).from(kinds)).toEqual([{ id: 20, word: "one" }]);
  });

  it("fails as any other statement does", async () => {
    const row = JSON.parse('{ "word": null }');
    await expect(async () => insert(db, row)).rejects.toThrow("NOT NULL");
    expect(await db.select().from(kinds)).toEqual([]);
  });
});

const CHANGES: Record<string, Record<string, unknown>> = {
  "values of every kind": { word: "new", flag: false, at: new Date(5), list: ["c"], level: 9 },
  "null and undefined": { flag: null, at: null, word: undefined },
  expressions: { level: sql`${kinds.level} + ${2}`, word: sql`${kinds.word} || ${"!"}` },
};

describe("an update that returns rows", () => {
  it.each(Object.entries(CHANGES))("changes and returns what drizzle does: %s", async (_, changes) => {
    const row = { word: "one", flag: true, at: AT, list: ["a"], level: 1 };
    await db.insert(kinds).values([
      { ...row, id: 1 },
      { ...row, id: 2 },
    ]);
    const compiled = await updateRow(db, { table: kinds, id: 1 }, changes, all);
    const plain = await db.update(kinds).set(changes).where(eq(kinds.id, 2)).returning();
    expect(compiled).toEqual(plain.map((each) => ({ ...each, id: 1 })));
    expect(await db.select().from(kinds).where(eq(kinds.id, 1))).toEqual(compiled);
  });

  it("returns nothing where no row meets the condition", async () => {
    expect(await updateRow(db, { table: kinds, id: 9 }, { word: "x" }, all)).toEqual([]);
    await db.insert(kinds).values({ id: 9, word: "nine" });
    const where = [eq(kinds.word, "ten"), undefined];
    expect(await updateRow(db, { table: kinds, id: 9, where }, { word: "x" }, all)).toEqual([]);
    expect(await deleteRow(db, { table: kinds, id: 9, where })).toEqual([]);
    expect(await deleteRow(db, { table: kinds, id: 9 })).toEqual([9]);
  });
});

describe("a delete", () => {
  it("returns a column of what it has deleted", async () => {
    await db.insert(kinds).values([
      { id: 1, word: "one" },
      { id: 2, word: "two" },
    ]);
    expect(await deleteRows(db, kinds, eq(kinds.word, "two"), kinds.id)).toEqual([2]);
    expect(await deleteRows(db, kinds, eq(kinds.word, "two"), kinds.id)).toEqual([]);
    expect(await db.select({ id: kinds.id }).from(kinds)).toEqual([{ id: 1 }]);
  });
});

describe("a write with a rider's assertion", () => {
  let isAllowed = true;
  const sent: D1PreparedStatement[][] = [];
  const client = new Proxy(env.DB, {
    get: (target, name) =>
      name === "batch"
        ? (statements: D1PreparedStatement[]) => {
            sent.push(statements);
            return target.batch(statements);
          }
        : Reflect.get(target, name).bind(target),
  });
  const { db: ridden } = withRiders(databaseWith(sendTo(client)), [
    {
      assertion: () => ({
        name: "allowed",
        sql: "EXISTS (SELECT 1 WHERE ? = 'yes')",
        values: [isAllowed ? "yes" : "no"],
      }),
      refusal: (error) => (failedAssertion(error)?.assertion === "allowed" ? new Error("refused") : null),
    },
  ]);
  const where = [sql`${kinds.level} < ${100}`];
  const row = { table: kinds, id: 1, where };
  const missing = { table: kinds, id: 77, where };
  const change = { level: sql`${kinds.level} + ${2}`, word: "changed" };
  /** Each with the number of statements that it sends. */
  const WRITES: Record<string, [number, () => PromiseLike<unknown>]> = {
    "an insert": [2, () => insert(ridden, { word: "new", at: AT })],
    "an update": [2, () => updateRow(ridden, row, change, all)],
    "a delete": [2, () => deleteRow(ridden, row)],
    "an update of a row that does not exist": [2, () => updateRow(ridden, missing, change, all)],
    "a delete of a row that does not exist": [2, () => deleteRow(ridden, missing)],
    "a write between reads and assertions": [
      4,
      () =>
        runBatch(ridden, [
          assertThat(ridden, "own", sql`1`),
          updateRow(ridden, row, change, all),
          ridden.select({ word: kinds.word }).from(kinds),
        ]),
    ],
    "two writes": [3, () => runBatch(ridden, [deleteRow(ridden, row), insert(ridden, { word: "new" })])],
    "a write of the query builder": [2, () => ridden.update(kinds).set({ word: "x" }).returning()],
  };

  it.each(Object.entries(WRITES))("is made, or nothing is: %s", async (_, [statements, write]) => {
    const seeded = [{ id: 1, word: "one", level: 1 }];
    await db.insert(kinds).values(seeded);
    const before = await db.select().from(kinds);
    isAllowed = false;
    sent.length = 0;
    // The query builder wraps what a single statement throws.
    const error: unknown = await Promise.resolve(write()).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const messages = error instanceof Error ? [error.message, error.cause instanceof Error && error.cause.message] : [];
    expect(messages).toContain("refused");
    expect(await db.select().from(kinds)).toEqual(before);
    isAllowed = true;
    expect(await write()).toEqual(expect.any(Array));
    expect(sent.map((each) => each.length)).toEqual([statements, statements]);
  });
});
