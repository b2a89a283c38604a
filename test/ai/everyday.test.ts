import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { emptyWednesday, storeEvent, storeTask, talkTo, toolsOf } from "./chatting.ts";
import { ownStore } from "./tenant.ts";

/*
 * What people really write: in haste, politely, and several things in a breath.
 */

const api = service({ KV: ownStore() });
beforeEach(emptyWednesday);

const say = (message: string) => talkTo(api).say(message);
const tasks = async () => (await api.get("/api/tasks?status=all&sort=created")).body.data;
const titles = async () => (await tasks()).map(({ title }: { title: string }) => title).sort();

describe("a message in haste", () => {
  it.each([
    ["whats on my calender tommorow", ["list_events"], /nothing in your calendar tomorrow/],
    ["plz remaind me to call Ann tmrw at 3", ["create_task"], /Call Ann, due tomorrow at 15:00/],
    [
      "I need to pay the rent by friday, can you add that as urgent",
      ["create_task"],
      /Pay the rent, due Friday, urgent/,
    ],
    ["block 2 hours for focus work tomorrow morning", ["create_event"], /tomorrow 09:00–11:00: Focus work/],
  ])("“%s” is understood", async (message, tools, reply) => {
    const answer = await say(message);
    expect(toolsOf(answer)).toEqual(tools);
    expect(answer.reply).toMatch(reply);
  });

  it("in another language is answered in it", async () => {
    expect(await say("Wie spät ist es?")).toMatchObject({ actions: [], reply: expect.stringContaining("11:00 Uhr") });
  });

  it.each([["asdfghjkl", /did not understand/]])("“%s” is declined, and nothing is done", async (message, reply) => {
    const answer = await say(message);
    expect(answer.actions).toEqual([]);
    expect(answer.reply).toMatch(reply);
  });

  it("keeps to the letter what stands in quotation marks", async () => {
    await say('add a task called "Fix the calender typo and show me"');
    expect(await titles()).toEqual(["Fix the calender typo and show me"]);
  });

  it("that tells of something done finishes its task", async () => {
    await storeTask(api, "Pay the rent");
    expect((await say("i've paid the rent")).reply).toBe("Done: Pay the rent.");
  });
});

it("a task is found by its name among all of them, and not among the first hundred", async () => {
  await env.DB.prepare(
    `INSERT INTO tasks (id, title, description, status, priority, due_at, tags, source, outside, version, created_at, updated_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
     SELECT 100000 + i, 'Call customer ' || (2000 + i), '', 'todo', 'medium', 1800000000000 + i * 3600000, '[]', 'manual', 0, 1, 0, 0
     FROM n`,
  ).run();
  expect((await say("mark call customer 3100 as done")).reply).toBe("Done: Call customer 3100.");
  expect((await say("mark call customer as done")).reply).toContain("More than one fits");
});

describe("several wishes in a message", () => {
  it.each([
    ["remind me to call mum at 6pm and to buy flowers tomorrow", ["Buy flowers", "Call mum"]],
    ["add these tasks:\n- buy paint\n- call the plumber by friday", ["Buy paint", "Call the plumber"]],
    ["add buy bread to my list, then remind me to sleep", ["Buy bread", "Sleep"]],
    // Who says so may mean both.
    ["remind me to call Ann and cancel the gym", ["Call Ann and cancel the gym"]],
  ])("“%s” are those tasks", async (message, expected) => {
    await say(message);
    expect(await titles()).toEqual(expected);
  });

  it("are done one after the other, and each is told of", async () => {
    await storeEvent(api, { title: "Dentist", start: "2026-11-20T09:00:00Z" });
    const answer = await say("Cancel the dentist appointment. Then schedule a call with Carol tomorrow at 11");
    expect(toolsOf(answer)).toEqual(["cancel_event", "create_event"]);
    expect(answer.reply).toMatch(
      /Cancelled: .*Dentist.*\n\nAdded to your calendar: tomorrow 11:00–11:30: Call with Carol/,
    );
  });

  it("wait when the first is asked back", async () => {
    const { say: talk } = talkTo(api);
    const asked = await talk("schedule a meeting with Bob tomorrow and remind me to prepare slides");
    expect(asked.actions).toEqual([]);
    expect(asked.reply).toMatch(/At what time tomorrow\?\n\nAfter that, say again: “remind me to prepare slides”/);
    expect(toolsOf(await talk("at 3"))).toEqual(["create_event"]);
  });
});

describe("what is asked back", () => {
  it("hears more about the event before it hears the time", async () => {
    const { say: talk } = talkTo(api);
    await talk("add a meeting");
    expect((await talk("with Susan about the budget")).reply).toContain("Meeting with Susan about the budget");
    expect((await talk("blue elephants")).reply).toMatch(/When should it be/);
    const made = await talk("friday 2pm");
    expect(made.actions).toMatchObject([
      {
        tool: "create_event",
        result: { title: "Meeting with Susan about the budget", start: "2026-11-20T13:00:00.000Z" },
      },
    ]);
  });

  it("takes a task with its time", async () => {
    const { say: talk } = talkTo(api);
    expect((await talk("remind me")).reply).toMatch(/what/i);
    await talk("to water the plants tomorrow at 5pm");
    expect(await tasks()).toMatchObject([{ title: "Water the plants", dueAt: "2026-11-19T16:00:00.000Z" }]);
  });
});

describe("a name", () => {
  it("that no event has may be a task's", async () => {
    await storeTask(api, "File the tax return");
    expect((await say("postpone the tax return to monday")).reply).toMatch(/Changed: File the tax return, due Monday/);
    expect((await say("cancel the tax return")).reply).toBe("Removed from your list: File the tax return.");
  });

  it("of a call or a meeting is never a task's", async () => {
    await storeTask(api, "Send the invoice to Bob");
    const answer = await say("cancel my call with Bob");
    expect(answer).toMatchObject({ actions: [], reply: expect.stringContaining("no event called") });
    expect(await tasks()).toMatchObject([{ status: "todo" }]);
  });

  it("is found behind any number of other events", async () => {
    const daily = { start: "2026-11-18T12:00:00Z", rrule: "FREQ=DAILY" };
    await storeEvent(api, { title: "Walk", ...daily });
    await storeEvent(api, { title: "Run", ...daily });
    await storeEvent(api, { title: "Dentist", start: "2027-02-01T09:00:00Z" });
    expect((await say("when is my dentist appointment?")).reply).toMatch(/Mon 1 Feb 2027 10:00–10:30: Dentist/);
    expect(toolsOf(await say("cancel my dentist appt"))).toEqual(["cancel_event"]);
  });

  it("counts for more than a time without its day", async () => {
    await storeEvent(api, { title: "Interview", start: "2026-11-20T13:00:00Z" });
    const answer = await say("move the interview from 2pm to 3pm on friday");
    expect(answer.actions).toMatchObject([{ tool: "move_event", result: { start: "2026-11-20T14:00:00.000Z" } }]);
  });
});
