import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { measurePrice } from "../measured.ts";

const measured = measurePrice(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const FIRST_ID = 7_000_000;
const NOW = Date.now();
/** Each thread has so many emails. */
const LENGTH = 5;
const SIZES = [2000, 8000];
/** A page may end in another place of a thread. */
const SLACK = 10;
let token = "";

/**
 * Emails `from` to `to`, of which every fifth begins a thread. One in five is the person's own, in the archive; every
 * fiftieth is starred, and every other thread unread.
 */
async function fill(from: number, to: number): Promise<void> {
  const id = (n: string) => `${FIRST_ID} + ${n}`;
  const thread = `i - i % ${LENGTH}`;
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
     INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email,
       to_recipients, cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version,
       created_at, updated_at, body)
     SELECT ${id("i")}, '<rows-' || i || '@example.com>', ${id(thread)}, '[]', iif(i % 5 = 3, 'outbound', 'inbound'),
       'import', 'person', '', 'ann' || (i % 5) || '@example.com', '[{"name":"","email":"bob@example.com"}]', '[]', '', '',
       '[]', json_array('often', 'tag-' || (i / 100)), iif(i % 5 = 3, 'archived', 'inbox'), i / 5 % 2, i % 50 = 0,
       ${NOW} + i, 1, 0, 0, '' FROM n`,
  ).run();
}

const read = async (query: string) => {
  measured.taken();
  const { status, body } = await api.get(`/api/emails/threads?limit=20${query}`, { token });
  expect({ query, status }).toEqual({ query, status: 200 });
  return { ...measured.taken(), body };
};

const BOXES = ["", "&status=inbox", "&status=archived"];
const FILTERED = ["&unread=true", "&status=inbox&unread=true", "&starred=true", "&tag=often", "&tag=tag-3"];

beforeAll(async () => {
  await emptyService();
  ({ token } = await signedInPerson());
});
afterAll(emptyService);

describe.each(SIZES)("of %d emails", (size) => {
  beforeAll(() => fill(size === SIZES[0] ? 0 : (SIZES[0] ?? 0), size));

  it("a page of a box reads two rows for each conversation, in one round trip", async () => {
    for (const box of BOXES) {
      const first = await read(box);
      expect(first.body.data).toHaveLength(20);
      expect([box, first.roundTrips, first.rowsRead <= 60 ? "few" : first.rowsRead]).toEqual([box, 1, "few"]);
      const second = await read(`${box}&cursor=${first.body.nextCursor}`);
      expect([box, second.roundTrips, second.rowsRead <= 60 ? "few" : second.rowsRead]).toEqual([box, 1, "few"]);
    }
  });
});

it("a filtered list reads as much of four times the emails", async () => {
  const reads: Record<string, number[]> = {};
  await emptyService();
  for (const size of SIZES) {
    await fill(size === SIZES[0] ? 0 : (SIZES[0] ?? 0), size);
    for (const filter of FILTERED) {
      const { rowsRead, roundTrips } = await read(filter);
      expect([filter, roundTrips]).toEqual([filter, 1]);
      reads[filter] = [...(reads[filter] ?? []), rowsRead];
    }
  }
  const grown = Object.entries(reads).filter(([, [few = 0, many = 0]]) => many > few + SLACK);
  expect(grown).toEqual([]);
});
