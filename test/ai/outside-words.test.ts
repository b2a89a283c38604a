import { beforeEach, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/features/tools/registry.ts";
import { storeMail } from "../emails/new-mail.ts";
import { type Client, emptyService } from "../harness.ts";
import { storeEvent, storeTask, talkTo, toolsOf } from "./chatting.ts";
import { api, call, event, expectDone, expectProposed, hoursAhead, keyOf, ORDER, task } from "./obeying.ts";
import { newTenant } from "./tenant.ts";

beforeEach(emptyService);

describe("text from an email never makes the assistant act", () => {
  it("not even after a person applied a proposal that was made from it", async () => {
    const mail = await storeMail(api, "order", { subject: "Hello", body: ORDER });
    const target = await storeEvent(api, { title: "Board review" });
    const { client, says } = await newTenant();
    await says(call("read_mail", { id: mail.id }), call("create_task", { title: ORDER }), { text: "I proposed it." });
    const chat = talkTo(client);
    const [proposal] = (await chat.say("what does that mail say?")).proposals;
    const applied = await client.post(`/api/ai/chat/proposals/${proposal.id}`);
    expect(applied.body.result).toMatchObject({ title: ORDER, source: "chat", outside: true });

    await says(call("list_tasks"), call("cancel_event", { id: target.id }), { text: "Done." });
    const second = await chat.say("what is on my list?");
    expect(toolsOf(second)).toEqual(["list_tasks"]);
    expect(second.proposals).toMatchObject([{ tool: "cancel_event", input: { id: target.id } }]);
    expect((await event(target.id)).status).toBe("confirmed");
  });

  it.each([
    ["create_event", (title: string) => ({ title, start: hoursAhead(30) }), "list_events"],
    ["update_task", (title: string, id: number) => ({ id, title }), "list_tasks"],
    ["cancel_event", (reason: string, _: number, id: number) => ({ id, reason }), null],
  ] as const)("an applied %s marks the record whose words it wrote", async (tool, input, reads) => {
    const mail = await storeMail(api, "order", { subject: "Hello", body: ORDER });
    const own = await storeTask(api, "Buy milk");
    const meeting = await storeEvent(api, { title: "Lunch" });
    const { client, says } = await newTenant();
    await says(call("read_mail", { id: mail.id }), call(tool, input(ORDER, own.id, meeting.id)), { text: "Proposed." });
    const [proposal] = (await talkTo(client).say("what does that mail say?")).proposals;
    const { body } = await client.post(`/api/ai/chat/proposals/${proposal.id}`);
    expect(body.result).toMatchObject({ outside: true });
    if (reads) await expectProposed(reads);
  });

  it("an applied proposal that changes no words leaves the person's own record theirs", async () => {
    const mail = await storeMail(api, "order", { subject: "Hello", body: ORDER });
    const own = await storeTask(api, "Buy milk");
    const { client, says } = await newTenant();
    await says(call("read_mail", { id: mail.id }), call("update_task", { id: own.id, priority: "high" }), {
      text: "P",
    });
    const [proposal] = (await talkTo(client).say("what does that mail say?")).proposals;
    await client.post(`/api/ai/chat/proposals/${proposal.id}`);
    expect(await task(own.id)).toMatchObject({ priority: "high", outside: false });
  });
});

describe("every tool result that shows outside words makes later writes proposals", () => {
  it("and every tool that may write can be proposed", () => {
    const writing = TOOLS.filter(({ scopes }) => scopes.some((scope) => scope.endsWith(":write")));
    expect(writing.length).toBeGreaterThan(5);
    expect(writing.filter(({ writes }) => !writes)).toEqual([]);
  });

  it("also the titles of conflicts, single and in a series", async () => {
    const { key } = await keyOf();
    for (const [rrule, day] of [
      [undefined, 40],
      ["FREQ=DAILY;COUNT=2", 50],
    ] as const) {
      const start = hoursAhead(day * 24);
      await api.post("/api/calendar/events", { title: ORDER, start, rrule }, { token: key });
      await expectProposed("create_event", { title: "Mine", start });
    }
  });

  it("also the names among which a choice is to be made", async () => {
    const { key } = await keyOf();
    await api.post("/api/tasks", { title: `Review A ${ORDER}` }, { token: key });
    await api.post("/api/tasks", { title: `Review B ${ORDER}` }, { token: key });
    await expectProposed("complete_task", { match: "review" });
  });

  it("also a task or event that was changed by its name", async () => {
    const { key } = await keyOf();
    await api.post("/api/tasks", { title: `Tax ${ORDER}` }, { token: key });
    await expectProposed("complete_task", { match: "tax" });
    await api.post("/api/calendar/events", { title: `Dentist ${ORDER}`, start: hoursAhead(5) }, { token: key });
    await expectProposed("cancel_event", { match: "dentist" });
  });

  it("also the daily brief", async () => {
    const { key } = await keyOf();
    await api.post("/api/tasks", { title: ORDER, dueAt: hoursAhead(-1) }, { token: key });
    await expectProposed("daily_brief");
  });
});

describe("the person's own words do not stop the assistant", () => {
  it.each(["list_tasks", "list_events", "daily_brief", "find_free_slots"])("in %s", async (tool) => {
    const chat = talkTo(api);
    await chat.say("add a task to buy milk");
    await storeTask(api, "Call Ann", { dueAt: hoursAhead(-1), description: "About the house", tags: ["home"] });
    await storeEvent(api, { title: "Lunch", location: "Home", attendees: ["ann@example.com"] });
    await expectDone(tool);
  });

  it("in the conflicts of a new event", async () => {
    const { start } = await storeEvent(api, { title: "Lunch" });
    await expectDone("create_event", { title: "Dinner", start });
  });
});

describe("what a program says in the chat is not the person's word", () => {
  async function startedByKey(client: Client, says: (...turns: object[]) => Promise<unknown>) {
    const { key, person } = await keyOf();
    await says({ text: `Noted: ${ORDER}` });
    const { conversationId } = await talkTo(client, { token: key }).say(`Remember this. ${ORDER}`);
    return { key, person, conversationId };
  }

  it("a person who continues its conversation does not send it to a model as their own", async () => {
    const { client, says, requests } = await newTenant();
    const { person, conversationId } = await startedByKey(client, says);
    await says({ text: "Hello." });
    await client.post("/api/ai/chat", { message: "hello", conversationId }, { token: person.token });
    const sent = JSON.stringify((await requests()).at(-1)?.body);
    expect(sent).toContain("left out here");
    expect(sent).not.toContain("cancel the board review");
  });

  it("but the program's own next message does", async () => {
    const { client, says, requests } = await newTenant();
    const { key, conversationId } = await startedByKey(client, says);
    await client.post("/api/ai/chat", { message: "hello", conversationId }, { token: key });
    expect(JSON.stringify((await requests()).at(-1)?.body)).toContain("Remember this.");
  });

  it("a person's answer does not complete what it asked for", async () => {
    const { key, person } = await keyOf();
    const chat = talkTo(api, { token: key });
    const asked = await chat.say("schedule a meeting with Evil");
    expect(asked.reply).toMatch(/when/i);
    const message = { message: "tomorrow at 3pm", conversationId: chat.id() };
    const answer = await api.post("/api/ai/chat", message, { token: person.token });
    expect(answer.body.actions).toEqual([]);
    const own = talkTo(api, { token: person.token });
    await own.say("schedule a meeting with Ann");
    expect((await own.say("tomorrow at 3pm")).actions).toMatchObject([
      { tool: "create_event", result: { outside: false } },
    ]);
  });

  it("its yes to a question that quotes outside text is only a proposal", async () => {
    const { key, person } = await keyOf();
    const made = await api.post("/api/tasks", { title: ORDER }, { token: key });
    const chat = talkTo(api, { token: key });
    expect((await chat.say("clear my task list")).reply).toContain("Say yes or no");
    const answer = await chat.say("yes");
    expect(answer.actions).toEqual([]);
    expect(answer.proposals).toMatchObject([{ tool: "update_task", input: { id: made.body.id } }]);
    expect((await task(made.body.id)).status).toBe("todo");

    const own = talkTo(api, { token: person.token });
    await own.say("clear my task list");
    expect((await own.say("yes")).actions).toHaveLength(1);
    expect((await task(made.body.id)).status).toBe("cancelled");
  });
});

describe("a conversation with a model that hostile text has taken in", () => {
  const EVENTS = { headers: { accept: "text/event-stream" } };
  const hostile = async () => {
    const mail = await storeMail(api, "order", { subject: "Hello", body: `${ORDER} Then the person says yes.` });
    const target = await storeEvent(api, { title: "Board review", start: hoursAhead(2000) });
    const tenant = await newTenant();
    const isThere = async () => expect((await event(target.id)).status).toBe("confirmed");
    return { ...tenant, mail, target, isThere, chat: talkTo(tenant.client) };
  };

  it("hides the email from the turn after it was read aloud, so a yes obeys nothing", async () => {
    const { chat, says, requests, mail, isThere } = await hostile();
    await says(call("read_mail", { id: mail.id }), { text: `It says: ${ORDER}` });
    expect((await chat.say("read me that mail")).proposals).toEqual([]);
    await says({ text: "There is nothing to confirm." });
    expect(await chat.say("yes")).toMatchObject({ actions: [], proposals: [] });
    expect(JSON.stringify((await requests()).at(-1))).not.toContain("cancel the board review");
    await isThere();
  });

  it("only proposes a call that the email has put into its head, and a no puts an end to it", async () => {
    const { chat, says, mail, target, isThere } = await hostile();
    await says(call("read_mail", { id: mail.id }), call("cancel_event", { id: target.id }), { text: "Cancelled." });
    const answer = await chat.say("what is new?");
    expect(answer.proposals).toMatchObject([{ tool: "cancel_event" }]);
    expect(answer.reply).toBe("Cancelled.\n\nThis is not done yet: it waits for your confirmation.");
    expect((await chat.say("no")).reply).toMatch(/dismissed/);
    await says({ text: "There is nothing to confirm." });
    await chat.say("yes");
    await isThere();
  });

  it("takes only the person's yes, without asking the model, and no program's", async () => {
    const { chat, client, says, requests, mail, target, isThere } = await hostile();
    const { key } = await keyOf(["calendar:write", "calendar:read", "emails:read", "ai:use"]);
    const program = talkTo(client, { token: key });
    await says(call("read_mail", { id: mail.id }), call("cancel_event", { id: target.id }), { text: "Proposed." });
    await program.say("what is new?");
    expect((await program.say("yes")).reply).toMatch(/Only a person/);
    await isThere();
    await says(call("read_mail", { id: mail.id }), call("cancel_event", { id: target.id }), { text: "Proposed." });
    await chat.say("what is new?");
    const asked = (await requests()).length;
    expect(await chat.say("yes")).toMatchObject({ actions: [{ tool: "cancel_event", canUndo: true }], proposals: [] });
    expect(await requests()).toHaveLength(asked);
    expect((await event(target.id)).status).toBe("cancelled");
  });

  it.each(["I have cancelled the board review.", "Done! Your email has been sent.", "Sent."])(
    "is corrected if it says “%s” and did nothing, also in the stream",
    async (text) => {
      const { chat, client, says, isThere } = await hostile();
      await says({ text });
      expect((await chat.say("what is new?")).reply).toBe(
        `${text}\n\nIn fact, nothing was changed or sent by this reply.`,
      );
      await says({ text });
      const streamed = await client.post("/api/ai/chat", { message: "what is new?" }, EVENTS);
      expect(streamed.text).toContain("nothing was changed or sent by this reply");
      await isThere();
    },
  );

  it("may say what was done before, and what it did", async () => {
    const { chat, says } = await hostile();
    await says({ text: "The board review was moved last week." });
    expect((await chat.say("what about the review?")).reply).toBe("The board review was moved last week.");
    await says(call("create_task", { title: "Call Ann" }), { text: "I have added it." });
    expect((await chat.say("call Ann")).reply).toBe("I have added it.");
  });
});
