import { env } from "cloudflare:workers";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import { assertThat, failedAssertion, runBatch } from "../../src/db/assert.ts";
import type { Database } from "../../src/db/client.ts";
import { databaseWith, sendTo } from "../../src/db/client.ts";
import { prepared, withRiders } from "../../src/db/riders.ts";

const rows = sqliteTable("ridden_rows", { id: integer("id").primaryKey(), name: text("name").notNull() });
await env.DB.exec("CREATE TABLE IF NOT EXISTS ridden_rows (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");

const plain = databaseWith(sendTo(env.DB));
const isRefusal = (error: unknown) => failedAssertion(error)?.assertion === "rider";
const ridden = (condition: SQL) =>
  withRiders(plain, [
    {
      statements: (db, { isWrite }) =>
        isWrite
          ? [assertThat(db, "rider", condition), db.update(rows).set({ name: "?" }).where(eq(rows.id, 0))].map((each) =>
              prepared(db, each),
            )
          : [],
      refusal: (error) => (isRefusal(error) ? new Error("refused by the rider") : null),
    },
  ]);
const { db: open } = ridden(sql`1`);
/** What a request has whose key was taken over. */
const { db: shut } = ridden(sql`0`);
/** The same by an assertion: what a request has whose credential was revoked. */
const asserted = (value: number) =>
  withRiders(plain, [
    {
      assertion: () => ({ name: "rider", sql: "? = 1", values: [value] }),
      refusal: (error) => (isRefusal(error) ? new Error("refused by the rider") : null),
    },
  ]).db;

beforeEach(async () => {
  await env.DB.exec("DELETE FROM ridden_rows; INSERT INTO ridden_rows VALUES (1, 'one'), (2, 'two')");
});

const names = async () => (await plain.select().from(rows).orderBy(asc(rows.id))).map(({ name }) => name);

/** Every way in which the query builder asks the driver, reads and writes, alone and mixed in a batch. */
const WAYS: Record<string, (db: Database) => Promise<unknown>> = {
  "a select": async (db) => db.select().from(rows).orderBy(rows.id),
  "a select of one": async (db) => db.select().from(rows).where(eq(rows.id, 2)).get(),
  "a select with a WITH": async (db) => {
    const few = db.$with("few").as(db.select().from(rows).where(eq(rows.id, 1)));
    return db.with(few).select().from(few);
  },
  "plain SQL": async (db) => db.all(sql`SELECT name FROM ridden_rows ORDER BY id`),
  "the values of plain SQL": async (db) => db.values(sql`SELECT id, name FROM ridden_rows ORDER BY id`),
  "an insert that returns": async (db) => db.insert(rows).values({ id: 3, name: "three" }).returning(),
  "an update that returns one": async (db) =>
    db.update(rows).set({ name: "TWO" }).where(eq(rows.id, 2)).returning({ name: rows.name }).get(),
  "a delete that says how many": async (db) => (await db.delete(rows).where(eq(rows.id, 2))).meta.changes,
  "an insert with a WITH": async (db) =>
    db.values(sql`WITH n AS (SELECT 9 AS id) INSERT INTO ridden_rows SELECT id, 'nine' FROM n RETURNING name, id`),
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

describe("a database with a rider", () => {
  it.each(Object.entries(WAYS))("returns the same as without: %s", async (_, ask) => {
    const without = [await ask(plain), await names()];
    await env.DB.exec("DELETE FROM ridden_rows; INSERT INTO ridden_rows VALUES (1, 'one'), (2, 'two')");
    expect([await ask(open), await names()]).toEqual(without);
    await env.DB.exec("DELETE FROM ridden_rows; INSERT INTO ridden_rows VALUES (1, 'one'), (2, 'two')");
    expect([await ask(asserted(1)), await names()]).toEqual(without);
  });

  it.each(WRITES)("writes nothing when the rider fails: %s", async (_, ask) => {
    for (const db of [shut, asserted(0)]) {
      const error: unknown = await ask(db).then(
        () => expect.unreachable(),
        (thrown: unknown) => thrown,
      );
      // The query builder wraps what a single statement throws.
      const texts = error instanceof Error ? [error.message, error.cause instanceof Error && error.cause.message] : [];
      expect(texts).toContain("refused by the rider");
    }
    expect(await names()).toEqual(["one", "two"]);
  });

  it("still reads when the rider fails", async () => {
    for (const [name, ask] of Object.entries(WAYS)) {
      if (!WRITES.some(([write]) => write === name)) await expect(ask(shut)).resolves.toBeTruthy();
    }
  });

  it("lets the request's own assertions fail with their own names", async () => {
    const write = runBatch(open, [
      open.insert(rows).values({ id: 3, name: "three" }),
      assertThat(open, "own", sql`0`, () => new Error("refused by the request")),
    ]);
    await expect(write).rejects.toThrow("refused by the request");
    expect(await names()).toEqual(["one", "two"]);
  });

  it("knows whether a write may have changed a row", async () => {
    const { db, mayHaveWritten, announceWrite } = ridden(sql`1`);
    await db.select().from(rows);
    await announceWrite();
    await db.delete(rows).where(eq(rows.id, 9));
    await runBatch(db, [assertThat(db, "holds", sql`1`)]);
    expect(mayHaveWritten()).toBe(false);
    await db.delete(rows).where(eq(rows.id, 1));
    expect(mayHaveWritten()).toBe(true);
  });

  it("cannot tell after a write that failed", async () => {
    const { db, mayHaveWritten } = ridden(sql`1`);
    await expect(db.insert(rows).values({ id: 1, name: "again" })).rejects.toThrow();
    expect(mayHaveWritten()).toBe(true);
  });

  it("lets riders of two layers travel together", async () => {
    const both = withRiders(open, [
      { statements: (db) => [prepared(db, db.insert(rows).values({ id: 4, name: "four" }))] },
    ]);
    await both.db.insert(rows).values({ id: 3, name: "three" });
    expect(await names()).toEqual(["one", "two", "three", "four"]);
  });
});
