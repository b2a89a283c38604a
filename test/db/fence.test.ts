import { env } from "cloudflare:workers";
import { asc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { alias, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/client.ts";
import { fenced } from "../../src/db/fence.ts";

const rows = sqliteTable("fence_rows", { id: integer("id").primaryKey(), name: text("name").notNull() });
const other = alias(rows, "other");
await env.DB.exec("CREATE TABLE IF NOT EXISTS fence_rows (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");

const plain = drizzle(env.DB);
const open = fenced(plain, (client) => client.prepare("UPDATE fence_rows SET name = name WHERE id = 0"));
/** What a request has whose key was taken over. */
const shut = fenced(plain, (client) => client.prepare("UPDATE fence_rows SET name = NULL WHERE id = 1"));

beforeEach(async () => {
  await env.DB.exec("DELETE FROM fence_rows; INSERT INTO fence_rows VALUES (1, 'one'), (2, 'two')");
});

const names = async () => (await plain.select().from(rows).orderBy(asc(rows.id))).map(({ name }) => name);

/** Every way in which the query builder asks the driver, reads and writes, alone and mixed in a batch. */
const WAYS: Record<string, (db: Database) => Promise<unknown>> = {
  "a select": async (db) => db.select().from(rows).orderBy(rows.id),
  "a select of one": async (db) => db.select().from(rows).where(eq(rows.id, 2)).get(),
  "a join whose columns share names": async (db) =>
    db.select().from(rows).innerJoin(other, sql`${other.id} > ${rows.id}`),
  "a select with a WITH": async (db) => {
    const few = db.$with("few").as(db.select().from(rows).where(eq(rows.id, 1)));
    return db.with(few).select().from(few).innerJoin(rows, sql`1`);
  },
  "plain SQL": async (db) => db.all(sql`SELECT name FROM fence_rows ORDER BY id`),
  "the values of plain SQL": async (db) => db.values(sql`SELECT id, id FROM fence_rows ORDER BY id`),
  "an insert that returns": async (db) => db.insert(rows).values({ id: 3, name: "three" }).returning(),
  "an update that returns one": async (db) =>
    db.update(rows).set({ name: "TWO" }).where(eq(rows.id, 2)).returning({ name: rows.name }).get(),
  "a delete that says how many": async (db) => (await db.delete(rows).where(eq(rows.id, 2))).meta.changes,
  "an insert with a WITH": async (db) =>
    db.values(sql`WITH n AS (SELECT 9 AS id) INSERT INTO fence_rows SELECT id, 'nine' FROM n RETURNING name, id`),
  "a mixed batch": async (db) => {
    const [before, changed, inserted, one, deleted] = await db.batch([
      db.select().from(rows).orderBy(rows.id),
      db.update(rows).set({ name: "TWO" }).where(eq(rows.id, 2)),
      db.insert(rows).values({ id: 3, name: "three" }).returning({ name: rows.name, id: rows.id }),
      db.select({ name: rows.name }).from(rows).where(eq(rows.id, 2)),
      db.delete(rows).where(eq(rows.id, 1)).returning(),
    ]);
    return { before, changes: changed.meta.changes, inserted, one, deleted };
  },
};
const WRITES = Object.entries(WAYS).filter(([name]) => /insert|update|delete|mixed/.test(name));

describe("a fenced database", () => {
  it.each(Object.entries(WAYS))("gives the same as one without a fence: %s", async (_, ask) => {
    const without = [await ask(plain), await names()];
    await env.DB.exec("DELETE FROM fence_rows; INSERT INTO fence_rows VALUES (1, 'one'), (2, 'two')");
    expect([await ask(open), await names()]).toEqual(without);
  });

  it.each(WRITES)("writes nothing once its fence fails: %s", async (_, ask) => {
    await expect(ask(shut)).rejects.toThrow();
    expect(await names()).toEqual(["one", "two"]);
  });

  it("still reads once its fence fails", async () => {
    for (const [name, ask] of Object.entries(WAYS)) {
      if (!WRITES.some(([write]) => write === name)) await expect(ask(shut)).resolves.toBeTruthy();
    }
  });
});
