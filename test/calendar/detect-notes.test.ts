import { describe, expect, it } from "vitest";
import { detectIn } from "../../src/engine/email/intelligence.ts";
import { service } from "../harness.ts";

const reference = new Date("2026-11-15T16:59:00Z");
const timeZone = "Europe/Berlin";

/** What the endpoint is asked for: how it passes it on is tested in the first test and in `detect.test.ts`. */
const ask = (content: string) => detectIn({ content, reference, timeZone });

it("a text is read by the engine, at the time and in the zone of the request", async () => {
  const text = "Add golf on Sunday at 8:00 AM.";
  const body = { text, timeZone, referenceTime: reference.toISOString() };
  const { meetings } = (await service().post("/api/calendar/detect", body)).body;
  expect(meetings).toMatchObject([{ title: "Golf", start: "2026-11-22T07:00:00.000Z", proposed: false }]);
});

describe("a note to the assistant", () => {
  it.each([
    ["Add golf on Sunday at 8:00 AM.", "Golf", "2026-11-22T07:00:00.000Z"],
    ["put the dentist on my calendar tomorrow at 9", "The dentist", "2026-11-16T08:00:00.000Z"],
    ["I have to study at the library tomorrow at 2 pm", "Study at the library", "2026-11-16T13:00:00.000Z"],
    ["Call with Jim at 9am New York time on Tuesday", "Call with Jim", "2026-11-17T14:00:00.000Z"],
  ])("that adds an event is a meeting with its own name: %s", (text, title, start) => {
    const meeting = { title, start: new Date(start), proposed: false };
    expect(ask(text)).toMatchObject({ detected: true, meetings: [meeting] });
  });

  it.each([
    "Do I have a doctor appointment on Monday?",
    "What time is my dinner on Friday?",
    "Move my 3pm meeting to 5pm tomorrow",
    "Delete my lunch event next Wednesday.",
    "Can you cancel my hair appointment tomorrow?",
    "Add Abby to the weekend party",
  ])("that asks about, changes or removes one is none: %s", (text) => {
    expect(ask(text)).toMatchObject({ detected: false, meetings: [] });
  });
});

describe("what a text says about a meeting", () => {
  it("gives both times of a choice the day that follows them", () => {
    const { meetings } = ask("Are you free 3pm or 4pm on Friday?");
    expect(meetings.map(({ start }) => start?.toISOString())).toEqual([
      "2026-11-20T14:00:00.000Z",
      "2026-11-20T15:00:00.000Z",
    ]);
  });

  it.each([
    ["The review is on Tuesday at 10:00 in Room 204.", "Room 204"],
    ["Lunch on Friday at noon at Luigi's?", "Luigi's"],
    ["Doctor appointment: Dec 3, 8:30am, Lindenstraße 9, Berlin", "Lindenstraße 9, Berlin"],
  ])("has the place: %s", (text, location) => {
    expect(ask(text).meetings[0]).toMatchObject({ location });
  });

  it("has the link that is announced, whatever its host", () => {
    const { meetings } = ask("Please join here: https://talk.example.org/r/abc tomorrow at 4pm for the demo.");
    expect(meetings[0]).toMatchObject({ meetingUrl: "https://talk.example.org/r/abc" });
  });

  it("is a proposal until somebody agrees", () => {
    expect(ask("Can we talk about it on Tuesday at 2pm?").meetings[0]).toMatchObject({ proposed: true });
    expect(ask("Our call is confirmed for Tuesday at 2pm.").meetings[0]).toMatchObject({ proposed: false });
  });

  it("never replaces a day that does not exist by another", () => {
    const { meetings, signals } = ask("Let's have a meeting on Feb 30 at 10.");
    expect(meetings).toEqual([]);
    const time = signals.find(({ kind }) => kind === "time");
    expect(time).toMatchObject({ text: "Feb 30 at 10" });
    expect(time?.resolved).toBeUndefined();
  });

  it("is ambiguous where day and month can be swapped", () => {
    expect(ask("How about 11/12 at 14:00?").meetings[0]).toMatchObject({ ambiguous: true });
  });
});
