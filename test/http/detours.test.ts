import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { agent } from "../mcp/agents.ts";
import { deliverQueue } from "../queued.ts";

const closed = service({ ACCESS_MODE: "private" });
let owner: Person;

beforeEach(async () => {
  await emptyService();
  owner = await signedInPerson("owner");
});

const keyFor = async (...scopes: Scope[]) =>
  createApiKey(await contextFor(owner.token), { name: "detour", scopes, expiresAt: null });
const own = { post: (path: string, body: object) => closed.post(path, body, { token: owner.token }) };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const RULE = {
  name: "All",
  match: "any",
  conditions: [{ field: "subject", op: "contains", value: "zq" }],
  actions: { makeTask: true },
};

describe("no rule does for a program what the program may not do", () => {
  beforeEach(async () => {
    const email = { from: "ann@example.com", subject: "zqsubject", body: "Please send the zqbody report to Bob." };
    expect((await own.post("/api/emails", email)).status).toBe(201);
  });

  it.each([
    [["emails:write", "tasks:read"], "emails:read"],
    [["emails:write", "emails:read"], "tasks:write"],
  ] as const)("with %j: it makes no tasks of emails", async (scopes, missing) => {
    const { key: token } = await keyFor(...scopes);
    const refused = await closed.post("/api/emails/rules", RULE, { token });
    expectProblem(refused, 403, "insufficient_scope");
    expect(refused.body.detail).toContain(missing);
    const { body: rule } = await own.post("/api/emails/rules", { ...RULE, enabled: false });
    const path = `/api/emails/rules/${rule.id}`;
    for (const change of [{ conditions: RULE.conditions }, { match: "all" }, { enabled: true }]) {
      expectProblem(await closed.patch(path, change, { token }), 403, "insufficient_scope");
    }
    expectProblem(await closed.post(`${path}/apply`, undefined, { token }), 403, "insufficient_scope");
    const { body: plain } = await own.post("/api/emails/rules", { ...RULE, actions: { star: true } });
    const made = await closed.patch(`/api/emails/rules/${plain.id}`, { actions: { makeTask: true } }, { token });
    expectProblem(made, 403, "insufficient_scope");
    await deliverQueue();
    expect((await closed.get("/api/tasks", { token: owner.token })).body.data).toEqual([]);
    expect((await closed.get(path, { token: owner.token })).body).toMatchObject({
      enabled: false,
      version: 1,
      run: null,
    });
  });

  it("but it may be switched off, changed in what anybody may, and used by who may do all of it", async () => {
    const { key: token } = await keyFor("emails:write");
    const { body: rule } = await own.post("/api/emails/rules", RULE);
    expect((await closed.patch(`/api/emails/rules/${rule.id}`, { enabled: false }, { token })).status).toBe(200);
    expect((await closed.post("/api/emails/rules", { ...RULE, actions: { star: true } }, { token })).status).toBe(201);
    const { key: whole } = await keyFor("emails:write", "emails:read", "tasks:write");
    expect((await closed.post("/api/emails/rules", RULE, { token: whole })).status).toBe(201);
    expect((await closed.post(`/api/emails/rules/${rule.id}/apply`, undefined, { token: whole })).status).toBe(202);
  });
});

it("how many tasks a filter finds is told only to who may read them", async () => {
  await own.post("/api/tasks", { title: "Mine", tags: ["zqtag"] });
  const change = { filter: { tag: "zqtag" }, priority: "high" };
  const { key: token } = await keyFor("tasks:write");
  expectProblem(await closed.patch("/api/tasks", change, { token }), 403, "insufficient_scope");
  const { key: both } = await keyFor("tasks:write", "tasks:read");
  expect((await closed.patch("/api/tasks", change, { token: both })).body.updated).toBe(1);
});

it("a result that an agent asks for again has no more than its connection may read by then", async () => {
  const { id, key } = await keyFor("tasks:read", "tasks:write");
  const { body: task } = await own.post("/api/tasks", { title: "zqtitle", description: "zqtext" });
  const again = () => agent(key).done("update_task", { id: task.id, priority: "high", requestId: "again" });
  expect(JSON.stringify(await again())).toContain("zqtitle");
  const path = `/api/settings/security/api-keys/${id}`;
  expect((await closed.patch(path, { scopes: ["tasks:write"] }, { token: owner.token })).status).toBe(200);
  const replayed = await again();
  expect(JSON.stringify(replayed)).not.toContain("zq");
  expect(replayed).toMatchObject({ status: "done", task: { id: task.id, priority: "high", version: 2 } });
});

describe("what a person asks in the conversation of an API key, the key does not see", () => {
  const say = (message: string, token: string, conversationId?: string) =>
    closed.post("/api/ai/chat", { message, conversationId }, { token });

  it("neither the messages, nor the replies, nor what they were about", async () => {
    await own.post("/api/calendar/events", { title: "Zqevent", start: inAnHour() });
    await own.post("/api/tasks", { title: "Zqtask", dueAt: inAnHour() });
    const { key } = await keyFor("ai:use");
    const { conversationId } = (await say("hello", key)).body;
    for (const message of ["when is zqevent?", "what are my tasks?", "add task zqmine", "undo"]) {
      expect((await say(message, owner.token, conversationId)).status).toBe(200);
    }
    const path = `/api/ai/chat/conversations/${conversationId}?limit=50`;
    const seen = await closed.get(path, { token: key });
    expect(seen.body.messages.data.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    for (const message of ["when is it?", "what was that?", "complete it"]) {
      const { text } = await say(message, key, conversationId);
      // The id is random, and may have any two letters.
      expect(text.replaceAll(conversationId, "").toLowerCase()).not.toContain("zq");
    }
    expect((await closed.get(path, { token: key })).body.messages.data).toHaveLength(8);
    expect((await closed.get(path, { token: owner.token })).body.messages.data).toHaveLength(16);
  });
});
