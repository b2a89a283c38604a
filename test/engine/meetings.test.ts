import { describe, expect, it } from "vitest";
import { detectIn } from "../../src/engine/email/intelligence.ts";

const reference = new Date("2026-11-18T10:00:00Z");
const detect = (content: string, subject?: string) =>
  detectIn({ content, subject, reference, timeZone: "Europe/Berlin" });

describe("meetings in language", () => {
  it("a request with a time gives title, start, end and an exact quote", () => {
    const content = "Hi Bob,\n\nCould we meet on Tuesday at 3 to discuss the budget?\n\nThanks,\nAnn";
    const { detected, meetings } = detect(content);
    expect(detected).toBe(true);
    expect(meetings).toMatchObject([
      {
        title: "Meeting: the budget",
        start: new Date("2026-11-24T14:00:00Z"),
        end: new Date("2026-11-24T14:30:00Z"),
        ambiguous: true,
        quote: { text: "Tuesday at 3" },
      },
    ]);
  });

  it("a day in one sentence and a time in the next are one meeting, with the length that was said", () => {
    const { meetings } = detect("Let's do a 45 minute call on Friday. 11am works best for me.");
    expect(meetings).toMatchObject([
      { start: new Date("2026-11-20T10:00:00Z"), end: new Date("2026-11-20T10:45:00Z"), allDay: false },
    ]);
  });

  it("several proposed times are several meetings, each marked", () => {
    const { meetings } = detect("Are you free Monday at 10am or Tuesday at 2pm?");
    expect(meetings.map(({ start, ambiguous }) => [start.toISOString(), ambiguous])).toEqual([
      ["2026-11-23T09:00:00.000Z", true],
      ["2026-11-24T13:00:00.000Z", true],
    ]);
  });

  it("place, link and people are found", () => {
    const { meetings } = detect(
      "Your interview with Grace Hopper is confirmed for November 24 at 9:30 AM.\nLocation: Room 4\nJoin: https://us02web.zoom.us/j/123?pwd=a.",
    );
    expect(meetings[0]).toMatchObject({
      location: "Room 4",
      meetingUrl: "https://us02web.zoom.us/j/123?pwd=a",
      attendees: [{ name: "Grace Hopper", email: null }],
    });
  });

  it("a request without a time is detected and has no meeting yet", () => {
    expect(detect("Can we set up a call sometime?")).toMatchObject({ detected: true, meetings: [] });
  });

  it.each([
    ["a cancellation", "The meeting on Friday at 10 is cancelled."],
    ["a deadline", "Please send the report by Friday 5pm."],
    ["a meeting that was", "Thanks for the meeting yesterday, it went well."],
    ["a sale", "The sale ends Friday at 5pm: 20% off everything."],
    [
      "a quoted reply",
      "Sounds good.\n\nOn Mon, Nov 16, 2026 at 3:00 PM Ann <ann@x.org> wrote:\n> Can we meet on Tuesday at 3pm?",
    ],
    ["a signature", "The files are in the folder.\n\n-- \nAnn Lee\nCall me Monday at 10am"],
  ])("%s is none", (_, content) => expect(detect(content)).toMatchObject({ detected: false, meetings: [] }));

  it("a move is the new time, not the old one", () => {
    const { meetings } = detect("I have to cancel our call on Monday. Can we move it to Thursday at 4pm?");
    expect(meetings.map(({ start }) => start.toISOString())).toEqual(["2026-11-19T15:00:00.000Z"]);
  });
});

describe("the subject of an email about another event", () => {
  it.each([
    ["Offsite in March", "Can we talk on Thursday at 3 about the budget for it?", "Talk: Offsite in March"],
    ["Offsite in March", "The offsite is on 3 March at 9:00.", "Offsite in March"],
    ["Budget 2027", "Can we talk on Thursday at 3?", "Budget 2027"],
  ])("%s: %s", (subject, content, title) => {
    expect(detect(content, subject).meetings).toMatchObject([{ title }]);
  });
});

describe("meetings as data", () => {
  const invite = (method: string) =>
    `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nBEGIN:VEVENT\r\nDTSTART;TZID=America/New_York:20261201T140000\r\nDURATION:PT45M\r\nSUMMARY:Budget\\, round\r\n  two\r\nLOCATION:Room 4\r\nATTENDEE;CN="Lee, Ann":mailto:Ann@x.org\r\nEND:VEVENT\r\nEND:VCALENDAR`;

  it("iCalendar text is read with its zone, folded lines and quoted names", () => {
    expect(detect(invite("REQUEST")).meetings).toMatchObject([
      {
        title: "Budget, round two",
        start: new Date("2026-12-01T19:00:00Z"),
        end: new Date("2026-12-01T19:45:00Z"),
        timeZone: "America/New_York",
        attendees: [{ name: "Lee, Ann", email: "ann@x.org" }],
        confidence: 0.98,
        quote: { text: "DTSTART;TZID=America/New_York:20261201T140000" },
      },
    ]);
  });

  it("a cancelled invitation is no meeting", () => {
    expect(detect(invite("CANCEL"))).toMatchObject({ detected: false, meetings: [] });
  });

  it("schema.org markup in HTML is read", () => {
    const content =
      '<html><script type="application/ld+json">{"@type":"Event","name":"Gala","startDate":"2026-12-05T19:00:00+01:00","location":{"name":"Town Hall"}}</script><p>See you</p></html>';
    expect(detect(content).meetings).toMatchObject([
      { title: "Gala", start: new Date("2026-12-05T18:00:00Z"), location: "Town Hall" },
    ]);
  });

  it("HTML is read as its reader sees it, at the offsets of the source", () => {
    const content = "<div>Hello</div><p>Let&#39;s have <b>lunch</b> tomorrow at noon.</p><style>p{}</style>";
    const { meetings } = detect(content);
    expect(meetings).toMatchObject([{ start: new Date("2026-11-19T11:00:00Z"), quote: { text: "tomorrow at noon" } }]);
  });
});
