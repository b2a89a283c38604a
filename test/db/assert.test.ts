import { env } from "cloudflare:workers";
import { asc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import { AssertionFailed, assertExists, assertThat, failedAssertion, runBatch } from "../../src/db/assert.ts";
import { AppError } from "../../src/lib/errors.ts";

const rows = sqliteTable("asserted_rows", { id: integer("id").primaryKey(), name: text("name").notNull() });
await env.DB.exec("CREATE TABLE IF NOT EXISTS asserted_rows (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");

const db = drizzle(env.DB);

beforeEach(async () => {
  await env.DB.exec("DELETE FROM asserted_rows; INSERT INTO asserted_rows VALUES (1, 'one'), (2, 'two')");
});

const names = async () => (await db.select().from(rows).orderBy(asc(rows.id))).map(({ name }) => name);
const insertThree = () => db.insert(rows).values({ id: 3, name: "three" });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("an assertion in a batch", () => {
  it("writes nothing while it holds, and the batch returns what it would without it", async () => {
    const [asserted, inserted] = await runBatch(db, [
      assertThat(db, "has_two_rows", sql`(SELECT count(*) FROM asserted_rows) = 2`),
      insertThree().returning(),
    ]);
    expect(asserted).toMatchObject({ results: [], meta: { rows_written: 0 } });
    expect(inserted).toEqual([{ id: 3, name: "three" }]);
    expect(await env.DB.prepare("SELECT * FROM assertions").all()).toMatchObject({ results: [] });
  });

  it.each([
    ["false", sql`0`],
    ["unknown", sql`NULL`],
    ["true of one part only", sql`1 AND 0`],
    ["about a row that is not there", sql`(SELECT name = 'x' FROM asserted_rows WHERE id = 9)`],
  ])("undoes every statement before and after it when its condition is %s", async (_, condition) => {
    const error = await failure(
      runBatch(db, [db.delete(rows).where(eq(rows.id, 1)), assertThat(db, "never_holds", condition), insertThree()]),
    );
    expect(error).toBeInstanceOf(AssertionFailed);
    expect(error).toMatchObject({ assertion: "never_holds", message: "assertion failed: never_holds" });
    expect(await names()).toEqual(["one", "two"]);
  });

  it("sees what the statements before it wrote", async () => {
    await runBatch(db, [insertThree(), assertExists(db, rows, eq(rows.id, 3))]);
    expect(await names()).toEqual(["one", "two", "three"]);
  });

  it("is named in the failure when there are several", async () => {
    const refusal = (name: string) => () => new AppError("conflict", name);
    const batch = (first: number, second: number) =>
      runBatch(db, [
        assertThat(db, "first", sql`${first}`, refusal("the first")),
        insertThree(),
        assertThat(db, "second", sql`${second}`, async () => refusal("the second")()),
      ]);
    expect(await failure(batch(0, 0))).toMatchObject({ code: "conflict", message: "the first" });
    expect(await failure(batch(1, 0))).toMatchObject({ code: "conflict", message: "the second" });
    expect(await names()).toEqual(["one", "two"]);
    await batch(1, 1);
    expect(await names()).toEqual(["one", "two", "three"]);
  });

  it("names the table it expected a row of", async () => {
    const error = await failure(runBatch(db, [assertExists(db, rows, eq(rows.id, 9))]));
    expect(error).toMatchObject({ assertion: "asserted_rows_has_row" });
  });

  it("is found behind the errors that wrap it", async () => {
    const single = await failure(assertThat(db, "alone", sql`0`).then());
    expect(failedAssertion(single)).toMatchObject({ assertion: "alone" });
    expect(failedAssertion(new Error("outer", { cause: single }))).toMatchObject({ assertion: "alone" });
    expect(failedAssertion(new Error("UNIQUE constraint failed: users.email"))).toBeNull();
  });

  it("leaves other failures as they are", async () => {
    const error = await failure(
      runBatch(db, [assertThat(db, "holds", sql`1`), db.insert(rows).values({ id: 1, name: "again" })]),
    );
    expect(String(error)).toContain("UNIQUE constraint failed: asserted_rows.id");
  });

  it("lets one of many racing batches through", async () => {
    const attempts = Array.from({ length: 10 }, (_, index) =>
      runBatch(db, [
        assertThat(db, "is_first", sql`NOT EXISTS (SELECT 1 FROM asserted_rows WHERE id > 2)`),
        db.insert(rows).values({ id: 10 + index, name: `racer ${index}` }),
      ]),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await names()).toHaveLength(3);
  });
});
