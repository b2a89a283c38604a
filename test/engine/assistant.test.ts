import { describe, expect, it } from "vitest";
import { errandOf } from "../../src/features/chat/language/errands/errand.ts";
import { intentModel } from "../../src/features/chat/language/errands/intent-model.ts";
import { INTENT_MODEL } from "../../src/features/chat/language/errands/intent-weights.ts";
import { ALL_REWORDINGS } from "../../src/features/chat/language/wording/paraphrase.ts";
import { bestMatches } from "../../src/features/tools/language/name-match.ts";
import { mayMatch } from "../../src/lib/regexp-starts.ts";
import { cases } from "../data/assistant.json";

describe("a message", () => {
  it.each([
    ["Could you sum up the mails I got today?", "summarise_mail"],
    ["is there anything pressing for me?", "attention"],
    ["Which chores are still on my list?", "list_tasks"],
    ["jot down that I must return the books", "add_task"],
    ["what have i got going on this afternoon", "list_events"],
    ["pencil in a meeting with the auditors for monday at 10", "add_event"],
    ["please drop the yoga session on friday", "cancel_event"],
    ["do I have any free slots next week?", "free_time"],
    ["give me my morning briefing", "brief"],
    ["how do I bake sourdough bread", "unknown"],
    ["who won the world cup in 1990", "unknown"],
    ["transfer 100 dollars to my savings account", "unknown"],
    ["play some jazz in the living room", "unknown"],
  ])("“%s” is taken for %s", (message, errand) => {
    expect(errandOf(message)).toBe(errand);
  });

  it("of any kind is judged without failing", () => {
    for (const text of ["", " ", "?", "🙂", "a".repeat(10_000), "'; DROP TABLE tasks; --"]) {
      expect(intentModel.guess(text).confidence).toBeGreaterThan(0);
      expect(errandOf(text)).toEqual(expect.any(String));
    }
  });

  it("is judged by a small table", () => expect(INTENT_MODEL.table.length).toBeLessThan(25_000));
});

describe("the words for a record", () => {
  const names = ["Meeting with Ann", "Lunch with Ann", "Dentist appointment", "Quarterly budget review", "Budget"];
  it.each([
    ["my lunch with ann", ["Lunch with Ann"]],
    ["dentist", ["Dentist appointment"]],
    ["the dentsit appointment", ["Dentist appointment"]],
    ["ann", ["Meeting with Ann", "Lunch with Ann"]],
    ["meeting with ann", ["Meeting with Ann"]],
    ["budget", ["Budget"]],
    ["quarterly review", ["Quarterly budget review"]],
    ["rocket launch", []],
  ])("“%s” mean %j", (words, meant) => {
    expect(bestMatches(words, names, (name) => [name])).toEqual(meant);
  });
});

describe("the words that a pattern can begin with", () => {
  it.each([
    [
      /^(?:please |and )*(?:see|look) (?:if|whether)/,
      ["see if", "please look whether", "and please see if"],
      ["sea if", "loo"],
    ],
    [/^(?:the )?(?=m)(?!my)(mail|mess)s?|^in-?box/i, ["Mails", "the mess", "inbox", "in-box"], ["them", "box"]],
    [/^(?:(?:a|b)(?:c|d)?){2}x|^(?<name>e-?mail)\b/, ["acax", "bdax", "e-mail", "email"], ["c", "mail"]],
    [/^(?:an? )?[a-z]+ly|^x/, ["x", "an only", ""], []],
    [/^(?:a|)b|[)|(]c/, ["ab", "b", "zzz"], []],
    [/left\b/, ["what is left"], []],
  ])("are those of %s", (pattern, possible, impossible) => {
    for (const text of possible) expect(mayMatch(pattern, text.toLowerCase()), text).toBe(true);
    for (const text of impossible) expect(mayMatch(pattern, text), text).toBe(false);
  });

  it("leave out no rewording of a message", () => {
    const tries = cases.flatMap(({ text }) => ALL_REWORDINGS.map(([pattern]) => ({ text, pattern })));
    const missed = tries.filter(
      ({ text, pattern }) => text.search(pattern) >= 0 && !mayMatch(pattern, text.toLowerCase()),
    );
    expect(missed).toEqual([]);
    const tried = tries.filter(({ text, pattern }) => mayMatch(pattern, text.toLowerCase()));
    expect(tried.length / tries.length).toBeLessThan(0.3);
  });
});
