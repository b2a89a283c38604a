import { expect } from "vitest";
import { readSearchDate } from "../../src/features/emails/language/search-date.ts";
import { habitsFrom } from "../../src/lib/date-habits.ts";
import { toInstant, wallOfDate } from "../../src/lib/time-zone.ts";
import { setClock, signedInPerson } from "../auth/people.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, service } from "../harness.ts";
import { talkTo } from "./chatting.ts";

/* Phrases about time, what each means, and how each way into the service is asked for it. */

/** A Wednesday, eleven in the morning in Berlin. */
const NOW = new Date("2026-11-18T10:00:00Z");
const ZONE = "Europe/Berlin";
/** Of somebody in Berlin who writes British dates and 24-hour times. */
export const CLOCK = { reference: NOW, timeZone: ZONE, habits: habitsFrom('["en-GB","24h","monday",null]') };

/** What each phrase means to them. */
export const TIMES: Record<string, string> = {
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
export const DAYS: Record<string, string> = {
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
export const REFUSED: Record<string, string> = {
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
export const at = (local: string) =>
  new Date(toInstant(ZONE, Date.parse(`${local.replace(" ", "T")}:00Z`))).toISOString();
export const startOf = (date: string) => new Date(toInstant(ZONE, wallOfDate(date))).toISOString();
/** A day begins for its person when work does. */
export const workBegins = (date: string) => at(`${date} 09:00`);

/** "this evening" is a range in which the time lies. */
export const isRange = (phrase: string) =>
  /morning|first thing|lunch|afternoon|evening|tonight$/.test(phrase) && !/\d|six/.test(phrase);

/** Every other day is, in a search, the last one: emails are of the past. */
const FIXED = /20\d\d|^(?!at).*tomorrow|^in|^next/;

/** What a search takes the phrase for, if it does not depend on a search looking back. */
export function expectSearched(phrase: string, moment: string): void {
  if (FIXED.test(phrase) && !isRange(phrase)) {
    expect(readSearchDate(phrase, CLOCK)?.from.toISOString(), "search").toBe(moment);
  }
}

/** The range that a signal of the calendar has, and the moment that is meant. */
export function expectDetected(
  phrase: string,
  moment: string,
  { start, end }: { start: string; end: string | null },
): void {
  const isWithin = start <= moment && (end ?? start) >= moment;
  expect(isRange(phrase) ? isWithin : start === moment, `detect ${start} – ${end}`).toBe(true);
}

export const reminding = (phrase: string) =>
  `remind me to water the plants ${/^\d+\.\d/.test(phrase) ? "on " : ""}${phrase}`;
export const meeting = (phrase: string) => `schedule a meeting with Kim on ${phrase}`;

/** Every way in which the service is told a phrase about time, as this person's client. */
export async function waysIn() {
  const api = service();
  await emptyService();
  setClock(NOW);
  const { token } = await signedInPerson("owner");
  const profile = { timeZone: ZONE, locale: "en-GB", timeFormat: "24h" };
  const changed = await api.patch("/api/settings/profile", profile, { token });
  expect(changed.status, changed.text).toBe(200);
  const { id } = await storeMail(api, "reader");

  const say = (message: string) => talkTo(api, { token, timeZone: ZONE }).say(message);
  const dueText = (text: string) => api.post("/api/tasks", { title: "Task", dueText: text }, { token });
  const snooze = (text: string) => api.patch(`/api/emails/${id}`, { snoozeText: text }, { token });
  const detect = async (text: string) =>
    (await api.post("/api/calendar/detect", { text }, { token })).body.signals.filter(
      ({ kind }: { kind: string }) => kind === "time",
    );

  return {
    async expectTime(phrase: string, local: string): Promise<void> {
      const moment = at(local);
      expect((await dueText(phrase)).body.dueAt, "dueText").toBe(moment);
      expect((await say(reminding(phrase))).actions[0]?.result.dueAt, "chat").toBe(moment);
      expect((await snooze(phrase)).body.snoozedUntil, "snooze").toBe(moment);
      expectDetected(phrase, moment, (await detect(phrase))[0].resolved);
    },
    async expectDay(phrase: string, date: string): Promise<void> {
      expect((await dueText(phrase)).body, "dueText").toMatchObject({ dueAt: null, dueDate: date });
      expect((await say(reminding(phrase))).actions[0]?.result.dueDate, "chat").toBe(date);
      expect((await snooze(phrase)).body.snoozedUntil, "snooze").toBe(workBegins(date));
      expect((await detect(phrase))[0].resolved.start, "detect").toBe(startOf(date));
    },
    async expectRefused(phrase: string, reason: string): Promise<void> {
      const [due, snoozed] = [await dueText(phrase), await snooze(phrase)];
      expect([due.status, due.body.errors]).toEqual([422, [{ path: "dueText", message: reason }]]);
      expect([snoozed.status, snoozed.body.errors]).toEqual([422, [{ path: "snoozeText", message: reason }]]);
      for (const message of [reminding(phrase), meeting(phrase)]) {
        const said = await say(message);
        expect(said.actions).toEqual([]);
        expect(said.reply).toContain(reason);
      }
      expect((await detect(`Let's meet ${phrase}`)).map(({ doubt }: { doubt?: string }) => doubt)).toContain(reason);
      const found = await api.get(`/api/emails?q=${encodeURIComponent(`after:"${phrase}"`)}`, { token });
      expect(found.status, found.text).toBe(422);
      expect(found.text).toContain(reason);
    },
  };
}
