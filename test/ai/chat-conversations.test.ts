import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { emptyWednesday, talkTo } from "./chatting.ts";
import { callsSince, eventsOf, lastCallId, ownStore } from "./tenant.ts";

const api = service({ KV: ownStore() });
beforeEach(emptyWednesday);

const tasks = async () => (await api.get("/api/tasks?status=all")).body.data;

describe("a chat", () => {
  it("goes on under its id, and can be listed, read and deleted", async () => {
    const { say: talk, id } = talkTo(api);
    await talk("remind me to call Ann tomorrow at 3");
    await talk("what are my tasks?");
    const list = await api.get("/api/ai/chat/conversations?limit=100");
    expect(list.body.data).toContainEqual(
      expect.objectContaining({ id: id(), title: "remind me to call Ann tomorrow at 3" }),
    );
    const whole = await api.get(`/api/ai/chat/conversations/${id()}`);
    expect(whole.body.messages.data.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(whole.body.messages.data[1].actions).toMatchObject([{ tool: "create_task" }]);
    expect((await api.delete(`/api/ai/chat/conversations/${id()}`)).status).toBe(204);
    expectProblem(await api.get(`/api/ai/chat/conversations/${id()}`), 404, "not_found");
    expectProblem(await api.delete(`/api/ai/chat/conversations/${id()}`), 404, "not_found");
  });

  it("is paged by messages and by conversations", async () => {
    const { say: talk, id } = talkTo(api);
    await talk("hello");
    await talk("thanks");
    const first = await api.get(`/api/ai/chat/conversations/${id()}?limit=3`);
    const rest = await api.get(`/api/ai/chat/conversations/${id()}?limit=3&cursor=${first.body.messages.nextCursor}`);
    expect([...first.body.messages.data, ...rest.body.messages.data].map(({ text }: { text: string }) => text)).toEqual(
      ["hello", expect.any(String), "thanks", expect.any(String)],
    );
    expect(rest.body.messages.nextCursor).toBeNull();
  });

  it("that does not exist cannot be gone on with, and nothing is done", async () => {
    const answer = await api.post("/api/ai/chat", { message: "add a task to buy milk", conversationId: "nobody" });
    expectProblem(answer, 404, "not_found");
    expect(await tasks()).toEqual([]);
  });

  it.each([
    { message: "" },
    { message: "   " },
    {},
    { message: "x".repeat(8001) },
    { message: "hi", timeZone: "Mars/Base" },
  ])("refuses %o", async (body) => expectProblem(await api.post("/api/ai/chat", body), 422, "validation_failed"));

  it("repeated with its Idempotency-Key does nothing twice", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { message: "add a task to buy milk" };
    const first = await api.post("/api/ai/chat", body, { headers });
    const again = await api.post("/api/ai/chat", body, { headers });
    expect(again.body).toEqual(first.body);
    expect(await tasks()).toHaveLength(1);
    const stream = { headers: { ...headers, accept: "text/event-stream" } };
    expectProblem(
      await api.post(
        "/api/ai/chat",
        { message: "add a task to buy tea" },
        { headers: { ...stream.headers, "idempotency-key": crypto.randomUUID() } },
      ),
      422,
      "validation_failed",
    );
    expect(await tasks()).toHaveLength(1);
  });

  it("is read by the clock of the person's profile, or the one that is named", async () => {
    const { id, token } = await signedInPerson();
    await env.DB.prepare("UPDATE users SET time_zone = 'Asia/Tokyo' WHERE id = ?").bind(id).run();
    const dueOf = async (more: object, who = {}) => {
      const message = "remind me to call Ann on 1 March 2031 at 15:00";
      const { body } = await api.post("/api/ai/chat", { message, ...more }, who);
      return body.actions[0].result.dueAt;
    };
    expect(await dueOf({}, { token })).toBe("2031-03-01T06:00:00.000Z");
    expect(await dueOf({ timeZone: "Europe/Berlin" }, { token })).toBe("2031-03-01T14:00:00.000Z");
    expect(await dueOf({})).toBe("2031-03-01T15:00:00.000Z");
  });

  it("comes as events, of which the last has the whole answer", async () => {
    const headers = { accept: "text/event-stream" };
    const answer = await api.post("/api/ai/chat", { message: "add a task to buy milk" }, { headers });
    const sent = eventsOf(answer.text);
    expect(sent.map(({ event }) => event)).toEqual(["action", "delta", "done"]);
    expect(sent.at(-1)?.data).toMatchObject({ reply: sent[1]?.data.text, actions: [{ tool: "create_task" }] });
    expect(await tasks()).toHaveLength(1);
  });

  it("is written down as a call of the built-in engine", async () => {
    const before = await lastCallId();
    await talkTo(api).say("hello");
    expect(await callsSince(before)).toMatchObject([{ task: "chat", model: "builtin", fallback_reason: null }]);
  });
});
