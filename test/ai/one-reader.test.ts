import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readSearchDate } from "../../src/features/emails/language/search-date.ts";
import { habitsFrom } from "../../src/lib/date-habits.ts";
import { toInstant, wallOfDate } from "../../src/lib/time-zone.ts";
import { setClock, signedInPerson } from "../auth/people.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, service } from "../harness.ts";
import { talkTo } from "./chatting.ts";

/** A Wednesday, eleven in the morning in Berlin. */
const NOW = new Date("2026-11-18T10:00:00Z");
const ZONE = "Europe/Berlin";
const api = service();

/** What each phrase means to somebody in Berlin who writes British dates and 24-hour times. */
const TIMES: Record<string, string> = {
  "tomorrow at 3pm": "2026-11-19 15:00",
  "tomorrow 15:30": "2026-11-19 15:30",
  "15.30 tomorrow": "2026-11-19 15:30",
  "0930 tomorrow": "2026-11-19 09:30",
  "tomorrow 9": "2026-11-19 09:00",
  "friday 17h": "2026-11-20 17:00",
  "friday 17 Uhr": "2026-11-20 17:00",
  "friday 17": "2026-11-20 17:00",
  "half 4 tomorrow": "2026-11-19 15:30",
  "half past 3 tomorrow": "2026-11-19 15:30",
  "quarter to five on friday": "2026-11-20 16:45",
  "first thing tomorrow": "2026-11-19 09:00",
  "tomorrow morning": "2026-11-19 09:00",
  "saturday lunchtime": "2026-11-21 12:00",
  "tomorrow afternoon": "2026-11-19 15:00",
  "this evening": "2026-11-18 19:00",
  "tomorrow evening": "2026-11-19 19:00",
  tonight: "2026-11-18 20:00",
  "tonight at 8": "2026-11-18 20:00",
  "5 this afternoon": "2026-11-18 17:00",
  "17h": "2026-11-18 17:00",
  "at 6:45 tomorrow": "2026-11-19 06:45",
  "from 6:45 to 9:20 tomorrow": "2026-11-19 06:45",
  "Nov 30 from 6:45 to 9:20": "2026-11-30 06:45",
  "3.12. at 10": "2026-12-03 10:00",
  "3.12.2026 um 10 Uhr": "2026-12-03 10:00",
  "11/12 at 3pm": "2026-12-11 15:00",
  "Thursday 3 December at 8:30": "2026-12-03 08:30",
  "Dec 3, 8:30am": "2026-12-03 08:30",
  "2026-12-03 08:30": "2026-12-03 08:30",
  "noon tomorrow": "2026-11-19 12:00",
  "the day after tomorrow at noon": "2026-11-20 12:00",
  "in 2 hours": "2026-11-18 13:00",
  "in an hour and a half": "2026-11-18 12:30",
  "1h30 from now": "2026-11-18 12:30",
  "9am New York time on Tuesday": "2026-11-24 15:00",
  "Tuesday at 9am in Tokyo": "2026-11-24 01:00",
  "tomorrow 10am PST": "2026-11-19 19:00",
  "3pm GMT tomorrow": "2026-11-19 16:00",
  "10:00 UTC on 20 November": "2026-11-20 11:00",
  "wednesday at 2pm": "2026-11-18 14:00",
  "next tuesday at 16:15": "2026-11-24 16:15",
  "7.30pm on Thursday": "2026-11-19 19:30",
  "EOD tomorrow": "2026-11-19 17:00",
  "close of business friday": "2026-11-20 17:00",
  "six thirty tomorrow evening": "2026-11-19 18:30",
  "4pm on 20 Nov": "2026-11-20 16:00",
  "24.12. 18:00": "2026-12-24 18:00",
  "1700 tomorrow": "2026-11-19 17:00",
  "friday 17.30": "2026-11-20 17:30",
};
const DAYS: Record<string, string> = {
  tomorrow: "2026-11-19",
  "the day after tomorrow": "2026-11-20",
  friday: "2026-11-20",
  "this friday": "2026-11-20",
  "next friday": "2026-11-27",
  "friday week": "2026-11-27",
  "a week on friday": "2026-11-27",
  "a week tomorrow": "2026-11-26",
  "tomorrow week": "2026-11-26",
  "fortnight tomorrow": "2026-12-03",
  "in 3 days": "2026-11-21",
  "in a fortnight": "2026-12-02",
  "24.12.": "2026-12-24",
  "3.12.": "2026-12-03",
  "24.12.2026": "2026-12-24",
  "03/12/2026": "2026-12-03",
  "3-12-2026": "2026-12-03",
  "11/12": "2026-12-11",
  "11/12/2026": "2026-12-11",
  "Friday 11/12": "2026-12-11",
  "20 November": "2026-11-20",
  "Nov 30": "2026-11-30",
  "December 3rd": "2026-12-03",
  "the third of December": "2026-12-03",
  "the 1st": "2026-12-01",
  "Christmas Eve": "2026-12-24",
  "New Year's Day": "2027-01-01",
  "last day of the month": "2026-11-30",
  "first monday of december": "2026-12-07",
  "2026-12-03": "2026-12-03",
  "3 Dec 2026": "2026-12-03",
};
/** Words that name no time, and why. */
const REFUSED: Record<string, string> = {
  "Feb 30": "There is no 30 February.",
  "Feb 30 at 10": "There is no 30 February.",
  "31 June": "There is no 31 June.",
  "the 31st of April": "There is no 31 April.",
  "29 February 2027": "There is no 29 February 2027.",
  "2027-02-30": "There is no 30 February.",
  "2026-13-03": "There is no 2026-13-03.",
  "31.6.2027": "There is no 31 June.",
  "tomorrow at 25:00": "There is no 25:00.",
  "friday at 13am": "There is no 13 am.",
  "Thursday 20 November": "20 November 2026 is a Friday, not a Thursday.",
};

/** A local time in Berlin. */
const at = (local: string) => new Date(toInstant(ZONE, Date.parse(`${local.replace(" ", "T")}:00Z`))).toISOString();
const dayStart = (date: string) => toInstant(ZONE, wallOfDate(date));

/** Every other day is, in a search, the last one: emails are of the past. */
const FIXED = /20\d\d|^(?!at).*tomorrow|^in|^next/;

let token: string;
let mailId: number;

beforeAll(async () => {
  await emptyService();
  setClock(NOW);
  ({ token } = await signedInPerson("owner"));
  const changed = await api.patch(
    "/api/settings/profile",
    { timeZone: ZONE, locale: "en-GB", timeFormat: "24h" },
    { token },
  );
  expect(changed.status, changed.text).toBe(200);
  mailId = (await storeMail(api, "reader")).id;
});
afterAll(() => void vi.useRealTimers());

const dueText = (text: string) => api.post("/api/tasks", { title: "Task", dueText: text }, { token });
const snooze = (text: string) => api.patch(`/api/emails/${mailId}`, { snoozeText: text }, { token });
const detect = async (text: string) =>
  (await api.post("/api/calendar/detect", { text }, { token })).body.signals.filter(
    ({ kind }: { kind: string }) => kind === "time",
  );
const chat = (text: string) =>
  talkTo(api, { token, timeZone: ZONE }).say(
    `remind me to water the plants ${/^\d+\.\d/.test(text) ? "on " : ""}${text}`,
  );
const search = (text: string) =>
  readSearchDate(text, { reference: NOW, timeZone: ZONE, habits: habitsFrom('["en-GB","24h","monday",null]') });

describe("a phrase about time means the same in tasks, chat, emails, search and the calendar", () => {
  it.each(Object.entries(TIMES))("%s", async (phrase, local) => {
    const expected = at(local);
    expect((await dueText(phrase)).body.dueAt, "dueText").toBe(expected);
    expect((await chat(phrase)).actions[0]?.result.dueAt, "chat").toBe(expected);
    expect((await snooze(phrase)).body.snoozedUntil, "snooze").toBe(expected);
    const [signal] = await detect(phrase);
    const { start, end } = signal.resolved;
    // "this evening" is a range in which the time lies.
    expect(start <= expected && (end === null ? start : end) >= expected, `detect ${start} ${end}`).toBe(true);
    const isRange = /morning|first thing|lunch|afternoon|evening|tonight$/.test(phrase) && !/\d|six/.test(phrase);
    if (!isRange) expect(start, "detect").toBe(expected);
    if (!isRange && FIXED.test(phrase)) expect(search(phrase)?.toISOString(), "search").toBe(expected);
  });

  it.each(Object.entries(DAYS))("%s", async (phrase, date) => {
    const start = new Date(dayStart(date)).toISOString();
    expect((await dueText(phrase)).body, "dueText").toMatchObject({ dueAt: null, dueDate: date });
    expect((await chat(phrase)).actions[0]?.result.dueDate, "chat").toBe(date);
    // A day begins for its person when work does.
    expect((await snooze(phrase)).body.snoozedUntil, "snooze").toBe(
      new Date(dayStart(date) + 9 * 3_600_000).toISOString(),
    );
    const [signal] = await detect(phrase);
    expect(signal.resolved.start, "detect").toBe(start);
    if (FIXED.test(phrase)) expect(search(phrase)?.toISOString(), "search").toBe(start);
  });

  it.each(Object.entries(REFUSED))("%s is refused with the reason", async (phrase, reason) => {
    const due = await dueText(phrase);
    expect(due.status).toBe(422);
    expect(due.body.errors).toEqual([{ path: "dueText", message: reason }]);
    const snoozed = await snooze(phrase);
    expect(snoozed.status).toBe(422);
    expect(snoozed.body.errors).toEqual([{ path: "snoozeText", message: reason }]);
    const said = await chat(phrase);
    expect(said.actions).toEqual([]);
    expect(said.reply).toContain(reason);
    const event = await talkTo(api, { token, timeZone: ZONE }).say(`schedule a meeting with Kim on ${phrase}`);
    expect(event.actions).toEqual([]);
    expect(event.reply).toContain(reason);
    expect((await detect(`Let's meet ${phrase}`)).map(({ doubt }: { doubt?: string }) => doubt)).toContain(reason);
    const found = await api.get(`/api/emails?q=${encodeURIComponent(`after:"${phrase}"`)}`, { token });
    expect(found.status, found.text).toBe(422);
    expect(found.text).toContain(reason);
  });
});

describe("a due date in words", () => {
  it.each([
    ["late tomorrow", "I read “tomorrow”, but not “late”."],
    ["teatime on friday", "I read “friday”, but not “teatime”."],
    ["friday or saturday", "“friday or saturday” names two dates. Name one."],
    ["not friday", "“not friday” says only which date is not meant."],
  ])("drops no word silently: %s", async (phrase, message) => {
    const { status, body } = await dueText(phrase);
    expect([status, body.errors]).toEqual([422, [{ path: "dueText", message }]]);
  });
});

describe("11/12", () => {
  const SENTENCE = "“11/12” can mean 11 December 2026 or 12 November 2027. Write the month as a word.";

  it("has two readings for somebody who has set no locale, and is never guessed", async () => {
    const { token: other } = await signedInPerson();
    const due = await api.post("/api/tasks", { title: "Task", dueText: "11/12" }, { token: other });
    expect(due.body.errors).toEqual([{ path: "dueText", message: SENTENCE }]);
    const said = await talkTo(api, { token: other }).say("book a room on 11/12 at 3pm");
    expect(said).toMatchObject({ actions: [] });
    expect(said.reply).toContain("can mean 11 December 2026 or 12 November 2027");
    const { body } = await api.post("/api/calendar/detect", { text: "How about 11/12 at 14:00?" }, { token: other });
    expect(body.meetings).toMatchObject([{ ambiguous: true, title: "Meeting" }]);
    const [signal] = body.signals.filter(({ kind }: { kind: string }) => kind === "time");
    expect([signal.resolved.start, signal.alternative.start].sort()).toEqual([
      "2026-12-11T14:00:00.000Z",
      "2027-11-12T14:00:00.000Z",
    ]);
  });

  it("takes the order that other dates of the text prove", async () => {
    const [, second] = await detect("Either 11/23/2026 or 12/1/2026 works.");
    expect(second.resolved.start).toBe("2026-11-30T23:00:00.000Z");
    expect(second).not.toHaveProperty("doubt");
  });

  it("has the month first for an American", async () => {
    const { token: other } = await signedInPerson();
    await api.patch("/api/settings/profile", { timeZone: "UTC", locale: "en-US", timeFormat: "12h" }, { token: other });
    const due = await api.post("/api/tasks", { title: "Task", dueText: "11/12" }, { token: other });
    expect(due.body.dueDate).toBe("2027-11-12");
    // And is answered with the clock and the order of dates that Americans read.
    const say = async (message: string, options = {}) =>
      (await api.post("/api/ai/chat", { message }, options)).body.reply;
    const message = "schedule a call with Kim on Nov 30 at 15:30";
    expect(await say(message, { token: other })).toContain("Mon, Nov 30 3:30 PM–4:00 PM");
    expect(await say("what day is it?", { token: other })).toContain("Wednesday, Nov 18, 2026");
  });
});

describe("the profile and the working hours", () => {
  it("decide the week, the end of the day and the first thing in the morning", async () => {
    const { token: other } = await signedInPerson();
    const patched = await api.patch(
      "/api/settings/profile",
      { timeZone: "UTC", locale: "en-US", weekStart: "sunday" },
      { token: other },
    );
    expect(patched.status).toBe(200);
    const early = [{ start: "06:00", end: "14:30" }];
    const days = {
      monday: early,
      tuesday: early,
      wednesday: early,
      thursday: early,
      friday: [],
      saturday: [],
      sunday: [],
    };
    const hours = await api.put("/api/settings/profile/working-hours", { timeZone: "UTC", days }, { token: other });
    expect(hours.status, hours.text).toBe(200);
    const due = async (text: string) =>
      (await api.post("/api/tasks", { title: "Task", dueText: text }, { token: other })).body.dueAt;
    expect(await due("EOD tomorrow")).toBe("2026-11-19T14:30:00.000Z");
    expect(await due("first thing tomorrow")).toBe("2026-11-19T06:00:00.000Z");
    expect(await due("tomorrow at 6")).toBe("2026-11-19T06:00:00.000Z");
    // Nobody who works to Thursday finishes the week on a Friday.
    expect(await due("this week")).toBe("2026-11-19T14:30:00.000Z");
    const week = (await api.post("/api/calendar/detect", { text: "next week" }, { token: other })).body.signals[0];
    expect(week.resolved.start).toBe("2026-11-22T00:00:00.000Z");
  });
});
