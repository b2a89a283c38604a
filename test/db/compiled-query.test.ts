import { env } from "cloudflare:workers";
import { and, asc, count, desc, eq, gt, inArray, lte, max, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { alias, customType, integer, real, SQLiteAsyncDialect, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { builtSql } from "../../src/db/built-sql.ts";
import { compiledBatch, compiledQuery } from "../../src/db/compiled-query.ts";

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

const db = drizzle(env.DB);
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

const JOIN = "a join with columns of both tables";
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
  [JOIN]: {
    plain: () =>
      db
        .select({ id: parts.id, kind: kinds.id, at: kinds.at })
        .from(parts)
        .innerJoin(kinds, eq(kinds.id, parts.kindId))
        .where(eq(kinds.id, 1)),
    compiled: () =>
      db
        .select({ id: parts.id, kind: kinds.id, at: kinds.at })
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

describe("the text of a statement", () => {
  const dialect = new SQLiteAsyncDialect();
  const other = alias(kinds, "other");
  const expressions: [string, SQL][] = [
    ...Object.entries(SELECTS).flatMap(([name, { plain, compiled }]): [string, SQL][] => [
      [name, plain().getSQL()],
      [`${name}, with placeholders`, compiled().getSQL()],
    ]),
    [
      "a list of values",
      db
        .select()
        .from(kinds)
        .where(inArray(kinds.id, [1, 2, 3]))
        .getSQL(),
    ],
    ["no list", db.select().from(kinds).where(inArray(kinds.id, [])).getSQL()],
    ["an alias of a table", db.select().from(kinds).innerJoin(other, eq(other.id, kinds.id)).getSQL()],
    ["a subquery", sql`SELECT ${db.select({ id: parts.id }).from(parts).as("sub")}`],
    ["a statement in a statement", sql`EXISTS ${db.select().from(parts)}`],
    ["values in the text", sql`${kinds.word} = ${"it's"} AND ${1}`.inlineParams()],
    [
      "an insert",
      db
        .insert(kinds)
        .values({ word: "a", flag: true, at, list: ["b"], loud: "C" })
        .getSQL(),
    ],
    [
      "an update",
      db
        .update(kinds)
        .set({ flag: null, word: sql`${kinds.word} || ${"!"}` })
        .where(eq(kinds.at, at))
        .getSQL(),
    ],
    [
      "a delete",
      db
        .delete(kinds)
        .where(sql`${kinds.id} IN ${[1, 2]} OR ${null} IS ${true}`)
        .getSQL(),
    ],
  ];
  it.each(expressions)("is the one of the query builder: %s", (_, expression) => {
    const { sql: text, params } = dialect.sqlToQuery(expression);
    expect(builtSql(expression)).toMatchObject({ sql: text, params });
  });
});

describe("a compiled query", () => {
  it.each(Object.entries(SELECTS))("returns the same rows as drizzle: %s", async (_, { plain, compiled }) => {
    const select = compiledQuery<Record<string, unknown>>();
    const expected = await plain();
    expect(await select(db, "", compiled, VALUES)).toEqual(expected);
    // Also when it is not built anew.
    expect(await select(db, "", compiled, VALUES)).toEqual(expected);
  });

  it.each(Object.entries(SELECTS))("returns them packed, too: %s", async (_, { plain, compiled }) => {
    const select = compiledQuery<Record<string, unknown>>({ isPacked: true });
    expect(await select(db, "", compiled, VALUES)).toEqual(await plain());
    const [rows] = await db.batch([select(db, "", compiled, VALUES)]);
    expect(rows).toEqual(await plain());
  });

  it("packs more columns than a function of D1 takes arguments", async () => {
    const names = Array.from({ length: 95 }, (_, index) => `field${index}`);
    const fields = Object.fromEntries(names.map((name, index) => [name, sql<number>`${sql.raw(String(index))}`]));
    const select = compiledQuery<Record<string, unknown>>({ isPacked: true });
    const [row] = await select(db, "", () => db.select(fields).from(kinds).where(eq(kinds.id, 1)), {});
    expect(row).toEqual(Object.fromEntries(names.map((name, index) => [name, index])));
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

  it("binds a value once, and none directly to a LIMIT, which would make SQLite plan it anew each time", async () => {
    const select = compiledQuery<{ id: number }>();
    const twice = () =>
      db
        .select({ id: kinds.id })
        .from(kinds)
        .where(and(lte(kinds.id, value("most")), gt(kinds.id, sql`${value("most")} - 1`)))
        .limit(value("rows"));
    const statement = select(db, "", twice, { most: 2, rows: 5 });
    expect(statement.toSQL()).toEqual({
      sql: expect.stringMatching(/\?1 .*\?1 - 1\) limit \?2 \+ 0$/),
      params: [2, 5],
    });
    expect(await statement).toEqual([{ id: 2 }]);
    const all = compiledBatch(() => ({ first: twice(), second: twice() }), { apart: [] });
    expect(await all(db, { most: 2, rows: 5 })).toEqual({ first: [{ id: 2 }], second: [{ id: 2 }] });
  });

  const NAMES = Object.entries(SELECTS);
  it.each([
    ["in one statement", []],
    // A batch returns rows as objects, in which one of two columns of the same name is lost.
    ["each in its own", NAMES.map(([name]) => name).filter((name) => name !== JOIN)],
    ["in one and apart", NAMES.slice(1, 3).map(([name]) => name)],
  ])("runs several selects in one batch, %s", async (_, apart) => {
    const selectAll = compiledBatch(() => Object.fromEntries(NAMES.map(([name, { compiled }]) => [name, compiled()])), {
      apart,
    });
    const expected: Record<string, unknown> = {};
    for (const [name, { plain }] of NAMES) expected[name] = await plain();
    expect(await selectAll(db, VALUES)).toEqual(expected);
    expect(await selectAll(db, VALUES)).toEqual(expected);
  });
});
