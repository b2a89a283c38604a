import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { measureWork, type Work } from "./work.ts";

const measured = measureWork(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let token = "";

type Answer = Awaited<ReturnType<typeof api.get>>;

async function costOf(send: () => Promise<Answer>): Promise<Work & { body: Answer["body"] }> {
  measured.taken();
  const { status, body } = await send();
  expect(status).toBeLessThan(300);
  return { ...measured.taken(), body };
}

const post = (path: string, body: object) => costOf(() => api.post(path, body, { token }));
const patch = (path: string, body: object) => costOf(() => api.patch(path, body, { token }));
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

describe("in one round trip, so many rows at most are written when", () => {
  const ONE = { roundTrips: 1 };

  it.each<[string, number, () => Promise<Work>]>([
    ["a short email arrives", 12, () => newEmail()],
    ["an email without tags arrives", 9, () => newEmail({ to: [], tags: [] })],
    ["an email of a newly named tag arrives", 12, () => newEmail({ tags: [crypto.randomUUID()] })],
    ["an email is read", 6, async () => patch(`/api/emails/${(await newEmail()).body.id}`, { isRead: true })],
    ["an email is archived", 5, async () => patch(`/api/emails/${(await newEmail()).body.id}`, { status: "archived" })],
    [
      "an email is read and archived",
      6,
      async () => patch(`/api/emails/${(await newEmail()).body.id}`, { isRead: true, status: "archived" }),
    ],
    ["an email is starred", 4, async () => patch(`/api/emails/${(await newEmail()).body.id}`, { isStarred: true })],
    ["an email is deleted", 8, async () => remove(`/api/emails/${(await newEmail()).body.id}`)],
    ["an event is created", 9, () => newEvent()],
    [
      "an event is renamed",
      3,
      async () => patch(`/api/calendar/events/${(await newEvent()).body.id}`, { title: "Tea" }),
    ],
    [
      "an event moves to another day",
      10,
      async () => patch(`/api/calendar/events/${(await newEvent()).body.id}`, { start: "2041-06-01T10:00:00+02:00" }),
    ],
    [
      "an event is cancelled",
      7,
      async () => patch(`/api/calendar/events/${(await newEvent()).body.id}`, { status: "cancelled" }),
    ],
    ["an event is deleted", 5, async () => remove(`/api/calendar/events/${(await newEvent()).body.id}`)],
  ])("%s: %i", async (_, most, act) => {
    const { roundTrips, written } = await act();
    expect({ roundTrips }).toEqual(ONE);
    expect(written).toBeLessThanOrEqual(most);
  });

  it("a reply joins a thread: two more than an email of its own, and four with the second email", async () => {
    const { written: alone, body } = await newEmail();
    const second = await newEmail({ inReplyTo: body.messageId });
    expect(second.body.threadCount).toBe(2);
    expect(second.written).toBeLessThanOrEqual(alone + 4);
    for (let count = 3; count < 6; count++) {
      const next = await newEmail({ inReplyTo: body.messageId });
      expect(next.body.threadCount).toBe(count);
      expect(next.written).toBeLessThanOrEqual(alone + 2);
    }
  });

  it("many emails are archived at once: as many for each as one by one", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await newEmail()).body.id));
    measured.taken();
    const { roundTrips, written } = await patch("/api/emails", { ids, status: "archived" });
    expect({ roundTrips }).toEqual(ONE);
    expect(written).toBeLessThanOrEqual(5 * ids.length);
  });
});

describe("an event that must first be read is changed in two round trips", () => {
  it.each<[string, object, object]>([
    ["a local time", {}, { start: "2041-07-01T10:00:00" }],
    ["an end without a start", {}, { end: "2041-12-31T10:00:00Z" }],
    ["a series", { rrule: "FREQ=WEEKLY;COUNT=3" }, { title: "Weekly" }],
    ["a link", {}, { rescheduledFromId: null, title: "Linked" }],
  ])("%s", async (_, created, change) => {
    const { body } = await newEvent(created);
    expect((await patch(`/api/calendar/events/${body.id}`, change)).roundTrips).toBe(2);
  });
});

describe("a change in one round trip is the change that two would make", () => {
  const shown = ({
    id: _i,
    icalUid: _u,
    createdAt: _c,
    updatedAt: _n,
    conflicts,
    ...rest
  }: Record<string, unknown>) => ({
    ...rest,
    conflicts: Array.isArray(conflicts) ? conflicts.length : conflicts,
  });

  it.each<[object, object]>([
    [{}, { title: "Tea", notes: "Two cups", tags: ["tea"] }],
    [{}, { title: "Lunch" }],
    [{ location: "Here" }, { location: "There" }],
    [{ location: "Here" }, { location: "Here" }],
    [{ location: "Here" }, { location: null, busy: false }],
    [{ status: "tentative" }, { status: "confirmed" }],
    [{ cancelReason: "Rain" }, { title: "Walk" }],
    [{}, { status: "cancelled", title: "Off" }],
    [{}, { start: "2042-02-01T09:00:00Z" }],
    [{}, { start: "2042-02-01T09:00:00Z", end: "2042-02-04T11:00:00Z" }],
    [{ durationMinutes: 300 }, { start: "2042-02-01T09:00:00-03:00", durationMinutes: 45 }],
    [{ durationMinutes: 300 }, { start: "2042-02-01T09:00:00.5Z" }],
    [{ allDay: true, start: "2042-03-01" }, { start: "2042-03-05T00:00:00Z" }],
  ])("%j, then %j", async (created, change) => {
    const start = "2042-01-01T12:00:00Z";
    const [once, twice] = [await newEvent({ start, ...created }), await newEvent({ start, ...created })];
    // A link that is named is checked, so that the event is read.
    const one = await patch(`/api/calendar/events/${once.body.id}`, change);
    await remove(`/api/calendar/events/${once.body.id}`);
    const two = await patch(`/api/calendar/events/${twice.body.id}`, { ...change, rescheduledFromId: null });
    await remove(`/api/calendar/events/${twice.body.id}`);
    // The first one also met the second one.
    const { conflicts: met, ...changed } = shown(one.body);
    const { conflicts, ...expected } = shown(two.body);
    expect(changed).toEqual(expected);
    expect(Number(met)).toBeGreaterThanOrEqual(Number(conflicts));
  });

  it("refuses what two would refuse, and changes nothing", async () => {
    const { body } = await newEvent({ status: "cancelled", bookingId: "refused-bk" });
    const path = `/api/calendar/events/${body.id}`;
    const codes = [
      await api.patch(path, { status: "confirmed" }, { token }),
      await api.patch(path, { start: "2042-01-01T12:00:00Z", end: "2042-01-01T11:00:00Z" }, { token }),
      await api.patch(path, { title: "Late" }, { token, headers: { "if-match": '"7"' } }),
      await api.delete(path, { token, headers: { "if-match": '"7"' } }),
      await api.patch("/api/calendar/events/999999999", { title: "Nobody" }, { token }),
      await api.patch(
        "/api/calendar/events/999999999",
        { start: "2042-01-01T12:00:00Z", durationMinutes: 1 },
        { token },
      ),
      await api.delete("/api/calendar/events/999999999", { token }),
    ].map((answer) => answer.body.code);
    expect(codes).toEqual([
      "invalid_transition",
      "validation_failed",
      ...["version_conflict", "version_conflict"],
      ...["not_found", "not_found", "not_found"],
    ]);
    expect((await api.get(path, { token })).body).toMatchObject({ version: 1, status: "cancelled", title: "Lunch" });
  });

  it("names the single events and the series it now conflicts with", async () => {
    const start = "2043-01-05T09:00:00.000Z";
    const single = await newEvent({ title: "Single", start });
    const series = await newEvent({ title: "Series", start: "2042-12-29T09:00:00Z", rrule: "FREQ=WEEKLY;COUNT=4" });
    const { body } = await newEvent();
    const moved = await patch(`/api/calendar/events/${body.id}`, { start });
    expect(moved.roundTrips).toBe(1);
    expect(moved.body.conflicts.map((each: { id: number }) => each.id).sort()).toEqual(
      [single.body.id, series.body.id].sort(),
    );
    expect((await patch(`/api/calendar/events/${body.id}`, { busy: false })).body.conflicts).toEqual([]);
  });
});

describe("the count of a thread", () => {
  const counts = async (...ids: number[]) =>
    Promise.all(ids.map(async (id) => (await api.get(`/api/emails/${id}`, { token })).body.threadCount));

  it("is right after late arrivals, merges and deletes", async () => {
    const at = (name: string) => `<${name}-${hour}@rows.example>`;
    const late = (await newEmail({ messageId: at("late"), inReplyTo: at("root") })).body;
    expect(late.threadCount).toBe(1);
    const root = (await newEmail({ messageId: at("root") })).body;
    expect([root.threadId, ...(await counts(late.id, root.id))]).toEqual([late.threadId, 2, 2]);
    const other = (await newEmail({ messageId: at("other") })).body;
    const link = (await newEmail({ references: [at("other"), at("root")] })).body;
    expect(await counts(late.id, root.id, other.id, link.id)).toEqual([4, 4, 4, 4]);
    await remove(`/api/emails/${root.id}`);
    await remove(`/api/emails/${link.id}`);
    await remove(`/api/emails/${other.id}`);
    expect(await counts(late.id)).toEqual([1]);
    const again = (await newEmail({ inReplyTo: at("root") })).body;
    expect([again.threadId, ...(await counts(late.id, again.id))]).toEqual([late.threadId, 2, 2]);
    await remove(`/api/emails/${late.id}`);
    await remove(`/api/emails/${again.id}`);
    const fresh = (await newEmail({ inReplyTo: at("root") })).body;
    expect([fresh.threadId, fresh.threadCount]).toEqual([fresh.id, 1]);
  });
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
    const { roundTrips, read: rows, body } = await costOf(() => api.get(path, { token }));
    expect(roundTrips).toBe(1);
    return { rows, body };
  };

  it("a page of emails reads a row an email, and calendar statistics few rows", async () => {
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
      rows.push([...reads, count]);
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
    for (const { read: rows } of [made, again, booked, rebooked]) expect(rows).toBeLessThan(200);
  });

  it("an event is deleted without reading the others", async () => {
    const { body } = await newEvent();
    expect((await remove(`/api/calendar/events/${body.id}`)).read).toBeLessThan(40);
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
