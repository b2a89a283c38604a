import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { measurePrice, type Price } from "../measured.ts";

const measured = measurePrice(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const HOUR = 3_600_000;
let token = "";

/* Changes that are made in one round trip, without reading first, are what two would make. */

type Answer = Awaited<ReturnType<typeof api.get>>;

async function costOf(send: () => Promise<Answer>): Promise<Price & { body: Answer["body"] }> {
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
