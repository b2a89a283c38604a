import { describe, expect, it } from "vitest";
import { measureGrowth } from "../../scripts/bench/engine-speed.ts";
import { slowPieces } from "./growth/measure.ts";
import { messagePrices, slowParsers } from "./growth/slow-parsers.ts";

it("a text of the greatest length that repeats one thing takes no parser longer than in proportion", () =>
  expect(slowParsers(1)).toEqual({}));

describe("the time the engine takes", () => {
  const SHAPES = ["email in one line", "German", "numbers with commas", '"from 3 to "'];
  it("grows with the length of a text, not with its square: 5 times for 5 times the text", () => {
    const growth = measureGrowth(SHAPES);
    expect(growth.map(({ name }) => name).sort()).toEqual([...SHAPES].sort());
    // Halfway to the 25 of a square, so that no busy machine decides.
    for (const { name, ratio } of growth) expect(ratio, name).toBeLessThan(12);
  });
});

it("a message to the chat is read in milliseconds: twelve words in 15, 5,000 characters in 50, against a plain walk", () => {
  const { words, long } = messagePrices();
  expect([words > 0, long > words]).toEqual([true, true]);
  // Four times as much, so that no busy machine decides.
  expect(words).toBeLessThan(60);
  expect(long).toBeLessThan(200);
});

it("a time that grows with the square of a text is found", () => {
  let sum = 0;
  const square = (text: string) => {
    for (let from = 0; from < text.length; from++) {
      for (let to = 0; to < text.length; to++) sum = (sum * 31 + text.charCodeAt(to)) | 0;
    }
  };
  expect(slowPieces(20_000, 1 / 4, square, ["a"])).toEqual([expect.stringContaining("a quarter")]);
});
