import {
  abortAllDurableObjects,
  createExecutionContext,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { PACE, type Pace } from "../../src/features/live/follow.ts";
import { followChanges } from "../../src/features/live/service.ts";
import type { Hub } from "../../src/hub.ts";
import { signedInPerson } from "../auth/people.ts";
import { type Answer, service, sharedApp, systemCtx, takeLogs } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { rarely, sampled } from "../sampled.ts";
import { until } from "../until.ts";
import { ready } from "./listening.ts";

const api = service();
const QUICK: Pace = { ...PACE, lookMs: 50, gapMs: 0 };

const newTask = async (): Promise<number> => (await api.post("/api/tasks", { title: "Call the bank" })).body.id;
const newest = async () => (await env.DB.prepare("SELECT max(id) AS id FROM changes").first<number>("id")) ?? 0;

function hub() {
  if (!env.HUB) throw new Error("no hub");
  return env.HUB.get(env.HUB.idFromName("hub"));
}

const sockets = () => runInDurableObject<Hub, number>(hub(), (_, state) => state.getWebSockets().length);

/** A hub that answers as it is told, and counts the hints. */
function fakeHub(answer: () => Promise<Response>) {
  const calls: string[] = [];
  const stub = {
    fetch: (_: string, { method = "GET" }: RequestInit) => {
      calls.push(method);
      return answer();
    },
  };
  const HUB = { idFromName: () => "hub", get: () => stub } as unknown as DurableObjectNamespace;
  return { HUB, rings: () => calls.filter((method) => method === "POST").length };
}

/** A client that looks often, with the given hub. It has been told where it stands. */
async function follower(HUB: DurableObjectNamespace | undefined = env.HUB, pace = QUICK) {
  const leaving = new AbortController();
  const ctx = systemCtx({ HUB });
  const events = followChanges(ctx, await newest(), { credential: undefined, signal: leaving.signal }, pace);
  await events.next();
  return { next: async () => (await events.next()).value, leave: () => leaving.abort() };
}

describe("the hub", () => {
  it("has a socket for each client, and none for those who left", async () => {
    await abortAllDurableObjects();
    const listeners = [await ready(), await ready()];
    expect(await sockets()).toBe(2);
    for (const listener of listeners) await listener.leave();
    await until(async () => expect(await sockets()).toBe(0));
  });

  it("that is evicted from memory keeps its sockets, and wakes their clients", async () => {
    const listener = await ready();
    await evictDurableObject(hub());
    const id = await newTask();
    expect(await listener.next()).toMatchObject({ event: "change", data: { recordId: id } });
    await listener.leave();
  });

  it("that dies loses its sockets: the next look finds what happened, and listens again", async () => {
    const client = await follower();
    const beforehand = await sockets();
    await abortAllDurableObjects();
    const id = await newTask();
    expect(await client.next()).toMatchObject({ event: "change", data: { recordId: id } });
    await until(async () => expect(await sockets()).toBeGreaterThan(0));
    expect(beforehand).toBeGreaterThan(0);
    client.leave();
  });
});

describe("without a hub", () => {
  const silent = () => new Promise<never>(() => {});

  it.each(
    sampled<[string, DurableObjectNamespace | undefined]>([
      ["it never answers", fakeHub(silent).HUB],
      ["it is missing", undefined],
      ["it opens no socket", fakeHub(async () => new Response(null, { status: 500 })).HUB],
      ["it is overloaded", fakeHub(() => Promise.reject(new Error("overloaded"))).HUB],
    ]),
  )("because %s, the next look finds a change", async (_, HUB) => {
    const client = await follower(HUB);
    const id = await newTask();
    expect(await client.next()).toMatchObject({ event: "change", data: { recordId: id } });
    client.leave();
  });

  it("that lost a hint, the next look finds the change", async () => {
    const client = await follower();
    // Around the service, so that nobody rings.
    await env.DB.prepare("INSERT INTO changes (type, record_id, version) VALUES ('task.updated', 5, 2)").run();
    expect(await client.next()).toMatchObject({ data: { type: "task.updated", recordId: 5 } });
    client.leave();
  });

  it("a write is answered as always, and says in the log that nobody was told", async () => {
    const failing = service({ HUB: fakeHub(() => Promise.reject(new Error("overloaded"))).HUB });
    takeLogs();
    expect((await failing.post("/api/tasks", { title: "Call the bank" })).status).toBe(201);
    expect(takeLogs().join("\n")).toContain("hub_not_reached");
  });

  rarely("that takes its time, no response waits", async () => {
    const app = sharedApp;
    let answer = (_: Response) => {};
    const { HUB, rings } = fakeHub(() => new Promise((resolve) => (answer = resolve)));
    const execution = createExecutionContext();
    const request = new Request("http://poa.test/api/tasks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "Call the bank" }),
    });
    expect((await app.fetch(request, { ...env, HUB }, execution)).status).toBe(201);
    expect(rings()).toBe(1);
    answer(new Response());
    await waitOnExecutionContext(execution);
  });
});

describe("the hub is told", () => {
  const counting = () => {
    const fake = fakeHub(async () => new Response(null, { status: 204 }));
    return { ...fake, client: service({ HUB: fake.HUB }) };
  };

  it("once for a write of one batch, and not of reads, refusals and what nobody follows", async () => {
    const { client, rings } = counting();
    const { body } = await client.post("/api/tasks", { title: "Call the bank" });
    expect(rings()).toBe(1);
    await client.get(`/api/tasks/${body.id}`);
    await client.patch(`/api/tasks/${body.id}`, { title: "Late" }, { headers: { "if-match": '"7"' } });
    await client.delete("/api/tasks/999999");
    await client.post("/api/tasks", { title: "Linked", eventId: 999_999 });
    await client.post("/api/ai/generate", { prompt: "Thank Ann." });
    await client.put("/api/ai-model", { model: "model_a" });
    expect(rings()).toBe(1);
  });

  describe("by a signed-in person's writes", () => {
    /** Creates, changes and deletes a record of each kind, and says how often the hub was told of each write. */
    async function ringsOfWrites() {
      const fake = fakeHub(async () => new Response(null, { status: 204 }));
      const client = service({ ACCESS_MODE: "private", HUB: fake.HUB });
      const { token } = await signedInPerson();
      const counts: number[] = [];
      const write = async (send: (options: { token: string }) => Promise<Answer>) => {
        const before = fake.rings();
        const answer = await send({ token });
        expect(answer.status).toBeLessThan(300);
        counts.push(fake.rings() - before);
        return answer;
      };
      const records: [path: string, body: object, change: object][] = [
        ["/api/tasks", { title: "Call the bank" }, { title: "Call Ann" }],
        ["/api/calendar/events", { title: "Review", start: "2031-05-01T10:00:00Z" }, { title: "Short review" }],
        ["/api/emails", { from: "ann@example.com", to: "me@example.com", subject: "Hi", body: "Hi" }, { isRead: true }],
      ];
      for (const [path, body, change] of records) {
        const created = await write((options) => client.post(path, body, options));
        const record = `${path}/${created.body.id}`;
        await write((options) => client.patch(record, change, options));
        await write((options) => client.delete(record, options));
      }
      return counts;
    }

    it("only while a client listens", async () => {
      await env.DB.prepare("DELETE FROM live_clients").run();
      expect(await ringsOfWrites()).toEqual(Array.from({ length: 9 }, () => 0));
      const client = await follower();
      expect(await ringsOfWrites()).toEqual(Array.from({ length: 9 }, () => 1));
      client.leave();
      await env.DB.prepare("UPDATE live_clients SET until = ?")
        .bind(Date.now() - 1)
        .run();
      expect(await ringsOfWrites()).toEqual(Array.from({ length: 9 }, () => 0));
    });

    it("from the moment a client is told that it is ready, with whatever credential", async () => {
      await env.DB.prepare("DELETE FROM live_clients").run();
      const { token } = await signedInPerson();
      const listener = await ready("/api/live", { token, vars: { ACCESS_MODE: "private" } });
      expect(await ringsOfWrites()).toEqual(Array.from({ length: 9 }, () => 1));
      await listener.leave();
      const until = await env.DB.prepare("SELECT until FROM live_clients").first<number>("until");
      expect(until).toBeGreaterThan(Date.now() + PACE.lifeMs);
    });
  });

  it("of a write whose answer was lost, because it may have been made", async () => {
    const { HUB, rings } = counting();
    const DB = interruptBatch(env.DB, 1, () => Promise.reject(new Error("the connection was lost")));
    const ctx = systemCtx({ HUB, DB });
    const deletion = ctx.db.run("DELETE FROM tasks WHERE id = 0");
    await expect(ctx.db.batch([deletion, deletion])).rejects.toThrow("connection was lost");
    expect(rings()).toBe(1);
  });

  it("in few hints of many writes", async () => {
    let answer = (_: Response) => {};
    const { HUB, rings } = fakeHub(() => new Promise((resolve) => (answer = resolve)));
    const ctx = systemCtx({ HUB });
    for (let n = 0; n < 10; n++) ctx.wakeLive();
    expect(rings()).toBe(1);
    answer(new Response());
    await until(() => expect(rings()).toBe(2));
    answer(new Response());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rings()).toBe(2);
  });
});
