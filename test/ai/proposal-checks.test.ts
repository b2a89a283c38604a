import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, setClock, signedInPerson } from "../auth/people.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { storeEvent, storeTask, talkTo } from "./chatting.ts";
import { newTenant, ownStore } from "./tenant.ts";

const api = service();

beforeEach(async () => {
  await emptyService();
  setClock(new Date("2026-11-15T10:00:00Z"));
  return () => void vi.useRealTimers();
});

const BOARD = { title: "Board review", start: "2026-11-17T09:00:00Z", end: "2026-11-17T10:00:00Z" };
const pathOf = ({ id }: { id: string }) => `/api/ai/chat/proposals/${id}`;

/** What a model proposes after it has read an email. */
async function propose(tool: string, input: object, token?: string) {
  const mail = await storeMail(api, "order", { subject: "Hello", body: "Do it." });
  const { client, says } = await newTenant();
  await says(
    { tools: [{ name: "read_mail", input: { id: mail.id } }] },
    { tools: [{ name: tool, input }] },
    { text: "." },
  );
  const { proposals, conversationId } = await talkTo(client, { ...(token && { token }) }).say("what does it say?");
  expect(proposals).toHaveLength(1);
  return { client, proposal: proposals[0], path: pathOf(proposals[0]), conversationId };
}

describe("a proposal says in the service's own words what it will do", () => {
  it.each([
    ["create_task", { title: "Send the contract", dueAt: "2026-11-20T17:00:00" }, "Create task “Send the contract”, due Friday 20 November, 17:00"],
    ["create_task", { title: "Pay", dueAt: "2027-01-02T12:00:00", priority: "high", description: "All of\nit" }, "Create task “Pay”, due Saturday 2 January 2027, 12:00, high priority, with the description “All of it”"],
    ["create_event", { title: "Dinner", start: "2026-11-20T19:00:00", durationMinutes: 90, location: "Rome", attendees: ["a@x.org"] }, "Create event “Dinner”, Friday 20 November, 19:00–20:30, at “Rome”, with “a@x.org” (no invitation is sent)"],
    ["create_event", { title: "Holiday", start: "2026-12-21", end: "2026-12-24", allDay: true }, "Create event “Holiday”, Monday 21 December – Wednesday 23 December, all day"],
    ["create_event", { title: "Gym", start: "2026-11-20T23:30:00", rrule: "FREQ=DAILY" }, "Create event “Gym”, Friday 20 November, 23:30 – Saturday 21 November, 00:00, repeating by the rule “FREQ=DAILY”"],
  ])("%s %j", async (tool, input, summary) => {
    expect((await propose(tool, input)).proposal.summary).toBe(summary);
  }); // biome-ignore format: reads as a table

  it.each([
    ["cancel_event", {}, "Cancel “Board review”, Tuesday 17 November, 10:00–11:00"],
    [
      "cancel_event",
      { reason: "Ill" },
      "Cancel “Board review”, Tuesday 17 November, 10:00–11:00, with the reason “Ill”",
    ],
    [
      "move_event",
      { start: "2026-11-18" },
      "Move “Board review”, Tuesday 17 November, 10:00–11:00, to Wednesday 18 November, 10:00–11:00",
    ],
    [
      "move_event",
      { shiftMinutes: 90 },
      "Move “Board review”, Tuesday 17 November, 10:00–11:00, to Tuesday 17 November, 11:30–12:30",
    ],
  ])("%s %j", async (tool, input, summary) => {
    const { id } = await storeEvent(api, BOARD);
    const { proposal, conversationId } = await propose(tool, { id, ...input });
    expect(proposal.summary).toBe(summary);
    const { body } = await api.get(`/api/ai/chat/conversations/${conversationId}`);
    expect(body.proposals).toMatchObject([{ id: proposal.id, summary, status: "open" }]);
  });

  it.each([
    ["complete_task", {}, "Complete task “Buy milk”, due Friday 20 November"],
    [
      "update_task",
      { title: "Buy oil", dueAt: null, status: "cancelled" },
      "Change task “Buy milk”, due Friday 20 November: new title “Buy oil”, no due date, status cancelled",
    ],
    [
      "update_task",
      { dueAt: "2026-11-21T09:00:00", priority: "low" },
      "Change task “Buy milk”, due Friday 20 November: due Saturday 21 November, 09:00, low priority",
    ],
  ])("%s %j", async (tool, input, summary) => {
    const { id } = await storeTask(api, "Buy milk", { dueAt: "2026-11-20", timeZone: "Europe/Berlin" });
    expect((await propose(tool, { id, ...input })).proposal.summary).toBe(summary);
  });

  it("names one occurrence by its time, and a series as a whole", async () => {
    const { id } = await storeEvent(api, { ...BOARD, rrule: "FREQ=DAILY;COUNT=3" });
    const one = await propose("cancel_event", { id, occurrence: "2026-11-18T09:00:00Z" });
    expect(one.proposal.summary).toBe(
      "Cancel “Board review” (this occurrence only), Wednesday 18 November, 10:00–11:00",
    );
    const all = await propose("cancel_event", { id });
    expect(all.proposal.summary).toMatch(/^Cancel “Board review” with all its occurrences, /);
  });

  it("in the clock that the person has chosen", async () => {
    const { token } = await signedInPerson();
    await api.patch("/api/settings/profile", { timeFormat: "12h" }, { token });
    const { id } = await storeEvent(api, { ...BOARD, end: "2026-11-17T11:30:00Z" });
    const { proposal } = await propose("cancel_event", { id }, token);
    expect(proposal.summary).toBe("Cancel “Board review”, Tuesday 17 November, 10:00 am–12:30 pm");
  });

  it("and names the time zone that a program chose for its times", async () => {
    const ann = await signedInPerson();
    const scopes = ["ai:use", "emails:read", "calendar:write"] as const;
    const { key } = await createApiKey(await contextFor(ann.token), {
      name: "k",
      scopes: [...scopes],
      expiresAt: null,
    });
    const input = { title: "Dinner", start: "2026-11-20T19:00:00" };
    const zone = "Europe/Berlin";
    const summary = "Create event “Dinner”, Friday 20 November, 19:00–19:30";
    expect((await propose("create_event", input, key)).proposal.summary).toBe(`${summary}, times in ${zone}`);
    await api.patch("/api/settings/profile", { timeZone: zone }, { token: ann.token });
    expect((await propose("create_event", input, key)).proposal.summary).toBe(summary);
    expect((await propose("create_event", input, ann.token)).proposal.summary).toBe(summary);
  });

  it("with the words of records on one line, cut, and unable to leave their quotation marks", async () => {
    const title = `Lunch”, today.\nCreate task “X\u202Egnp\u2066\u200B\u0007 ${"long ".repeat(40)}`;
    const { id } = await storeEvent(api, { ...BOARD, title });
    const { summary } = (await propose("cancel_event", { id })).proposal;
    expect(summary).toMatch(
      /^Cancel “Lunch", today\. Create task "Xgnp long [^“”\n]*…”, Tuesday 17 November, 10:00–11:00$/,
    );
    expect(summary.length).toBeLessThan(200);
    expect(summary).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ["look-alikes of quotation marks", "Lunch″, today. ’’X‘‘, ʺYʺ ״Z״", 'Lunch", today. "X", "Y" "Z"'],
    ["letters that cannot be seen", "Lun\u3164\u115Fch\uFE0F\u034F\u2800 now", "Lunch now"],
  ])("without %s", async (_, title, shown) => {
    const { id } = await storeEvent(api, { ...BOARD, title });
    const { summary } = (await propose("cancel_event", { id })).proposal;
    expect(summary).toBe(`Cancel “${shown}”, Tuesday 17 November, 10:00–11:00`);
  });

  it("and is not made for a record that is not there", async () => {
    const mail = await storeMail(api, "order", { body: "Do it." });
    const { client, says } = await newTenant();
    const cancel = { name: "cancel_event", input: { id: 999_999_999 } };
    await says({ tools: [{ name: "read_mail", input: { id: mail.id } }] }, { tools: [cancel] }, { text: "." });
    expect((await talkTo(client).say("what does it say?")).proposals).toEqual([]);
  });
});

describe("a proposal whose record has changed is not applied", () => {
  it.each([
    ["a new title", (id: number) => api.patch(`/api/calendar/events/${id}`, { title: "Surgery" })],
    ["a new time", (id: number) => api.patch(`/api/calendar/events/${id}`, { start: "2026-11-19T09:00:00Z" })],
    ["a new status", (id: number) => api.patch(`/api/calendar/events/${id}`, { status: "cancelled" })],
    ["its deletion", (id: number) => api.delete(`/api/calendar/events/${id}`)],
  ])("after %s", async (_, change) => {
    const { id } = await storeEvent(api, BOARD);
    const { path } = await propose("move_event", { id, start: "2026-11-18" });
    await change(id);
    const before = await api.get(`/api/calendar/events/${id}`);
    expectProblem(await api.post(path), 409, "proposal_outdated");
    expect((await api.get(`/api/calendar/events/${id}`)).body).toEqual({
      ...before.body,
      ...(before.status === 404 && { requestId: expect.any(String) }),
    });
    expectProblem(await api.post(path), 409, "proposal_settled");
  });

  it("of a task, after a new title or its deletion", async () => {
    const { id } = await storeTask(api, "Buy milk");
    const { path } = await propose("complete_task", { id });
    await api.patch(`/api/tasks/${id}`, { title: "Sell the house" });
    expectProblem(await api.post(path), 409, "proposal_outdated");
    expect((await api.get(`/api/tasks/${id}`)).body.status).toBe("todo");
    const again = await propose("complete_task", { id });
    await api.delete(`/api/tasks/${id}`);
    expectProblem(await api.post(again.path), 409, "proposal_outdated");
  });

  it("of an occurrence that got a row of its own, or whose series is none any more", async () => {
    const { id } = await storeEvent(api, { ...BOARD, rrule: "FREQ=DAILY;COUNT=3" });
    const occurrence = "2026-11-18T09:00:00.000Z";
    const first = await propose("cancel_event", { id, occurrence });
    await api.patch(`/api/calendar/events/${id}?occurrence=${occurrence}`, { title: "Surgery" });
    expectProblem(await api.post(first.path), 409, "proposal_outdated");
    const second = await propose("cancel_event", { id, occurrence: "2026-11-19T09:00:00.000Z" });
    await api.patch(`/api/calendar/events/${id}`, { rrule: null });
    expectProblem(await api.post(second.path), 409, "proposal_outdated");
  });

  it("also when it changes between the check and the write", async () => {
    const { id } = await storeTask(api, "Buy milk");
    const { path, conversationId } = await propose("complete_task", { id });
    let isChanged = false;
    // The first batch closes the proposal; the next one writes the task.
    const DB = interruptBatch(env.DB, 2, async () => {
      isChanged = (await api.patch(`/api/tasks/${id}`, { title: "Sell the house" })).status === 200;
    });
    expectProblem(await service({ DB }).post(path), 409, "proposal_outdated");
    expect(isChanged).toBe(true);
    expect((await api.get(`/api/tasks/${id}`)).body).toMatchObject({ title: "Sell the house", status: "todo" });
    const { body } = await api.get(`/api/ai/chat/conversations/${conversationId}`);
    expect(body.proposals).toMatchObject([{ status: "dismissed", result: null }]);
  });

  it("or is applied before a change that comes at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await storeTask(api, "Buy milk");
      const { path } = await propose("complete_task", { id });
      const [applied] = await Promise.all([api.post(path), api.patch(`/api/tasks/${id}`, { title: "Sell the house" })]);
      const { status } = (await api.get(`/api/tasks/${id}`)).body;
      expect([applied.status, status]).toEqual(applied.status === 200 ? [200, "done"] : [409, "todo"]);
    }
  });
});

describe("a proposal is applied by a person only", () => {
  const SCOPES = ["ai:use", "emails:read", "tasks:write", "tasks:read"] as const;

  it.each([
    ["open", {}],
    ["private", { ACCESS_MODE: "private" as const }],
  ])("and never by an API key, even of its own conversation, in %s mode", async (_, vars) => {
    await storeMail(api, "order", { subject: "Contract", body: "Please send the signed contract by Friday." });
    const ann = await signedInPerson();
    const { key } = await createApiKey(await contextFor(ann.token), {
      name: "k",
      scopes: [...SCOPES],
      expiresAt: null,
    });
    const client = service({ KV: ownStore(), ...vars });
    const { proposals } = await talkTo(client, { token: key }).say("turn the email from Ann into tasks");
    const path = pathOf(proposals[0]);
    const refused = await client.post(path, undefined, { token: key });
    expectProblem(refused, 403, "forbidden");
    expect(refused.body.detail).toContain("Sign in");
    expect((await api.get("/api/tasks")).body.data).toEqual([]);
    const applied = await client.post(path, undefined, { token: ann.token });
    expect(applied.body).toMatchObject({ status: "applied", result: { outside: true } });
  });

  it("and an API key does not even get the response to a person who applied it with an Idempotency-Key", async () => {
    const ann = await signedInPerson();
    const scopes = [...SCOPES];
    const { key } = await createApiKey(await contextFor(ann.token), { name: "k", scopes, expiresAt: null });
    const { client, path } = await propose("create_task", { title: "Pay" }, ann.token);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const applied = await client.post(path, undefined, { token: ann.token, headers });
    expect(applied.status).toBe(200);
    expectProblem(await client.post(path, undefined, { token: key, headers }), 422, "idempotency_mismatch");
    expect((await client.post(path, undefined, { token: ann.token, headers })).body).toEqual(applied.body);
    expect((await api.get("/api/tasks")).body.data).toHaveLength(1);
  });

  it("and in open mode not by a caller whose credential is not valid", async () => {
    const { path } = await propose("create_task", { title: "Pay" });
    expectProblem(await api.post(path, undefined, { token: "garbage" }), 401, "unauthenticated");
    expect((await api.get("/api/tasks")).body.data).toEqual([]);
    expect((await api.post(path)).status).toBe(200);
  });

  it("but a key may dismiss its own", async () => {
    await storeMail(api, "order", { subject: "Contract", body: "Please send the signed contract by Friday." });
    const ann = await signedInPerson();
    const { key } = await createApiKey(await contextFor(ann.token), {
      name: "k",
      scopes: [...SCOPES],
      expiresAt: null,
    });
    const { proposals } = await talkTo(api, { token: key }).say("turn the email from Ann into tasks");
    expect((await api.delete(pathOf(proposals[0]), { token: key })).status).toBe(204);
  });
});
