import { describe, expect, it } from "vitest";
import { readMessage } from "../../src/features/chat/reader/read.ts";
import { exactly, quotedIn, remindsOfNew } from "../../src/features/chat/request/exact.ts";
import { filtersIn, levelIn } from "../../src/features/chat/request/filters.ts";
import { kindIn, referenceIn } from "../../src/features/chat/request/reference.ts";
import { requestOf } from "../../src/features/chat/request/request.ts";
import { fixSpelling } from "../../src/features/chat/request/spelling.ts";
import { vetoOf } from "../../src/features/chat/request/vetoes.ts";
import { bestMatches } from "../../src/features/tools/language/name-match.ts";

/** A Wednesday, eleven in the morning in Berlin. */
const clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };

/** The requests of a message, where nothing was talked about before. */
function requestsIn(message: string) {
  const text = fixSpelling(message);
  const conversation = { clock, isAsked: false, isWritten: false, fits: () => true };
  return readMessage(text, "", clock).map((wish) => requestOf(text, wish, conversation));
}

describe("a message", () => {
  it.each([
    ["Could you sum up the mails I got today?", "summarise"],
    ["Which chores are still on my list?", "ask_tasks"],
    ["jot down that I must return the books", "add_task"],
    ["what have i got going on this afternoon", "ask_day"],
    ["pencil in a meeting with the auditors for monday at 10", "add_event"],
    ["please drop the yoga session on friday", "remove"],
    ["do I have any free slots next week?", "ask_free"],
    ["plz remaind me to call Ann tmrw at 3", "add_task"],
    ["play some jazz in the living room", "other_world"],
    ["transfer 100 dollars to my savings account", "other_world"],
  ])("“%s” asks for %s", (message, act) => {
    expect(requestsIn(message).map((request) => request.act)).toEqual([act]);
  });

  it("says which words name a record, which say when, and which are left", () => {
    const [request] = requestsIn("move the dentist to Friday at 3");
    expect(request).toMatchObject({ act: "move", names: ["dentist"], reference: null });
    expect(request?.times.map(({ text }) => text)).toEqual(["Friday at 3"]);
    expect(requestsIn("cancel it")[0]).toMatchObject({ act: "remove", names: [], reference: { which: "one" } });
  });

  it("of any kind is read without failing", () => {
    for (const text of ["", " ", "?", "🙂", "a".repeat(10_000), "'; DROP TABLE tasks; --", "\ud83c"]) {
      expect(requestsIn(text).length, text).toBeGreaterThan(0);
    }
  });
});

describe("a short message means by itself", () => {
  const asked = { isAsked: true, isWritten: false };
  const written = { isAsked: false, isWritten: true };
  it.each([
    ["yes please", asked, "yes"],
    ["ok", asked, "yes"],
    ["ja gerne", asked, "yes"],
    ["no thanks", asked, "no"],
    ["never mind", asked, "no"],
    ["cancel that", asked, "no"],
    ["never mind", written, "undo"],
    ["no wait", written, "undo"],
    ["undo that please", written, "undo"],
    ["annule ça", written, "undo"],
    ["redo", written, "redo"],
    ["ok send it", written, "send"],
    ["help", written, "help"],
    ["thanks", asked, null],
    ["cancel that", written, null],
    ["yes, move it to Friday", asked, null],
    ["no, Tuesday", asked, null],
  ] as const)("“%s”, %j: %s", (message, moment, meaning) => expect(exactly(message, moment)).toBe(meaning));
});

describe("a message that wants nothing changed is told by its first words", () => {
  it.each([
    ["should I cancel the gym?", "question"],
    ["and why was the gym cancelled", "question"],
    ["soll ich den Termin absagen?", "question"],
    ["don't move anything", "denial"],
    ["please do not delete it", "denial"],
    ["if it rains cancel the picnic", "condition"],
    ["unless Bob writes, delete it", "condition"],
    ["if possible move the gym to 5", null],
    ["do you mind moving the gym to 5", null],
    ["don't forget to call Ann", null],
    ["cancel the gym", null],
  ])("“%s”: %s", (message, veto) => expect(vetoOf(message)).toBe(veto));

  it("but not a reminder of something new", () => {
    expect(["hey, remind me to eat", "and remind me that it rains"].map(remindsOfNew)).toEqual([true, true]);
    expect(["you did remind me to eat", "remind me of it"].map(remindsOfNew)).toEqual([false, false]);
  });
});

describe("words that point at what was talked about", () => {
  it.each([
    ["cancel it", "one"],
    ["the second one", { at: 1 }],
    ["the last one", { at: -1 }],
    ["the first two", { first: 2 }],
    ["the last three", { last: 3 }],
    ["number 3", { at: 2 }],
    ["2.", { at: 1 }],
    ["both", "both"],
    ["all of them", "all"],
    ["the other one", "other"],
    ["the rest", "rest"],
    ["den zweiten", { at: 1 }],
    ["la première", { at: 0 }],
    ["los dos", "both"],
  ])("“%s”: %j", (words, which) => expect(referenceIn(words)).toEqual({ which }));

  it("are not in every text", () => expect(referenceIn("buy milk")).toBeNull());

  it.each([
    ["the email", "email"],
    ["my appointments", "event"],
    ["eine Aufgabe", "task"],
    ["that draft", "draft"],
    ["the bicycle", null],
  ])("“%s” is a kind: %s", (words, kind) => expect(kindIn(words)).toBe(kind));
});

describe("words that narrow down", () => {
  it.each([
    ["my overdue tasks", { overdue: true }],
    ["all completed tasks", { done: true }],
    ["tasks without a due date", { undated: true }],
    ["unread emails with attachments", { unread: true, attachment: true }],
    ["urgent tasks", { priority: "urgent" }],
    ["my tasks", {}],
  ])("“%s”: %j", (words, filters) => expect(filtersIn(words)).toEqual(filters));

  it("name a priority, also by denying one", () => {
    expect(["make it urgent", "it's not urgent", "normal priority", "call Ann"].map(levelIn)).toEqual([
      "urgent",
      "low",
      "medium",
      null,
    ]);
  });

  it("are to the letter in quotation marks", () => {
    expect([quotedIn("call it “Read me”"), quotedIn("nothing")]).toEqual(["Read me", null]);
  });
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
