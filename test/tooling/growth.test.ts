import { describe, expect, it } from "vitest";
import { slowPieces } from "./growth/measure.ts";
import { slowParsers } from "./growth/slow-parsers.ts";

describe("a text that repeats one thing", () => {
  it("takes no parser longer than in proportion to its length", () => expect(slowParsers(1 / 4)).toEqual({}));

  it("is found when it does", () => {
    let sum = 0;
    const square = (text: string) => {
      for (let from = 0; from < text.length; from++) {
        for (let to = 0; to < text.length; to++) sum = (sum * 31 + text.charCodeAt(to)) | 0;
      }
    };
    expect(slowPieces(20_000, 1, square, ["a"])).toEqual([expect.stringContaining("a quarter")]);
  });
});
