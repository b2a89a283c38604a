import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyService, service } from "../harness.ts";
import { measureRows } from "../measured.ts";

const MAILS = 4000;
const LIMIT = 20;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
/** Above the ids of any other test. */
const FIRST_ID = 2_000_000;

const measured = measureRows(env.DB);
const api = service({ DB: measured.db });

/** Straight into the table: the triggers do the rest, as for every mail. */
async function fill(): Promise<void> {
  await emptyService();
  const rows = Array.from({ length: MAILS }, (_, index) => ({
    id: FIRST_ID + index,
    at: START + index * 600_000,
    tag: index % 50 === 0 ? "rare" : "common",
    read: index % 40 === 0 ? 0 : 1,
    starred: index % 60 === 0 ? 1 : 0,
    status: index % 3 === 0 ? "archived" : "inbox",
    direction: index % 70 === 0 ? "outbound" : "inbound",
    urgency: index % 30 === 0 ? "critical" : null,
  }));
  const json = JSON.stringify(rows);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email, to_recipients,
        cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, urgency, version,
        created_at, updated_at, body)
      SELECT value ->> 'id', '<cost-' || (value ->> 'id') || '@example.com>', value ->> 'id', '[]', value ->> 'direction', 'import', 'person',
        'Ann', 'ann@example.com', '[]', '[]', 'Report ' || (value ->> 'id'), 'common words', '[]',
        json_array(value ->> 'tag'), value ->> 'status', value ->> 'read', value ->> 'starred', value ->> 'at',
        value ->> 'urgency', 1, 0, 0, 'common words of every mail'
      FROM json_each(?)`,
    ).bind(json),
  ]);
}

beforeAll(fill);
afterAll(emptyService);

/** Each mail of a page costs its row, its thread's count and, by tag or word, its entry there. */
async function pageCost(query: string): Promise<{ reads: number[]; length: number }> {
  measured.taken();
  const { body } = await api.get(`/api/emails?limit=${LIMIT}${query}`);
  return { reads: measured.taken(), length: body.data.length };
}

describe("with thousands of mails", () => {
  const cases = ["", "&unread=true", "&starred=true", "&status=inbox", "&status=inbox&unread=true"];
  cases.push("&direction=outbound", "&urgency=critical", "&since=2026-01-10T00:00:00Z&until=2026-01-20T00:00:00Z");
  for (const query of cases) {
    it(`a page of ?${query.slice(1) || "everything"} reads one row a mail, in one statement`, async () => {
      const { reads, length } = await pageCost(query);
      expect(length).toBe(LIMIT);
      expect(reads).toHaveLength(1);
      expect(reads[0]).toBeLessThanOrEqual(2 * (LIMIT + 1));
    });
  }

  for (const query of ["&tag=common", "&tag=rare", "&tag=common&unread=true", "&tag=Common&status=archived"]) {
    it(`a page of ?${query.slice(1)} reads one row a mail of each table, in one statement`, async () => {
      const { reads, length } = await pageCost(query);
      expect(length).toBe(LIMIT);
      expect(reads).toHaveLength(1);
      expect(reads[0]).toBeLessThanOrEqual(3 * (LIMIT + 1));
    });
  }

  it("a deep page costs what the first one does", async () => {
    let cursor = "";
    for (let page = 0; page < 30; page++) {
      const { body } = await api.get(`/api/emails?limit=100${cursor}`);
      cursor = `&cursor=${body.nextCursor}`;
    }
    const { reads, length } = await pageCost(cursor);
    expect(length).toBe(LIMIT);
    // One more: the row the page before ended with is where the search for this one begins.
    expect(reads[0]).toBeLessThanOrEqual(2 * (LIMIT + 1) + 1);
  });

  it("a search for a word that every mail has stops at its page", async () => {
    for (const query of [
      "&q=common",
      "&q=common%20words",
      "&q=comm",
      "&q=common&tag=common",
      "&q=common&status=inbox",
    ]) {
      const { reads, length } = await pageCost(query);
      expect(length, query).toBe(LIMIT);
      expect(reads, query).toHaveLength(1);
      expect(reads[0], query).toBeLessThanOrEqual(8 * (LIMIT + 1));
    }
  });

  it("a search with a filter that lets few mails through reads those, and finds among them", async () => {
    const id = FIRST_ID + 1;
    const kept = async (column: string) =>
      (await env.DB.prepare("SELECT * FROM email_totals").first<Record<string, number>>())?.[column];
    const starred = (await kept("starred")) ?? 0;
    await env.DB.prepare("UPDATE emails SET status = 'trash', is_starred = 1 WHERE id = ?").bind(id).run();
    expect(await kept("trash")).toBe(1);
    // The trash is not counted.
    expect(await kept("starred")).toBe(starred);
    const { reads, length } = await pageCost("&q=common&status=trash");
    expect(length).toBe(1);
    expect(reads[0]).toBeLessThanOrEqual(20);
    expect((await pageCost("&q=nowhere&status=trash")).length).toBe(0);
    await env.DB.prepare("UPDATE emails SET status = 'inbox', is_starred = 0 WHERE id = ?").bind(id).run();
    expect(await kept("trash")).toBe(0);
    expect(await kept("starred")).toBe(starred);
  });

  it("statistics read few rows, in one batch", async () => {
    for (const zone of ["UTC", "Asia/Kathmandu", "America/New_York"]) {
      measured.taken();
      await api.get(`/api/stats?timeZone=${zone}`);
      const reads = measured.taken();
      expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(500);
    }
    const mailsOfDays = async (): Promise<number[]> => {
      const { body } = await api.get("/api/stats?timeZone=Asia/Kathmandu");
      return body.series.map((day: { emails: number }) => day.emails);
    };
    const before = await mailsOfDays();
    const busy = Array.from({ length: 14 * 96 }, (_, index) => ({
      id: FIRST_ID + 10_000 + index,
      at: Date.now() - 14 * DAY_MS + index * 900_000,
    }));
    await env.DB.prepare(
      `INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email, to_recipients,
        cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version, created_at,
        updated_at, body)
      SELECT value ->> 'id', '<busy-' || (value ->> 'id') || '>', ${FIRST_ID}, '[]', 'inbound', 'import', 'person', '', 'a@b.c', '[]', '[]', '', '', '[]', '[]',
        'inbox', 1, 0, value ->> 'at', 1, 0, 0, '' FROM json_each(?)`,
    )
      .bind(JSON.stringify(busy))
      .run();
    measured.taken();
    const after = await mailsOfDays();
    expect(measured.taken().reduce((sum, count) => sum + count, 0)).toBeLessThan(500);
    expect(after.slice(1, 13).map((count, index) => count - (before[index + 1] ?? 0))).toEqual(Array(12).fill(96));
  });
});
