import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { measurePrice, type Price } from "../measured.ts";

const measured = measurePrice(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let token = "";

type Answer = Awaited<ReturnType<typeof api.get>>;

async function costOf(send: () => Promise<Answer>): Promise<Price & { body: Answer["body"] }> {
  measured.taken();
  const { status, body } = await send();
  expect(status).toBeLessThan(300);
  return { ...measured.taken(), body };
}

const post = (path: string, body: object) => costOf(() => api.post(path, body, { token }));
const remove = (path: string) => costOf(() => api.delete(path, { token }));

const newEmail = (more: object = {}) =>
  post("/api/emails", {
    from: "Ann <ann@example.com>",
    to: "me@example.com",
    subject: "Lunch",
    body: "Could we meet tomorrow at noon?",
    tags: ["work"],
    ...more,
  });

let hour = 0;
const newEvent = (more: object = {}) => {
  hour += 2;
  return post("/api/calendar/events", {
    title: "Lunch",
    start: new Date(Date.UTC(2041, 0, 1) + hour * HOUR).toISOString(),
    ...more,
  });
};

beforeAll(async () => {
  await emptyService();
  ({ token } = await signedInPerson());
  // The first of a kind also begins its counters.
  await newEmail();
  await newEvent();
});

describe("of 2,000 and of 8,000 rows", () => {
  const FIRST_ID = 7_000_000;
  const NOW = Date.now();
  const EVENTS_A_DAY = 24;
  const EXTRA: [string, number][] = [
    ["unread", 1],
    ["status", 1],
    ["direction", 2],
  ];
  const FIRST_DAY = Math.floor(NOW / DAY) * DAY - 30 * DAY;

  const fillEmails = (from: number, to: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
       INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email,
         to_recipients, cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version,
         created_at, updated_at, body)
       SELECT ${FIRST_ID} + i, '<rows-' || i || '@example.com>', ${FIRST_ID} + i, '[]', 'inbound', 'import', 'person', '',
         'ann@example.com', '[]', '[]', '', '', '[]', '[]', 'inbox', i % 2, 0, ${NOW} + i, 1, 0, 0, '' FROM n`,
    ).run();

  const fillEvents = (from: number, to: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
       INSERT INTO events (title, start_at, end_at, time_zone, span, status, source, ical_uid, created_at, updated_at)
       SELECT 'Event', ${FIRST_DAY} + i * ${DAY / EVENTS_A_DAY}, ${FIRST_DAY} + i * ${DAY / EVENTS_A_DAY} + ${HOUR / 2},
         'UTC', 0, 'confirmed', 'manual', 'rows-' || i, 0, 0 FROM n`,
    ).run();

  beforeAll(async () => {
    await emptyService();
    await fillEmails(0, 2000);
    await fillEvents(0, 2000);
  });
  afterAll(emptyService);

  const read = async (path: string) => {
    const { roundTrips, rowsRead: rows, body } = await costOf(() => api.get(path, { token }));
    expect(roundTrips).toBe(1);
    return { rows, body };
  };

  it("a page of emails reads a row an email, calendar statistics few rows, and a deletion of an event no others", async () => {
    const rows: number[][] = [];
    for (const size of [2000, 8000]) {
      if (size > 2000) {
        await fillEmails(2000, size);
        await fillEvents(2000, size);
      }
      const reads: number[] = [];
      for (const query of ["", "&unread=true", "&status=inbox", "&direction=inbound", "&kind=person"]) {
        const { rows: count, body } = await read(`/api/emails?limit=50${query}`);
        expect(body.data).toHaveLength(50);
        // The page, one more to know whether there is a next page, and the session; beside them the next row of a
        // second range, or the numbers that say how to read.
        expect(count).toBeLessThanOrEqual(51 + 3 + (EXTRA.find(([word]) => query.includes(word))?.[1] ?? 0));
        reads.push(count);
      }
      const { rows: count, body } = await read("/api/calendar/stats?timeZone=UTC");
      expect(count).toBeLessThanOrEqual(100);
      // One more if one is under way.
      expect(body.upcoming - 30 * EVENTS_A_DAY).toBeOneOf([0, 1]);
      expect(body.perDay.slice(0, 13).map((day: { hours: number }) => day.hours)).toEqual(Array(13).fill(12));
      // On a day of its own: the row of its day is made anew from the other events of that day.
      const { body: event } = await newEvent({ start: "2051-01-01T12:00:00Z" });
      const deletion = await remove(`/api/calendar/events/${event.id}`);
      expect(deletion.roundTrips).toBe(1);
      rows.push([...reads, count, deletion.rowsRead]);
    }
    expect(rows[1]).toEqual(rows[0]);
  });

  it("the event of an email and of a booking is found without reading the others", async () => {
    const { body } = await newEmail({ body: "Your appointment is confirmed for tomorrow at 3pm." });
    const { body: event, ...made } = await post("/api/calendar/events/from-email", { emailId: body.id });
    const again = await post("/api/calendar/events/from-email", { emailId: body.id });
    expect(again.body.id).toBe(event.id);
    const booked = await newEvent({ bookingId: "rows-1" });
    const rebooked = await newEvent({ bookingId: "rows-1" });
    expect(rebooked.body.id).toBe(booked.body.id);
    for (const { rowsRead: rows } of [made, again, booked, rebooked]) expect(rows).toBeLessThan(200);
  });

  it("statistics are right for a day with more events than its row holds", async () => {
    const noon = Math.floor(NOW / DAY) * DAY + 3 * DAY + 12 * HOUR;
    const insert = env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
       INSERT INTO events (title, start_at, end_at, time_zone, span, status, source, ical_uid, created_at, updated_at)
       SELECT 'Crowd', ${noon} + i, ${noon} + i + ${HOUR}, 'UTC', 0, 'confirmed', 'manual', 'crowd-' || i, 0, 0 FROM n`,
    );
    const before = (await read("/api/calendar/stats?timeZone=UTC")).body;
    await insert.run();
    const { body } = await read("/api/calendar/stats?timeZone=UTC");
    expect(body.perDay[3].events - before.perDay[3].events).toBe(300);
    expect(body.perDay[3].hours).toBeGreaterThan(before.perDay[3].hours);
    expect(body.upcoming - before.upcoming).toBe(300);
    await env.DB.prepare("DELETE FROM events WHERE ical_uid LIKE 'crowd-%'").run();
    expect((await read("/api/calendar/stats?timeZone=UTC")).body).toEqual(before);
  });
});
