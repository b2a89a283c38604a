import { describe, expect, it } from "vitest";
import { errandOf } from "../../src/engine/assistant/errand.ts";
import { intentModel } from "../../src/engine/assistant/intent-model.ts";
import { INTENT_MODEL } from "../../src/engine/assistant/intent-weights.ts";
import { bestMatches } from "../../src/engine/assistant/name-match.ts";

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
