import { env } from "cloudflare:workers";
import { and, asc, count, desc, eq, getTableColumns, gt, lte, max, sql } from "drizzle-orm";
import { customType, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { databaseWith, sendTo } from "../../src/db/client.ts";
import { compiledQuery, compiledTogether, compiledWrite } from "../../src/db/compiled-query.ts";

const upperCase = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  fromDriver: (value) => value.toUpperCase(),
  toDriver: (value) => value.toLowerCase(),
});

/** One column of each kind the schema uses, and one with its own decoder. */
const kinds = sqliteTable("compiled_kinds", {
  id: integer("id").primaryKey(),
  word: text("word").notNull(),
  flag: integer("flag", { mode: "boolean" }),
  at: integer("at", { mode: "timestamp_ms" }),
  list: text("list", { mode: "json" }).$type<string[]>(),
  size: real("size"),
  loud: upperCase("loud"),
});
const parts = sqliteTable("compiled_parts", { id: integer("id").primaryKey(), kindId: integer("kind_id").notNull() });

const db = databaseWith(sendTo(env.DB));
await env.DB.exec(
  "CREATE TABLE IF NOT EXISTS compiled_kinds (id INTEGER PRIMARY KEY, word TEXT NOT NULL, flag INTEGER, at INTEGER, list TEXT, size REAL, loud TEXT)",
);
await env.DB.exec("CREATE TABLE IF NOT EXISTS compiled_parts (id INTEGER PRIMARY KEY, kind_id INTEGER NOT NULL)");
await db.batch([
  db.delete(kinds),
  db.delete(parts),
  db.insert(kinds).values([
    { id: 1, word: "one", flag: true, at: new Date(1_700_000_000_000), list: ["a", "b"], size: 1.5, loud: "abc" },
    { id: 2, word: "two", flag: false, at: null, list: null, size: null, loud: null },
    { id: 3, word: "three", flag: null, at: new Date(0), list: [], size: 0, loud: "" },
  ]),
  db.insert(parts).values([
    { id: 10, kindId: 1 },
    { id: 11, kindId: 3 },
  ]),
]);

const at = new Date(1_650_000_000_000);
const value = sql.placeholder;

/** Each select with its values in place, and with placeholders for them. */
const SELECTS = {
  "every kind of column": {
    plain: () => db.select().from(kinds).orderBy(asc(kinds.id)),
    compiled: () => db.select().from(kinds).orderBy(asc(kinds.id)),
  },
  "conditions on columns": {
    plain: () =>
      db
        .select()
        .from(kinds)
        .where(and(gt(kinds.at, at), eq(kinds.flag, true), eq(kinds.loud, "ABC"))),
    compiled: () =>
      db
        .select()
        .from(kinds)
        .where(and(gt(kinds.at, value("at")), eq(kinds.flag, value("flag")), eq(kinds.loud, value("loud")))),
  },
  "placeholders in plain SQL and as the limit": {
    plain: () =>
      db.select({ id: kinds.id }).from(kinds).where(sql`${kinds.id} > ${1}`).orderBy(desc(kinds.id)).limit(1),
    compiled: () =>
      db
        .select({ id: kinds.id })
        .from(kinds)
        .where(sql`${kinds.id} > ${value("after")}`)
        .orderBy(desc(kinds.id))
        .limit(value("rows")),
  },
  "expressions, aliased and with decoders": {
    plain: () =>
      db
        .select({
          double: sql<number>`${kinds.id} * 2`,
          aliased: sql<string>`${kinds.word} || '!'`.as("aliased"),
          last: sql`max(${kinds.at})`.mapWith(kinds.at).as("last"),
          total: count(),
          latest: max(kinds.at),
        })
        .from(kinds)
        .where(lte(kinds.id, 2)),
    compiled: () =>
      db
        .select({
          double: sql<number>`${kinds.id} * 2`,
          aliased: sql<string>`${kinds.word} || '!'`.as("aliased"),
          last: sql`max(${kinds.at})`.mapWith(kinds.at).as("last"),
          total: count(),
          latest: max(kinds.at),
        })
        .from(kinds)
        .where(lte(kinds.id, value("most"))),
  },
  "a join with columns of both tables": {
    plain: () =>
      db
        .select({ id: parts.id, kind: sql<number>`${kinds.id}`.as("kind"), at: kinds.at })
        .from(parts)
        .innerJoin(kinds, eq(kinds.id, parts.kindId))
        .where(eq(kinds.id, 1)),
    compiled: () =>
      db
        .select({ id: parts.id, kind: sql<number>`${kinds.id}`.as("kind"), at: kinds.at })
        .from(parts)
        .innerJoin(kinds, eq(kinds.id, parts.kindId))
        .where(eq(kinds.id, value("id"))),
  },
  "no row": {
    plain: () => db.select().from(kinds).where(eq(kinds.id, 99)),
    compiled: () =>
      db
        .select()
        .from(kinds)
        .where(eq(kinds.id, value("unknown"))),
  },
};
/** As D1 stores them. */
const VALUES = { at: at.getTime(), flag: 1, loud: "abc", after: 1, rows: 1, most: 2, id: 1, unknown: 99 };

describe("a compiled query", () => {
  it.each(Object.entries(SELECTS))("returns the same rows as drizzle: %s", async (_, { plain, compiled }) => {
    const select = compiledQuery<Record<string, unknown>>();
    const expected = await plain();
    expect(await select(db, "", compiled, VALUES)).toEqual(expected);
    // Also when it is not built anew.
    expect(await select(db, "", compiled, VALUES)).toEqual(expected);
  });

  it("returns them by their columns, too", async () => {
    const columns = { ...getTableColumns(kinds), twice: sql<number>`${kinds.id} * 2`.as("twice") };
    const all = () => db.select(columns).from(kinds).orderBy(asc(kinds.id));
    const select = compiledQuery<Record<string, unknown>>(columns);
    expect(await select(db, "", all, {})).toEqual(await all());
    expect(await db.batch([select(db, "", all, {}), all()])).toEqual([await all(), await all()]);
  });

  it("is a statement of a batch, among those of the query builder", async () => {
    for (const { plain, compiled } of Object.values(SELECTS)) {
      const select = compiledQuery<Record<string, unknown>>();
      const [before, rows, after] = await db.batch([plain(), select(db, "", compiled, VALUES), plain()]);
      expect([before, after]).toEqual([rows, rows]);
    }
  });

  it("is built once for each shape", async () => {
    const select = compiledQuery<{ id: number }>();
    let built = 0;
    const byId = () => {
      built += 1;
      return db
        .select({ id: kinds.id })
        .from(kinds)
        .where(eq(kinds.id, value("id")));
    };
    expect(await select(db, "a", byId, { id: 1 })).toEqual([{ id: 1 }]);
    expect(await select(db, "a", byId, { id: 2 })).toEqual([{ id: 2 }]);
    expect(built).toBe(1);
    await select(db, "b", byId, { id: 1 });
    expect(built).toBe(2);
  });

  it("binds no value directly to a LIMIT, which would make SQLite plan it anew each time", async () => {
    const select = compiledQuery<{ id: number }>();
    const first = () => db.select({ id: kinds.id }).from(kinds).orderBy(kinds.id).limit(value("rows"));
    const statement = select(db, "", first, { rows: 2 });
    expect(statement.toSQL()).toEqual({ sql: expect.stringMatching(/ limit \? \+ 0$/), params: [2] });
    expect(await statement).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("binds a value once, however often it occurs", async () => {
    const twice = () =>
      db
        .select({ id: kinds.id })
        .from(kinds)
        .where(and(lte(kinds.id, value("most")), gt(kinds.id, sql`${value("most")} - ${1}`)));
    const statement = compiledQuery<{ id: number }>()(db, "", twice, { most: 2 });
    expect(statement.toSQL()).toEqual({ sql: expect.stringMatching(/\?1 .*\?1 - \?2/), params: [2, 1] });
    expect(await statement).toEqual([{ id: 2 }]);
  });

  it("is one of several in one statement", async () => {
    const selectAll = compiledTogether(() =>
      Object.fromEntries(Object.entries(SELECTS).map(([name, { compiled }]) => [name, compiled()])),
    );
    const expected: Record<string, unknown> = {};
    for (const [name, { plain }] of Object.entries(SELECTS)) expected[name] = await plain();
    expect(await selectAll(db, VALUES)).toEqual(expected);
    expect(await db.batch([selectAll(db, VALUES)])).toEqual([expected]);
  });

  it("says which value is missing", () => {
    const select = compiledQuery();
    expect(() => select(db, "", SELECTS["no row"].compiled, {})).toThrow('"unknown"');
  });
});

describe("a compiled write", () => {
  const insert = compiledWrite((source, row: typeof kinds.$inferInsert) =>
    source.db.insert(kinds).values(row).onConflictDoNothing().returning(),
  );
  const ROWS: Record<string, typeof kinds.$inferInsert> = {
    "every column": { id: 20, word: "one", flag: true, at, list: ["a"], size: 1, loud: "AB" },
    "only what it must have": { id: 20, word: "two" },
    "null and undefined": { id: 20, word: "three", flag: null, at: null, list: undefined, size: undefined },
    "values that are false": { id: 20, word: "", flag: false, at: new Date(0), list: [], size: 0 },
  };

  it.each(Object.entries(ROWS))("stores and returns what drizzle does: %s", async (_, row) => {
    const store = async (statement: PromiseLike<unknown>) => {
      const returned = await statement;
      const stored = await db.select().from(kinds).where(eq(kinds.id, 20));
      await db.delete(kinds).where(eq(kinds.id, 20));
      return [returned, stored];
    };
    const expected = await store(db.insert(kinds).values(row).returning());
    expect(await store(insert(db, row))).toEqual(expected);
    expect(await store(insert(db, row))).toEqual(expected);
  });

  const update = compiledWrite((source, row: Partial<typeof kinds.$inferInsert>, { word }) =>
    source.db
      .update(kinds)
      .set(row)
      .where(and(eq(kinds.id, value("key")), word && eq(kinds.word, word)))
      .returning(),
  );

  it("updates what drizzle does, with and without a further condition", async () => {
    await db.insert(kinds).values({ id: 20, word: "old", flag: true, at, list: ["a"], size: 1 });
    const [first] = await update(db, { word: "new", flag: null, list: undefined }, { key: 20 });
    expect(first).toMatchObject({ word: "new", flag: null, at, list: ["a"], size: 1 });
    expect(await update(db, { size: 2 }, { key: 20, word: "old" })).toEqual([]);
    expect(await update(db, { size: 3 }, { key: 20 })).toMatchObject([{ size: 3 }]);
    expect(await update(db, { size: 4 }, { key: 20, word: "new" })).toMatchObject([{ size: 4 }]);
    expect(await update(db, { size: sql`size + 1`, list: [] } as object, { key: 20 })).toMatchObject([
      { size: 5, list: [] },
    ]);
    await db.delete(kinds).where(eq(kinds.id, 20));
  });

  it("does nothing where a row is in the way", async () => {
    expect(await insert(db, { id: 1, word: "again" })).toEqual([]);
  });
});
