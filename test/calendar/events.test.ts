import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const api = service();
const EVENTS = "/api/calendar/events";

describe("an event", () => {
  it("is created with defaults, read, changed and deleted", async () => {
    const created = await api.post(EVENTS, { title: " Review ", start: "2031-01-06T10:30:00+01:00" });
    expect(created.status).toBe(201);
    expect(created.headers.get("etag")).toBe('"1"');
    expect(created.headers.get("location")).toBe(`${EVENTS}/${created.body.id}`);
    expect(created.body).toMatchObject({
      title: "Review",
      start: "2031-01-06T09:30:00.000Z",
      end: "2031-01-06T10:00:00.000Z",
      allDay: false,
      startDate: null,
      timeZone: "UTC",
      status: "confirmed",
      source: "manual",
      busy: true,
      attendees: [],
      tags: [],
      sequence: 0,
      version: 1,
      conflicts: [],
    });
    const { id } = created.body;
    const changed = await api.patch(`${EVENTS}/${id}`, { start: "2031-01-06T11:00:00Z", tags: ["Client", "client "] });
    expect(changed.body).toMatchObject({
      start: "2031-01-06T11:00:00.000Z",
      end: "2031-01-06T11:30:00.000Z",
      tags: ["client"],
      sequence: 1,
      version: 2,
    });
    const { conflicts: _, ...stored } = changed.body;
    expect((await api.get(`${EVENTS}/${id}`)).body).toEqual(stored);
    expect((await api.delete(`${EVENTS}/${id}`)).status).toBe(204);
    expectProblem(await api.get(`${EVENTS}/${id}`), 404, "not_found");
    expectProblem(await api.patch(`${EVENTS}/${id}`, { title: "x" }), 404, "not_found");
    expectProblem(await api.delete(`${EVENTS}/${id}`), 404, "not_found");
  });

  it("names only a mail and an event that are there, and never itself as the one it replaces", async () => {
    const mail = await api.post("/api/emails", { from: "a@example.com", subject: "Linked", body: "Hello" });
    const first = await api.post(EVENTS, { title: "First", start: "2031-01-07T09:00:00Z", bookingId: "bk-linked" });
    const weekly = { title: "Series", start: "2031-01-08T09:00:00Z", rrule: "FREQ=WEEKLY;COUNT=2" };
    const series = await api.post(EVENTS, weekly);
    const links = { emailId: mail.body.id, rescheduledFromId: first.body.id };
    const second = await api.post(EVENTS, { title: "Second", start: "2031-01-07T11:00:00Z", ...links });
    expect(second.body).toMatchObject(links);
    const text = { content: "Let us meet on 12 May 2031 at 10:00.", subject: "Meeting" };
    for (const path of ["emailId", "rescheduledFromId"]) {
      const wrong = { [path]: 999_999 };
      for (const answer of [
        await api.post(EVENTS, { title: "x", start: "2031-01-07T09:00:00Z", ...wrong }),
        await api.post(EVENTS, { title: "x", start: "2031-01-07T09:00:00Z", bookingId: "bk-linked", ...wrong }),
        await api.patch(`${EVENTS}/${second.body.id}`, wrong),
        await api.patch(`${EVENTS}/by-bookingsvc/bk-linked`, wrong),
        await api.patch(`${EVENTS}/${series.body.id}?occurrence=2031-01-15T09:00:00Z`, wrong),
        await api.post(`${EVENTS}/from-email`, { ...text, overrides: wrong }),
      ]) {
        expectProblem(answer, 422, "validation_failed");
        expect(answer.body.errors).toMatchObject([{ path }]);
      }
    }
    const itself = await api.patch(`${EVENTS}/${first.body.id}`, { rescheduledFromId: first.body.id });
    expectProblem(itself, 422, "validation_failed");
    expect(itself.body.errors).toMatchObject([{ path: "rescheduledFromId" }]);
    // A link outlives what it names, and is no reason to refuse another change.
    await api.delete(`/api/emails/${mail.body.id}`);
    await api.delete(`${EVENTS}/${first.body.id}`);
    expect((await api.patch(`${EVENTS}/${second.body.id}`, { title: "Still", ...links })).status).toBe(200);
  });

  it("of a booking is not overwritten by an older word of it", async () => {
    const word = (title: string, externalUpdatedAt: string) => ({
      title,
      start: "2031-01-09T09:00:00Z",
      bookingId: "bk-order",
      externalUpdatedAt,
    });
    const { body } = await api.post(EVENTS, word("New", "2031-01-02T00:00:00Z"));
    const older = await api.post(EVENTS, { ...word("Old", "2031-01-01T00:00:00Z"), status: "cancelled" });
    expect(older.status).toBe(200);
    expect(older.body).toEqual(body);
    const newer = await api.post(EVENTS, word("Newer", "2031-01-03T00:00:00Z"));
    expect(newer.body).toMatchObject({ title: "Newer", version: 2 });
    await api.delete(`${EVENTS}/${body.id}`);
    await api.post(EVENTS, word("Old", "2031-01-01T00:00:00Z"));
    expect((await api.get(`${EVENTS}/${body.id}`)).body).toMatchObject({ title: "Old", version: 4 });
  });

  it("takes durationMinutes in place of end, and a local time in its zone", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Call",
      start: "2031-02-03T09:00:00",
      durationMinutes: 45,
      timeZone: "America/New_York",
    });
    expect(body).toMatchObject({ start: "2031-02-03T14:00:00.000Z", end: "2031-02-03T14:45:00.000Z" });
  });

  it("is kept under one spelling of its zone", async () => {
    const { body } = await api.post(EVENTS, { title: "Zone", start: "2031-02-04T09:00:00", timeZone: "europe/berlin" });
    expect(body).toMatchObject({ timeZone: "Europe/Berlin", start: "2031-02-04T08:00:00.000Z" });
  });

  it("raises sequence on a change of time, place or status, and on no other", async () => {
    const { body } = await api.post(EVENTS, { title: "Sequence", start: "2031-02-10T09:00:00Z" });
    const path = `${EVENTS}/${body.id}`;
    const sequenceAfter = async (change: object) => (await api.patch(path, change)).body.sequence;
    expect(await sequenceAfter({ title: "Sequenced", notes: "mine", description: "d" })).toBe(0);
    expect(await sequenceAfter({ location: "Room 4" })).toBe(1);
    expect(await sequenceAfter({ meetingUrl: "https://meet.example.com/x" })).toBe(2);
    expect(await sequenceAfter({ end: "2031-02-10T10:00:00Z" })).toBe(3);
    expect(await sequenceAfter({ status: "tentative" })).toBe(4);
    expect(await sequenceAfter({ status: "tentative", location: "Room 4" })).toBe(4);
  });

  it("keeps its version when a change changes nothing", async () => {
    const { body } = await api.post(EVENTS, { title: "Same", start: "2031-02-11T09:00:00Z" });
    const again = await api.patch(`${EVENTS}/${body.id}`, { title: "Same", start: "2031-02-11T09:00:00Z" });
    expect(again.body).toEqual(body);
  });

  it("moves between its states, and a cancelled one can be revived", async () => {
    const { body } = await api.post(EVENTS, { title: "Moves", start: "2031-02-12T09:00:00Z", status: "tentative" });
    const path = `${EVENTS}/${body.id}`;
    for (const status of ["confirmed", "tentative", "confirmed", "cancelled"]) {
      expect((await api.patch(path, { status })).body.status).toBe(status);
    }
    expect((await api.patch(path, { status: "confirmed" })).body.status).toBe("confirmed");
    await api.patch(path, { status: "cancelled" });
    const booked = await api.post(EVENTS, { title: "B", start: "2031-02-12T11:00:00Z", bookingId: "states-bk" });
    await api.patch(`${EVENTS}/${booked.body.id}`, { status: "cancelled" });
    const refused = await api.patch(`${EVENTS}/${booked.body.id}`, { status: "confirmed" });
    expectProblem(refused, 409, "invalid_transition");
    expect(refused.body).toMatchObject({ from: "cancelled", to: "confirmed", allowed: [] });
    expect((await api.patch(path, { cancelReason: "Ill" })).body).toMatchObject({
      status: "cancelled",
      cancelReason: "Ill",
    });
  });

  it("is refused with every offending path", async () => {
    const answer = await api.post(EVENTS, {
      title: " ",
      start: "tomorrow",
      timeZone: "Mars/Base",
      attendees: [{ email: "x" }],
    });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      "attendees.0.email",
      "start",
      "timeZone",
      "title",
    ]);
  });

  it.each([
    [{ end: "2031-03-01T09:00:00Z" }, "end"],
    [{ end: "2031-03-01T08:00:00Z" }, "end"],
    [{ end: "2037-03-01T08:00:00Z" }, "end"],
    [{ end: "2031-03-01T10:00:00Z", durationMinutes: 30 }, "durationMinutes"],
    [{ durationMinutes: 0 }, "durationMinutes"],
    [{ start: "2031-03-01" }, "start"],
    [{ start: "0031-03-01T09:00:00Z" }, "start"],
    [{ timeZone: "+02:00" }, "timeZone"],
    [{ source: "bookingsvc" }, "bookingId"],
    [{ meetingUrl: "javascript:alert(1)" }, "meetingUrl"],
    [{ exdates: ["2031-03-01T09:00:00Z"] }, "exdates"],
  ])("with %j is refused at %s", async (wrong, path) => {
    const answer = await api.post(EVENTS, { title: "Wrong", start: "2031-03-01T09:00:00Z", ...wrong });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe(path);
  });

  it("is not changed by a body that names nothing", async () => {
    const { body } = await api.post(EVENTS, { title: "Nothing", start: "2031-03-05T09:00:00Z" });
    expectProblem(await api.patch(`${EVENTS}/${body.id}`, {}), 422, "nothing_to_update");
  });

  it("is written over only at the version the client read", async () => {
    const { body } = await api.post(EVENTS, { title: "Versions", start: "2031-03-06T09:00:00Z" });
    const path = `${EVENTS}/${body.id}`;
    const headers = { "if-match": '"1"' };
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((title) => api.call("PATCH", path, { body: { title }, headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    expectProblem(await api.delete(path, { headers }), 412, "version_conflict");
    expect((await api.delete(path, { headers: { "if-match": '"2"' } })).status).toBe(204);
  });

  it("takes every one of ten parallel changes when nobody asks for a version", async () => {
    const { body } = await api.post(EVENTS, { title: "Crowd", start: "2031-03-07T09:00:00Z" });
    const path = `${EVENTS}/${body.id}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => api.patch(path, { notes: `note ${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await api.get(path)).body.version).toBe(11);
  });

  it("is created once when the request is repeated with its Idempotency-Key", async () => {
    const headers = { "idempotency-key": "calendar-once" };
    const body = { title: "Once", start: "2031-03-08T09:00:00Z" };
    const first = await api.call("POST", EVENTS, { body, headers });
    const second = await api.call("POST", EVENTS, { body, headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("an all-day event", () => {
  it("is a range of dates, the end exclusive, wherever it is", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Holiday",
      start: "2031-04-10",
      end: "2031-04-12",
      allDay: true,
      timeZone: "Pacific/Apia",
    });
    expect(body).toMatchObject({
      allDay: true,
      startDate: "2031-04-10",
      endDate: "2031-04-12",
      start: "2031-04-09T11:00:00.000Z",
      end: "2031-04-11T11:00:00.000Z",
    });
  });

  it("keeps its dates when its own answer is sent back", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Back",
      start: "2031-04-20",
      allDay: true,
      timeZone: "Asia/Kolkata",
    });
    const { start, end } = body;
    const again = await api.patch(`${EVENTS}/${body.id}`, { start, end, title: "Back again" });
    expect(again.body).toMatchObject({ startDate: "2031-04-20", endDate: "2031-04-21", sequence: 0 });
  });

  it("takes the date of a time as it is written", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Midnight",
      start: "2031-05-01T00:00:00Z",
      end: "2031-05-03T00:00:00Z",
      allDay: true,
      timeZone: "America/New_York",
    });
    expect(body).toMatchObject({ startDate: "2031-05-01", endDate: "2031-05-03", start: "2031-05-01T04:00:00.000Z" });
  });

  it("lasts 23 and 25 hours over the clock changes, and a day by default", async () => {
    const hours = async (start: string) => {
      const { body } = await api.post(EVENTS, { title: "Switch", start, allDay: true, timeZone: "Europe/Berlin" });
      return (Date.parse(body.end) - Date.parse(body.start)) / 3_600_000;
    };
    expect(await hours("2031-03-30")).toBe(23);
    expect(await hours("2031-10-26")).toBe(25);
  });

  it("becomes a timed one only with a time, and a timed one becomes its day", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Turns",
      start: "2031-06-01T22:30:00Z",
      timeZone: "Europe/Berlin",
    });
    const path = `${EVENTS}/${body.id}`;
    expect((await api.patch(path, { allDay: true })).body).toMatchObject({
      startDate: "2031-06-02",
      endDate: "2031-06-03",
    });
    expectProblem(await api.patch(path, { allDay: false }), 422, "validation_failed");
    const timed = await api.patch(path, { allDay: false, start: "2031-06-02T08:00:00+02:00" });
    expect(timed.body).toMatchObject({
      startDate: null,
      start: "2031-06-02T06:00:00.000Z",
      end: "2031-06-02T06:30:00.000Z",
    });
  });

  it.each([
    ["2031-07-03T12:00:00", "2031-07-04"],
    ["2031-07-04T00:00:00", "2031-07-04"],
  ])("has every day that the timed one until %s had a part in", async (end, endDate) => {
    const trip = { title: "Trip", start: "2031-07-01T10:00:00", end, timeZone: "Europe/Berlin" };
    const { body } = await api.post(EVENTS, trip);
    const days = await api.patch(`${EVENTS}/${body.id}`, { allDay: true });
    expect(days.body).toMatchObject({ startDate: "2031-07-01", endDate });
  });

  it("of a whole day is free unless the body says otherwise", async () => {
    const birthday = { title: "Birthday", start: "2056-02-01", allDay: true };
    expect((await api.post(EVENTS, birthday)).body).toMatchObject({ busy: false, conflicts: [] });
    expect((await api.post(EVENTS, { ...birthday, busy: true })).body).toMatchObject({ busy: true });
    expect((await api.post(EVENTS, { title: "Call", start: "2056-02-01T10:00:00Z" })).body).toMatchObject({
      busy: true,
    });
  });
});
