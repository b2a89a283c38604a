import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { configOf } from "../../src/config.ts";
import { systemContext } from "../../src/context.ts";
import { applyInvitation, type InvitationMail } from "../../src/features/calendar/invitations.ts";
import { expectProblem, service } from "../harness.ts";

const api = service();
const EVENTS = "/api/calendar/events";

function apply(text: string, mail: Partial<InvitationMail> = {}) {
  const sent = { emailId: null, from: "grace@example.com", to: "hello@example.com", ...mail };
  return applyInvitation(systemContext(configOf(api.env), createExecutionContext()), text, sent);
}

const OUTLOOK_ZONE = `BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`;

const PEOPLE = `ORGANIZER;CN=Grace Hopper:mailto:Grace@example.com
ATTENDEE;CN="Lovelace, Ada";PARTSTAT=NEEDS-ACTION:mailto:ada@example.com
ATTENDEE;CUTYPE=ROOM:mailto:room@example.com
ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com`;

function ics(method: string, uid: string, sequence: number, lines: string, more = ""): string {
  return `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//EN
METHOD:${method}
${OUTLOOK_ZONE}
BEGIN:VEVENT
UID:${uid}
SEQUENCE:${sequence}
DTSTAMP:20520101T${String(sequence).padStart(2, "0")}0000Z
${lines}
END:VEVENT
${more}END:VCALENDAR
`
    .replaceAll("\n", "\r\n")
    .replaceAll("\r\n\r\n", "\r\n");
}

const call = (time: string, more = "") =>
  `DTSTART;TZID=W. Europe Standard Time:${time}\nDURATION:PT45M\nSUMMARY:Call\\, weekly\n${PEOPLE}\n${more}`;

async function event(id: number | null | undefined) {
  return (await api.get(`${EVENTS}/${id}`)).body;
}

describe("an invitation", () => {
  it("becomes an event, is updated by a later one, and an older one changes nothing", async () => {
    const created = await apply(ics("REQUEST", "uid-basic", 1, call("20520701T090000", "LOCATION:Room 1")), {
      emailId: 7_000_000,
    });
    expect(created).toMatchObject({ method: "REQUEST", results: [{ action: "created" }] });
    const id = created.results[0]?.eventId;
    expect(await event(id)).toMatchObject({
      title: "Call, weekly",
      start: "2052-07-01T07:00:00.000Z",
      end: "2052-07-01T07:45:00.000Z",
      timeZone: "Europe/Berlin",
      location: "Room 1",
      source: "email",
      emailId: 7_000_000,
      icalUid: "uid-basic",
      sequence: 1,
      organizer: { name: "Grace Hopper", email: "grace@example.com" },
      attendees: [
        { name: "Lovelace, Ada", email: "ada@example.com", response: "needs_action" },
        { name: null, email: "bob@example.com", response: "accepted" },
      ],
    });
    await api.patch(`${EVENTS}/${id}`, { tags: ["mine"], notes: "my own" });
    const again = await apply(ics("REQUEST", "uid-basic", 1, call("20520701T090000", "LOCATION:Room 1")));
    expect(again.results).toEqual([{ action: "unchanged", eventId: id }]);
    const updated = await apply(ics("REQUEST", "uid-basic", 3, call("20520701T100000")));
    expect(updated.results).toEqual([{ action: "updated", eventId: id }]);
    expect(await event(id)).toMatchObject({
      start: "2052-07-01T08:00:00.000Z",
      location: null,
      tags: ["mine"],
      notes: "my own",
      sequence: 3,
    });
    const older = await apply(ics("REQUEST", "uid-basic", 2, call("20520701T150000")));
    expect(older.results).toEqual([{ action: "outdated", eventId: id }]);
    expect(await event(id)).toMatchObject({ start: "2052-07-01T08:00:00.000Z" });
  });

  it("is made once when the same mail is taken in twice at once", async () => {
    const text = ics("REQUEST", "uid-twice", 0, call("20520702T090000"));
    const answers = await Promise.all([apply(text), apply(text), apply(text)]);
    expect(answers.map(({ results }) => results[0]?.action).sort()).toEqual(["created", "unchanged", "unchanged"]);
  });

  it("is cancelled, and revived only by a later request", async () => {
    const { results } = await apply(ics("REQUEST", "uid-cancel", 0, call("20520703T090000")));
    const id = results[0]?.eventId;
    const cancelled = await apply(ics("CANCEL", "uid-cancel", 1, call("20520703T090000", "COMMENT:No longer needed")));
    expect(cancelled.results).toEqual([{ action: "cancelled", eventId: id }]);
    expect(await event(id)).toMatchObject({ status: "cancelled", cancelReason: "No longer needed" });
    expect((await apply(ics("CANCEL", "uid-cancel", 0, call("20520703T090000")))).results[0]?.action).toBe("outdated");
    expect((await apply(ics("REQUEST", "uid-cancel", 0, call("20520703T090000")))).results[0]?.action).toBe("outdated");
    await apply(ics("REQUEST", "uid-cancel", 2, call("20520703T090000")));
    expect(await event(id)).toMatchObject({ status: "confirmed", cancelReason: null });
    expect((await apply(ics("CANCEL", "uid-nobody", 0, call("20520703T090000")))).results[0]).toMatchObject({
      action: "ignored",
      eventId: null,
    });
  });

  it("that was deleted here stays deleted until the organizer changes it", async () => {
    const { results } = await apply(ics("REQUEST", "uid-deleted", 0, call("20520704T090000")));
    await api.delete(`${EVENTS}/${results[0]?.eventId}`);
    expect((await apply(ics("REQUEST", "uid-deleted", 0, call("20520704T090000")))).results[0]?.action).toBe(
      "outdated",
    );
    expectProblem(await api.get(`${EVENTS}/${results[0]?.eventId}`), 404, "not_found");
    expect((await apply(ics("REQUEST", "uid-deleted", 1, call("20520704T100000")))).results[0]?.action).toBe("updated");
    expect(await event(results[0]?.eventId)).toMatchObject({ start: "2052-07-04T08:00:00.000Z" });
  });

  it("takes the answers of those who are invited, for themselves", async () => {
    const { results } = await apply(ics("REQUEST", "uid-reply", 1, call("20520705T090000")));
    const id = results[0]?.eventId;
    const answer = (email: string, partstat: string, sequence = 1) =>
      ics("REPLY", "uid-reply", sequence, `DTSTART:20520705T070000Z\nATTENDEE;PARTSTAT=${partstat}:mailto:${email}`);
    expect((await apply(answer("ada@example.com", "DECLINED"), { from: "Ada@Example.com" })).results).toEqual([
      { action: "answered", eventId: id },
    ]);
    expect((await event(id)).attendees[0]).toMatchObject({ email: "ada@example.com", response: "declined" });
    expect((await apply(answer("bob@example.com", "DECLINED"), { from: "ada@example.com" })).results[0]?.action).toBe(
      "ignored",
    );
    expect((await apply(answer("eve@example.com", "ACCEPTED"), { from: "eve@example.com" })).results[0]?.action).toBe(
      "ignored",
    );
    expect(
      (await apply(answer("ada@example.com", "ACCEPTED", 0), { from: "ada@example.com" })).results[0]?.action,
    ).toBe("outdated");
    expect((await event(id)).attendees.map(({ response }: { response: string }) => response)).toEqual([
      "declined",
      "accepted",
    ]);
  });

  it("is changed only by the one who called it, and never one the booking provider keeps", async () => {
    const { results } = await apply(ics("REQUEST", "uid-owner", 0, call("20520706T090000")));
    const foreign = ics("CANCEL", "uid-owner", 9, call("20520706T090000")).replace(
      "Grace@example.com",
      "eve@example.com",
    );
    expect((await apply(foreign, { from: "eve@example.com" })).results[0]).toMatchObject({
      action: "ignored",
      eventId: results[0]?.eventId,
    });
    const nameless = ics("CANCEL", "uid-owner", 9, "DTSTART:20520706T070000Z");
    expect((await apply(nameless, { from: "eve@example.com" })).results[0]?.action).toBe("ignored");
    const booked = await api.post(EVENTS, { title: "Booked", start: "2052-07-06T12:00:00Z", bookingId: "ics-booked" });
    const request = ics("REQUEST", booked.body.icalUid, 9, call("20520706T090000"));
    expect((await apply(request)).results[0]).toMatchObject({ action: "ignored", eventId: booked.body.id });
  });

  it("is changed only by a mail of its organizer, whatever organizer the file names", async () => {
    const { results } = await apply(ics("REQUEST", "uid-sender", 0, call("20520707T090000")), {
      from: "GRACE@example.com",
    });
    const id = results[0]?.eventId;
    const anonymous = "DTSTART:20520707T070000Z\nSUMMARY:Taken over";
    for (const [method, lines] of [
      ["REQUEST", call("20520707T150000")],
      ["REQUEST", anonymous],
      ["CANCEL", call("20520707T090000")],
      ["CANCEL", anonymous],
      ["REQUEST", `${anonymous}\nSTATUS:CANCELLED`],
    ] as const) {
      const attempt = await apply(ics(method, "uid-sender", 9, lines), { from: "eve@example.com" });
      expect(attempt.results).toEqual([
        { action: "ignored", eventId: id, reason: expect.stringContaining("another organizer") },
      ]);
    }
    expect(await event(id)).toMatchObject({ title: "Call, weekly", status: "confirmed", sequence: 0 });
    const own = await apply(ics("REQUEST", "uid-sender", 1, anonymous), { from: "Grace@Example.com" });
    expect(own.results[0]?.action).toBe("updated");
    expect(await event(id)).toMatchObject({ title: "Taken over", organizer: { email: "grace@example.com" } });
  });

  it("without an organizer belongs to who sent it", async () => {
    const lines = "DTSTART:20520708T070000Z\nSUMMARY:Fair";
    const { results } = await apply(ics("PUBLISH", "uid-nobodys", 0, lines), { from: "Fair@example.com" });
    const id = results[0]?.eventId;
    expect(await event(id)).toMatchObject({ organizer: { name: null, email: "fair@example.com" } });
    const foreign = ics("CANCEL", "uid-nobodys", 5, `${lines}\nORGANIZER:mailto:eve@example.com`);
    expect((await apply(foreign, { from: "eve@example.com" })).results[0]?.action).toBe("ignored");
    const own = await apply(ics("CANCEL", "uid-nobodys", 1, lines), { from: "fair@example.com" });
    expect(own.results[0]?.action).toBe("cancelled");
  });

  it("sent on behalf of the organizer is changed by either, also after the other did", async () => {
    const mail = await api.post("/api/emails", {
      messageId: "<on-behalf@example.com>",
      from: "Calendar <noreply@calendar.example>",
      subject: "Invitation",
      body: "See the attachment.",
    });
    const from = "noreply@calendar.example";
    const { results } = await apply(ics("REQUEST", "uid-behalf", 0, call("20520709T090000")), {
      from,
      emailId: mail.body.id,
    });
    const id = results[0]?.eventId;
    for (const [sequence, sender, action] of [
      [1, "grace@example.com", "updated"],
      [2, from, "updated"],
      [3, "eve@example.com", "ignored"],
      [4, "grace@example.com", "updated"],
    ] as const) {
      const request = ics("REQUEST", "uid-behalf", sequence, call("20520709T090000", `LOCATION:Room ${sequence}`));
      expect((await apply(request, { from: sender, emailId: 1_000_000 + sequence })).results).toMatchObject([
        { action, eventId: id },
      ]);
    }
    expect(await event(id)).toMatchObject({
      location: "Room 4",
      emailId: mail.body.id,
      organizer: { email: "grace@example.com" },
    });
  });

  it("never changes what was made here, and takes an answer to it", async () => {
    const made = { start: "2052-07-10T12:00:00Z", attendees: [{ email: "ada@example.com" }] };
    for (const source of ["manual", "chat", "workflow", "email"]) {
      const { body } = await api.post(EVENTS, { title: "Mine", ...made, source });
      for (const method of ["REQUEST", "CANCEL"]) {
        const attempt = await apply(ics(method, body.icalUid, 9, call("20520710T090000")));
        expect(attempt.results).toMatchObject([{ action: "ignored", eventId: body.id }]);
      }
      const answer = ics(
        "REPLY",
        body.icalUid,
        0,
        "DTSTART:20520710T120000Z\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.com",
      );
      expect((await apply(answer, { from: "ada@example.com" })).results[0]?.action).toBe("answered");
      expect(await event(body.id)).toMatchObject({ title: "Mine", status: "confirmed" });
    }
  });

  it("from another does not take in the occurrences of a series that is not here yet", async () => {
    const one = call("20550408T110000", "RECURRENCE-ID;TZID=W. Europe Standard Time:20550408T090000");
    const alone = await apply(ics("REQUEST", "uid-caught", 0, one), { from: "grace@example.com" });
    const series = ics("REQUEST", "uid-caught", 0, call("20550401T090000", "RRULE:FREQ=WEEKLY;COUNT=3"));
    expect((await apply(series, { from: "eve@example.com" })).results[0]?.action).toBe("ignored");
    expect(await event(alone.results[0]?.eventId)).toMatchObject({ recurringEventId: null });
  });

  it("to a series brings its occurrences, one of them moved, and cancels another", async () => {
    const moved = `BEGIN:VEVENT\nUID:uid-series\nSEQUENCE:0\nDTSTAMP:20520101T000000Z\nRECURRENCE-ID;TZID=W. Europe Standard Time:20530401T090000
DTSTART;TZID=W. Europe Standard Time:20530401T140000\nDURATION:PT45M\nSUMMARY:Moved\n${PEOPLE}\nEND:VEVENT\n`;
    const series = call(
      "20530318T090000",
      "RRULE:FREQ=WEEKLY;COUNT=5\nEXDATE;TZID=W. Europe Standard Time:20530325T090000",
    );
    const { results } = await apply(ics("REQUEST", "uid-series", 0, series, moved));
    expect(results.map(({ action }) => action)).toEqual(["created", "updated"]);
    const list = async () => (await api.get(`${EVENTS}?start=2053-03-01T00:00:00Z&end=2053-05-01T00:00:00Z`)).body.data;
    const shown = async () =>
      (await list()).map(({ start, status }: { start: string; status: string }) => `${start} ${status}`);
    expect(await shown()).toEqual([
      "2053-03-18T08:00:00.000Z confirmed",
      "2053-04-01T12:00:00.000Z confirmed",
      "2053-04-08T07:00:00.000Z confirmed",
      "2053-04-15T07:00:00.000Z confirmed",
    ]);
    const one = call("20530408T090000", "RECURRENCE-ID;TZID=W. Europe Standard Time:20530408T090000");
    expect((await apply(ics("CANCEL", "uid-series", 1, one))).results[0]?.action).toBe("cancelled");
    expect((await shown())[2]).toBe("2053-04-08T07:00:00.000Z cancelled");
    const missing = call("20530409T090000", "RECURRENCE-ID;TZID=W. Europe Standard Time:20530409T090000");
    expect((await apply(ics("CANCEL", "uid-series", 1, missing))).results[0]?.action).toBe("ignored");
  });

  it("to one occurrence stands alone until its series comes, and then belongs to it", async () => {
    const one = call("20540408T110000", "RECURRENCE-ID;TZID=W. Europe Standard Time:20540408T090000");
    const alone = await apply(ics("REQUEST", "uid-stray", 0, one));
    expect(alone.results[0]?.action).toBe("created");
    const whole = await apply(ics("REQUEST", "uid-stray", 0, call("20540401T090000", "RRULE:FREQ=WEEKLY;COUNT=3")));
    expect(await event(alone.results[0]?.eventId)).toMatchObject({ recurringEventId: whole.results[0]?.eventId });
    const { body } = await api.get(`${EVENTS}?start=2054-04-01T00:00:00Z&end=2054-05-01T00:00:00Z`);
    expect(body.data.map(({ start }: { start: string }) => start)).toEqual([
      "2054-04-01T07:00:00.000Z",
      "2054-04-08T09:00:00.000Z",
      "2054-04-15T07:00:00.000Z",
    ]);
  });

  it.each([
    ["W. Europe Standard Time", "Europe/Berlin", "2052-10-01T07:00:00.000Z"],
    ["eastern standard time", "America/New_York", "2052-10-01T13:00:00.000Z"],
    ["India Standard Time", "Asia/Kolkata", "2052-10-01T03:30:00.000Z"],
  ])("in %s, which the file does not describe, is in %s", async (windows, timeZone, start) => {
    const text = ics("REQUEST", `uid-${windows}`, 0, `DTSTART;TZID=${windows}:20521001T090000\nSUMMARY:x`);
    const bare = text.replace(/BEGIN:VTIMEZONE.*END:VTIMEZONE\r\n/s, "");
    expect(await event((await apply(bare)).results[0]?.eventId)).toMatchObject({ timeZone, start });
  });

  it.each([
    ["LOCATION:https://meet.example.com/abc?x=1", "https://meet.example.com/abc?x=1"],
    ["LOCATION:Teams (https://meet.example.com/t/1).", "https://meet.example.com/t/1"],
    ["LOCATION:Room 4\\, <https://meet.example.com/2>\nURL:tel:123", "https://meet.example.com/2"],
    ["LOCATION:https://meet.example.com/3\nURL:https://example.com/page", "https://example.com/page"],
    ["LOCATION:Room 4", null],
  ])("with %s is met at %s", async (lines, meetingUrl) => {
    const text = ics("REQUEST", crypto.randomUUID(), 0, `DTSTART:20521002T090000Z\nSUMMARY:x\n${lines}`);
    expect(await event((await apply(text)).results[0]?.eventId)).toMatchObject({ meetingUrl });
  });

  it("that we have not answered is tentative, and stays confirmed once it is", async () => {
    const request = (sequence: number, more = "") =>
      apply(ics("REQUEST", "uid-unanswered", sequence, call("20521003T090000", more)), { to: "Ada@example.com" });
    const id = (await request(0)).results[0]?.eventId;
    expect(await event(id)).toMatchObject({ status: "tentative" });
    await request(1, "LOCATION:Room 1");
    expect(await event(id)).toMatchObject({ status: "tentative", location: "Room 1" });
    await api.patch(`${EVENTS}/${id}`, { status: "confirmed" });
    await request(2, "LOCATION:Room 2");
    expect(await event(id)).toMatchObject({ status: "confirmed", location: "Room 2" });
    const answered = await apply(ics("REQUEST", "uid-answered", 0, call("20521003T090000")), { to: "bob@example.com" });
    expect(await event(answered.results[0]?.eventId)).toMatchObject({ status: "confirmed" });
  });

  it("of whole days is of dates", async () => {
    const { results } = await apply(ics("PUBLISH", "uid-day", 0, "DTSTART;VALUE=DATE:20520801\nSUMMARY:Fair"));
    expect(await event(results[0]?.eventId)).toMatchObject({ startDate: "2052-08-01", endDate: "2052-08-02" });
  });

  it.each([
    [
      "more events than a mail may bring",
      ics(
        "REQUEST",
        "uid-bad",
        0,
        call("20520901T090000"),
        Array.from({ length: 40 }, (_, n) => `BEGIN:VEVENT\nUID:uid-${n}\nDTSTART:20520901T090000Z\nEND:VEVENT\n`).join(
          "",
        ),
      ),
    ],
    ["nonsense", "hello"],
    ["another kind of object", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\nEND:VCARD"],
    ["no event", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR"],
    ["no UID", ics("REQUEST", "", 0, call("20520901T090000"))],
    ["no start", ics("REQUEST", "uid-bad", 0, "SUMMARY:x")],
    ["a start that is no time", ics("REQUEST", "uid-bad", 0, "DTSTART:soon\nSUMMARY:x")],
    ["an end before the start", ics("REQUEST", "uid-bad", 0, "DTSTART:20520901T090000Z\nDTEND:20520901T080000Z")],
    ["an unknown zone", ics("REQUEST", "uid-bad", 0, "DTSTART;TZID=Nowhere:20520901T090000\nSUMMARY:x")],
    ["a rule that floods", ics("REQUEST", "uid-bad", 0, call("20520901T090000", "RRULE:FREQ=SECONDLY"))],
    ["a rule that fills every day", ics("REQUEST", "uid-bad", 0, call("20520901T090000", "RRULE:FREQ=HOURLY"))],
    [
      "this and all future",
      ics("CANCEL", "uid-bad", 0, call("20520901T090000", "RECURRENCE-ID;RANGE=THISANDFUTURE:20520901T070000Z")),
    ],
    [
      "one good event and one bad",
      ics(
        "REQUEST",
        "uid-bad",
        0,
        call("20520901T090000"),
        "BEGIN:VEVENT\nUID:uid-bad-2\nDTSTART:20520901T090000Z\nRRULE:FREQ=MINUTELY\nEND:VEVENT\n",
      ),
    ],
  ])("with %s is refused and writes nothing", async (_, text) => {
    await expect(apply(text)).rejects.toMatchObject({ code: "validation_failed" });
    const { body } = await api.get(`${EVENTS}?start=2052-09-01T00:00:00Z&end=2052-09-02T00:00:00Z`);
    expect(body.data).toEqual([]);
  });
});
