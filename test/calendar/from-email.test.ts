import { describe, expect, it } from "vitest";
import { storeMail } from "../emails/new-mail.ts";
import { expectProblem, service } from "../harness.ts";

const api = service();
const path = "/api/calendar/events/from-email";
const mailOf = (body: string, more: object = {}) =>
  storeMail(api, "meeting", { body, subject: "Budget", receivedAt: "2030-01-07T10:00:00Z", ...more });

describe("POST /api/calendar/events/from-email", () => {
  it("makes the event of a stored mail once: 201, then 200 with the same", async () => {
    const mail = await mailOf("Your appointment is confirmed for Tuesday at 3pm.\nLocation: Room 4");
    const first = await api.post(path, { emailId: mail.id, timeZone: "Europe/Berlin" });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      title: "Budget",
      start: "2030-01-08T14:00:00.000Z",
      end: "2030-01-08T14:30:00.000Z",
      timeZone: "Europe/Berlin",
      location: "Room 4",
      source: "email",
      status: "confirmed",
      emailId: mail.id,
    });
    const again = await api.post(path, { emailId: mail.id });
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
  });

  it("makes one event for ten calls at once", async () => {
    const mail = await mailOf("Could we have a call on Wednesday at 11am?");
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(path, { emailId: mail.id })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it("a proposal or an open time gives a tentative event", async () => {
    const mail = await mailOf("Could we meet on Thursday at 3?");
    expect((await api.post(path, { emailId: mail.id })).body.status).toBe("tentative");
  });

  it("overrides win, and a day without a time is a whole day", async () => {
    const mail = await mailOf("Let's have the workshop on 15 January.");
    const { status, body } = await api.post(path, {
      emailId: mail.id,
      timeZone: "America/New_York",
      overrides: { title: "Workshop", tags: ["team"] },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: "Workshop",
      tags: ["team"],
      allDay: true,
      startDate: "2030-01-15",
      endDate: "2030-01-16",
    });
  });

  it.each([
    ["a length", { durationMinutes: 90 }, "2030-01-08T14:00:00.000Z", "2030-01-08T15:30:00.000Z"],
    ["a later start", { start: "2030-01-08T18:00:00Z" }, "2030-01-08T18:00:00.000Z", "2030-01-08T19:00:00.000Z"],
    ["an earlier start", { start: "2030-01-08T10:00:00" }, "2030-01-08T09:00:00.000Z", "2030-01-08T10:00:00.000Z"],
    ["an end", { end: "2030-01-08T17:00:00Z" }, "2030-01-08T14:00:00.000Z", "2030-01-08T17:00:00.000Z"],
    ["the whole day", { allDay: true }, "2030-01-07T23:00:00.000Z", "2030-01-08T23:00:00.000Z"],
  ])("overrides of time take %s, and keep what they do not name", async (_, overrides, start, end) => {
    const mail = await mailOf("Your appointment is confirmed for Tuesday from 3pm to 4pm.");
    const { status, body } = await api.post(path, { emailId: mail.id, timeZone: "Europe/Berlin", overrides });
    expect([status, body.start, body.end]).toEqual([201, start, end]);
  });

  it.each([
    ["Our sync moved from Tuesday 3pm to Wednesday 4pm.", "2030-01-09T15:00:00.000Z", "2030-01-09T15:30:00.000Z"],
    ["Can we move the call from 3pm to 4pm tomorrow?", "2030-01-08T15:00:00.000Z", "2030-01-08T15:30:00.000Z"],
    [
      "The workshop moved to room 4, from 3pm to 5pm on Tuesday.",
      "2030-01-08T14:00:00.000Z",
      "2030-01-08T16:00:00.000Z",
    ],
  ])("%s: a move is to its second time, and no length of time", async (text, start, end) => {
    const mail = await mailOf(text);
    const { body } = await api.post(path, { emailId: mail.id, timeZone: "Europe/Berlin" });
    expect([body.start, body.end]).toEqual([start, end]);
  });

  it("overrides give a whole day a time, or move it as long as it is", async () => {
    const timed = await api.post(path, {
      emailId: (await mailOf("Let's have the workshop on 15 January.")).id,
      overrides: { allDay: false, start: "2030-01-15T09:00:00Z" },
    });
    expect([timed.status, timed.body.end]).toEqual([201, "2030-01-15T09:30:00.000Z"]);
    const moved = await api.post(path, {
      emailId: (await mailOf("Let's have the workshop on 31 March.")).id,
      timeZone: "Europe/Berlin",
      overrides: { start: "2030-04-02" },
    });
    expect(moved.body).toMatchObject({ startDate: "2030-04-02", endDate: "2030-04-03" });
  });

  it("takes a text, with its sender as organizer, and knows it again", async () => {
    const text = {
      content: "Lunch on Friday at noon at the Blue Door Restaurant?",
      from: "Bob Ray <Bob@example.org>",
      receivedAt: "2030-01-07T10:00:00Z",
    };
    const { status, body } = await api.post(path, text);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      start: "2030-01-11T12:00:00.000Z",
      end: "2030-01-11T13:00:00.000Z",
      location: "the Blue Door Restaurant",
      organizer: { name: "Bob Ray", email: "bob@example.org" },
      attendees: [{ email: "bob@example.org", response: "needs_action" }],
    });
    expect((await api.post(path, text)).body.id).toBe(body.id);
  });

  it("comes back when asked for again after it was deleted", async () => {
    const mail = await mailOf("Could we have a call on Friday at 9am?");
    const { body } = await api.post(path, { emailId: mail.id });
    await api.delete(`/api/calendar/events/${body.id}`);
    const again = await api.post(path, { emailId: mail.id });
    expect(again.status).toBe(201);
    expect((await api.get(`/api/calendar/events/${again.body.id}`)).status).toBe(200);
  });

  it("says so when there is no meeting, no mail, or both or neither are given", async () => {
    const mail = await mailOf("The report is in the folder.");
    expectProblem(await api.post(path, { emailId: mail.id }), 422, "no_meeting_detected");
    expectProblem(await api.post(path, { content: "Thanks for the call yesterday." }), 422, "no_meeting_detected");
    expectProblem(await api.post(path, { emailId: 999999 }), 404, "not_found");
    expectProblem(await api.post(path, { emailId: mail.id, content: "x" }), 422, "validation_failed");
    expectProblem(await api.post(path, {}), 422, "validation_failed");
  });

  const pasted = (...lines: string[]) =>
    ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:p1", ...lines, "END:VEVENT", "END:VCALENDAR"].join("\r\n");
  const WEEKLY = ["DTSTART:20310105T090000Z", "RRULE:FREQ=WEEKLY;COUNT=9"];

  it.each([
    ["a zone that nobody knows", pasted("DTSTART;TZID=Nowhere:20310105T090000"), "the time zone Nowhere is unknown"],
    ["too many exceptions", pasted(...WEEKLY, `EXDATE:${Array(1001).fill("20310112T090000Z")}`), "1000 exceptions"],
    ["further dates", pasted(...WEEKLY, "RDATE:20310106T090000Z"), "has a series with moved or added dates"],
    [
      "a date that was moved",
      pasted(
        ...WEEKLY,
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:p1",
        "RECURRENCE-ID:20310112T090000Z",
        "DTSTART:20310113T090000Z",
      ),
      "has a series with moved or added dates",
    ],
    ["a year long ago", pasted("DTSTART:00500105T090000Z"), "1900"],
  ])("says why a pasted calendar cannot be stored: %s", async (_, content, reason) => {
    const answer = await api.post(path, { content });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.detail).toContain(reason);
  });

  it("knows the UTC of Exchange", async () => {
    const content = pasted("SUMMARY:Sync", 'DTSTART;TZID="tzone://Microsoft/Utc":20310105T090000');
    expect((await api.post(path, { content })).body).toMatchObject({
      title: "Sync",
      start: "2031-01-05T09:00:00.000Z",
    });
  });

  it("takes comparisons in a plain text for what they are", async () => {
    const mail = await mailOf("Please send the <Budget> file and check that a<b and c>d by Friday.");
    const { body } = await api.get(`/api/emails/${mail.id}/ai-analysis`);
    expect(body.actionItems[0].text).toContain("the <Budget> file and check that a<b and c>d");
  });
});
