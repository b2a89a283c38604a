import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetFor, expand, occursAt, parseRule, RuleError } from "../../src/lib/recurrence.ts";
import { toInstant, toWall } from "../../src/lib/time-zone.ts";
import { times } from "../sampled.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function series(rule: string, start: string, zone = "Europe/Berlin", allDay = false) {
  const from = toInstant(zone, Date.parse(`${start}Z`));
  const frame = { start: from, end: from + (allDay ? DAY : HOUR), zone, allDay };
  return { ...frame, ...parseRule(rule, frame), except: [] };
}

function readings(rule: string, start: string, count: number, from?: string): string[] {
  const one = series(rule, start);
  const window = { start: from ? Date.parse(from) : one.start, end: Number.POSITIVE_INFINITY };
  return expand(one, window, { limit: count }).map((found) =>
    new Date(toWall(one.zone, found.start)).toISOString().slice(0, 16),
  );
}

describe("a rule", () => {
  it.each([
    ["FREQ=WEEKLY;BYDAY=MO,WE", "2026-01-06T09:00", ["2026-01-06", "2026-01-07", "2026-01-12"]],
    ["FREQ=MONTHLY", "2026-01-31T09:00", ["2026-01-31", "2026-03-31", "2026-05-31"]],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31T09:00", ["2026-01-31", "2026-02-28", "2026-03-31"]],
    ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-30T09:00", ["2026-01-30", "2026-02-27", "2026-03-31"]],
    ["FREQ=MONTHLY;BYDAY=2TU", "2026-01-13T09:00", ["2026-01-13", "2026-02-10", "2026-03-10"]],
    ["FREQ=YEARLY", "2024-02-29T09:00", ["2024-02-29", "2028-02-29", "2032-02-29"]],
    ["FREQ=YEARLY;BYMONTHDAY=13", "2026-03-13T09:00", ["2026-03-13", "2026-04-13", "2026-05-13"]],
    ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2026-11-26T09:00", ["2026-11-26", "2027-11-25", "2028-11-23"]],
  ])("%s from %s gives %j", (rule, start, days) => {
    expect(readings(rule, start, 3)).toEqual(days.map((day) => `${day}T09:00`));
  });

  it("reads an occurrence the clocks skip as RFC 5545 does, and never twice", () => {
    expect(readings("FREQ=DAILY", "2026-03-28T02:30", 3)).toEqual([
      "2026-03-28T02:30",
      "2026-03-29T03:30",
      "2026-03-30T02:30",
    ]);
    const hourly = series("FREQ=HOURLY", "2026-03-29T00:30");
    const starts = expand(hourly, { start: hourly.start, end: hourly.start + 6 * HOUR }).map(({ start }) => start);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it("ends with UNTIL, whichever way that is written", () => {
    for (const until of ["20260120", "20260120T080000Z", "20260120T090000"]) {
      expect(readings(`FREQ=WEEKLY;UNTIL=${until}`, "2026-01-06T09:00", 9)).toHaveLength(3);
    }
    expect(readings("FREQ=WEEKLY;UNTIL=20260120T075959Z", "2026-01-06T09:00", 9)).toHaveLength(2);
    expect(series("FREQ=WEEKLY;UNTIL=20260120T120000Z", "2026-01-06T00:00", "Asia/Tokyo", true).rrule).toBe(
      "FREQ=WEEKLY;UNTIL=20260120",
    );
  });

  it.each([
    "FREQ=MONTHLY;BYMONTHDAY=-1;BYDAY=FR",
    "FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=FR",
    "FREQ=MONTHLY;BYMONTHDAY=13,31;BYDAY=FR,SU",
    "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29;BYDAY=TU,TH,SA",
  ])("%s is the same in any window, whichever month it begins in", (rule) => {
    const one = series(rule, "2024-02-29T09:00");
    const all = expand(one, { start: one.start, end: Date.UTC(2060, 0) });
    expect(all.length).toBeGreaterThan(3);
    for (let month = 0; month < 400; month += 1) {
      const window = { start: Date.UTC(2024, 2 + month), end: Date.UTC(2024, 4 + month) };
      const inside = all.filter(({ start, end }) => end > window.start && start < window.end);
      expect(expand(one, window), new Date(window.start).toISOString()).toEqual(inside);
    }
  });

  it("that never matches again is refused instead of being followed for ever", () => {
    for (const rule of [
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
      "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
    ]) {
      expect(() => series(rule, "2026-01-01T09:00")).toThrow(RuleError);
    }
  });

  it.each([
    ["rare hours", "FREQ=HOURLY;COUNT=1000;BYMONTH=2;BYMONTHDAY=28;BYHOUR=3"],
    ["days far apart", "FREQ=DAILY;COUNT=1000;INTERVAL=1000"],
    ["weeks far apart", "FREQ=WEEKLY;COUNT=1000;INTERVAL=300"],
  ])("is not followed to its thousandth occurrence over %s", (_, rule) => {
    expect(() => series(rule, "2026-01-01T09:00")).toThrow("must have a smaller COUNT");
  });

  it.each([
    "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=1000",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE;COUNT=1000",
    "FREQ=MONTHLY;BYDAY=-1FR;COUNT=1000",
    "FREQ=YEARLY;COUNT=1000",
    "FREQ=HOURLY;COUNT=1000",
  ])("of a thousand occurrences as people want them is followed to its end: %s", (rule) => {
    expect(series(rule, "2026-01-01T09:00").until).toBeGreaterThan(0);
  });

  it("that lists thousands of days is refused unread", () => {
    const rule = `FREQ=MONTHLY;BYDAY=MO;BYSETPOS=${Array(3000).fill(366).join(",")}`;
    expect(() => series(rule, "2026-01-01T09:00")).toThrow("at most 2000 characters");
  });

  it("costs a window no more for having begun long ago", () => {
    const left = (start: string) => {
      const budget = budgetFor(1000);
      expand(series("FREQ=HOURLY", start), { start: Date.UTC(2026, 5, 1), end: Date.UTC(2026, 5, 8) }, { budget });
      return budget.left;
    };
    expect(Math.abs(left("1901-01-01T00:00") - left("2026-01-01T00:00"))).toBeLessThan(50);
  });

  it("is followed no further than the budget, whether it gives much or seldom anything", () => {
    const window = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2027, 0, 1) };
    const budget = budgetFor(100);
    expect(expand(series("FREQ=HOURLY", "2026-01-01T00:00"), window, { budget }).length).toBeLessThanOrEqual(101);
    expect(budget.left).toBeLessThan(0);
    expect(expand(series("FREQ=DAILY", "2026-01-01T00:00"), window, { budget })).toEqual([]);
    const sparse = budgetFor(100);
    const rare = series("FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1", "2026-01-01T03:00");
    const decades = { start: window.start, end: Date.UTC(2066, 0, 1) };
    expect(expand(rare, decades, { budget: sparse }).length).toBeLessThan(5);
    expect(sparse.left).toBeLessThan(0);
  });

  it("of five years' length recurring every hour is found at a moment without going through all that overlap it", () => {
    const one = series("FREQ=HOURLY", "2010-01-01T00:00", "UTC");
    const long = { ...one, end: one.start + 5 * 365 * DAY };
    const start = Date.UTC(2026, 0, 1, 5);
    expect(occursAt(long, start)?.start).toBe(start);
    expect(occursAt(long, start + 1)).toBeUndefined();
    // As `occursAt` asks, with the steps counted.
    const budget = budgetFor(20);
    expect(expand(long, { start, end: start + 1 }, { notBefore: start, budget })).toHaveLength(1);
    expect(budget.left).toBeGreaterThan(0);
    const all = budgetFor(20);
    expand(long, { start, end: start + 1 }, { budget: all });
    expect(all.left).toBeLessThan(0);
  });

  it("gives the same in a far window as when followed from its start", () => {
    const rules = [
      "FREQ=DAILY",
      "FREQ=DAILY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU",
      "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SA",
      "FREQ=MONTHLY;INTERVAL=2",
      "FREQ=MONTHLY;BYDAY=-1FR,1MO",
      "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2",
      "FREQ=YEARLY;BYMONTH=3,10",
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=6;BYDAY=2SU",
      "FREQ=HOURLY;INTERVAL=7",
      "FREQ=DAILY;COUNT=300",
    ];
    const day = fc.integer({ min: 0, max: 365 });
    fc.assert(
      fc.property(fc.constantFrom(...rules), day, fc.integer({ min: 0, max: 700 }), (rule, startDay, awayDays) => {
        const one = series(rule, new Date(Date.UTC(2026, 0, 1, 9) + startDay * DAY).toISOString().slice(0, 19));
        const window = { start: one.start + awayDays * DAY, end: one.start + (awayDays + 60) * DAY };
        const walked = expand(one, { start: one.start, end: window.end }).filter(({ end }) => end > window.start);
        expect(expand(one, window)).toEqual(walked);
      }),
      { numRuns: times(60) },
    );
  });
});
