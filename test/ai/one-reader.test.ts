import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { whyNoDate as whyNoMoment } from "../../src/engine/due-date.ts";
import { readDueText, whyNoDate } from "../../src/engine/due-text.ts";
import { detectIn } from "../../src/engine/email/intelligence.ts";
import { eventSlots, taskSlots } from "../../src/engine/notes/slots.ts";
import { snoozeTime } from "../../src/engine/snooze-time.ts";
import { readSearchDate } from "../../src/features/emails/language/search-date.ts";
import { dueOfMoment } from "../../src/lib/due.ts";
import { signedInPerson } from "../auth/people.ts";
import { service } from "../harness.ts";
import { talkTo } from "./chatting.ts";
import {
  at,
  CLOCK,
  DAYS,
  expectDetected,
  expectSearched,
  meeting,
  REFUSED,
  reminding,
  startOf,
  TIMES,
  waysIn,
  workBegins,
} from "./time-phrases.ts";

const api = service();
let ways: Awaited<ReturnType<typeof waysIn>>;
beforeAll(async () => {
  ways = await waysIn();
});
afterAll(() => void vi.useRealTimers());

const due = (moment: Date | null | undefined) => {
  if (!moment) return null;
  const { dueAt, dueDate } = dueOfMoment(moment, CLOCK.timeZone);
  return dueDate ?? dueAt.toISOString();
};
const signalsIn = (content: string) => detectIn({ content, ...CLOCK }).signals.filter(({ kind }) => kind === "time");

/** The first signal, with its times as the service writes them. */
function detected(phrase: string) {
  const { start, end } = signalsIn(phrase)[0]?.resolved ?? {};
  return { start: start?.toISOString() ?? "", end: end?.toISOString() ?? null };
}

describe("a phrase about time means the same to the readers of tasks, notes, emails, searches and meetings", () => {
  it.each(Object.entries(TIMES))("%s", (phrase, local) => {
    const moment = at(local);
    expect(due(readDueText(phrase, CLOCK)?.due), "dueText").toBe(moment);
    expect(due(taskSlots(reminding(phrase), CLOCK).due), "note").toBe(moment);
    expect(snoozeTime(phrase, CLOCK)?.toISOString(), "snooze").toBe(moment);
    expectDetected(phrase, moment, detected(phrase));
    expectSearched(phrase, moment);
  });

  it.each(Object.entries(DAYS))("%s", (phrase, date) => {
    expect(due(readDueText(phrase, CLOCK)?.due), "dueText").toBe(date);
    expect(due(taskSlots(reminding(phrase), CLOCK).due), "note").toBe(date);
    expect(snoozeTime(phrase, CLOCK)?.toISOString(), "snooze").toBe(workBegins(date));
    expectDetected(phrase, startOf(date), detected(phrase));
    expectSearched(phrase, startOf(date));
  });

  it.each(Object.entries(REFUSED))("%s is refused with the reason", (phrase, reason) => {
    expect([readDueText(phrase, CLOCK), whyNoDate(phrase, CLOCK)]).toEqual([null, reason]);
    expect([snoozeTime(phrase, CLOCK), whyNoMoment(phrase, CLOCK)]).toEqual([null, reason]);
    expect(taskSlots(reminding(phrase), CLOCK)).toMatchObject({ due: null, doubt: reason });
    expect(eventSlots(meeting(phrase), CLOCK)).toMatchObject({ start: null, doubt: reason });
    expect(signalsIn(`Let's meet ${phrase}`).map(({ doubt }) => doubt)).toContain(reason);
    expect(readSearchDate(phrase, CLOCK)).toBeNull();
  });
});

describe("every way into the service asks these readers", () => {
  /** Every tenth: one of each shape. The rare tier asks for all of them. */
  const some = (phrases: Record<string, string>) => Object.entries(phrases).filter((_, index) => index % 10 === 0);

  it.each(some(TIMES))("%s", (phrase, local) => ways.expectTime(phrase, local));
  it.each(some(DAYS))("%s", (phrase, date) => ways.expectDay(phrase, date));
  it.each(some(REFUSED))("%s is refused with the reason", (phrase, reason) => ways.expectRefused(phrase, reason));
});

describe("a due date in words", () => {
  it.each([
    ["late tomorrow", "I read “tomorrow”, but not “late”."],
    ["teatime on friday", "I read “friday”, but not “teatime”."],
    ["friday or saturday", "“friday or saturday” names two dates. Name one."],
    ["not friday", "“not friday” says only which date is not meant."],
  ])("drops no word silently: %s", (phrase, message) => {
    expect([readDueText(phrase, CLOCK), whyNoDate(phrase, CLOCK)]).toEqual([null, message]);
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

  it("takes the order that other dates of the text prove", () => {
    const [, second] = signalsIn("Either 11/23/2026 or 12/1/2026 works.");
    expect(second?.resolved?.start.toISOString()).toBe("2026-11-30T23:00:00.000Z");
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
