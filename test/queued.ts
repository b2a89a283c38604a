import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Env } from "../src/config.ts";
import type { Lane } from "../src/lib/queue-messages.ts";
import { type Handlers, runQueue } from "../src/queue.ts";
import { systemCtx } from "./harness.ts";

/*
 * In tests, messages wait here until the test delivers them, so that what happens when is in the test and not left to the
 * clock. Which messages are due goes by the clock that tests can set.
 */

export interface QueuedMessage {
  lane: Lane;
  body: unknown;
  dueAt: number;
}

const LANES = { jobs: "JOBS", retries: "RETRIES" } as const satisfies Record<Lane, keyof Env>;
/** As in wrangler.toml. */
const BATCH_SIZE = 20;
const MAX_ROUNDS = 200;

const waiting: QueuedMessage[] = [];

/** Every binding is one object, which all environments of the tests share. */
export function captureQueues(): void {
  waiting.length = 0;
  for (const [lane, name] of Object.entries(LANES) as [Lane, (typeof LANES)[Lane]][]) {
    const sendBatch: Queue["sendBatch"] = async (messages, { delaySeconds = 0 } = {}) => {
      const dueAt = Date.now() + delaySeconds * 1000;
      for (const { body } of messages) waiting.push({ lane, body: structuredClone(body), dueAt });
      return { metadata: { metrics: { backlogCount: waiting.length, backlogBytes: 0 } } };
    };
    Object.assign(env[name] ?? {}, { sendBatch });
  }
}

/** For the tests of the real queue: messages go to the runtime again. */
export function releaseQueues(): void {
  for (const name of Object.values(LANES)) Reflect.deleteProperty(env[name] ?? {}, "sendBatch");
}

/** The messages that wait, in the order they were sent. */
export function queued(): readonly QueuedMessage[] {
  return [...waiting];
}

/** Takes the messages out of the queue: as if they were lost, or to deliver them by hand. */
export function takeQueued(): QueuedMessage[] {
  return waiting.splice(0);
}

interface Delivery {
  vars?: Partial<Env>;
  handlers?: Handlers;
}

/** Hands messages to the Worker as the platform does, and waits for what it defers. */
export async function deliverBatch(lane: Lane, bodies: readonly unknown[], { vars, handlers }: Delivery = {}) {
  const acked = new Set<string>();
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(),
    body,
    attempts: 1,
    ack: () => void acked.add(String(index)),
    retry: () => expect.unreachable("no message is left to the platform to retry"),
  }));
  const batch: MessageBatch = {
    queue: `poa-${lane}`,
    messages,
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    ackAll: () => expect.unreachable("each message is acknowledged on its own"),
    retryAll: () => expect.unreachable("no message is left to the platform to retry"),
  };
  const execution = createExecutionContext();
  await runQueue(systemCtx(vars, execution), batch, handlers);
  await waitOnExecutionContext(execution);
  expect(acked.size).toBe(bodies.length);
}

/**
 * Delivers the messages that are due, and those that are sent meanwhile, until none is due. Returns the number of
 * batches of each lane.
 */
export async function deliverQueue(delivery: Delivery = {}): Promise<Record<Lane, number>> {
  const rounds = { jobs: 0, retries: 0 };
  for (;;) {
    const lane = waiting.find(({ dueAt }) => dueAt <= Date.now())?.lane;
    if (!lane) return rounds;
    const batch = waiting.filter((each) => each.lane === lane && each.dueAt <= Date.now()).slice(0, BATCH_SIZE);
    for (const each of batch) waiting.splice(waiting.indexOf(each), 1);
    await deliverBatch(
      lane,
      batch.map(({ body }) => body),
      delivery,
    );
    rounds[lane] += 1;
    if (rounds[lane] > MAX_ROUNDS) throw new Error("The queue does not get empty.");
  }
}
