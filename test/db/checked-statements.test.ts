import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { databaseWith, sendTo } from "../../src/db/client.ts";
import { argumentProblem, columnProblem } from "../checked-statements.ts";

const { $client } = databaseWith(sendTo(env.DB));

describe("a SELECT whose rows cannot be objects", () => {
  it.each([
    "SELECT 1 AS a, 2 AS a",
    "SELECT * FROM (SELECT 1 AS a) x, (SELECT 2 AS a) y",
    "SELECT 'a' AS name, 1",
    "SELECT 'a' AS name, 'b' AS \"0\"",
  ])("fails a test that sends it: %s", async (query) => {
    await expect($client.prepare(query).raw()).rejects.toThrow(/^(?:two columns are|a column is) named \w+ in: /);
    const batch = () => $client.batch([$client.prepare("SELECT 1 AS a"), $client.prepare(`${query} LIMIT 5`)]);
    await expect(batch()).rejects.toThrow(query);
  });

  it("is told by its columns", () => {
    expect(columnProblem(["a", "b", "count(*)"])).toBeNull();
    expect(columnProblem(["a", "b", "a"])).toBe("two columns are named a");
    expect(columnProblem(["a", "12"])).toBe("a column is named 12");
  });
});

describe("a function with more arguments than D1 documents", () => {
  const call = (count: number) =>
    `json_array(${Array.from({ length: count }, (_, at) => `max('a, (', ${at})`).join(", ")})`;

  it("fails a test that sends it", async () => {
    await expect($client.prepare(`SELECT ${call(32)} AS a`).all()).resolves.toBeDefined();
    await expect($client.prepare(`SELECT ${call(33)} AS a`).all()).rejects.toThrow("json_array has 33 arguments in: ");
  });

  it("is no list of columns or values", () => {
    const columns = Array.from({ length: 40 }, (_, at) => `c${at}`).join(", ");
    expect(argumentProblem(`INSERT INTO t (${columns}) VALUES (${columns})`)).toBeNull();
    expect(argumentProblem(`SELECT ${columns} FROM t WHERE a IN (${columns})`)).toBeNull();
  });

  it("is in no trigger", async () => {
    const { results } = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all<{
      name: string;
      sql: string;
    }>();
    expect(results.length).toBeGreaterThan(100);
    expect(results.filter(({ sql }) => argumentProblem(sql) !== null)).toEqual([]);
  });
});
