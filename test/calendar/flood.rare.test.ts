import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";

const api = service();
const YEAR = "start=2061-01-01T00:00:00Z&end=2062-01-01T00:00:00Z";

describe("with many series that recur every hour since 1901", () => {
  beforeAll(async () => {
    await emptyService();
    const series = { title: "Flood", start: "1901-01-01T00:00:00", timeZone: "Europe/Berlin", rrule: "FREQ=HOURLY" };
    for (let index = 0; index < 21; index++) {
      expect((await api.post("/api/calendar/events", { ...series, durationMinutes: 5 })).status).toBe(201);
    }
  });
  // They take place in the time of every other test too.
  afterAll(async () => void (await env.DB.prepare("DELETE FROM events WHERE title = 'Flood'").run()));

  it("busy time and free slots are refused for a range with too many occurrences, and given for a shorter one", async () => {
    for (const path of [`freebusy?${YEAR}`, "slots?start=2061-01-01T00:00:00Z&end=2061-02-01T00:00:00Z"]) {
      const refused = await api.get(`/api/calendar/${path}`);
      expectProblem(refused, 422, "validation_failed");
      expect(refused.body.errors).toEqual([{ path: "end", message: expect.stringContaining("closer to start") }]);
    }
    const week = await api.get("/api/calendar/freebusy?start=2061-01-01T00:00:00Z&end=2061-01-08T00:00:00Z");
    expect(week.body.busy).toHaveLength(7 * 24);
    expect((await api.get("/api/calendar/slots?start=2061-01-03T00:00:00Z")).body.slots.length).toBeGreaterThan(0);
  });

  it("a page of a year's list is still read", async () => {
    const { status, body } = await api.get(`/api/calendar/events?${YEAR}&limit=100`);
    expect({ status, count: body.data.length }).toEqual({ status: 200, count: 100 });
  });

  it("the figures stop counting", async () => {
    const statistics = await api.get("/api/calendar/stats");
    expect(statistics.body.upcoming).toBeLessThanOrEqual(10_000);
    expect((await api.get("/api/stats")).status).toBe(200);
  });

  it("an event that must not conflict is compared with no more than that", async () => {
    const daily = { title: "Flood", start: "2061-01-01T00:00:00Z", rrule: "FREQ=DAILY", durationMinutes: 1 };
    const answer = await api.post("/api/calendar/events?onConflict=reject", daily);
    expectProblem(answer, 409, "time_conflict");
  });
});

describe("with many series that almost never occur", () => {
  const PATH = "/api/calendar/events?start=2061-03-01T00:00:00Z&end=2064-01-01T00:00:00Z";
  const MONTHS = "/api/calendar/events?start=2061-03-01T00:00:00Z&end=2061-06-01T00:00:00Z";

  beforeAll(async () => {
    await emptyService();
    // February 29 is looked for on each day from the range on.
    const rare = { start: "2060-02-29T09:00:00Z", durationMinutes: 5, rrule: "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29" };
    for (let index = 0; index < 130; index++) {
      expect((await api.post("/api/calendar/events", { title: "Rare", ...rare })).status).toBe(201);
    }
    const mine = { title: "Mine", start: "2061-05-02T09:00:00Z", durationMinutes: 30, rrule: "FREQ=WEEKLY;COUNT=3" };
    expect((await api.post("/api/calendar/events", mine)).status).toBe(201);
  });
  afterAll(async () => void (await env.DB.prepare("DELETE FROM events").run()));

  it("a range is given that has none of them, but the person's other events", async () => {
    const { status, body } = await api.get(MONTHS);
    expect({ status, titles: body.data.map(({ title }: { title: string }) => title) }).toEqual({
      status: 200,
      titles: ["Mine", "Mine", "Mine"],
    });
  });

  it("the list is refused if they are the person's own, and given if they are strangers' invitations", async () => {
    expectProblem(await api.get(PATH), 422, "validation_failed");
    await env.DB.prepare("UPDATE events SET awaits_answer = 1, busy = 0 WHERE title = 'Rare'").run();
    const { status, body } = await api.get(PATH);
    expect({ status, titles: body.data.map(({ title }: { title: string }) => title) }).toEqual({
      status: 200,
      titles: ["Mine", "Mine", "Mine"],
    });
    // It says which of them it did not follow to the end.
    const { results } = await env.DB.prepare("SELECT id FROM events WHERE title = 'Rare'").all<{ id: number }>();
    expect(body.unexpanded.length).toBeGreaterThan(0);
    expect(results.map(({ id }) => id)).toEqual(expect.arrayContaining(body.unexpanded));
  });
});
