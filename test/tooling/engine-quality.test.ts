import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scoreOwnSet } from "../../scripts/eval/own-set.ts";
import { PAGE, withFigures } from "../../scripts/eval/report.ts";
import { root } from "./repository.ts";

/*
 * The quality of the built-in engine on the set in test/data may only rise. When a change raises a figure, raise its
 * threshold too and run `npm run eval -- --write`.
 */

const thresholds: Record<string, number> = JSON.parse(readFileSync(join(root, "test/data/thresholds.json"), "utf8"));
const measures = scoreOwnSet();

describe("the built-in engine", () => {
  it("has a threshold for every measure", () => {
    expect(measures.map(({ name }) => name).sort()).toEqual(Object.keys(thresholds).sort());
  });

  it.each(measures)("reaches the threshold of $name", ({ name, score, misses }) => {
    expect(score, `${misses.length} errors:\n${misses.join("\n")}\n`).toBeGreaterThanOrEqual(thresholds[name] ?? 1);
  });

  it("is measured on 500 cases or more", () => {
    expect(measures.reduce((sum, { cases }) => sum + cases, 0)).toBeGreaterThanOrEqual(500);
  });
});

describe("the figures in docs/engine.md", () => {
  it("are those of this engine: otherwise run `npm run eval -- --write`", () => {
    expect(readFileSync(PAGE, "utf8")).toBe(withFigures(measures));
  });
});
