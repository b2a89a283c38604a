import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { measurePrice } from "../measured.ts";

const api = service();
const EVENTS = "/api/calendar/events";
const REJECT = `${EVENTS}?onConflict=reject`;

async function countIn(range: string): Promise<number> {
  return (await api.get(`${EVENTS}?${range}`)).body.data.length;
}

describe("conflicts", () => {
  it("are in the answer of every write, in order, and touch nothing that only abuts", async () => {
    const make = async (title: string, time: string, minutes: number, more = {}) =>
      (await api.post(EVENTS, { title, start: `2033-01-10T${time}:00Z`, durationMinutes: minutes, ...more })).body;
    const first = await make("first", "09:00", 60);
    await make("abuts", "10:00", 30);
    await make("cancelled", "09:00", 60, { status: "cancelled" });
    await make("not busy", "09:00", 60, { busy: false });
    const second = await make("second", "09:30", 30);
    expect(second.conflicts).toEqual([
      { id: first.id, title: "first", start: first.start, end: first.end, outside: false },
    ]);
    const moved = await api.patch(`${EVENTS}/${second.id}`, { start: "2033-01-10T09:45:00Z" });
    expect(moved.body.conflicts.map(({ title }: { title: string }) => title)).toEqual(["first", "abuts"]);
    const cancelled = await api.patch(`${EVENTS}/${second.id}`, { status: "cancelled" });
    expect(cancelled.body.conflicts).toEqual([]);
  });

  it("reject a write with what is in the way, and write nothing", async () => {
    const range = "start=2033-02-01T00:00:00Z&end=2033-02-02T00:00:00Z";
    const { body } = await api.post(REJECT, { title: "taken", start: "2033-02-01T09:00:00Z" });
    const refused = await api.post(REJECT, { title: "late", start: "2033-02-01T09:15:00Z" });
    expectProblem(refused, 409, "time_conflict");
    expect(refused.body.conflicts).toMatchObject([{ id: body.id, title: "taken" }]);
    expect(await countIn(range)).toBe(1);
    const other = await api.post(REJECT, { title: "other", start: "2033-02-01T12:00:00Z" });
    const path = `${EVENTS}/${other.body.id}?onConflict=reject`;
    expectProblem(await api.patch(path, { start: "2033-02-01T08:45:00Z" }), 409, "time_conflict");
    expect((await api.patch(path, { start: "2033-02-01T12:10:00Z" })).status).toBe(200);
    expect((await api.post(REJECT, { title: "free", start: "2033-02-01T09:00:00Z", busy: false })).status).toBe(201);
  });

  it("reject a change in two round trips, whatever form its times have", async () => {
    const { db, taken } = measurePrice(env.DB);
    const counted = service({ DB: db });
    const make = async (title: string, start: string, more = {}) =>
      (await api.post(EVENTS, { title, start, timeZone: "Europe/Berlin", ...more })).body.id;
    const day = "2033-09-06";
    await make("taken", `${day}T09:00:00Z`, { durationMinutes: 60 });
    await make("daily", `${day}T15:00:00Z`, { rrule: "FREQ=DAILY;COUNT=3" });
    const id = await make("own", `${day}T12:00:00Z`);
    const change = async (input: object) => {
      taken();
      const answer = await counted.patch(`${EVENTS}/${id}?onConflict=reject`, input);
      return { status: answer.status, trips: taken().roundTrips, in: answer.body.conflicts?.map(titleOf) };
    };
    const titleOf = ({ title }: { title: string }) => title;
    const refused = (title: string) => ({ status: 409, trips: 1, in: [title] });
    const done = { status: 200, trips: 2, in: [] };
    expect(await change({ start: `${day}T08:45:00Z` })).toEqual(refused("taken"));
    // 11:45 in Berlin is 09:45 in UTC.
    expect(await change({ start: `${day}T11:45:00` })).toEqual(refused("taken"));
    expect(await change({ start: "2033-09-08T15:10:00Z" })).toEqual(refused("daily"));
    expect(await change({ end: `${day}T15:01:00Z` })).toEqual(refused("daily"));
    expect(await change({ durationMinutes: 200 })).toEqual(refused("daily"));
    expect(await change({ start: `${day}T08:30:00Z` })).toEqual(done);
    expect(await change({ durationMinutes: 31 })).toEqual(refused("taken"));
    expect(await change({ start: `${day}T12:00:00`, end: `${day}T13:00:00` })).toEqual(done);
    expect(await change({ title: "renamed" })).toEqual(done);
    // What takes up no time may be anywhere, until it does.
    expect(await change({ start: `${day}T09:00:00Z`, busy: false })).toEqual(done);
    expect(await change({ busy: true })).toEqual(refused("taken"));
    // A series has to be compared occurrence by occurrence, once its rule is known to be right.
    expect(await change({ start: "2033-09-05T15:00:00Z", busy: true, rrule: "FREQ=DAILY;COUNT=2" })).toMatchObject({
      status: 409,
      in: ["daily"],
    });
    expect((await api.get(`${EVENTS}/${id}`)).body).toMatchObject({ title: "renamed", busy: false, rrule: null });
    expect((await counted.patch(`${EVENTS}/999999999?onConflict=reject`, { title: "x" })).status).toBe(404);
    const old = await counted.patch(
      `${EVENTS}/${id}?onConflict=reject`,
      { title: "x" },
      { headers: { "if-match": '"1"' } },
    );
    expect(old.status).toBe(412);
  });

  it("let one of ten parallel changes have the slot", async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const start = `2033-10-${String(index + 10)}T09:00:00Z`;
        return (await api.post(EVENTS, { title: `racer ${index}`, start })).body.id;
      }),
    );
    const answers = await Promise.all(
      ids.map((id, index) => api.patch(`${EVENTS}/${id}?onConflict=reject`, { start: `2033-10-01T09:0${index}:00Z` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await countIn("start=2033-10-01T00:00:00Z&end=2033-10-02T00:00:00Z")).toBe(1);
  });

  it("let one of ten parallel posts have the slot", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.post(REJECT, { title: `racer ${index}`, start: `2033-03-01T09:0${index}:00Z` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await countIn("start=2033-03-01T00:00:00Z&end=2033-03-02T00:00:00Z")).toBe(1);
  });

  it("let one of two have the slot when one of them is a series", async () => {
    const answers = await Promise.all([
      api.post(REJECT, { title: "series", start: "2033-04-04T09:00:00Z", rrule: "FREQ=DAILY;COUNT=10" }),
      api.post(REJECT, { title: "single", start: "2033-04-08T09:15:00Z" }),
      api.post(REJECT, { title: "series", start: "2033-04-06T09:10:00Z", rrule: "FREQ=DAILY;COUNT=10" }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
  });

  it("see the occurrences of a series, of other series, and of all-day events in their zone", async () => {
    const weekly = await api.post(EVENTS, {
      title: "weekly",
      start: "2033-05-02T09:00:00",
      timeZone: "Europe/Berlin",
      rrule: "FREQ=WEEKLY;UNTIL=20331231",
    });
    const single = await api.post(EVENTS, { title: "single", start: "2033-11-07T08:15:00Z" });
    expect(single.body.conflicts).toMatchObject([{ id: weekly.body.id, start: "2033-11-07T08:00:00.000Z" }]);
    const daily = await api.post(EVENTS, {
      title: "daily",
      start: "2033-06-06T06:45:00Z",
      rrule: "FREQ=DAILY;COUNT=8",
    });
    expect(daily.body.conflicts.map(({ start }: { start: string }) => start)).toEqual([
      "2033-06-06T07:00:00.000Z",
      "2033-06-13T07:00:00.000Z",
    ]);
    await api.post(EVENTS, {
      title: "day off",
      start: "2033-07-15",
      allDay: true,
      busy: true,
      timeZone: "Pacific/Apia",
    });
    const during = await api.post(EVENTS, { title: "during", start: "2033-07-14T12:00:00Z" });
    expect(during.body.conflicts).toMatchObject([{ title: "day off" }]);
    const after = await api.post(EVENTS, { title: "after", start: "2033-07-15T12:00:00Z" });
    expect(after.body.conflicts).toEqual([]);
  });
});

describe("the event of a booking", () => {
  const bookings = `${EVENTS}/by-bookingsvc`;

  it("is one, however many post it at once", async () => {
    const body = { title: "Intro", start: "2038-08-01T09:00:00Z", bookingId: "bk-ten" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(EVENTS, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ source: "bookingsvc", version: 1 });
    expect(await countIn("start=2038-08-01T00:00:00Z&end=2038-08-02T00:00:00Z")).toBe(1);
  });

  it("is not in its own way when several post it at once and none wants a conflict", async () => {
    const body = { title: "Intro", start: "2038-08-02T09:00:00Z", bookingId: "bk-reject" };
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(REJECT, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  });

  it("is updated by ten different parallel posts, each one in turn", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.post(EVENTS, { title: `Intro ${index}`, start: "2038-08-03T09:00:00Z", bookingId: "bk-crowd" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect((await api.get(`${EVENTS}/${answers[0]?.body.id}`)).body.version).toBe(10);
  });

  it("keeps the person's tags, notes and everything else a post does not name", async () => {
    const post = (more: object) =>
      api.post(EVENTS, { title: "Call", start: "2038-08-05T09:00:00Z", bookingId: "bk-own", ...more });
    const { body } = await post({ durationMinutes: 45, location: "Room 1" });
    await api.patch(`${EVENTS}/${body.id}`, { tags: ["vip"], notes: "be kind" });
    const again = await post({ start: "2038-08-05T10:00:00Z" });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      tags: ["vip"],
      notes: "be kind",
      location: "Room 1",
      start: "2038-08-05T10:00:00.000Z",
      end: "2038-08-05T10:45:00.000Z",
      sequence: 1,
    });
  });

  it("is changed by its booking's id, and revived only by a new post of the booking", async () => {
    await api.post(EVENTS, { title: "Call", start: "2038-08-06T09:00:00Z", bookingId: "bk-patch" });
    const changed = await api.patch(`${bookings}/bk-patch`, { status: "cancelled", cancelReason: "Ill" });
    expect(changed.body).toMatchObject({ status: "cancelled", cancelReason: "Ill" });
    expectProblem(await api.patch(`${bookings}/bk-patch`, { status: "confirmed" }), 409, "invalid_transition");
    expectProblem(await api.patch(`${bookings}/bk-nobody`, { title: "x" }), 404, "not_found");
    expectProblem(await api.patch(`${bookings}/bk-patch`, {}), 422, "nothing_to_update");
    const stale = await api.call("PATCH", `${bookings}/bk-patch`, {
      body: { title: "x" },
      headers: { "if-match": '"1"' },
    });
    expectProblem(stale, 412, "version_conflict");
    const revived = await api.post(EVENTS, {
      title: "Call",
      start: "2038-08-06T09:00:00Z",
      bookingId: "bk-patch",
      status: "confirmed",
    });
    expect(revived.body).toMatchObject({ status: "confirmed", cancelReason: null });
  });

  it("is gone from everywhere once deleted, until the booking is posted anew", async () => {
    const { body } = await api.post(EVENTS, { title: "Gone", start: "2038-08-08T09:00:00Z", bookingId: "bk-gone" });
    expect((await api.delete(`${EVENTS}/${body.id}`)).status).toBe(204);
    expectProblem(await api.get(`${EVENTS}/${body.id}`), 404, "not_found");
    expectProblem(await api.patch(`${bookings}/bk-gone`, { title: "x" }), 404, "not_found");
    expect(await countIn("start=2038-08-08T00:00:00Z&end=2038-08-09T00:00:00Z")).toBe(0);
    const other = await api.post(REJECT, { title: "Other", start: "2038-08-08T09:00:00Z" });
    expect(other.body.conflicts).toEqual([]);
    const again = await api.post(EVENTS, { title: "Back", start: "2038-08-09T09:00:00Z", bookingId: "bk-gone" });
    expect([again.status, again.body.id]).toEqual([200, body.id]);
    expect((await api.get(`${EVENTS}/${body.id}`)).body).toMatchObject({ title: "Back", version: 3 });
  });
});
