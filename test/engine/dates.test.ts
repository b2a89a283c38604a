import { describe, expect, it } from "vitest";
import { findDates } from "../../src/engine/dates/find-dates.ts";
import { readDueText, whyNoDate } from "../../src/engine/due-text.ts";
import { detectIn, tasksIn } from "../../src/engine/email/intelligence.ts";
import { eventSlots, taskSlots } from "../../src/engine/notes/slots.ts";
import { readQuickTask } from "../../src/features/tasks/language/quick-add.ts";

/** A Wednesday morning. */
const reference = new Date("2026-11-18T10:00:00Z");

function read(text: string, timeZone = "UTC"): string[] {
  return findDates(text, { reference, timeZone }).dates.map(({ from, to, type }) => {
    const short = (date: Date | null) => date?.toISOString().slice(0, 16).replace("T", " ") ?? "";
    return type === "duration" ? "length" : to ? `${short(from)} – ${short(to)}` : short(from);
  });
}

const day = (date: string) => {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return `${date} 00:00 – ${next} 00:00`;
};

describe("days", () => {
  it.each([
    ["ready by Friday", day("2026-11-20")],
    ["next Friday suits", day("2026-11-27")],
    ["this coming Monday", day("2026-11-23")],
    ["Tuesday of next week", day("2026-11-24")],
    ["next week on Tuesday", day("2026-11-24")],
    ["the day after tomorrow", day("2026-11-20")],
    ["first Monday of December", day("2026-12-07")],
    ["the last Friday in March", day("2027-03-26")],
    ["two weeks from Monday", day("2026-12-07")],
    ["a week from Friday", day("2026-11-27")],
    ["on the 24th", day("2026-11-24")],
    ["the 3rd of next month", day("2026-12-03")],
    ["3 Dec. 2026", day("2026-12-03")],
    ["December third, twenty twenty six", day("2026-12-03")],
    ["11/30", day("2026-11-30")],
    ["30/11/2026", day("2026-11-30")],
    ["30.11.2026", day("2026-11-30")],
    ["2026-11-30", day("2026-11-30")],
    ["three days ago", day("2026-11-15")],
    ["in two months", day("2027-01-18")],
    ["Christmas Eve", day("2026-12-24")],
    ["Easter Monday 2027", day("2027-03-29")],
    ["the Monday after Thanksgiving", day("2026-11-30")],
    ["3 business days from now", day("2026-11-23")],
  ])("%s", (text, expected) => expect(read(text)).toEqual([expected]));

  it("a list shares its month", () => {
    expect(read("Nov 23rd, 24th and 25th")).toEqual([day("2026-11-23"), day("2026-11-24"), day("2026-11-25")]);
    expect(read("18 and 19 June")).toEqual([day("2027-06-18"), day("2027-06-19")]);
  });
});

describe("times", () => {
  it.each([
    ["tomorrow at noon", "2026-11-19 12:00"],
    ["Tuesday at 3", "2026-11-24 15:00"],
    // Today's own name: today, unless it is too late for that.
    ["Wednesday at 3", "2026-11-18 15:00"],
    ["Wednesday at 9am", "2026-11-25 09:00"],
    ["Wednesday at 9am EST", "2026-11-18 14:00"],
    ["Wednesday 9-11am", "2026-11-18 09:00 – 2026-11-18 11:00"],
    ["Wednesday 8-9am", "2026-11-25 08:00 – 2026-11-25 09:00"],
    ["9am this Wednesday", "2026-11-18 09:00"],
    ["the day after tomorrow at 10", "2026-11-20 10:00"],
    ["the 24th at 2pm", "2026-11-24 14:00"],
    ["11/23 @ 2:30 PM", "2026-11-23 14:30"],
    ["half past 3 tomorrow", "2026-11-19 15:30"],
    ["quarter to nine on Friday", "2026-11-20 08:45"],
    ["9 in the morning on Monday", "2026-11-23 09:00"],
    ["seven in the evening tomorrow", "2026-11-19 19:00"],
    ["EOD Friday", "2026-11-20 17:00"],
    ["close of business tomorrow", "2026-11-19 17:00"],
    ["in an hour and a half", "2026-11-18 11:30"],
    ["45 minutes ago", "2026-11-18 09:15"],
    ["2026-11-20T14:00:00+02:00", "2026-11-20 12:00"],
    ["Friday 3pm EST", "2026-11-20 20:00"],
    ["Friday 3pm CET", "2026-11-20 14:00"],
    ["tomorrow 15:00 UTC+2", "2026-11-19 13:00"],
    ["Thu, 19 Nov 2026 10:15:00 -0600", "2026-11-19 16:15"],
    ["midnight tonight", "2026-11-19 00:00"],
    ["Date: Friday\nTime: 3pm", "2026-11-20 15:00"],
  ])("%s", (text, expected) => expect(read(text)).toEqual([expected]));

  it("an hour without am or pm is read in business hours and marked", () => {
    const [found] = findDates("Tuesday at 3", { reference, timeZone: "UTC" }).dates;
    expect(found).toMatchObject({ ambiguous: true, grain: "hour", type: "datetime" });
    expect(findDates("Tuesday at 3pm", { reference, timeZone: "UTC" }).dates[0]?.ambiguous).toBe(false);
  });

  it("the asked zone decides, with its clock change", () => {
    expect(read("Friday at 9am", "America/New_York")).toEqual(["2026-11-20 14:00"]);
    expect(read("July 10 at 9am", "America/New_York")).toEqual(["2027-07-10 13:00"]);
    expect(read("29 March 2027 at 9am", "Europe/Berlin")).toEqual(["2027-03-29 07:00"]);
  });
});

describe("ranges and lengths", () => {
  it.each([
    ["between 3 and 4pm", "2026-11-18 15:00 – 2026-11-18 16:00"],
    ["6-8 next Monday", "2026-11-23 18:00 – 2026-11-23 20:00"],
    ["Monday 10-4", "2026-11-23 10:00 – 2026-11-23 16:00"],
    ["tomorrow from 11am to 1", "2026-11-19 11:00 – 2026-11-19 13:00"],
    ["2pm tomorrow for 45 minutes", "2026-11-19 14:00 – 2026-11-19 14:45"],
    ["from 9am Monday until 5pm Tuesday", "2026-11-23 09:00 – 2026-11-24 17:00"],
    ["Friday, 20 November 2026, 14:00-15:30", "2026-11-20 14:00 – 2026-11-20 15:30"],
    ["tomorrow morning", "2026-11-19 08:00 – 2026-11-19 12:00"],
    ["between 11 November and 2 December 2013", "2013-11-11 00:00 – 2013-12-03 00:00"],
    ["between now and Friday", "2026-11-18 10:00 – 2026-11-21 00:00"],
    ["May 5-9", "2027-05-05 00:00 – 2027-05-10 00:00"],
    ["next week", "2026-11-23 00:00 – 2026-11-30 00:00"],
    ["this weekend", "2026-11-21 00:00 – 2026-11-23 00:00"],
    ["Q1 2027", "2027-01-01 00:00 – 2027-04-01 00:00"],
    ["within 48 hours", "2026-11-18 10:00 – 2026-11-20 10:00"],
    ["for 2 hours", "length"],
  ])("%s", (text, expected) => expect(read(text)).toEqual([expected]));
});

describe("what is no date", () => {
  it.each([
    "She sat in the office.",
    "We march on.",
    "Take $5/10 off.",
    "May I come in?",
    "Install version 2.10.3 first, please.",
    "The price rose to 12.50 a unit.",
    "Ring 555-0199 or +1 (415) 555-2671.",
    "We are here 24/7.",
    "Room 12 on the second floor.",
    "A last minute change.",
    "Rated 8/10 by readers.",
    "The office in London EC2A is open.",
    "April said she would come.",
  ])("%s", (text) => expect(read(text)).toEqual([]));
});

describe("the same phrase everywhere", () => {
  const clock = { reference, timeZone: "UTC", habits: { dayFirst: true, clock24: true } };
  const short = (date: Date | null | undefined) =>
    date?.toISOString().slice(0, 16).replace("T", " ").replace(" 23:59", "") ?? null;
  /** The words before the phrase in an email: "by Friday", "tomorrow". */
  const led = (phrase: string, word: string) =>
    /^(?:in |at |this|tonight|tomorrow|next|half|noon|\d+am|1930|a week|first)/.test(phrase)
      ? phrase
      : `${word} ${phrase}`;
  const sentence = (text: string) => `${text.replace(/\.$/, "")}.`;

  const everywhere = (phrase: string) => {
    const quick = readQuickTask(`Call mum ${phrase}`, clock);
    const said = taskSlots(`remind me to call mum ${phrase}`, clock);
    const email = `Hi Jo,\n\n${sentence(`Please send me the signed contract ${led(phrase, "by")}`)}\n\nThanks,\nAnn`;
    const [item] = tasksIn({ content: email, ...clock });
    const { signals } = detectIn({ content: sentence(`Let us have lunch ${led(phrase, "on")}`), ...clock });
    const times = signals.filter(({ kind }) => kind === "time");
    return {
      dueText: short(readDueText(phrase, clock)?.due),
      quickAdd: short(quick.due),
      chat: short(said.due),
      email: short(item?.dueAt),
      titles: [quick.title, said.title, item?.text],
      doubts: [whyNoDate(phrase, clock), quick.doubt, said.doubt],
      times,
    };
  };

  it.each([
    ["tomorrow", "2026-11-19"],
    ["tomorrow at 5pm", "2026-11-19 17:00"],
    ["Friday", "2026-11-20"],
    ["next Friday", "2026-11-27"],
    ["Friday 17h", "2026-11-20 17:00"],
    ["Friday at 17:30", "2026-11-20 17:30"],
    ["this evening", "2026-11-18 19:00"],
    ["tomorrow afternoon", "2026-11-19 15:00"],
    ["tomorrow morning", "2026-11-19 09:00"],
    ["tonight", "2026-11-18 20:00"],
    ["first thing tomorrow", "2026-11-19 09:00"],
    ["half 4 tomorrow", "2026-11-19 16:30"],
    ["in two weeks", "2026-12-02"],
    ["in 3 hours", "2026-11-18 13:00"],
    ["3 December", "2026-12-03"],
    ["3.12.", "2026-12-03"],
    ["24.12.", "2026-12-24"],
    ["03/12", "2026-12-03"],
    ["03/12/2026", "2026-12-03"],
    ["2026-12-03", "2026-12-03"],
    ["the 1st of the month", "2026-12-01"],
    ["the 24th", "2026-11-24"],
    ["Friday the 13th", "2027-08-13"],
    ["mid December", "2026-12-16"],
    ["the end of the month", "2026-11-30"],
    ["year end", "2026-12-31"],
    ["next week", "2026-11-27 17:00"],
    ["next month", "2026-12-31"],
    ["Q1", "2027-03-31"],
    ["the weekend", "2026-11-22"],
    ["1930 today", "2026-11-18 19:30"],
    ["9am New York time tomorrow", "2026-11-19 14:00"],
    ["noon Pacific on Friday", "2026-11-20 20:00"],
    ["Christmas Eve", "2026-12-24"],
    ["Tuesday fortnight", "2026-12-08"],
    ["EOD Friday", "2026-11-20 17:00"],
    ["this time tomorrow", "2026-11-19 10:00"],
    ["at 10 to 3 tomorrow", "2026-11-19 14:50"],
    ["a week on Tuesday", "2026-12-01"],
  ])("%s", (phrase, expected) => {
    const { dueText, quickAdd, chat, email, titles, times } = everywhere(phrase);
    // "year end" alone may be a name, so only "by year end" is a date.
    const isAlone = phrase === "year end";
    const found = isAlone ? { email } : { dueText, quickAdd, chat, email };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((key) => [key, expected])));
    expect(isAlone ? titles.slice(2) : titles).toEqual(
      ["Call mum", "Call mum", "Send Ann the signed contract"].slice(isAlone ? 2 : 0),
    );
    const start = isAlone ? null : times[0]?.resolved?.start;
    if (start && /\d\d:\d\d$/.test(expected) && !/morning|evening|afternoon|first thing|next week/.test(phrase))
      expect(short(start)).toBe(expected);
  });

  it.each([
    ["32 December", "There is no 32 December."],
    ["31/11", "There is no 31 November."],
    ["Feb 30", "There is no 30 February."],
    ["30.2.", "There is no 30 February."],
    ["29 February 2027", "There is no 29 February 2027."],
    ["tomorrow at 25:00", "There is no 25:00."],
    ["25:00 tomorrow", "There is no 25:00."],
    ["Friday or Saturday", "“Friday or Saturday” names two dates. Name one."],
  ])("%s is refused with the reason", (phrase, reason) => {
    const { dueText, quickAdd, chat, email, doubts } = everywhere(phrase);
    expect([dueText, quickAdd, chat, email]).toEqual([null, null, null, null]);
    expect(doubts).toEqual([reason, reason, reason]);
  });

  it("courtesies beside a date do no harm; other words are named", () => {
    for (const text of [
      "please by Friday",
      "sometime on Friday",
      "around Friday if possible",
      "it must be done by Friday",
    ])
      expect(short(readDueText(text, clock)?.due), text).toBe("2026-11-20");
    expect(readDueText("Friday unless it rains", clock)).toBeNull();
    expect(whyNoDate("Friday unless it rains", clock)).toBe("I read “Friday”, but not “unless rains”.");
  });

  it("an event in the evening begins in the evening", () => {
    const { start, end } = eventSlots("schedule drinks with Bob this evening", {
      ...clock,
      reference: new Date("2026-11-18T16:00:00Z"),
    });
    expect([short(start), end]).toEqual(["2026-11-18 19:00", null]);
  });
});

describe("phrases of people", () => {
  it.each([
    ["Mon-Wed next week", "2026-11-23 00:00 – 2026-11-26 00:00"],
    ["early Friday afternoon", "2026-11-20 12:00 – 2026-11-20 14:00"],
    ["the weekend of the 5th", "2026-12-05 00:00 – 2026-12-07 00:00"],
    ["tomorrow at 17:00 (Madrid)", "2026-11-19 16:00"],
    ["3 p.m. Central on Dec 1", "2026-12-01 21:00"],
    ["this time next week", "2026-11-25 10:00"],
    ["demain soir à huit heures", "2026-11-19 20:00"],
    ["Ich bin vom 21.12. bis zum 2.1. im Urlaub", "2026-12-21 00:00 – 2027-01-03 00:00"],
    ["it takes 3/4 of an hour", "length"],
  ])("%s", (text, expected) => expect(read(text)).toEqual([expected]));

  it("a week after a list of weekdays holds for all of them", () =>
    expect(read("Thursday and Friday next week")).toEqual([day("2026-11-26"), day("2026-11-27")]));

  it("each of two times keeps its own zone", () =>
    expect(read("10am PST / 1pm EST on Friday")).toEqual(["2026-11-20 18:00", "2026-11-20 18:00"]));

  it.each([
    "I give it 8/10.",
    "The score was 21:19 in the second set.",
    "Monday.com is a tool.",
    "A minute detail",
    "Please upgrade to 3.12.",
    "Order 0fb49c53-217a-4b16-9a1d-5c6e7f8a9b0c has left us.",
    "See ticket ab12cd34-9pm.",
  ])("%s is no date", (text) => expect(read(text)).toEqual([]));

  it.each([
    ["9am-11am tomorrow", "2026-11-19 09:00 – 2026-11-19 11:00"],
    ["2026-11-20T10:00:00Z", "2026-11-20 10:00"],
    ["le 20 novembre 14h30-16h15", "2026-11-20 14:30 – 2026-11-20 16:15"],
  ])("%s is no code", (text, expected) => expect(read(text)).toEqual([expected]));
});
