import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { times } from "../sampled.ts";
import { storeMail, subjects } from "./new-mail.ts";

const api = service();
const find = (text: string, more = "") => subjects(api, `q=${encodeURIComponent(text)}${more}`);

describe("search", () => {
  it("finds words of subject, people and body, all of them, the last as a beginning", async () => {
    await storeMail(api, "s", {
      subject: "Zebra crossing",
      body: "The quagga was here",
      from: "Wilhelmina Murray <mina@whitby.example>",
      to: "Quincey Morris <quincey@texas.example>",
    });
    for (const text of [
      "zebra",
      "ZEBRA",
      "quagga",
      "quag",
      "wilhelmina",
      "whitby",
      "quincey",
      "zebra quagga",
      "cross",
    ]) {
      expect(await find(text), text).toEqual(["Zebra crossing"]);
    }
    for (const text of ["zeb quagga", "zebra unicorn", "ebra"]) expect(await find(text), text).toEqual([]);
  });

  it("finds words whatever their accents", async () => {
    await storeMail(api, "s", { subject: "Crème brûlée für Zoë" });
    for (const text of ["creme", "BRULEE", "für", "zoe"]) expect(await find(text)).toEqual(["Crème brûlée für Zoë"]);
  });

  it("is newest first by the time a mail was received, not by when it was stored", async () => {
    const at = (day: number) => `2026-03-0${day}T00:00:00Z`;
    for (const day of [2, 3, 1]) await storeMail(api, "s", { subject: `okapi ${day}`, receivedAt: at(day) });
    expect(await find("okapi")).toEqual(["okapi 3", "okapi 2", "okapi 1"]);
    expect(await find("okapi", `&since=${at(2)}`)).toEqual(["okapi 3", "okapi 2"]);
    expect(await find("okapi", `&until=${at(2)}`)).toEqual(["okapi 1"]);
    expect(await find("okapi", "&since=0001-01-01T00:00:00Z&until=9999-12-31T00:00:00Z")).toHaveLength(3);
    const first = await api.get("/api/emails?q=okapi&limit=2");
    const second = await api.get(`/api/emails?q=okapi&limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.data.map((mail: { subject: string }) => mail.subject)).toEqual(["okapi 1"]);
    expect(second.body.nextCursor).toBeNull();
  });

  it("combines with the other filters", async () => {
    await storeMail(api, "tapir-a", { subject: "tapir one", isStarred: true });
    await storeMail(api, "tapir-b", { subject: "tapir two", isRead: true, status: "archived" });
    expect(await find("tapir", "&tag=tapir-b")).toEqual(["tapir two"]);
    expect(await find("tapir", "&unread=true")).toEqual(["tapir one"]);
    expect(await find("tapir", "&status=archived")).toEqual(["tapir two"]);
    expect(await find("tapir", "&starred=true&tag=tapir-b")).toEqual([]);
  });

  it("forgets a deleted mail", async () => {
    const mail = await storeMail(api, "s", { subject: "dodo" });
    expect(await find("dodo")).toEqual(["dodo"]);
    await api.delete(`/api/emails/${mail.id}`);
    expect(await find("dodo")).toEqual([]);
  });

  it("takes operators, quotes and broken syntax as plain text", async () => {
    await storeMail(api, "s", { subject: "axolotl and or not near" });
    for (const text of [
      '"',
      "'",
      "axolotl AND",
      "OR",
      "NOT",
      "NEAR(",
      "axolotl*",
      "^axolotl",
      "subject:axolotl",
      "a\"b'c",
    ]) {
      expect((await api.get(`/api/emails?q=${encodeURIComponent(text)}`)).status, text).toBe(200);
    }
    expect(await find('"axolotl" OR')).toEqual(["axolotl and or not near"]);
    expect(await find("-axolotl near")).toEqual([]);
  });

  it("finds nothing for text without a word, and everything for no text", async () => {
    await storeMail(api, "nothing-typed");
    for (const text of ["***", "!?", "🎉", '""']) expect(await find(text, "&tag=nothing-typed"), text).toEqual([]);
    for (const text of ["", "   "]) expect(await find(text, "&tag=nothing-typed")).toHaveLength(1);
  });

  it("never fails, whatever is typed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (text) => {
        expect((await api.get(`/api/emails?limit=1&q=${encodeURIComponent(text)}`)).status).toBe(200);
      }),
      { numRuns: times(100) },
    );
    for (const text of ["word ".repeat(2000), '"'.repeat(5000), "a AND ".repeat(1500), "é".repeat(1500)]) {
      expect((await api.get(`/api/emails?limit=1&q=${encodeURIComponent(text)}`)).status).toBe(200);
    }
  });
});
