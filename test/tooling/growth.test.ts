import { describe, expect, it } from "vitest";
import { slowPieces } from "./growth/measure.ts";
import { PARSERS } from "./growth/parsers.ts";

describe("a text that repeats one thing", () => {
  it.each(PARSERS.map(([name, most, parse]) => ({ name, most, parse })))(
    "$name takes no more than its length",
    ({ most, parse }) => expect(slowPieces(most, 1 / 4, parse)).toEqual([]),
  );

  it("is found when it takes more", () => {
    let sum = 0;
    const square = (text: string) => {
      for (let from = 0; from < text.length; from++) {
        for (let to = 0; to < text.length; to++) sum = (sum * 31 + text.charCodeAt(to)) | 0;
      }
    };
    expect(slowPieces(100_000, 1 / 4, square, ["a"])).toEqual([expect.stringContaining("a quarter")]);
  });
});
