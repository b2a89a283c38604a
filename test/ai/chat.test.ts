import { beforeEach, describe, expect, it } from "vitest";
import { storeMail } from "../emails/new-mail.ts";
import { service } from "../harness.ts";
import { emptyWednesday, storeEvent, storeTask, talkTo, toolsOf } from "./chatting.ts";
import { ownStore } from "./tenant.ts";

const api = service({ KV: ownStore() });

beforeEach(emptyWednesday);

const say = (message: string) => talkTo(api).say(message);
const tasks = async () => (await api.get("/api/tasks?status=all")).body.data;
const events = async () => (await api.get("/api/calendar/events")).body.data;

describe("a message with more words than a search takes", () => {
  const WORDS =
    "harbour lantern gravel thimble orchard cinder velvet pebble saddle walnut magnet ribbon canyon hammer ladder mitten pepper quartz rocket tunnel window yellow zipper anchor basket candle dragon engine feather garden helmet island jacket kettle";
  it.each([
    "cancel the",
    "move the",
    "mark the",
    "did somebody write about the",
    "when is the",
    "what do I have to do about",
    "archive the email about",
    "reply to",
    "remind me to buy",
    "I have",
    "would you be so kind as to find",
  ])("is answered: “%s …”", async (begin) => {
    for (const message of [`${begin} ${WORDS}`, `${begin} ${WORDS}?`, `${begin} ${WORDS.replaceAll(" ", ", ")}`]) {
      expect((await say(message)).reply).toMatch(/^(?!.*(?:is not valid|must have|must not)).+/s);
    }
  });
});

describe("a task", () => {
  it.each([
    ["remind me to call Ann tomorrow at 3", "Call Ann", "2026-11-19T14:00:00.000Z"],
    ["Add a task to buy milk by friday", "Buy milk", "2026-11-20"],
  ])("is made at once of “%s”", async (message, title, due) => {
    const answer = await say(message);
    expect(toolsOf(answer)).toEqual(["create_task"]);
    expect(answer.proposals).toEqual([]);
    expect(await tasks()).toMatchObject([{ title, source: "chat", status: "todo" }]);
    const [{ dueAt, dueDate }] = await tasks();
    expect(dueDate ?? dueAt).toBe(due);
    expect(answer.reply).toContain(title);
  });

  it("takes its priority from the message", async () => {
    await say("add high priority task review budget due next monday");
    expect(await tasks()).toMatchObject([{ title: "Review budget", priority: "high" }]);
  });

  it("is asked for when the message names none, and the next message names it", async () => {
    const { say: talk } = talkTo(api);
    expect((await talk("set a reminder for tomorrow at 9am")).reply).toMatch(/what/i);
    await talk("Call the bank");
    expect(await tasks()).toMatchObject([{ title: "Call the bank", dueAt: "2026-11-19T08:00:00.000Z" }]);
  });

  it("is done after “mark buy milk as done”", async () => {
    await storeTask(api, "Buy milk");
    await storeTask(api, "Call Ann");
    await say("mark buy milk as done");
    const done = (await tasks()).filter(({ status }: { status: string }) => status === "done");
    expect(done).toMatchObject([{ title: "Buy milk" }]);
  });

  it("is asked about when several fit, and “the second one” settles it", async () => {
    await storeTask(api, "Call Ann about the lease", { dueAt: "2026-11-19T10:00:00Z" });
    await storeTask(api, "Call Ann about the party", { dueAt: "2026-11-20T10:00:00Z" });
    const { say: talk } = talkTo(api);
    const asked = await talk("mark call Ann as done");
    expect(asked.actions).toEqual([]);
    expect(asked.reply).toMatch(/1\. Call Ann about the lease.*\n2\. Call Ann about the party/);
    await talk("the second one");
    const done = (await tasks()).filter(({ status }: { status: string }) => status === "done");
    expect(done).toMatchObject([{ title: "Call Ann about the party" }]);
  });

  it("stays as it is after a “no”", async () => {
    await storeTask(api, "Call Ann about the lease");
    await storeTask(api, "Call Ann about the party");
    const { say: talk } = talkTo(api);
    await talk("mark call Ann as done");
    await talk("no");
    expect((await tasks()).every(({ status }: { status: string }) => status === "todo")).toBe(true);
  });

  it("that does not exist is not invented", async () => {
    const answer = await say("mark fly to the moon as done");
    expect(answer).toMatchObject({ actions: [], reply: expect.stringContaining("found no task") });
  });

  it("can be given another date or priority", async () => {
    await storeTask(api, "Review budget");
    await say("change the priority of review budget to urgent");
    await say("move the task review budget to friday");
    expect(await tasks()).toMatchObject([{ priority: "urgent", dueAt: null, dueDate: "2026-11-20" }]);
  });

  it("is listed and summed up", async () => {
    await storeTask(api, "Pay rent", { dueAt: "2026-11-17T10:00:00Z" });
    await storeTask(api, "Call Ann", { dueAt: "2026-11-19T10:00:00Z", priority: "urgent" });
    await storeTask(api, "Old thing", { status: "done" });
    expect((await say("what are my tasks?")).reply).toMatch(/2 open tasks:\n- Pay rent.*\n- Call Ann/);
    expect((await say("what tasks are overdue")).reply).toMatch(/1 overdue task:\n- Pay rent/);
    expect((await say("list my tasks due tomorrow")).reply).toMatch(/1 open task due tomorrow:\n- Call Ann/);
    expect((await say("give me a task summary")).reply).toMatch(/2 open tasks: 1 overdue, 0 due today, 1 urgent/);
  });

  it("list is only cleared after a yes", async () => {
    await storeTask(api, "Pay rent");
    await storeTask(api, "Call Ann");
    const { say: talk } = talkTo(api);
    expect((await talk("clear my to do list")).reply).toMatch(/2 open tasks.*yes or no/s);
    expect((await tasks()).every(({ status }: { status: string }) => status === "todo")).toBe(true);
    await talk("yes");
    expect((await tasks()).every(({ status }: { status: string }) => status === "cancelled")).toBe(true);
  });

  it("list that mail has filled is cleared as a whole after one yes", async () => {
    for (const title of ["Sign the lease", "Pay the fee", "Call the agent"]) {
      await storeTask(api, title, { source: "email" });
    }
    const { say: talk } = talkTo(api);
    await talk("clear my list");
    const answer = await talk("yes");
    expect(answer).toMatchObject({ proposals: [], reply: "Done: 3 tasks removed from your list." });
    expect((await tasks()).every(({ status }: { status: string }) => status === "cancelled")).toBe(true);
  });

  it("that went meanwhile is named, and the rest of the list is cleared", async () => {
    const gone = await storeTask(api, "Pay rent", { dueAt: "2026-11-19T10:00:00Z" });
    await storeTask(api, "Call Ann");
    const { say: talk } = talkTo(api);
    await talk("clear my list");
    await api.delete(`/api/tasks/${gone.id}`);
    expect((await talk("yes")).reply).toBe(`Done: 1 task removed from your list. There is no task ${gone.id}.`);
    expect(await tasks()).toMatchObject([{ title: "Call Ann", status: "cancelled" }]);
  });
});

describe("an event", () => {
  it.each([
    ["schedule a meeting with Bob on thursday at 3pm for 1 hour", "Meeting with Bob", "2026-11-19T14:00:00.000Z", 60],
    ["add dentist appointment to my calendar for friday at 9am", "Dentist appointment", "2026-11-20T08:00:00.000Z", 30],
  ])("is made at once of “%s”", async (message, title, start, minutes) => {
    const answer = await say(message);
    expect(toolsOf(answer)).toEqual(["create_event"]);
    const [event] = await events();
    expect(event).toMatchObject({ title, start, source: "chat", timeZone: "Europe/Berlin" });
    expect(Date.parse(event.end) - Date.parse(event.start)).toBe(minutes * 60_000);
  });

  it("without a time is asked for its time, on the day that was said", async () => {
    const { say: talk } = talkTo(api);
    expect((await talk("schedule a call with Dana on friday")).reply).toMatch(/at what time/i);
    await talk("at 3pm");
    expect(await events()).toMatchObject([{ title: "Call with Dana", start: "2026-11-20T14:00:00.000Z" }]);
  });

  it("that is a day of its own takes the whole day", async () => {
    await say("put mom's birthday on my calendar for march 22");
    expect(await events()).toMatchObject([{ title: "Mom's birthday", allDay: true, startDate: "2027-03-22" }]);
  });

  it("that repeats becomes a series", async () => {
    await say("add standup every weekday at 9am to my calendar");
    expect(await events()).toMatchObject([{ title: "Standup", rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" }]);
  });

  it("says what it overlaps with", async () => {
    await storeEvent(api, { title: "Budget round", start: "2026-11-19T14:00:00Z" });
    expect((await say("schedule a meeting with Bob on thursday at 3pm")).reply).toContain("overlaps with Budget round");
  });

  it.each([
    ["move my dentist appointment to friday 10am", "2026-11-20T09:00:00.000Z"],
    ["push my dentist appointment by 30 minutes", "2026-11-19T14:30:00.000Z"],
  ])("moves with “%s” and keeps its length", async (message, start) => {
    await storeEvent(api, { title: "Dentist appointment", start: "2026-11-19T14:00:00Z", durationMinutes: 50 });
    const answer = await say(message);
    expect(toolsOf(answer)).toEqual(["move_event"]);
    const [event] = await events();
    expect(event).toMatchObject({ start });
    expect(Date.parse(event.end) - Date.parse(event.start)).toBe(50 * 60_000);
  });

  it("is cancelled by “cancel my meeting with Ann”", async () => {
    await storeEvent(api, { title: "Meeting with Ann", start: "2026-11-19T14:00:00Z" });
    await storeEvent(api, { title: "Lunch with Bob", start: "2026-11-20T11:00:00Z" });
    await say("cancel my meeting with Ann");
    const cancelled = (await events()).filter(({ status }: { status: string }) => status === "cancelled");
    expect(cancelled).toMatchObject([{ title: "Meeting with Ann" }]);
  });

  it("of a series is cancelled for its next time only", async () => {
    await storeEvent(api, {
      title: "Standup",
      start: "2026-11-16T08:00:00Z",
      rrule: "FREQ=DAILY",
      timeZone: "Europe/Berlin",
    });
    await say("cancel the standup tomorrow");
    const { body } = await api.get("/api/calendar/events?start=2026-11-19T00:00:00Z&end=2026-11-21T00:00:00Z");
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(["cancelled", "confirmed"]);
  });

  it("is asked about when several fit", async () => {
    await storeEvent(api, { title: "Meeting with Ann", start: "2026-11-19T14:00:00Z" });
    await storeEvent(api, { title: "Meeting with Ann", start: "2026-11-20T14:00:00Z" });
    const { say: talk } = talkTo(api);
    expect((await talk("cancel my meeting with Ann")).reply).toMatch(/1\. .*tomorrow.*\n2\. .*Friday/);
    await talk("2");
    expect(await events()).toMatchObject([{ status: "confirmed" }, { status: "cancelled" }]);
  });

  it("of a whole day is only cancelled after a yes", async () => {
    await storeEvent(api, { title: "Meeting with Ann", start: "2026-11-20T14:00:00Z" });
    const { say: talk } = talkTo(api);
    await talk("clear my calendar for friday");
    expect(await events()).toMatchObject([{ status: "confirmed" }]);
    await talk("yes");
    expect(await events()).toMatchObject([{ status: "cancelled" }]);
  });

  it("of a booking is cancelled with the others of its day after one yes", async () => {
    for (const hour of [10, 11, 12]) {
      await storeEvent(api, {
        title: "Intro call",
        start: `2026-11-20T${hour}:00:00Z`,
        bookingId: crypto.randomUUID(),
      });
    }
    const { say: talk } = talkTo(api);
    await talk("clear my calendar for friday");
    expect(await talk("yes")).toMatchObject({ proposals: [], reply: "Done: 3 events cancelled." });
  });

  it("is told of for the time that was asked about", async () => {
    await storeEvent(api, { title: "Board review", start: "2026-11-20T09:00:00Z", location: "Room 4" });
    await storeEvent(api, { title: "Dentist", start: "2026-11-25T09:00:00Z" });
    expect((await say("what's on my calendar on friday?")).reply).toMatch(
      /1 event on friday:\n- Friday 10:00–10:30: Board review, Room 4/,
    );
    expect((await say("when is my dentist appointment")).reply).toMatch(/Wed 25 Nov 10:00/);
    expect((await say("do i have a meeting with liz today")).reply).toMatch(/nothing in your calendar today/);
    expect((await say("what's my next meeting?")).reply).toMatch(/Next is Friday 10:00–10:30: Board review/);
  });

  it("leaves the rest of the day free", async () => {
    await storeEvent(api, { title: "Board review", start: "2026-11-19T10:00:00Z", durationMinutes: 60 });
    expect((await say("when am I free tomorrow")).reply).toMatch(/tomorrow 09:00–11:00\n- tomorrow 12:00–17:00/);
    expect((await say("am i free tomorrow at 11am?")).reply).toMatch(/^No.*Board review/s);
    expect((await say("am i free tomorrow at 3pm?")).reply).toMatch(/^Yes/);
  });
});

describe("mail", () => {
  it("is summed up, newest first, with what is urgent", async () => {
    await storeMail(api, "one", { subject: "Lunch", receivedAt: "2026-11-17T09:00:00Z" });
    await storeMail(api, "two", {
      subject: "URGENT: contract",
      body: "Please send the signed contract today. This is urgent.",
      receivedAt: "2026-11-18T08:00:00Z",
    });
    const { reply } = await say("summarize my recent emails");
    expect(reply).toMatch(/latest 2 emails, 2 unread, 1 urgent:\n- Ann Lee: URGENT: contract.*\n- Ann Lee: Lunch/);
    const urgent = await say("what urgent items need my attention?");
    expect(urgent.reply).toContain("URGENT: contract");
    expect(urgent.reply).not.toContain("Lunch");
  });

  it("is found by sender and read", async () => {
    await storeMail(api, "one", {
      from: "Bob Ray <bob@example.org>",
      subject: "Lunch",
      body: "Shall we eat on Monday?",
    });
    expect((await say("find emails from Bob")).reply).toContain("Bob Ray: Lunch");
    const read = await say("read the email from Bob");
    expect(toolsOf(read)).toEqual(["read_mail"]);
    expect(read.reply).toContain("Shall we eat on Monday?");
  });
});

describe("small talk", () => {
  it.each([
    ["hello", /hello/i],
    ["thanks a lot", /welcome/i],
    ["goodbye", /goodbye/i],
    ["what can you do?", /summarize my recent emails/],
    ["what time is it", /11:00 \(Europe\/Berlin\)/],
    ["what time is it in Tokyo", /Tokyo it is 19:00/],
    ["what day is it today", /Wednesday, 18 Nov 2026/],
    ["what timezone is Paris in", /Europe\/Paris/],
  ])("“%s” is answered", async (message, reply) => {
    const answer = await say(message);
    expect(answer.reply).toMatch(reply);
    expect(answer.actions).toEqual([]);
  });

  it.each([
    ["why is the sky blue", /^I can answer only questions about your emails, tasks and calendar/],
    ["play some jazz", /^I cannot do that\. .*\nShould I add “Play some jazz” to your tasks\? Say yes or no\.$/],
    [
      "print my emails on paper in colour",
      /^I did not understand “print my emails on paper in colour”\. I can find, read, sort/,
    ],
    ["send an email", /to whom/],
  ])("“%s” is declined in one plain sentence with the nearest thing it can do", async (message, reply) => {
    const answer = await say(message);
    expect(answer.reply).toMatch(reply);
    expect(answer.reply).not.toContain("/api/");
    expect(answer.actions).toEqual([]);
    expect(answer.engine).toMatchObject({ kind: "builtin", fallbackReason: null });
  });
});
