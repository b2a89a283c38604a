import { describe, expect, it } from "vitest";
import { countBefore, countBetween, QUARTERS, rowOf } from "../../src/lib/quarters.ts";
import { startOfDate } from "../../src/lib/time-zone.ts";

const ROW_MS = 2 * 86_400_000;

describe("counts kept by quarters of an hour", () => {
  const moments = Array.from(
    { length: 2000 },
    (_, index) => Date.UTC(2026, 9, 10) + ((index * 7919) % 28_800) * 60_000,
  );
  const rowsFrom = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => {
      const id = first + index;
      const counts = new Array<number>(QUARTERS).fill(0);
      for (const moment of moments.filter((time) => rowOf(time) === id)) {
        const slot = Math.floor((moment % ROW_MS) / 900_000);
        counts[slot] = (counts[slot] ?? 0) + 1;
      }
      return { id, counts };
    });

  it("add up to the same days, wherever a day begins", () => {
    for (const zone of ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]) {
      const times = Array.from({ length: 9 }, (_, index) => startOfDate(zone, `2026-10-${21 + index}`));
      const rows = rowsFrom(rowOf(times[0] ?? 0), rowOf(times.at(-1) ?? 0));
      const expected = times
        .slice(0, -1)
        .map((from, index) => moments.filter((time) => time >= from && time < (times[index + 1] ?? 0)).length);
      expect(
        countBetween(
          times,
          countBefore(rows, (row) => row.counts),
        ),
        zone,
      ).toEqual(expected);
    }
  });

  it("add up to all before a time, whether the sum of the past ends before or after it", () => {
    const time = Date.UTC(2026, 9, 20, 13, 45);
    const expected = moments.filter((moment) => moment < time).length;
    for (const until of [rowOf(time) - 4, rowOf(time), rowOf(time) + 1, rowOf(time) + 3]) {
      const sum = moments.filter((moment) => rowOf(moment) < until).length;
      const rows = rowsFrom(Math.min(until, rowOf(time) - 2), rowOf(time) + 4);
      expect(countBefore(rows, (row) => row.counts, { until, sum })(time)).toBe(expected);
    }
  });
});
