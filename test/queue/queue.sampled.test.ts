import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { noneEnabled } from "../../src/features/webhooks/enabled-endpoints.ts";
import { AT_ONCE, BATCH, HANDLERS, type Handlers } from "../../src/queue.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog, systemCtx, takeLogs } from "../harness.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";

const OUTBOX = { kind: "webhook.outbox" } as const;
const GENEROUS = { seconds: 5, statements: 45 };

/** One handler for all kinds. */
function all(handler: Partial<Handlers["webhook.outbox"]>): Handlers {
  const kinds = Object.keys(HANDLERS).map((kind) => [kind, { ...GENEROUS, ...handler }]);
  return Object.fromEntries(kinds);
}

function batchLine() {
  const line = takeLogs().find((text) => text.includes('"queue_batch"'));
  return JSON.parse(line ?? "null");
}

async function enqueue(...call: Parameters<ReturnType<typeof systemCtx>["enqueue"]>) {
  const execution = createExecutionContext();
  const isSent = await systemCtx({}, execution).enqueue(...call);
  await waitOnExecutionContext(execution);
  return isSent;
}

beforeEach(() => void takeLogs());
afterEach(() => void vi.useRealTimers());

describe("the handler of messages", () => {
  it("handles each message on its own: one that fails is logged, and the others are done", async () => {
    expectErrorLog("queue_message_failed");
    let calls = 0;
    const run = async () => {
      calls += 1;
      if (calls === 2) throw new Error("no luck");
    };
    await deliverBatch("jobs", [OUTBOX, OUTBOX, OUTBOX], { handlers: all({ run }) });
    expect(calls).toBe(3);
    expect(batchLine()).toMatchObject({
      level: "info",
      lane: "jobs",
      kinds: "webhook.outbox",
      count: 3,
      done: 2,
      failed: 1,
      invalid: 0,
      postponed: 0,
      ms: expect.any(Number),
    });
    expect(queued()).toEqual([]);
  });

  it.each([
    ["a text", "hello"],
    ["nothing", null],
    ["an unknown kind", { kind: "moon.landed", id: "secret-id" }],
    ["a known kind with something added", { ...OUTBOX, url: "https://example.com/secret-id" }],
  ])("logs and drops %s, without its content", async (_, body) => {
    await deliverBatch("retries", [body, OUTBOX], { handlers: all({ run: async () => {} }) });
    const lines = takeLogs().join("\n");
    expect(lines).toContain("queue_message_invalid");
    expect(lines).not.toContain("secret-id");
    expect(lines).toMatch(/"lane":"retries".*"count":2,"done":1,"failed":0,"invalid":1/);
  });

  it("runs a few at a time, and gives each the time at which it starts", async () => {
    let running = 0;
    let most = 0;
    const times: number[] = [];
    setClock(1_000_000);
    await deliverBatch("jobs", Array(12).fill(OUTBOX), {
      handlers: all({
        async run({ now }) {
          running += 1;
          most = Math.max(most, running);
          times.push(now.getTime());
          await new Promise((resolve) => setTimeout(resolve, 5));
          setClock(Date.now() + 1000);
          running -= 1;
        },
      }),
    });
    expect(most).toBe(AT_ONCE);
    expect(Math.max(...times)).toBeGreaterThan(Math.min(...times));
  });

  it("cuts off a message that uses more than its budgets, and no other", async () => {
    expectErrorLog("queue_message_failed");
    let calls = 0;
    await deliverBatch("jobs", [OUTBOX, OUTBOX, OUTBOX], {
      handlers: all({
        statements: 4,
        seconds: 0.2,
        async run({ db }) {
          calls += 1;
          if (calls === 1) for (;;) await db.run(sql`SELECT 1`);
          if (calls === 2) await new Promise(() => {});
        },
      }),
    });
    expect(batchLine()).toMatchObject({ count: 3, done: 1, failed: 2 });
  });

  rarely(
    "starts nothing that could exceed the platform's limit of statements: the rest goes into the queue again",
    async () => {
      let spent = 0;
      const handlers = all({
        statements: 300,
        async run({ db }) {
          for (let statement = 0; statement < 300; statement++) {
            await db.run(sql`SELECT 1`);
            spent += 1;
          }
        },
      });
      await deliverBatch("retries", Array(8).fill(OUTBOX), { handlers });
      expect(spent).toBeLessThanOrEqual(BATCH.statements);
      expect(batchLine()).toMatchObject({ count: 8, done: 3, postponed: 5 });
      expect(queued()).toMatchObject(Array(5).fill({ lane: "retries", body: OUTBOX }));
      await deliverQueue({ handlers });
      expect(spent).toBe(8 * 300);
    },
  );

  it("starts nothing after ten minutes", async () => {
    setClock(Date.now());
    await deliverBatch("jobs", Array(7).fill(OUTBOX), {
      handlers: all({
        async run() {
          await new Promise((resolve) => setTimeout(resolve, 5));
          setClock(Date.now() + BATCH.seconds * 1000 + 1);
        },
      }),
    });
    expect(batchLine()).toMatchObject({ count: 7, done: 5, postponed: 2 });
  });

  it("has budgets of which as many as run at once fit into one invocation", () => {
    for (const { statements, seconds } of Object.values(HANDLERS)) {
      expect(statements * AT_ONCE).toBeLessThanOrEqual(BATCH.statements);
      // The last message starts within the time of the batch, and the platform ends all after 15 minutes.
      expect(BATCH.seconds + seconds).toBeLessThanOrEqual(15 * 60);
    }
  });

  it("has outbound events sent that a message may have raised", async () => {
    const run = async () => {};
    noneEnabled.forget();
    await deliverBatch("jobs", [OUTBOX], { handlers: all({ run }) });
    expect(queued()).toEqual([]);
    await deliverBatch("jobs", [OUTBOX, OUTBOX], { handlers: all({ run, raisesEvents: true }) });
    expect(takeQueued()).toMatchObject([{ lane: "jobs", body: OUTBOX }]);
  });
});

describe("sending", () => {
  it("puts messages into their lane, with their delay, a hundred at a time", async () => {
    setClock(5_000_000);
    expect(await enqueue(Array(250).fill(OUTBOX))).toBe(true);
    expect(await enqueue([OUTBOX], { lane: "retries", delaySeconds: 14.2 })).toBe(true);
    expect(await enqueue([OUTBOX], { lane: "retries", delaySeconds: 1e9 })).toBe(true);
    expect(await enqueue([])).toBe(true);
    const sent = takeQueued();
    expect(sent).toHaveLength(252);
    expect(sent[0]).toEqual({ lane: "jobs", body: OUTBOX, dueAt: 5_000_000 });
    expect(sent.slice(250).map(({ dueAt }) => dueAt - 5_000_000)).toEqual([15_000, 86_400_000]);
  });

  it("to a queue that fails costs a warning, and says so to who asks", async () => {
    const broken = { sendBatch: () => Promise.reject(new Error("Queue sendBatch failed: too many requests")) };
    const execution = createExecutionContext();
    const ctx = systemCtx({ JOBS: broken as unknown as NonNullable<Env["JOBS"]> }, execution);
    expect(await ctx.enqueue([OUTBOX, OUTBOX])).toBe(false);
    await waitOnExecutionContext(execution);
    expect(takeLogs().map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", event: "queue_send_failed", lane: "jobs", unsent: 2 },
    ]);
  });

  it("without queues does nothing", async () => {
    const ctx = systemCtx({ JOBS: undefined, RETRIES: undefined });
    expect(await ctx.enqueue([OUTBOX])).toBe(false);
    expect(await ctx.enqueue([OUTBOX], { lane: "retries" })).toBe(false);
    expect(takeLogs()).toEqual([]);
  });
});
