import { describe, expect, it } from "vitest";
import { expressionsOfSource } from "./regex/expressions.ts";
import { growthOf } from "./regex/growth.ts";

describe("the regular expressions of the service", () => {
  it("all take a time that grows with their input and no faster, whatever somebody writes", () => {
    const expressions = expressionsOfSource();
    // As many as there are: it would be no proof if they were not found.
    expect(expressions.length).toBeGreaterThan(1400);
    const seen = new Map<string, ReturnType<typeof growthOf>>();
    const slow = expressions.flatMap(({ file, line, source, flags }) => {
      const growth = seen.get(`${source}/${flags}`) ?? growthOf(source, flags);
      seen.set(`${source}/${flags}`, growth);
      if (growth.degree <= 1) return [];
      const kind = growth.degree === Infinity ? "exponential" : `length to the power of ${growth.degree}`;
      return [`${file}:${line} ${kind}, between ${growth.parts.join(" and ")}: /${source.slice(0, 120)}/${flags}`];
    });
    // Bound the first of the two parts, or let them have no character in common.
    expect([...new Set(slow)]).toEqual([]);
  });

  it.each([
    ["^(?:and |so |and )*undo$", "", Infinity],
    ["^(?:[a-z ]{1,30},\\s*)*[a-z]+ list$", "", Infinity],
    ["^(?:\\s?please\\b|[)\\s])*$", "", Infinity],
    ["(a*)*b", "", Infinity],
    ['"(?:[^"\\\\]|\\\\.)*"', "g", 2],
    ["\\([^)]*\\)", "g", 2],
    ["[.,]+$", "", 2],
    ["<img\\b[^>]{0,2000}?\\bsrc", "", 2],
    ["^(?:(?!.*x)y)*$", "", 2],
    ["^a*b?a*c?a*$", "", 3],
    ["(?<![.,])[.,]+$", "", 1],
    ["\\b\\w+@", "", 1],
    ["\\s+", "g", 1],
    ["^(?:and |so )*undo$", "", 1],
    ["^-{3,}\\n", "m", 1],
  ])("are told apart: /%s/%s", (source, flags, degree) => {
    expect(growthOf(source, flags).degree).toBe(degree);
  });
});
