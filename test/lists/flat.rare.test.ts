import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { measureRows } from "../measured.ts";
import { fill, GROUPS, type Group, MANY } from "./groups.ts";

/** Nothing here depends on the numbers themselves: what reads with the table reads ten times as much. */
const FEW = 600;
/** A page may end in another place of an index, and a kept count may have gained a row. */
const SLACK = 60;

const measured = measureRows(env.DB);
const client = service({ DB: measured.db });
let token = "";
let userId = 0;

/** What each list reads in all. */
async function rowsRead({ lists }: Group): Promise<Record<string, number>> {
  const reads: Record<string, number> = {};
  for (const list of lists) {
    measured.taken();
    const isPaged = !/\/(stats|status|by-model|boxes)\?/.test(list);
    const { status } = await client.get(isPaged ? `${list}&limit=20` : list, { token });
    expect({ list, status }).toEqual({ list, status: 200 });
    reads[list] = measured.taken().reduce((sum, count) => sum + count, 0);
  }
  return reads;
}

beforeAll(async () => {
  await emptyService();
  ({ id: userId, token } = await signedInPerson());
});

describe("a list reads as much of ten times the rows", () => {
  for (const [name, group] of Object.entries(GROUPS)) {
    it(`of ${name}`, async () => {
      await fill(group, 0, FEW, userId);
      const before = await rowsRead(group);
      await fill(group, FEW, MANY, userId);
      const after = await rowsRead(group);
      const grown = group.lists.filter((list) => (after[list] ?? 0) > (before[list] ?? 0) + SLACK);
      expect(grown.map((list) => `${list}: ${before[list]} → ${after[list]}`)).toEqual([]);
    });
  }
  afterAll(async () => {
    const statements = Object.values(GROUPS).flatMap(({ empty }) => empty);
    await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
    // With all that is theirs.
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(userId).run();
  });
});
