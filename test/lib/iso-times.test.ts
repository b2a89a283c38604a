import { describe, expect, it } from "vitest";
import { isoTime } from "../../src/lib/iso-times.ts";

const DAY_MS = 86_400_000;

describe("isoTime", () => {
  it("writes any moment as toISOString does", () => {
    const edges = [
      0,
      -1,
      1,
      DAY_MS - 1,
      DAY_MS,
      -DAY_MS,
      -62_167_219_200_000,
      -62_167_219_200_001,
      253_402_300_800_000,
    ];
    const limits = [8_640_000_000_000_000, -8_640_000_000_000_000];
    const spread = Array.from({ length: 5000 }, (_, index) => index * 7_919_777_333 - 9_000_000_000_000);
    for (const ms of [...edges, ...limits, ...spread]) {
      const moment = new Date(ms);
      expect(isoTime(moment)).toBe(moment.toISOString());
      // Also when the day is known.
      expect(isoTime(moment)).toBe(moment.toISOString());
    }
  });

  it("refuses what is no moment", () => {
    expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
  });
});
