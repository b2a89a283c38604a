import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const client = service();

describe("POST /api/calendar/detect", () => {
  it("answers with meetings and the signals they rest on, in UTC, with exact offsets", async () => {
    const text = "Could we have a call on Tuesday at 3pm? https://meet.google.com/abc-defg-hij";
    const { status, body } = await client.post("/api/calendar/detect", {
      text,
      referenceTime: "2026-11-18T10:00:00Z",
      timeZone: "Europe/Berlin",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      detected: true,
      engine: { kind: "builtin", model: null },
      meetings: [
        {
          start: "2026-11-24T14:00:00.000Z",
          end: "2026-11-24T14:30:00.000Z",
          timeZone: "Europe/Berlin",
          meetingUrl: "https://meet.google.com/abc-defg-hij",
          ambiguous: false,
        },
      ],
    });
    const time = body.signals.find(({ kind }: { kind: string }) => kind === "time");
    expect(time).toEqual({
      kind: "time",
      text: "Tuesday at 3pm",
      start: text.indexOf("Tuesday"),
      end: text.indexOf("?"),
      resolved: { start: "2026-11-24T14:00:00.000Z", end: null, grain: "hour" },
    });
  });

  it.each(["Let's meet in 99999 centuries", "Call at 3pm ET in 99999 centuries", "A call within 99999 decades"])(
    "a time out of any calendar's reach is none: %s",
    async (text) => {
      const { status, body } = await client.post("/api/calendar/detect", { text, timeZone: "Europe/Berlin" });
      expect([status, body.meetings]).toEqual([200, []]);
    },
  );

  it("a time within reach is read beside one that is not", async () => {
    const { body } = await client.post("/api/calendar/detect", {
      text: "Not in 99999 centuries, but could we have a call on Tuesday at 3pm?",
      referenceTime: "2026-11-18T10:00:00Z",
    });
    expect(body.meetings).toMatchObject([{ start: "2026-11-24T15:00:00.000Z" }]);
  });

  it("reads a text once for one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "detect-once" };
    const ask = (text: string) => client.post("/api/calendar/detect", { text }, { headers });
    const first = await ask("Could we meet on Tuesday at 3pm?");
    const second = await ask("Could we meet on Tuesday at 3pm?");
    expect([second.headers.get("idempotency-replayed"), second.body]).toEqual(["true", first.body]);
    expectProblem(await ask("Another text"), 422, "idempotency_mismatch");
  });

  it("a length of time alone is a signal that resolves to nothing", async () => {
    const { body } = await client.post("/api/calendar/detect", { text: "It took us for 2 hours." });
    expect(body).toMatchObject({ detected: false, meetings: [], signals: [{ kind: "time", text: "for 2 hours" }] });
    expect(body.signals[0].resolved).toBeUndefined();
  });

  it.each([
    ["Let's meet this Tuesday at 3pm.", "2026-11-17T15:00:00.000Z"],
    ["Let's meet this Sunday at 3pm.", "2026-11-15T15:00:00.000Z"],
    ["Shall we meet Monday 9?", "2026-11-16T09:00:00.000Z"],
    ["Shall we meet on Thursday 10?", "2026-12-10T00:00:00.000Z"],
  ])("on a Sunday a weekday is the one to come: %s", async (text, start) => {
    const { body } = await client.post("/api/calendar/detect", { text, referenceTime: "2026-11-15T10:00:00Z" });
    expect(body.meetings).toMatchObject([{ start }]);
  });

  it("without a reference, days are counted from now", async () => {
    const { body } = await client.post("/api/calendar/detect", { text: "Lunch tomorrow at noon?" });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(body.meetings[0].start).toBe(`${tomorrow}T12:00:00.000Z`);
  });

  it("refuses an unknown zone, an empty text and a reference without offset", async () => {
    expectProblem(
      await client.post("/api/calendar/detect", { text: "x", timeZone: "Mars/Olympus" }),
      422,
      "validation_failed",
    );
    expectProblem(await client.post("/api/calendar/detect", { text: "" }), 422, "validation_failed");
    expectProblem(
      await client.post("/api/calendar/detect", { text: "x", referenceTime: "2026-11-18T10:00:00" }),
      422,
      "validation_failed",
    );
  });

  it("is closed to strangers when the service is private", async () => {
    const answer = await service({ ACCESS_MODE: "private" }).post("/api/calendar/detect", { text: "x" });
    expectProblem(answer, 401, "unauthenticated");
  });
});

describe("an invitation in the text", () => {
  const invitation = (...lines: string[]) =>
    ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:Review", ...lines, "END:VEVENT", "END:VCALENDAR"].join("\r\n");
  const meetingIn = async (text: string) =>
    (await service().post("/api/calendar/detect", { text, timeZone: "America/New_York" })).body.meetings[0];

  it("is read by the clock of the time zone that Outlook names in its own way", async () => {
    const meeting = await meetingIn(invitation("DTSTART;TZID=W. Europe Standard Time:20530401T090000"));
    expect(meeting).toMatchObject({ start: "2053-04-01T07:00:00.000Z", timeZone: "Europe/Berlin" });
  });

  it("keeps everyone it names, also without an address, once", async () => {
    const meeting = await meetingIn(
      invitation(
        "DTSTART:20530401T090000Z",
        "ATTENDEE;CN=Ann Lee:invalid:nomail",
        "ATTENDEE;CN=Bob Ray:invalid:nomail",
        "ATTENDEE;CN=Bob Ray:invalid:nomail",
        "ORGANIZER;CN=Cy:mailto:cy@example.org",
        "ATTENDEE;CN=Cyrus:mailto:CY@example.org",
      ),
    );
    expect(meeting.attendees).toEqual([
      { name: "Ann Lee", email: null },
      { name: "Bob Ray", email: null },
      { name: "Cy", email: "cy@example.org" },
    ]);
  });
});

describe("a page of HTML", () => {
  it("is read without its styles, however their tags are written", async () => {
    const text = "<DIV><STYLE>Could we meet on Monday at 9am?</STYLE><p>Could we meet on Tuesday at 3pm?</p></DIV>";
    const { body } = await service().post("/api/calendar/detect", { text, referenceTime: "2030-01-07T10:00:00Z" });
    expect(body.meetings).toMatchObject([{ start: "2030-01-08T15:00:00.000Z" }]);
    expect(JSON.stringify(body.signals)).not.toContain("Monday");
  });
});
