import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { measureRows } from "../measured.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2040, 0, 1);
const COUNT = 20_000;

/** Eight a day of half an hour to two, a quarter of them with a longer one beside, over years; one lasts a year. */
async function fill(): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const start = START + Math.floor(index / 8) * DAY + (8 + (index % 8)) * HOUR;
    return { start, end: start + (index % 50 === 0 ? 3 * DAY : (1 + (index % 4)) * (HOUR / 2)), uid: `scale-${index}` };
  });
  rows.push({ start: START, end: START + 365 * DAY, uid: "scale-year" });
  const insert = env.DB.prepare(
    `INSERT INTO events (title, start_at, end_at, time_zone, span, status, source, ical_uid, created_at, updated_at)
     SELECT 'Event', json_extract(value, '$.start'), json_extract(value, '$.end'), 'UTC',
       (SELECT min(column1) FROM (VALUES (0, 1), (1, 8), (2, 64), (3, 1024), (4, 65536))
         WHERE column2 * ${HOUR} >= json_extract(value, '$.end') - json_extract(value, '$.start')),
       'confirmed', 'manual', json_extract(value, '$.uid'), 0, 0
     FROM json_each(?)`,
  );
  for (let first = 0; first < rows.length; first += 4000) {
    await insert.bind(JSON.stringify(rows.slice(first, first + 4000))).run();
  }
}

describe("with 20,000 events, some long and one of a year", () => {
  const { db, taken } = measureRows(env.DB);
  const client = service({ DB: db });
  beforeAll(fill);
  // Other tests have these years too.
  afterAll(async () => void (await env.DB.prepare("DELETE FROM events WHERE ical_uid LIKE 'scale-%'").run()));
  const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  const month = `start=${at(START + 200 * DAY)}&end=${at(START + 231 * DAY)}`;

  it("a page of a month's list reads little more than the page, in one statement", async () => {
    const { body } = await client.get(`/api/calendar/events?${month}&limit=50`);
    expect(body.data).toHaveLength(50);
    expect(body.data[0].end).toBe(new Date(START + 365 * DAY).toISOString());
    const reads = taken();
    expect(reads).toHaveLength(1);
    expect(reads[0]).toBeLessThan(400);
  });

  it("all pages of a month read rows in proportion to the month", async () => {
    let cursor: string | null = null;
    const ids: number[] = [];
    do {
      const { body } = await client.get(
        `/api/calendar/events?${month}&limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
      );
      ids.push(...body.data.map(({ id }: { id: number }) => id));
      cursor = body.nextCursor;
    } while (cursor);
    const reads = taken();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(248);
    expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(ids.length * 8);
  });

  it("a month's free and busy time reads the month, in one statement", async () => {
    const { body } = await client.get(`/api/calendar/freebusy?${month}`);
    expect(body.busy).toEqual([{ start: body.start, end: body.end }]);
    const reads = taken();
    expect(reads).toHaveLength(1);
    expect(reads[0]).toBeLessThan(600);
  });

  it("a write that must not conflict reads what is near", async () => {
    const start = new Date(START + 1004 * DAY + 20 * HOUR).toISOString();
    const { body } = await client.post("/api/calendar/events?onConflict=reject", { title: "Late", start });
    expect(body.conflicts).toEqual([]);
    const reads = taken();
    expect(Math.max(...reads)).toBeLessThan(200);
  });

  it("what comes next reads what it shows, in one statement", async () => {
    const { body } = await client.get(
      `/api/calendar/events?start=${at(START + 900 * DAY)}&end=${at(START + 930 * DAY)}&limit=10`,
    );
    expect(body.data).toHaveLength(10);
    const [reads] = taken();
    expect(reads).toBeLessThan(120);
  });
});
