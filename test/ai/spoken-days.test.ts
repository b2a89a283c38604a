import { beforeEach, describe, expect, it } from "vitest";
import { setClock } from "../auth/people.ts";
import { service } from "../harness.ts";
import { emptyWednesday, storeTask, talkTo, toolsOf } from "./chatting.ts";
import { ownStore } from "./tenant.ts";

const api = service({ KV: ownStore() });
beforeEach(emptyWednesday);

const say = (message: string) => talkTo(api).say(message);
const events = async () => (await api.get("/api/calendar/events")).body.data;

async function saying(...messages: string[]) {
  const { say: talk } = talkTo(api);
  let answer = await talk(messages[0] ?? "");
  for (const message of messages.slice(1)) answer = await talk(message);
  return answer;
}

describe("a time that is given when it is asked for", () => {
  it.each([
    // Nine has passed today, so that by itself it would be tomorrow's.
    ["at 9", "2026-11-21T08:00:00.000Z", "2026-11-21T08:30:00.000Z"],
    ["at 3pm", "2026-11-21T14:00:00.000Z", "2026-11-21T14:30:00.000Z"],
    ["from 9 to 11", "2026-11-21T08:00:00.000Z", "2026-11-21T10:00:00.000Z"],
    ["tomorrow at 9", "2026-11-19T08:00:00.000Z", "2026-11-19T08:30:00.000Z"],
  ])("is meant on the day that was said before: “%s”", async (time, start, end) => {
    await saying("schedule a meeting with Bob on Saturday", time);
    expect(await events()).toMatchObject([{ title: "Meeting with Bob", start, end }]);
  });

  it("is asked for again when a call got only its day, and is then of that day", async () => {
    const answer = await saying("schedule a call with Ann", "Friday");
    expect(answer).toMatchObject({ reply: "At what time Friday?", actions: [] });
    await saying("schedule a call with Ann", "Friday", "2pm");
    expect(await events()).toMatchObject([{ start: "2026-11-20T13:00:00.000Z", allDay: false }]);
  });

  it("may be the whole day, if that is said", async () => {
    await saying("schedule a call with Ann", "all day Friday");
    expect(await events()).toMatchObject([{ start: "2026-11-19T23:00:00.000Z", allDay: true }]);
  });
});

describe("dinner", () => {
  it("is in the evening, too, when its time is asked for", async () => {
    await saying("dinner with mum on Saturday", "7:30");
    expect(await events()).toMatchObject([{ start: "2026-11-21T18:30:00.000Z" }]);
  });
});

describe("an event of whole days", () => {
  it.each([
    ["I'm on vacation from 20 to 27 December", "2026-12-20", "2026-12-28", /Sun 20 Dec – Sun 27 Dec, all day/],
    ["schedule a 2 day offsite on 3 December", "2026-12-03", "2026-12-05", /Thu 3 Dec – Fri 4 Dec, all day/],
  ])("lasts as long as was said: “%s”", async (message, startDate, endDate, reply) => {
    expect((await say(message)).reply).toMatch(reply);
    expect(await events()).toMatchObject([{ allDay: true, startDate, endDate }]);
  });

  it("that comes again begins on the day that was said", async () => {
    await say("add rent on the 1st of every month to my calendar");
    expect(await events()).toMatchObject([
      { title: "Rent", startDate: "2026-12-01", rrule: "FREQ=MONTHLY;BYMONTHDAY=1" },
    ]);
  });
});

describe("a weekday with two numbers", () => {
  it("is a pair of hours, when the date they could be is another weekday", async () => {
    setClock(new Date("2026-11-08T10:00:00Z"));
    await say("meeting with Joe Monday 11-12");
    expect(await events()).toMatchObject([{ start: "2026-11-09T10:00:00.000Z", end: "2026-11-09T11:00:00.000Z" }]);
  });

  it("is a date, when that is this weekday", async () => {
    const { body } = await api.post("/api/calendar/detect", {
      text: "Shall we meet on Friday 11-27 at 3pm?",
      timeZone: "Europe/Berlin",
    });
    expect(body.meetings).toMatchObject([{ start: "2026-11-27T14:00:00.000Z" }]);
  });
});

describe("what there is to do", () => {
  it("is looked up among the tasks", async () => {
    await storeTask(api, "File the taxes", { dueAt: "2026-11-20T16:00:00Z" });
    const answer = await say("what do I have to do this week?");
    expect(toolsOf(answer)).toContain("list_tasks");
    expect(answer.reply).toContain("File the taxes");
  });

  it("asks which one, when several are to move", async () => {
    await storeTask(api, "File the taxes");
    expect((await say("postpone all tasks to Monday")).reply).toMatch(/^These are open:\n1\. File the taxes/);
  });
});

it("a date is on its day, a time at its hour", async () => {
  expect((await say("do I have anything on 3 December?")).reply).toContain("calendar on 3 December");
});
