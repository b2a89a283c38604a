import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { expect, it } from "vitest";
import { withRiders } from "../../src/db/riders.ts";

await env.DB.exec("CREATE TABLE IF NOT EXISTS rider_rows (name TEXT NOT NULL)");
await env.DB.exec("INSERT INTO rider_rows VALUES ('a')");

const { db } = withRiders(drizzle(env.DB), [{ statements: ({ $client }) => [$client.prepare("SELECT 1")] }]);

// In a batch D1 returns rows as objects: of two equal names one is lost, and numbers come first.
it.each([
  "SELECT name, 'b' AS b FROM rider_rows",
  "SELECT count(*), max(name) FROM rider_rows",
  "SELECT a.name, b.name || 'x' AS name FROM rider_rows a, rider_rows b",
  'SELECT name AS "N", \'b\' AS "n" FROM rider_rows',
  "SELECT ALL name, name || 'x' AS name FROM rider_rows",
  "SELECT DISTINCT name, name || 'x' AS name FROM rider_rows",
  "SELECT name, 1 FROM rider_rows",
  "SELECT name, 'b' AS \"0\" FROM rider_rows",
  "SELECT name n, 'b' n FROM rider_rows",
  "SELECT name, 'b' \"name\" FROM rider_rows",
  "SELECT name AS `x y`, 'b' AS `x y` FROM rider_rows",
  'SELECT name AS "x-y", \'b\' AS "x-y" FROM rider_rows',
  "SELECT *, name || 'x' AS name FROM rider_rows",
  "WITH r AS (SELECT name FROM rider_rows) SELECT name, 'b' AS name FROM r",
  "SELECT 'a, b' AS x, ('c' || ', from') AS y, 'd' AS x FROM rider_rows",
])("a statement with a rider returns the same columns: %s", async (query) => {
  expect(await db.$client.prepare(query).raw()).toEqual(await env.DB.prepare(query).raw());
});
