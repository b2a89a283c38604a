import { beforeAll, describe, expect, it } from "vitest";
import { emptyService, service } from "../harness.ts";

const api = service();
beforeAll(emptyService);

async function say(message: string) {
  const { body } = await api.post("/api/ai/chat", { message, timeZone: "Europe/Berlin" });
  return body as { reply: string; actions: { tool: string; result: Record<string, unknown> }[] };
}
const titlesOn = async (name: string) => {
  const { data } = (await api.get("/api/tasks/lists")).body;
  const list = data.find((each: { name: string }) => each.name === name);
  const { body } = await api.get(`/api/tasks?listId=${list?.id}&sort=position`);
  return body.data.map((task: { title: string }) => task.title);
};

describe("lists in chat", () => {
  it("are made by the first thing on them, shown, and their things moved and removed", async () => {
    expect((await say("add milk to the shopping list")).reply).toBe("Added to the list Shopping: Milk.");
    await say("please put eggs, bread and butter on my shopping list");
    expect(await titlesOn("Shopping")).toEqual(["Milk", "Eggs", "Bread", "Butter"]);
    const shown = await say("what is on my shopping list?");
    expect(shown.reply).toContain("Bread");
    expect(shown.reply).toMatch(/4 open tasks on the list Shopping/);
    expect((await say("show me the shopping list")).reply).toContain("Butter");
    await say("add paint the fence to the garden list");
    const lists = await say("show my lists");
    expect(lists.reply).toContain("Shopping: 4 open tasks");
    expect(lists.reply).toContain("Garden: 1 open task");
    await api.post("/api/tasks", { title: "Buy seeds" });
    expect((await say("move buy seeds to the garden list")).reply).toBe("Moved to the list Garden: Buy seeds.");
    expect(await titlesOn("Garden")).toEqual(["Paint the fence", "Buy seeds"]);
    await say("remove eggs from the shopping list");
    expect(await titlesOn("Shopping")).toEqual(["Milk", "Bread", "Butter"]);
    expect((await say("what is on my holiday list?")).reply).toContain("no list called");
  });

  it("are not what other lists are", async () => {
    await say("add call Ann to my to-do list");
    const names = (await api.get("/api/tasks/lists")).body.data.map((list: { name: string }) => list.name);
    expect(names).toEqual(["Shopping", "Garden"]);
    expect((await api.get("/api/tasks?q=call+ann")).body.data).toHaveLength(1);
  });
});

describe("reminders in chat", () => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const event = async (title: string, days: number) =>
    (await api.post("/api/calendar/events", { title, start: at(days) })).body.id as number;
  const remindersOf = async (path: string) =>
    (await api.get(path)).body.reminders?.map(({ minutesBefore }: { minutesBefore: number }) => minutesBefore) ?? null;

  it("come before an event or a task that is named, or that was just made", async () => {
    const review = await event("Budget review with Kim", 3);
    const told = await say("remind me an hour before the budget review");
    expect(told.reply).toBe("I will remind you 1 hour before “Budget review with Kim”.");
    expect(await remindersOf(`/api/calendar/events/${review}`)).toEqual([60]);
    const { id } = (await api.post("/api/tasks", { title: "Renew passport", dueAt: at(9) })).body;
    expect((await say("remind me about renew passport a day and 2 hours before")).reply).toContain(
      "1 day before and 2 hours",
    );
    expect(await remindersOf(`/api/tasks/${id}`)).toEqual([1440, 120]);
    const added = await say("add a task to call the bank tomorrow at 5pm, remind me an hour before");
    expect(added.actions.map(({ tool }) => tool)).toContain("create_task");
    const [bank] = (await api.get("/api/tasks?q=call+the+bank")).body.data;
    expect(bank).toMatchObject({ title: "Call the bank", reminders: [{ minutesBefore: 60 }] });
    const missing = await say("remind me an hour before the dentist");
    expect(missing.reply).toContain("dentist");
    expect(missing.actions).toEqual([]);
    expect((await say("remind me an hour before")).reply).toMatch(/^Of what\?/);
    expect((await say("remind me in 20 minutes to take the pizza out")).reply).toMatch(
      /^Added to your tasks: Take the pizza out/,
    );
  });

  it("ask which of several is meant", async () => {
    await event("Standup north", 4);
    await event("Standup south", 5);
    const { reply, actions } = await say("remind me 15 minutes before the standup");
    expect(actions).toEqual([]);
    expect(reply).toContain("Standup north");
    expect(reply).toContain("Standup south");
  });
});

describe("repetition in chat", () => {
  it("is understood, and completing makes the next", async () => {
    const added = await say("remind me to take out the bins every friday");
    expect(added.reply).toMatch(/^Added to your tasks: Take out the bins, due .*, every Friday\.$/);
    expect(added.actions[0]?.result).toMatchObject({
      rrule: "FREQ=WEEKLY;BYDAY=FR",
      dueAt: null,
      dueDate: expect.any(String),
    });
    await say("mark take out the bins as done");
    expect((await api.get("/api/tasks?q=bins")).body.data).toHaveLength(1);
    expect((await api.get("/api/tasks?q=bins&status=all")).body.data).toHaveLength(2);
    const rent = await say("remind me to pay rent on the 1st of every month");
    expect(rent.actions[0]?.result).toMatchObject({ title: "Pay rent", rrule: "FREQ=MONTHLY;BYMONTHDAY=1" });
  });
});
