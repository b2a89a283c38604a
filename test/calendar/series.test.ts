import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";

const api = service();
const EVENTS = "/api/calendar/events";

interface Item {
  id: number;
  title: string;
  start: string;
  originalStart: string | null;
  status: string;
}

async function list(start: string, end: string): Promise<Item[]> {
  return (await api.get(`${EVENTS}?start=${start}T00:00:00Z&end=${end}T00:00:00Z&limit=100`)).body.data;
}
const starts = (items: Item[]) => items.map(({ start }) => start);

describe("a series", () => {
  it("keeps to the clock of its zone over both clock changes", async () => {
    const make = (timeZone: string, start: string) =>
      api.post(EVENTS, { title: timeZone, start, timeZone, rrule: "FREQ=WEEKLY;UNTIL=20341231" });
    await make("Europe/Berlin", "2034-03-20T09:00:00");
    expect(starts(await list("2034-03-20", "2034-04-01"))).toEqual([
      "2034-03-20T08:00:00.000Z",
      "2034-03-27T07:00:00.000Z",
    ]);
    expect(starts(await list("2034-10-23", "2034-11-01"))).toEqual([
      "2034-10-23T07:00:00.000Z",
      "2034-10-30T08:00:00.000Z",
    ]);
  });

  it("is shown as occurrences that know their series", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Class",
      start: "2035-01-01T10:00:00Z",
      durationMinutes: 60,
      rrule: "RRULE:freq=weekly;byday=MO,WE;count=4",
      exdates: ["2035-01-03T10:00:00Z"],
    });
    expect(body).toMatchObject({ rrule: "FREQ=WEEKLY;COUNT=4;BYDAY=MO,WE", exdates: ["2035-01-03T10:00:00.000Z"] });
    const items = await list("2035-01-01", "2035-02-01");
    expect(starts(items)).toEqual(["2035-01-01T10:00:00.000Z", "2035-01-08T10:00:00.000Z", "2035-01-10T10:00:00.000Z"]);
    expect(items[1]).toMatchObject({
      id: body.id,
      recurringEventId: body.id,
      originalStart: "2035-01-08T10:00:00.000Z",
      end: "2035-01-08T11:00:00.000Z",
      rrule: null,
    });
    const one = await api.get(`${EVENTS}/${body.id}?occurrence=2035-01-08T11:00:00%2B01:00`);
    expect(one.body).toEqual(items[1]);
    expectProblem(await api.get(`${EVENTS}/${body.id}?occurrence=2035-01-03T10:00:00Z`), 404, "not_found");
    expectProblem(await api.get(`${EVENTS}/${body.id}?occurrence=2035-01-02T10:00:00Z`), 404, "not_found");
  });

  it("of all-day events is of dates", async () => {
    await api.post(EVENTS, {
      title: "Rent",
      start: "2035-03-31",
      allDay: true,
      timeZone: "America/New_York",
      rrule: "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3",
    });
    const items = await list("2035-03-30", "2035-06-10");
    expect(items.map((item) => item)).toMatchObject([
      { startDate: "2035-03-31", endDate: "2035-04-01" },
      { startDate: "2035-04-30", endDate: "2035-05-01" },
      { startDate: "2035-05-31", endDate: "2035-06-01" },
    ]);
  });

  it.each([
    "FREQ=SECONDLY",
    "FREQ=MINUTELY;INTERVAL=5",
    "FREQ=DAILY;BYHOUR=9,10,11,12,13;BYMINUTE=0,10,20,30,40,50",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1",
    "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=30;UNTIL=99991231T000000Z",
    "FREQ=WEEKLY;BYMONTHDAY=1;UNTIL=99991231T000000Z",
    "FREQ=DAILY;COUNT=5000",
    "FREQ=DAILY;COUNT=0",
    "FREQ=DAILY;UNTIL=20340101T000000Z",
    "FREQ=DAILY;COUNT=3;UNTIL=20370101T000000Z",
    "FREQ=SOMETIMES",
    "every monday",
  ])("with the rule %s is refused", async (rrule) => {
    const answer = await api.post(EVENTS, { title: "Wrong", start: "2035-07-01T09:00:00Z", rrule });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe("rrule");
  });

  it("has one occurrence moved, and moved again, as an event of its own", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Weekly",
      start: "2036-01-07T09:00:00Z",
      rrule: "FREQ=WEEKLY;COUNT=4",
    });
    const path = `${EVENTS}/${body.id}?occurrence=2036-01-14T09:00:00Z`;
    const moved = await api.patch(path, { start: "2036-01-15T15:00:00Z", title: "Moved" });
    expect(moved.body).toMatchObject({
      recurringEventId: body.id,
      originalStart: "2036-01-14T09:00:00.000Z",
      start: "2036-01-15T15:00:00.000Z",
      end: "2036-01-15T15:30:00.000Z",
      conflicts: [],
    });
    expect(moved.body.id).not.toBe(body.id);
    const again = await api.patch(path, { location: "Room 9" });
    expect(again.body).toMatchObject({ id: moved.body.id, title: "Moved", location: "Room 9" });
    const items = await list("2036-01-01", "2036-02-01");
    expect(items.map(({ id, title }) => [id === body.id, title])).toEqual([
      [true, "Weekly"],
      [false, "Moved"],
      [true, "Weekly"],
      [true, "Weekly"],
    ]);
    expectProblem(await api.patch(path, { rrule: "FREQ=DAILY" }), 422, "validation_failed");
  });

  it("gets one row for an occurrence that several edit at once", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Race",
      start: "2036-03-03T09:00:00Z",
      rrule: "FREQ=WEEKLY;COUNT=3",
    });
    const path = `${EVENTS}/${body.id}?occurrence=2036-03-10T09:00:00Z`;
    const answers = await Promise.all(["a", "b", "c", "d"].map((title) => api.patch(path, { title })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await list("2036-03-01", "2036-04-01")).toHaveLength(3);
  });

  it("loses one occurrence, edited or not, and then all", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Shrinks",
      start: "2036-05-05T09:00:00Z",
      rrule: "FREQ=WEEKLY;COUNT=4",
    });
    const path = `${EVENTS}/${body.id}`;
    const edited = await api.patch(`${path}?occurrence=2036-05-19T09:00:00Z`, { title: "Edited" });
    expect((await api.delete(`${path}?occurrence=2036-05-12T09:00:00Z`)).status).toBe(204);
    expectProblem(await api.delete(`${path}?occurrence=2036-05-12T09:00:00Z`), 404, "not_found");
    expect(starts(await list("2036-05-01", "2036-06-01"))).toEqual([
      "2036-05-05T09:00:00.000Z",
      "2036-05-19T09:00:00.000Z",
      "2036-05-26T09:00:00.000Z",
    ]);
    expect((await api.delete(`${EVENTS}/${edited.body.id}`)).status).toBe(204);
    expect((await api.get(path)).body.exdates).toEqual(["2036-05-12T09:00:00.000Z", "2036-05-19T09:00:00.000Z"]);
    expect(await list("2036-05-01", "2036-06-01")).toHaveLength(2);
    expect((await api.delete(path)).status).toBe(204);
    expect(await list("2036-05-01", "2036-06-01")).toEqual([]);
  });

  it("keeps an occurrence that was edited since somebody read it as part of the series", async () => {
    const { body } = await api.post(EVENTS, {
      title: "First",
      start: "2036-08-04T09:00:00Z",
      rrule: "FREQ=DAILY;COUNT=3",
    });
    const path = `${EVENTS}/${body.id}?occurrence=2036-08-05T09:00:00Z`;
    const headers = { "if-match": (await api.get(path)).headers.get("etag") ?? "" };
    await api.patch(path, { title: "Edited" });
    expectProblem(await api.patch(path, { title: "Unseen" }, { headers }), 412, "version_conflict");
    expect((await api.get(path)).body.title).toBe("Edited");
  });

  it("keeps an occurrence that was edited since the one who deletes it read it", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Read",
      start: "2036-07-07T09:00:00Z",
      rrule: "FREQ=DAILY;COUNT=3",
    });
    const { body: edited } = await api.patch(`${EVENTS}/${body.id}?occurrence=2036-07-08T09:00:00Z`, {
      title: "Edited",
    });
    const path = `${EVENTS}/${edited.id}`;
    const DB = interruptBatch(env.DB, 1, () => api.patch(path, { title: "Edited again" }));
    const answer = await service({ DB }).delete(path, { headers: { "if-match": `"${edited.version}"` } });
    expectProblem(answer, 412, "version_conflict");
    expect((await api.get(path)).body.title).toBe("Edited again");
  });

  it("is 404 to who edits an occurrence while all of it is deleted", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Gone",
      start: "2036-08-04T09:00:00Z",
      rrule: "FREQ=DAILY;COUNT=3",
    });
    const DB = interruptBatch(env.DB, 1, () => api.delete(`${EVENTS}/${body.id}`));
    const path = `${EVENTS}/${body.id}?occurrence=2036-08-05T09:00:00Z`;
    expectProblem(await service({ DB }).patch(path, { title: "Late" }), 404, "not_found");
  });

  it("takes its exceptions along when all of it moves, by an hour or by a day", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Moves",
      start: "2036-09-07T09:00:00",
      timeZone: "Europe/Berlin",
      rrule: "FREQ=DAILY;COUNT=5",
      exdates: ["2036-09-09T09:00:00"],
    });
    const path = `${EVENTS}/${body.id}`;
    await api.patch(`${path}?occurrence=2036-09-08T07:00:00Z`, { title: "Edited 2" });
    await api.patch(`${path}?occurrence=2036-09-10T07:00:00Z`, { title: "Edited 4" });
    await api.patch(path, { start: "2036-09-08T10:00:00", title: "Moved" });
    const items = await list("2036-09-01", "2036-10-01");
    expect(items.map(({ title, start, originalStart }) => [title, start, originalStart])).toEqual([
      ["Moved", "2036-09-08T08:00:00.000Z", "2036-09-08T08:00:00.000Z"],
      ["Edited 2", "2036-09-09T08:00:00.000Z", "2036-09-09T08:00:00.000Z"],
      ["Edited 4", "2036-09-11T08:00:00.000Z", "2036-09-11T08:00:00.000Z"],
      ["Moved", "2036-09-12T08:00:00.000Z", "2036-09-12T08:00:00.000Z"],
    ]);
    expect((await api.patch(path, { rrule: "FREQ=DAILY;COUNT=2" })).status).toBe(200);
    expect((await list("2036-09-01", "2036-10-01")).map(({ title }) => title)).toEqual(["Moved", "Edited 2"]);
    expect((await api.patch(path, { rrule: null })).body).toMatchObject({ rrule: null, exdates: [] });
    expect(await list("2036-09-01", "2036-10-01")).toHaveLength(1);
  });

  it.each([
    ["by an hour", { start: "2038-05-03T10:00:00Z" }, "2038-05-07T10:00:00.000Z", "20380507T100000Z"],
    ["beyond where it ended", { start: "2038-06-03T09:00:00Z" }, "2038-06-07T09:00:00.000Z", "20380607T090000Z"],
    ["onto whole days", { allDay: true }, "2038-05-07T00:00:00.000Z", "20380507"],
  ])("that moves %s ends with the occurrence it ended with", async (_, change, last, until) => {
    const day = { title: "Until", start: "2038-05-03T09:00:00Z", rrule: "FREQ=DAILY;UNTIL=20380507T090000Z" };
    const { body } = await api.post(EVENTS, day);
    const moved = await api.patch(`${EVENTS}/${body.id}`, change);
    expect([moved.status, moved.body.rrule]).toEqual([200, `FREQ=DAILY;UNTIL=${until}`]);
    const shown = starts((await list("2038-05-01", "2038-07-01")).filter(({ id }) => id === body.id));
    expect([shown.length, shown.at(-1)]).toEqual([5, last]);
  });

  it("leaves out an edited occurrence that its `exdates` come to name", async () => {
    const start = "2039-02-01T10:00:00Z";
    const { body } = await api.post(EVENTS, { title: "Left out", start, rrule: "FREQ=DAILY;COUNT=3" });
    const path = `${EVENTS}/${body.id}`;
    const edited = await api.patch(`${path}?occurrence=2039-02-02T10:00:00Z`, { title: "Edited" });
    await api.patch(path, { exdates: ["2039-02-02T10:00:00Z"] });
    expect(starts(await list("2039-02-01", "2039-02-10"))).toEqual([
      "2039-02-01T10:00:00.000Z",
      "2039-02-03T10:00:00.000Z",
    ]);
    expectProblem(await api.get(`${EVENTS}/${edited.body.id}`), 404, "not_found");
  });

  it("moves an edited occurrence of whole days by days, and leaves one where a person put it", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Days",
      start: "2037-10-19",
      allDay: true,
      timeZone: "Europe/Berlin",
      rrule: "FREQ=WEEKLY;COUNT=3",
    });
    const path = `${EVENTS}/${body.id}`;
    const [, second, third] = await list("2037-10-18", "2037-11-10");
    const long = await api.patch(`${path}?occurrence=${second?.originalStart}`, { end: "2037-10-28" });
    await api.patch(`${path}?occurrence=${third?.originalStart}`, { start: "2037-11-05" });
    await api.patch(path, { start: "2037-10-18" });
    expect(await list("2037-10-15", "2037-11-10")).toMatchObject([
      { startDate: "2037-10-18", endDate: "2037-10-19" },
      // The clocks change on that day, which has 25 hours.
      { id: long.body.id, startDate: "2037-10-25", endDate: "2037-10-27", end: "2037-10-26T23:00:00.000Z", version: 3 },
      { startDate: "2037-11-05", endDate: "2037-11-06", originalStart: "2037-10-31T23:00:00.000Z" },
    ]);
  });

  it("moves an occurrence as it is by then, though it was edited meanwhile", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Race",
      start: "2037-12-01T09:00:00Z",
      rrule: "FREQ=DAILY;COUNT=3",
    });
    const path = `${EVENTS}/${body.id}`;
    const { body: edited } = await api.patch(`${path}?occurrence=2037-12-02T09:00:00Z`, { title: "Edited" });
    const DB = interruptBatch(env.DB, 1, () => api.patch(`${EVENTS}/${edited.id}`, { durationMinutes: 90 }));
    await service({ DB }).patch(path, { start: "2037-12-01T11:00:00Z" });
    expect((await api.get(`${EVENTS}/${edited.id}`)).body).toMatchObject({
      start: "2037-12-02T11:00:00.000Z",
      end: "2037-12-02T12:30:00.000Z",
      originalStart: "2037-12-02T11:00:00.000Z",
    });
  });

  it("is cancelled as a whole, edited occurrences with it, and then blocks nothing", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Ends",
      start: "2036-11-03T09:00:00Z",
      rrule: "FREQ=DAILY;COUNT=3",
    });
    await api.patch(`${EVENTS}/${body.id}?occurrence=2036-11-04T09:00:00Z`, { title: "Edited" });
    await api.patch(`${EVENTS}/${body.id}`, { status: "cancelled" });
    const items = await list("2036-11-01", "2036-12-01");
    expect(items.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    const { body: busy } = await api.get("/api/calendar/freebusy?start=2036-11-01T00:00:00Z&end=2036-12-01T00:00:00Z");
    expect(busy.busy).toEqual([]);
  });
});
