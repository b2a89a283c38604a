import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

/* SECURITY.md: every promise is one row, and names the tests that hold it. */

const rows = readFileSync(join(root, "SECURITY.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:Promise|-)/.test(line))
  .map((line) => line.slice(2, -2).split(" | "));

const tests = rows.flatMap(([promise = "", named = ""]) =>
  named.split("<br>").map((each) => [promise, ...(/^`(\S+)`: (.+)$/.exec(each)?.slice(1) ?? [each, ""])] as const),
);

describe("every promise of SECURITY.md", () => {
  it("is a row with its tests", () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((cells) => cells.length !== 2)).toEqual([]);
  });

  it("names tests that exist", () => {
    const missing = tests.filter(([, file = "", title = ""]) => {
      const path = join(root, "test", file);
      return title === "" || !existsSync(path) || !readFileSync(path, "utf8").includes(title);
    });
    expect(missing).toEqual([]);
  });
});
