import { describe, expect, it } from "vitest";
import { BLOCK_MINUTES, planBlocks, QUARTER_MINUTES, sumBetween } from "../../src/lib/time-blocks.ts";
import { startOfDate } from "../../src/lib/time-zone.ts";

describe("counts kept in blocks", () => {
  it("add up to the same days, wherever a day begins", () => {
    const moments = Array.from(
      { length: 2000 },
      (_, index) => Date.UTC(2026, 9, 20) + ((index * 7919) % 14_400) * 60_000,
    );
    for (const zone of ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]) {
      const boundaries = Array.from({ length: 9 }, (_, index) => startOfDate(zone, `2026-10-${21 + index}`));
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
