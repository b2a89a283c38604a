import { describe, expect, it } from "vitest";
import { readReplies, replyError } from "../../scripts/eval/reply-set.ts";

/*
 * A draft says what the instruction says and nothing else. What the engine does not understand as a whole, it quotes.
 * The cases are in `test/data/replies`.
 */
describe("drafts of replies", () => {
  const cases = [...readReplies("written"), ...readReplies("fresh")];

  it("are tried with at least 150 instructions, 30 of each language", () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    for (const language of ["en", "de", "fr", "es"])
      expect(cases.filter((each) => each.email === language).length).toBeGreaterThanOrEqual(30);
  });

  it("have what each instruction says, nothing that it does not say, or quote it", () => {
    expect(cases.flatMap((each) => replyError(each) ?? [])).toEqual([]);
  });
});
