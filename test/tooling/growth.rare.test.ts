import { describe, expect, it } from "vitest";
import { slowPieces } from "./growth/measure.ts";
import { PARSERS } from "./growth/parsers.ts";

describe("a text of the greatest length that repeats one thing", () => {
  it.each(PARSERS.map(([name, most, parse]) => ({ name, most, parse })))(
    "$name takes no more than its length",
    ({ most, parse }) => expect(slowPieces(most, 1, parse)).toEqual([]),
  );
});
