import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { TOOL_NAMES } from "../../src/lib/chat-tools.ts";
import { emptyService } from "../harness.ts";
import { talkTo } from "./chatting.ts";
import { api, call, event, keyOf } from "./obeying.ts";
import { inHours, type Planted, plant, plantedIn } from "./planting.ts";
import { newTenant } from "./tenant.ts";

const emptied = async () => {
  await emptyService();
  await env.DB.prepare("DELETE FROM task_lists").run();
};

type Call = [tool: string, why: string, input: (there: Planted) => object];

/** Every tool, with what it returns and with each kind of refusal. */
const CALLS: Call[] = [
  ["find_mail", "what it finds", () => ({ anywhere: true })],
  ["find_mail", "a query that is not valid", () => ({ query: "has:zebra" })],
  ["read_mail", "an email", ({ email }) => ({ id: email.id })],
  ["read_mail", "an unknown id", () => ({ id: 999_999 })],
  ["find_people", "people", () => ({ query: "zqsender" })],
  ["list_snippets", "snippets", () => ({})],
  ["list_tasks", "tasks", () => ({})],
  ["list_tasks", "an unknown list", () => ({ list: "nowhere" })],
  ["list_task_lists", "lists", () => ({})],
  ["create_task", "a task", () => ({ title: "Mine" })],
  ["create_task", "a task of an email", ({ email }) => ({ title: "Mine", emailId: email.id, quote: "report to Ann" })],
  ["create_task", "a quote that is not there", ({ email }) => ({ title: "Mine", emailId: email.id, quote: "no" })],
  ["complete_task", "a task", ({ task }) => ({ id: task.id })],
  ["complete_task", "several that match", () => ({ match: "prepare" })],
  ["complete_task", "none that match", () => ({ match: "nothing like it" })],
  ["update_task", "a task", ({ task }) => ({ id: task.id, priority: "high" })],
  ["update_task", "an unknown list", ({ task }) => ({ id: task.id, list: "nowhere" })],
  ["update_task", "no change", ({ task }) => ({ id: task.id })],
  ["list_events", "events", () => ({ end: inHours(200) })],
  ["create_event", "what it overlaps with", () => ({ title: "Mine", start: inHours(1) })],
  ["create_event", "times that are not valid", () => ({ title: "Mine", start: inHours(5), end: inHours(4) })],
  ["move_event", "an event", ({ event }) => ({ id: event.id, start: inHours(8) })],
  ["move_event", "what it overlaps with", ({ ownEvent }) => ({ id: ownEvent.id, start: inHours(1) })],
  ["move_event", "several that match", () => ({ match: "meeting", start: inHours(8) })],
  ["cancel_event", "an event", ({ event }) => ({ id: event.id })],
  ["cancel_event", "several at a time", () => ({ from: inHours(0), until: inHours(60) })],
  ["cancel_event", "an unknown occurrence", ({ event }) => ({ id: event.id, occurrence: inHours(3) })],
  ["update_event", "an event", ({ event }) => ({ id: event.id, durationMinutes: 20 })],
  [
    "update_event",
    "an attendee by the name of a sender",
    ({ ownEvent }) => ({ id: ownEvent.id, addAttendees: ["Zqsender"] }),
  ],
  ["update_event", "an attendee nobody knows", ({ ownEvent }) => ({ id: ownEvent.id, addAttendees: ["Nobody"] })],
  ["respond_to_invitation", "an invitation", ({ invitation }) => ({ id: invitation.id, response: "accepted" })],
  ["respond_to_invitation", "several that wait", () => ({ response: "accepted" })],
  ["respond_to_invitation", "an event that is none", ({ event }) => ({ id: event.id, response: "accepted" })],
  ["find_free_slots", "times", () => ({})],
  ["daily_brief", "the day", () => ({})],
  ["update_mail", "an email", ({ email }) => ({ id: email.id, isRead: true })],
  ["update_mail", "tags", ({ email }) => ({ id: email.id, addTags: ["mine"] })],
  ["update_mail", "several that match", () => ({ match: "review", isRead: true })],
  ["plan_day", "a plan", () => ({ date: inHours(48).slice(0, 10) })],
  ["schedule_task", "a task", ({ task }) => ({ id: task.id, start: inHours(200) })],
  ["schedule_task", "a time that is taken", ({ own }) => ({ id: own.id, start: inHours(1) })],
  ["schedule_task", "a time that a booking has", ({ own }) => ({ id: own.id, start: inHours(50) })],
  ["draft_mail", "a reply", ({ email }) => ({ replyTo: email.id, body: "Yes." })],
  ["draft_mail", "a reply that the service words", ({ email }) => ({ replyTo: email.id, say: "I will come" })],
  ["draft_mail", "several that match", () => ({ match: "review", kind: "reply", body: "Yes." })],
  ["send_mail", "a draft", ({ draft }) => ({ id: draft.id })],
  ["send_mail", "an unknown draft", () => ({ id: 999_999 })],
  ["delete_draft", "a draft", ({ draft }) => ({ id: draft.id })],
  ["unsubscribe", "a list that cannot be left", ({ older }) => ({ id: older.id })],
  ["unsubscribe", "several that match", () => ({ match: "review" })],
  ["undo", "nothing to undo", () => ({})],
];

interface Message {
  role: string;
  content: unknown;
}

/** What the model was given by tools. Its own calls are not among it. */
function toolResults(body: unknown): string {
  const { messages } = body as { messages: Message[] };
  return JSON.stringify(messages.filter(({ role }) => role === "tool"));
}

const SHOWN_BY: Record<string, string> = {
  "find_mail what it finds": "zqsubject",
  "read_mail an email": "zqbody",
  "find_people people": "zqsendername",
  "list_tasks tasks": "zqtask",
  "list_task_lists lists": "zqlist",
  "list_events events": "zqplace",
  "create_event what it overlaps with": "zqevent",
  "complete_task several that match": "zqtask",
  "schedule_task a task": "zqtask",
  "schedule_task a time that is taken": "zqevent",
  "schedule_task a time that a booking has": "zqbooking",
  "respond_to_invitation several that wait": "zqinvitation",
  "update_event an attendee by the name of a sender": "zqsenderaddress",
};

let there: Planted | undefined;
const lastChange = async () => (await env.DB.prepare("SELECT max(id) AS id FROM changes").first<{ id: number }>())?.id;

/** Planting takes longer than asking: what a call has left as it was serves the next one, too. */
async function stillPlanted<T>(use: (planted: Planted) => Promise<T>): Promise<T> {
  if (!there) {
    await emptied();
    there = await plant();
  }
  const before = await lastChange();
  try {
    return await use(there);
  } finally {
    if ((await lastChange()) !== before) there = undefined;
  }
}

describe("whatever outside word a model gets from a tool, its next write is only proposed", () => {
  it("and this walks every tool", () => {
    expect(new Set(CALLS.map(([tool]) => tool))).toEqual(new Set(TOOL_NAMES));
  });

  it.each(CALLS)("%s: %s", (tool, why, input) =>
    stillPlanted(async (planted) => {
      const { client, says, requests } = await newTenant();
      const chat = talkTo(client);
      await says(call(tool, input(planted)), call("create_task", { title: "Probe" }), { text: "Noted." });
      const answer = await chat.say("please");
      const given = toolResults((await requests()).at(-1)?.body);
      const words = plantedIn(given);
      const isDone = answer.actions.some((each: { result: { title?: string } }) => each.result.title === "Probe");
      if (words.length > 0) expect(isDone, `${words} in ${given}`).toBe(false);
      const expected = SHOWN_BY[`${tool} ${why}`];
      if (expected) expect(words).toContain(expected);

      await says({ text: "Hello." });
      await chat.say("hello");
      expect(plantedIn(JSON.stringify((await requests()).at(-1)?.body)), "in a later turn").toEqual([]);
    }),
  );
});

describe("a refusal without anybody's words does not stop the assistant", () => {
  beforeEach(emptied);

  it.each([
    ["complete_task", { match: "nothing like it" }],
    ["read_mail", { id: 999_999 }],
    ["schedule_task", { id: 999_999, start: inHours(5) }],
    ["create_event", { title: "Mine", start: inHours(5), end: inHours(4) }],
  ])("%s %j", async (tool, input) => {
    const { client, says } = await newTenant();
    await says(call(tool, input), call("create_task", { title: "Probe" }), { text: "Noted." });
    expect((await talkTo(client).say("please")).actions).toMatchObject([{ tool: "create_task" }]);
  });

  it("nor does a time that the person's own event has", async () => {
    await api.post("/api/calendar/events", { title: "Lunch", start: inHours(5), end: inHours(6) });
    const { body: task } = await api.post("/api/tasks", { title: "Report" });
    const { client, says } = await newTenant();
    const at = (hours: number) => call("schedule_task", { id: task.id, start: inHours(hours) });
    await says(at(5), at(7), { text: "Noted." });
    expect((await talkTo(client).say("please")).actions).toMatchObject([{ tool: "schedule_task" }]);
  });

  it("nor do lists that the person has named", async () => {
    await api.post("/api/tasks/lists", { name: "Garden" });
    const { client, says } = await newTenant();
    await says(call("list_task_lists"), call("create_task", { title: "Probe" }), { text: "Noted." });
    expect((await talkTo(client).say("please")).actions).toHaveLength(2);
  });
});

describe("a record that is made of another takes over its mark", () => {
  beforeEach(emptied);

  it("an event for a task", async () => {
    const { task } = await plant();
    const { client, says } = await newTenant();
    await says(call("schedule_task", { id: task.id, start: inHours(200) }), { text: "Done." });
    const [{ result }] = (await talkTo(client).say("put it on my calendar")).actions;
    expect(await event(result.id)).toMatchObject({ title: task.title, source: "chat", outside: true });
  });

  it("an event with an address that was found in an email", async () => {
    const { ownEvent } = await plant();
    const { client, says } = await newTenant();
    await says(call("update_event", { id: ownEvent.id, addAttendees: ["Zqsender"] }), { text: "Done." });
    await talkTo(client).say("invite the sender");
    expect(await event(ownEvent.id)).toMatchObject({
      outside: true,
      attendees: [{ email: "zqsenderaddress@evil.example" }],
    });
    await says(call("update_event", { id: ownEvent.id, removeAttendees: "all" }), { text: "Done." });
  });

  it("but not one with an address that the person wrote", async () => {
    const { body } = await api.post("/api/calendar/events", { title: "Lunch", start: inHours(5) });
    const { client, says } = await newTenant();
    await says(call("update_event", { id: body.id, addAttendees: ["Ann@example.com"] }), { text: "Done." });
    await talkTo(client).say("invite ann@example.com");
    expect(await event(body.id)).toMatchObject({ outside: false, attendees: [{ email: "ann@example.com" }] });
  });

  it("a copy that the built-in engine makes of an event it has shown", async () => {
    const { key } = await plant();
    const start = `${inHours(72).slice(0, 10)}T09:00:00Z`;
    await api.post("/api/calendar/events", { title: "Zqshow rehearsal", start, durationMinutes: 30 }, { token: key });
    const chat = talkTo(api, { timeZone: "UTC" });
    await chat.say("when is the rehearsal?");
    const { actions } = await chat.say("another one at 5pm");
    for (const { result } of actions) expect(await event(result.id)).toMatchObject({ outside: true });
    expect(actions, "the copy").toHaveLength(1);
  });

  it("the next occurrence of a task that a person has changed for one time only", async () => {
    const { key } = await keyOf();
    const words = { title: "Zqseries", description: "Zqtext", tags: ["zqtag"], dueAt: inHours(5), rrule: "FREQ=DAILY" };
    for (const finish of ["done", "skip"]) {
      const made = (await api.post("/api/tasks", words, { token: key })).body;
      const path = `/api/tasks/${made.id}`;
      const mine = await api.patch(`${path}?scope=this`, { title: "Mine", description: "", tags: [] });
      expect(mine.body).toMatchObject({ title: "Mine", outside: false });
      await (finish === "done" ? api.patch(path, { status: "done" }) : api.post(`${path}/skip`, undefined));
      const { data } = (await api.get("/api/tasks?q=zqseries")).body;
      expect(data).toMatchObject([{ title: "Zqseries", outside: true }]);
      await emptyService();
    }
  });

  it("a list that a program names, until the person gives it another name", async () => {
    const { list, key } = await plant();
    expect(list.outside).toBe(true);
    const path = `/api/tasks/lists/${list.id}`;
    expect((await api.patch(path, { name: "ZQList", color: "red" })).body.outside).toBe(true);
    expect((await api.patch(path, { name: "Errands" })).body.outside).toBe(false);
    expect((await api.patch(path, { color: "teal" }, { token: key })).body.outside).toBe(false);
    expect((await api.patch(path, { name: "Zqnew" }, { token: key })).body.outside).toBe(true);
  });
});
