import { describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";

const api = service();
const EVENTS = "/api/calendar/events";

async function titles(query: string): Promise<string[]> {
  const { body } = await api.get(`${EVENTS}?${query}`);
  return body.data.map(({ title }: { title: string }) => title);
}

describe("the list", () => {
  it("has what overlaps the half-open range, and nothing that only touches it", async () => {
    const make = (title: string, start: string, end: string) =>
      api.post(EVENTS, { title, start: `2032-01-${start}Z`, end: `2032-01-${end}Z` });
    await make("ends at the start", "05T08:00:00", "05T09:00:00");
    await make("reaches in", "05T08:30:00", "05T09:00:01");
    await make("inside", "05T09:30:00", "05T10:00:00");
    await make("reaches out", "05T11:59:00", "05T13:00:00");
    await make("starts at the end", "05T12:00:00", "05T13:00:00");
    await make("around", "01T00:00:00", "20T00:00:00");
    expect(await titles("start=2032-01-05T09:00:00Z&end=2032-01-05T12:00:00Z")).toEqual([
      "around",
      "reaches in",
      "inside",
      "reaches out",
    ]);
    expect(await titles("start=2032-01-05&end=2032-01-06")).toHaveLength(6);
    expect(await titles("start=2032-01-05T10:00:00%2B01:00&end=2032-01-05T13:00:00%2B01:00")).toHaveLength(4);
  });

  it("filters by lists of status and source", async () => {
    const range = "start=2032-02-01T00:00:00Z&end=2032-03-01T00:00:00Z";
    await api.post(EVENTS, { title: "a", start: "2032-02-02T09:00:00Z", status: "tentative", source: "chat" });
    await api.post(EVENTS, { title: "b", start: "2032-02-03T09:00:00Z", status: "cancelled", source: "workflow" });
    await api.post(EVENTS, { title: "c", start: "2032-02-04T09:00:00Z", bookingId: "list-c" });
    expect(await titles(`${range}&status=tentative,cancelled`)).toEqual(["a", "b"]);
    expect(await titles(`${range}&source=bookingsvc`)).toEqual(["c"]);
    expect(await titles(`${range}&source=chat, workflow&status=cancelled`)).toEqual(["b"]);
    for (const wrong of ["status=late", "source=", "limit=0", "limit=101", "start=today"]) {
      expectProblem(await api.get(`${EVENTS}?${wrong}`), 422, "validation_failed");
    }
    expectProblem(
      await api.get(`${EVENTS}?start=2032-02-02T00:00:00Z&end=2032-02-02T00:00:00Z`),
      422,
      "validation_failed",
    );
    expectProblem(await api.get(`${EVENTS}?cursor=made.up`), 422, "invalid_cursor");
  });

  it("pages through single events and occurrences without a gap or a repetition", async () => {
    for (let day = 1; day <= 9; day++) {
      await api.post(EVENTS, { title: `single ${day}`, start: `2032-05-0${day}T09:00:00Z` });
    }
    await api.post(EVENTS, {
      title: "daily",
      start: "2032-04-01T09:00:00Z",
      rrule: "FREQ=DAILY;UNTIL=20320620T090000Z",
    });
    await api.post(EVENTS, {
      title: "long",
      start: "2032-04-28T00:00:00Z",
      durationMinutes: 5 * 1440,
      rrule: "FREQ=MONTHLY;COUNT=2",
    });
    const range = "start=2032-05-01T00:00:00Z&end=2032-05-10T00:00:00Z";
    const whole = (await api.get(`${EVENTS}?${range}&limit=100`)).body.data;
    expect(whole).toHaveLength(9 + 9 + 1);
    for (const limit of [1, 2, 5, 18, 19]) {
      const paged: unknown[] = [];
      let cursor = "";
      do {
        const { body } = await api.get(`${EVENTS}?${range}&limit=${limit}${cursor}`);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        paged.push(...body.data);
        cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
      } while (cursor);
      expect(paged).toEqual(whole);
    }
  });

  it("shows a series once, as itself, when the range is open", async () => {
    await api.post(EVENTS, { title: "for ever", start: "2900-01-01T09:00:00Z", rrule: "FREQ=DAILY" });
    const { body } = await api.get(`${EVENTS}?start=2900-01-01T00:00:00Z`);
    const own = body.data.filter(({ title }: { title: string }) => title === "for ever");
    expect(own).toMatchObject([{ rrule: "FREQ=DAILY", recurringEventId: null, originalStart: null }]);
  });
});

describe("what comes next", () => {
  it("begins with what is running, leaves out what is cancelled or over, and ends with the days", async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const make = (title: string, start: number, end: number, more = {}) =>
      api.post(EVENTS, { title, start: at(start), end: at(end), ...more });
    await make("next-over", -60, -1);
    await make("next-running", -60, 60);
    await make("next-soon", 30, 60);
    await make("next-cancelled", 40, 60, { status: "cancelled" });
    await make("next-far", 3 * 1440, 3 * 1440 + 30);
    const { body } = await api.get("/api/calendar/upcoming?days=2&limit=100");
    const shown = body.data
      .map(({ title }: { title: string }) => title)
      .filter((title: string) => title.startsWith("next-"));
    expect(shown).toEqual(["next-running", "next-soon"]);
    expect((await api.get("/api/calendar/upcoming?limit=1")).body.data).toHaveLength(1);
    expectProblem(await api.get("/api/calendar/upcoming?days=0"), 422, "validation_failed");
  });
});

describe("statistics", () => {
  it("count every kind, the hours of two weeks, and the days ahead", async () => {
    await emptyService();
    const before = (await api.get("/api/calendar/stats?timeZone=Europe/Berlin")).body;
    expect(before.perDay).toHaveLength(14);
    const { date } = before.perDay[3];
    const start = `${date}T10:00:00`;
    const one = await api.post(EVENTS, { title: "s", start, durationMinutes: 90, timeZone: "Europe/Berlin" });
    await api.post(EVENTS, { title: "s", start, durationMinutes: 60, timeZone: "Europe/Berlin", source: "chat" });
    await api.post(EVENTS, { title: "s", start, status: "cancelled", timeZone: "Europe/Berlin" });
    const after = (await api.get("/api/calendar/stats?timeZone=Europe/Berlin")).body;
    expect(after.total - before.total).toBe(3);
    expect(after.upcoming - before.upcoming).toBe(2);
    expect(after.bySource.chat - before.bySource.chat).toBe(1);
    expect(after.byStatus.cancelled - before.byStatus.cancelled).toBe(1);
    expect(after.perDay[3]).toEqual({ date, events: before.perDay[3].events + 2, hours: before.perDay[3].hours + 1.5 });
    expect(after.busiestDay).not.toBeNull();
    const hours = (stats: typeof after) => stats.hoursBooked.thisWeek + stats.hoursBooked.nextWeek;
    expect(hours(after) - hours(before)).toBeCloseTo(1.5);
    await api.delete(`${EVENTS}/${one.body.id}`);
    expect((await api.get("/api/calendar/stats")).body.total).toBe(after.total - 1);
    expectProblem(await api.get("/api/calendar/stats?timeZone=Nowhere"), 422, "validation_failed");
  });
});
