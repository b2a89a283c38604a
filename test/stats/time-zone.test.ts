import { describe, expect, it } from "vitest";
import { BLOCK_MINUTES, planBlocks, QUARTER_MINUTES, sumBetween } from "../../src/lib/time-blocks.ts";
import { endOfDay, instantOf, isTimeZone, localDate, startOfDay } from "../../src/lib/time-zone.ts";

const HOUR_MS = 3_600_000;
const day = (year: number, month: number, date: number) => ({ year, month, day: date });

describe("days in a time zone", () => {
  it("begin at its midnight", () => {
    expect(startOfDay(day(2026, 11, 16), "Europe/Berlin").toISOString()).toBe("2026-11-15T23:00:00.000Z");
    expect(startOfDay(day(2026, 7, 16), "Europe/Berlin").toISOString()).toBe("2026-07-15T22:00:00.000Z");
    expect(startOfDay(day(2026, 11, 16), "Asia/Kathmandu").toISOString()).toBe("2026-11-15T18:15:00.000Z");
    expect(startOfDay(day(2026, 1, 1), "Pacific/Kiritimati").toISOString()).toBe("2025-12-31T10:00:00.000Z");
    expect(localDate(new Date("2026-11-16T23:30:00Z"), "Europe/Berlin")).toEqual(day(2026, 11, 17));
  });

  it("have 23 or 25 hours when the clocks change", () => {
    const hours = (date: ReturnType<typeof day>, zone: string) =>
      (endOfDay(date, zone).getTime() - startOfDay(date, zone).getTime()) / HOUR_MS;
    expect(hours(day(2026, 3, 29), "Europe/Berlin")).toBe(23);
    expect(hours(day(2026, 10, 25), "Europe/Berlin")).toBe(25);
    expect(hours(day(2026, 11, 1), "America/New_York")).toBe(25);
    expect(hours(day(2026, 4, 5), "Australia/Lord_Howe")).toBe(24.5);
    // In Beirut the day of the change begins at one o'clock.
    expect(hours(day(2026, 3, 29), "Asia/Beirut")).toBe(23);
  });

  it("read a time that comes twice as the first, and one that is left out as before the change", () => {
    const wall = { ...day(2026, 10, 25), hour: 2, minute: 30 };
    expect(instantOf(wall, "Europe/Berlin").toISOString()).toBe("2026-10-25T00:30:00.000Z");
    const skipped = { ...day(2026, 3, 29), hour: 2, minute: 30 };
    expect(instantOf(skipped, "Europe/Berlin").toISOString()).toBe("2026-03-29T01:30:00.000Z");
  });

  it("are known by IANA names only", () => {
    for (const name of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"]) expect(isTimeZone(name)).toBe(true);
    for (const name of ["", "Mars/Olympus", "+01:00", "Europe/Berlin; DROP"]) expect(isTimeZone(name)).toBe(false);
  });
});

describe("counts kept in blocks", () => {
  it("add up to the same days, wherever a day begins", () => {
    const moments = Array.from(
      { length: 2000 },
      (_, index) => Date.UTC(2026, 9, 20) + ((index * 7919) % 14_400) * 60_000,
    );
    for (const zone of ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]) {
      const boundaries = Array.from({ length: 9 }, (_, index) => startOfDay(day(2026, 10, 21 + index), zone).getTime());
      const { blocks, quarters } = planBlocks(boundaries);
      const within = (time: number, { from, until }: { from: number; until: number }) => time >= from && time < until;
      const start = (moment: number, span: number) => moment - (moment % (span * 60_000));
      const rows = moments.flatMap((moment) => [
        ...(within(start(moment, BLOCK_MINUTES), blocks)
          ? [{ span: BLOCK_MINUTES, start: start(moment, BLOCK_MINUTES) }]
          : []),
        ...(quarters.some((range) => within(start(moment, QUARTER_MINUTES), range))
          ? [{ span: QUARTER_MINUTES, start: start(moment, QUARTER_MINUTES) }]
          : []),
      ]);
      const expected = boundaries
        .slice(0, -1)
        .map(
          (from, index) => moments.filter((time) => within(time, { from, until: boundaries[index + 1] ?? 0 })).length,
        );
      expect(
        sumBetween(boundaries, rows, () => 1),
        zone,
      ).toEqual(expected);
    }
  });
});
