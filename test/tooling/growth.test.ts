import { describe, expect, it } from "vitest";
import { PARSERS, PIECES } from "./growth/parsers.ts";

/*
 * Whether what reads texts of others takes a time that grows with the text, and no faster. Wall time says nothing on a busy
 * machine, so the CPU of the process counts, against that of a plain walk over as many characters beside it; and only what
 * takes much more than that, and more than proportionally more than a quarter of the text, is a finding. Something quadratic
 * takes thousands of times as long as the walk.
 */

/** So many times a walk over the characters is usual: the slowest parser needs a tenth of this. */
const USUAL = 4000;
const LEAST_MS = 250;
const REPETITIONS = 3;

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // What is refused is read all the same.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (work: () => unknown) => Math.min(...Array.from({ length: REPETITIONS }, () => cpuOf(work)));

let sum = 0;
function walk(text: string): void {
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
}

/** The CPU of a walk over a text of this length, in milliseconds. */
const walkOf = (length: number) => {
  const text = "x".repeat(length);
  return Math.max(
    least(() => {
      for (let time = 0; time < 100; time++) walk(text);
    }) / 100,
    length / 1_000_000,
  );
};

describe("a text that repeats one thing", () => {
  it.each(PARSERS.map(([name, most, parse]) => ({ name, most, parse })))(
    "$name takes no more than its length",
    ({ most, parse }) => {
      // What it loads at its first use is no reading.
      cpuOf(() => parse("hello there"));
      const usual = Math.max(walkOf(most) * USUAL, LEAST_MS);
      const slow = PIECES.flatMap((piece) => {
        const text = piece.repeat(Math.ceil(most / piece.length)).slice(0, most);
        // Step by step, so that something exponential is found before it takes for ever.
        for (let length = 64; length < most; length *= 4) {
          if (cpuOf(() => parse(text.slice(0, length))) > usual)
            return [`${JSON.stringify(piece)} × ${length} characters`];
        }
        if (cpuOf(() => parse(text)) <= usual) return [];
        const [whole, quarter] = [least(() => parse(text)), least(() => parse(text.slice(0, most / 4)))];
        return whole > usual && whole > quarter * 7
          ? [`${JSON.stringify(piece)}: ${whole} ms, a quarter ${quarter} ms`]
          : [];
      });
      expect(slow).toEqual([]);
    },
    600_000,
  );
});
