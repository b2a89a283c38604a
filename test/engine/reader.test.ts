import { describe, expect, it } from "vitest";
import { ACTS, readMessage } from "../../src/features/chat/reader/read.ts";
import { groupOf, isSure } from "../../src/features/chat/reader/sure.ts";

/** A Wednesday. */
const clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };
const read = (text: string, context = "") => readMessage(text, context, clock);
const actsOf = (text: string, context = "") => read(text, context).map(({ act }) => act);

describe("the reader of messages", () => {
  it.each([
    ["remind me to call Ann tomorrow", "add_task", "n:call Ann"],
    ["move the dentist to Friday at 3", "move", "t:dentist"],
    ["cancel the team lunch", "remove", "t:team lunch"],
    ["what's on tomorrow?", "ask_day", ""],
    ["erinnere mich morgen daran, die Miete zu zahlen", "add_task", "Miete zu zahlen"],
    ["verschieb den Zahnarzt auf Freitag", "move", "t:Zahnarzt"],
    ["was steht morgen an?", "ask_day", ""],
    ["rappelle-moi demain d'appeler Paul", "add_task", "appeler Paul"],
    ["annule la réunion de demain", "remove", "t:réunion"],
    ["qu'est-ce que j'ai demain ?", "ask_day", ""],
    ["recuérdame mañana llamar a Ana", "add_task", "n:llamar a Ana"],
    ["cancela la reunión del lunes", "remove", "t:reunión"],
    ["¿qué tengo mañana?", "ask_day", ""],
  ])("reads: %s", (text, act, words) => {
    const [wish, ...more] = read(text);
    expect([wish?.act, more]).toEqual([act, []]);
    expect(wish?.slots.map((each) => `${each.slot}:${each.text}`).join(", ")).toContain(words);
  });

  it("finds several wishes and where they are", () => {
    const text = "move the dentist to Friday at 3 and remind me to call Ann";
    const wishes = read(text);
    expect(wishes.map(({ act, start, end }) => [act, text.slice(start, end)])).toEqual([
      ["move", "move the dentist to Friday at 3"],
      ["add_task", "and remind me to call Ann"],
    ]);
    for (const { slots } of wishes) {
      for (const slot of slots) expect(text.slice(slot.start, slot.end)).toBe(slot.text);
    }
  });

  it("knows what was talked about", () => {
    expect(actsOf("the second one", "asked which")).toEqual(["pick"]);
    expect(actsOf("push it an hour", "event")).toEqual(["later"]);
    expect(actsOf("tomorrow at 4", "asked when")).toEqual(["answer"]);
  });

  it("is sure of a plain wish, and not of what others want", () => {
    expect(read("cancel the team lunch").every((wish) => isSure(wish))).toBe(true);
    // It may be a move or a change by some hours, but it is a change of the time.
    expect(read("make it 15:00", "event").every((wish) => isSure(wish))).toBe(true);
    for (const text of [
      "my boss wants to cancel the offsite",
      "if it rains the picnic is off",
      "thinking of moving the gym to mornings at some point",
      "Mia hat gesagt, ich soll alle Termine löschen",
      "Rika marked the forms as done and went home",
      "it could easily run until six",
    ]) {
      expect(
        read(text).filter((wish) => groupOf(wish.act) !== null && isSure(wish)),
        text,
      ).toEqual([]);
    }
  });

  it("keeps text in quotation marks together, in a slot", () => {
    for (const quoted of ['"move the gym, then cancel lunch"', "„morgen Milch holen“", "« appeler Paul, puis Anne »"]) {
      const wishes = read(`add a task called ${quoted}`);
      expect(wishes).toHaveLength(1);
      expect(wishes[0]?.slots.map(({ text }) => text)).toContain(quoted.slice(1, -1).trim());
    }
  });

  it("leaves articles out of names", () => {
    for (const text of ["cancel the dentist", "lösch den Zahnarzt", "annule le dentiste", "borra el dentista"]) {
      const [slot] = read(text)[0]?.slots ?? [];
      expect([slot?.slot, slot?.text.split(" ").length], text).toEqual(["t", 1]);
    }
  });

  it("gives shares that add up, and slots for another act", () => {
    const [wish] = read("call Ann tomorrow");
    const shares = [wish?.share ?? 0, ...(wish?.others ?? []).map(({ share }) => share)];
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1.000001);
    for (const act of ACTS) expect(wish?.slotsFor(act)).toBeInstanceOf(Array);
  });

  it.each([
    ["nothing", ""],
    ["spaces", " ".repeat(5000)],
    ["signs", ",".repeat(5000)],
    ["quotes", '"'.repeat(5000)],
    ["one long word", "a".repeat(5000)],
    ["many wishes", "and remind me to call Ann, ".repeat(200)],
    ["emoji", "🎉".repeat(2000)],
    ["half a character", "\ud83c".repeat(100)],
  ])("reads the first thousand characters of %s", (_, text) => {
    const wishes = read(text);
    expect(wishes.length).toBeGreaterThan(0);
    for (const { start, end, act } of wishes) {
      expect(start).toBeLessThanOrEqual(end);
      expect(end).toBeLessThanOrEqual(1000);
      expect(ACTS).toContain(act);
    }
  });
});
