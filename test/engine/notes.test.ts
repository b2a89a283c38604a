import { describe, expect, it } from "vitest";
import { eventSlots, taskSlots } from "../../src/engine/notes/slots.ts";
import { fixSpelling } from "../../src/features/chat/request/spelling.ts";
import { dueOfMoment } from "../../src/lib/due.ts";

/*
 * The title, the time and the other details of a sentence that adds something. reader.test.ts has what a sentence wants,
 * and test/ai sends some to the chat.
 */

/** A Wednesday, eleven in the morning in Berlin. */
const clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };

describe("a task", () => {
  it.each([
    ["remind me to call Ann tomorrow at 3", "Call Ann", "2026-11-19T14:00:00.000Z"],
    ["Add a task to buy milk by friday", "Buy milk", "2026-11-20"],
    ["please put dusting on my list of things to do", "Dusting", null],
    ["set a reminder for tomorrow at 8am to take out the trash", "Take out the trash", "2026-11-19T07:00:00.000Z"],
    ["can you add laundry to my to do list", "Laundry", null],
    ["create a task called Prepare slides due tomorrow", "Prepare slides", "2026-11-19"],
    ["don't let me forget to water the plants", "Water the plants", null],
    ["remind me in 2 hours to stretch", "Stretch", "2026-11-18T12:00:00.000Z"],
    ["remind me tomorrow to call Ann at 3pm", "Call Ann", "2026-11-19T14:00:00.000Z"],
    ["todo: renew the passport", "Renew the passport", null],
    ["make a note: the wifi password is 1234", "The wifi password is 1234", null],
    ["I have to email Bob the slides before Friday noon", "Email Bob the slides", "2026-11-20T11:00:00.000Z"],
    // Words in haste, and words that only look so.
    ["plz remaind me to call Ann tmrw at 3", "Call Ann", "2026-11-19T14:00:00.000Z"],
    ["set a remainder to call Ann", "Call Ann", null],
    ["remind me to pay the remainder of the invoice", "Pay the remainder of the invoice", null],
    ["add a task called “Fix the calender typo and show me”", "Fix the calender typo and show me", null],
  ])("is asked for by “%s”", (message, title, due) => {
    const text = fixSpelling(message);
    const slots = taskSlots(text, clock);
    const read = slots.due && dueOfMoment(slots.due, clock.timeZone);
    expect([slots.title, read && (read.dueDate ?? read.dueAt.toISOString())]).toEqual([title, due]);
  });

  it.each([
    ["add high priority task review budget due next monday", "Review budget", "high"],
    ["I need to pay the rent by friday, can you add that as urgent", "Pay the rent", "urgent"],
  ])("has the priority that “%s” says", (message, title, priority) => {
    expect(taskSlots(message, clock)).toMatchObject({ title, priority });
  });
});

describe("an event", () => {
  const read = (message: string) => {
    const { start, end, durationMinutes, ...slots } = eventSlots(message, clock);
    const minutes = start && end ? (end.getTime() - start.getTime()) / 60_000 : durationMinutes;
    return { ...slots, start: start?.toISOString() ?? null, minutes };
  };

  it.each([
    ["schedule a meeting with Bob on thursday at 3pm for 1 hour", "Meeting with Bob", "2026-11-19T14:00:00.000Z", 60],
    ["book a 45 minute call with Dana next tuesday at 10", "Call with Dana", "2026-11-24T09:00:00.000Z", 45],
    ["add lunch with Sam from 12 to 1 tomorrow", "Lunch with Sam", "2026-11-19T11:00:00.000Z", 60],
    [
      "add dentist appointment to my calendar for friday at 9am",
      "Dentist appointment",
      "2026-11-20T08:00:00.000Z",
      null,
    ],
    ["create an event called Board review on monday 9-11am", "Board review", "2026-11-23T08:00:00.000Z", 120],
    ["block 2 hours for focus work tomorrow morning", "Focus work", "2026-11-19T08:00:00.000Z", 120],
    ["dinner with Sarah friday 8pm", "Dinner with Sarah", "2026-11-20T19:00:00.000Z", null],
    // Dinner is in the evening, unless it is said otherwise.
    ["dinner with Tom on Saturday at 7", "Dinner with Tom", "2026-11-21T18:00:00.000Z", null],
    ["dinner with Tom on Saturday at 8", "Dinner with Tom", "2026-11-21T19:00:00.000Z", null],
    ["dinner with Tom on Saturday at half past seven", "Dinner with Tom", "2026-11-21T18:30:00.000Z", null],
    ["dinner with Tom on Saturday at 11am", "Dinner with Tom", "2026-11-21T10:00:00.000Z", null],
    ["breakfast with Tom on Saturday at 7", "Breakfast with Tom", "2026-11-21T06:00:00.000Z", null],
  ])("is asked for by “%s”", (message, title, start, minutes) => {
    expect(read(message)).toMatchObject({ title, start, minutes, rrule: null, day: null });
  });

  it.each([
    ["schedule a sync every other monday at 10am", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-23T09:00:00.000Z"],
    ["schedule a sync every 2 weeks on tuesday at 9am", "FREQ=WEEKLY;INTERVAL=2", "2026-11-24T08:00:00.000Z"],
    [
      "schedule a sync every other week on mondays at 10am",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
      "2026-11-23T09:00:00.000Z",
    ],
    ["schedule a review every 3 months at 2pm", "FREQ=MONTHLY;INTERVAL=3", "2026-11-18T13:00:00.000Z"],
    ["schedule a sync every two weeks on tuesday at 9am", "FREQ=WEEKLY;INTERVAL=2", "2026-11-24T08:00:00.000Z"],
    ["set up a weekly sync with Ann on monday at 10am", "FREQ=WEEKLY", "2026-11-23T09:00:00.000Z"],
    ["schedule a bi-weekly sync on tuesdays at 9am", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "2026-11-24T08:00:00.000Z"],
    ["schedule a daily standup at 8am", "FREQ=DAILY", "2026-11-19T07:00:00.000Z"],
    ["schedule a quarterly review tomorrow at 2pm", "FREQ=MONTHLY;INTERVAL=3", "2026-11-19T13:00:00.000Z"],
    ["schedule a call about the weekly report tomorrow at 2pm", null, "2026-11-19T13:00:00.000Z"],
    ["schedule a standup every day at 8am", "FREQ=DAILY", "2026-11-19T07:00:00.000Z"],
    ["schedule a standup every wednesday at 8am", "FREQ=WEEKLY;BYDAY=WE", "2026-11-25T07:00:00.000Z"],
    ["add standup every weekday at 9am to my calendar", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T08:00:00.000Z"],
    ["schedule a sync on the first monday of each month at 10am", "FREQ=MONTHLY;BYDAY=1MO", "2026-12-07T09:00:00.000Z"],
    [
      "schedule a review on the last friday of every month at 2pm",
      "FREQ=MONTHLY;BYDAY=-1FR",
      "2026-11-27T13:00:00.000Z",
    ],
    ["schedule a sync every monday at 10am", "FREQ=WEEKLY;BYDAY=MO", "2026-11-23T09:00:00.000Z"],
  ])("“%s” repeats by %s", (message, rrule, start) => expect(read(message)).toMatchObject({ rrule, start }));

  it.each([
    ["put mom's birthday on my calendar for march 22", "Mom's birthday", "2027-03-22", null, null],
    ["schedule an offsite on 3 December", "Offsite", "2026-12-03", null, null],
    ["schedule a 2 day offsite on 3 December", "Offsite", "2026-12-03", 2880, null],
    [
      "add my wife's birthday on March 3rd every year to the calendar",
      "My wife's birthday",
      "2027-03-03",
      null,
      "FREQ=YEARLY",
    ],
    ["add rent on the 1st of every month to my calendar", "Rent", "2026-12-01", null, "FREQ=MONTHLY;BYMONTHDAY=1"],
    ["add pay day to my calendar every month on the 28th", "Pay day", "2026-11-28", null, "FREQ=MONTHLY;BYMONTHDAY=28"],
  ])("“%s” takes whole days", (message, title, day, minutes, rrule) => {
    expect(read(message)).toMatchObject({ title, start: null, day, minutes, rrule });
  });

  it.each([
    ["I'm on vacation from 20 to 27 December", "2026-12-20", "2026-12-27T23:00:00.000Z"],
    ["add vacation from December 30 to January 3 to my calendar", "2026-12-30", "2027-01-03T23:00:00.000Z"],
  ])("“%s” is a vacation to the end of its last day", (message, day, end) => {
    const slots = eventSlots(message, clock);
    expect([slots.day, slots.end?.toISOString()]).toEqual([day, end]);
  });
});
