import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freeSlots } from "../../src/features/calendar/free-time/service.ts";
import { offsetAt, startOfDate, toInstant, toWall, weekdayOf } from "../../src/lib/time-zone.ts";
import { service, systemCtx } from "../harness.ts";

const api = service();
const HOUR = 3_600_000;
const wall = (text: string) => Date.parse(`${text}Z`);
const utc = (instant: number) => new Date(instant).toISOString();

describe("wall time", () => {
  it.each([
    ["Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T01:30:00.000Z", "skipped in spring: after the gap"],
    ["Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00.000Z", "twice in autumn: the first"],
    ["America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:30:00.000Z", "skipped in spring: after the gap"],
    ["America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00.000Z", "twice in autumn: the first"],
    ["Asia/Kolkata", "2026-06-01T09:00:00", "2026-06-01T03:30:00.000Z", "half an hour off, never changed"],
    ["Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T22:00:00.000Z", "a day that never was: as far into the next"],
    ["Pacific/Apia", "2011-12-31T12:00:00", "2011-12-30T22:00:00.000Z", "the day after it"],
    ["Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-03T15:45:00.000Z", "half an hour skipped"],
  ])("%s %s is %s (%s)", (zone, local, instant) => {
    expect(utc(toInstant(zone, wall(local)))).toBe(instant);
  });

  it("starts a day with its first moment, which is not always midnight", () => {
    expect(utc(startOfDate("America/Santiago", "2026-09-06"))).toBe("2026-09-06T04:00:00.000Z");
    expect(toWall("America/Santiago", startOfDate("America/Santiago", "2026-09-06"))).toBe(wall("2026-09-06T01:00:00"));
    expect(startOfDate("Pacific/Apia", "2011-12-30")).toBe(startOfDate("Pacific/Apia", "2011-12-31"));
    expect(weekdayOf(wall("2026-11-15T12:00:00"))).toBe(7);
  });

  it("comes back from any moment, but for the hour that is there twice", () => {
    const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "UTC"];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) }),
        (zone, instant) => {
          const back = toInstant(zone, toWall(zone, instant));
          expect(toWall(zone, back)).toBe(toWall(zone, instant));
          expect(back).toBeLessThanOrEqual(instant);
          expect(Math.abs(offsetAt(zone, instant))).toBeLessThanOrEqual(14 * HOUR);
        },
      ),
    );
  });
});

interface Slot {
  start: string;
  end: string;
}

async function slots(query: string): Promise<Slot[]> {
  return (await api.get(`/api/calendar/slots?${query}`)).body.slots;
}

describe("free slots", () => {
  it.each([
    ["Europe/Berlin", "2044-03-25", "2044-03-29", "2044-03-25T08:00:00.000Z", "2044-03-28T07:00:00.000Z"],
    ["Europe/Berlin", "2044-10-28", "2044-11-01", "2044-10-28T07:00:00.000Z", "2044-10-31T08:00:00.000Z"],
    ["America/New_York", "2044-03-11", "2044-03-15", "2044-03-11T14:00:00.000Z", "2044-03-14T13:00:00.000Z"],
    ["America/New_York", "2044-11-04", "2044-11-08", "2044-11-04T13:00:00.000Z", "2044-11-07T14:00:00.000Z"],
    ["Asia/Kolkata", "2044-06-03", "2044-06-07", "2044-06-03T03:30:00.000Z", "2044-06-06T03:30:00.000Z"],
    ["Pacific/Apia", "2044-06-02", "2044-06-07", "2044-06-02T20:00:00.000Z", "2044-06-05T20:00:00.000Z"],
  ])("in %s begin at nine on Friday and Monday around %s", async (timeZone, start, end, friday, monday) => {
    const found = await slots(`start=${start}T00:00:00Z&end=${end}T00:00:00Z&timeZone=${timeZone}&durationMinutes=60`);
    const times = found.map((slot) => slot.start);
    expect(times).toContain(friday);
    expect(times).toContain(monday);
    const clocks = times.map((time) => (toWall(timeZone, Date.parse(time)) % (24 * HOUR)) / HOUR);
    expect(Math.min(...clocks)).toBe(9);
    expect(Math.max(...clocks)).toBe(16);
    const weekdays = times.map((time) => weekdayOf(toWall(timeZone, Date.parse(time))));
    expect(weekdays.every((day) => day <= 5)).toBe(true);
  });

  it("lie between events and occurrences, on quarters of an hour", async () => {
    const make = (start: string, end: string, more = {}) =>
      api.post("/api/calendar/events", {
        title: "Busy",
        start: `2045-05-01T${start}Z`,
        end: `2045-05-01T${end}Z`,
        ...more,
      });
    await make("09:00:00", "10:07:00");
    await make("12:00:00", "13:00:00", { status: "cancelled" });
    await make("13:00:00", "16:10:00", { rrule: "FREQ=DAILY;COUNT=2" });
    await make("11:00:00", "11:30:00", { busy: false });
    const found = await slots("start=2045-05-01T00:00:00Z&end=2045-05-02T00:00:00Z&durationMinutes=45");
    expect(found.map(({ start, end }) => `${start.slice(11, 16)}–${end.slice(11, 16)}`)).toEqual([
      "10:15–11:00",
      "11:00–11:45",
      "11:45–12:30",
      "16:15–17:00",
    ]);
    const { body } = await api.get("/api/calendar/freebusy?start=2045-05-01T10:00:00Z&end=2045-05-02T14:00:00Z");
    expect(body.busy).toEqual([
      { start: "2045-05-01T10:00:00.000Z", end: "2045-05-01T10:07:00.000Z" },
      { start: "2045-05-01T13:00:00.000Z", end: "2045-05-01T16:10:00.000Z" },
      { start: "2045-05-02T13:00:00.000Z", end: "2045-05-02T14:00:00.000Z" },
    ]);
  });

  it("begin no earlier than now, on the next quarter of an hour, and there are none in the past", async () => {
    const now = new Date("2044-05-02T10:07:00Z");
    const ctx = { ...systemCtx(), now };
    const from = async (start: string, end: string) =>
      (
        await freeSlots(ctx, { start: new Date(start), end: new Date(end), durationMinutes: 120, timeZone: "UTC" })
      ).slots.map((slot) => slot.start);
    expect(await from("2044-05-02T00:00:00Z", "2044-05-03T00:00:00Z")).toEqual([
      "2044-05-02T10:15:00.000Z",
      "2044-05-02T12:15:00.000Z",
      "2044-05-02T14:15:00.000Z",
    ]);
    expect(await from("2044-04-25T00:00:00Z", "2044-04-30T00:00:00Z")).toEqual([]);
  });

  it("and busy time are asked for within bounds", async () => {
    const wrong = [
      "slots?start=2045-01-01T00:00:00Z&end=2045-03-01T00:00:00Z",
      "slots?durationMinutes=4",
      "slots?timeZone=Mars",
      "slots?start=2045-01-02T00:00:00Z&end=2045-01-01T00:00:00Z",
      "freebusy?start=2045-01-01T00:00:00Z",
      "freebusy?start=2045-01-01T00:00:00Z&end=2047-01-01T00:00:00Z",
    ];
    for (const query of wrong) expect((await api.get(`/api/calendar/${query}`)).status).toBe(422);
    expect((await api.get("/api/calendar/slots")).status).toBe(200);
  });

  it("merges what overlaps and what touches", async () => {
    for (const [start, minutes] of [
      ["09:00", 60],
      ["09:30", 60],
      ["10:30", 30],
      ["12:00", 30],
    ] as const) {
      await api.post("/api/calendar/events", {
        title: "m",
        start: `2045-06-01T${start}:00Z`,
        durationMinutes: minutes,
      });
    }
    const { body } = await api.get("/api/calendar/freebusy?start=2045-06-01T00:00:00Z&end=2045-06-02T00:00:00Z");
    expect(body.busy).toEqual([
      { start: "2045-06-01T09:00:00.000Z", end: "2045-06-01T11:00:00.000Z" },
      { start: "2045-06-01T12:00:00.000Z", end: "2045-06-01T12:30:00.000Z" },
    ]);
  });
});
