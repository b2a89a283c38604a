import { beforeAll, describe, expect, it } from "vitest";
import { api, apply, call, EVENTS, event, ics, PEOPLE, writeTo } from "./inviting.ts";

// What strangers send is in strangers.test.ts.
beforeAll(() => writeTo("grace@example.com"));

/* What an invitation may look like: a series or a part of one, zones, links, dates, and what is none. */

describe("an invitation", () => {
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
