import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { databaseWith, sendTo } from "../../src/db/client.ts";
import { columnProblem } from "../distinct-columns.ts";

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
