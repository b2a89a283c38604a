import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, expect, inject, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { deliver } from "../../src/features/webhooks/delivery.ts";
import { noneEnabled } from "../../src/features/webhooks/enabled-endpoints.ts";
import { HANDLERS, type Handlers } from "../../src/queue.ts";
import { runSchedule } from "../../src/schedule.ts";
import { openSession, PASSWORD, type Person, signedInPerson } from "../auth/people.ts";
import type { Behaviour, Received } from "../fakes/webhooks/server.ts";
import { type Answer, emptyService, service, systemCtx } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { until } from "../until.ts";

const PATH = "/api/settings/webhooks";

/** A receiver of its own, without a webhook to it. */
export function newReceiver() {
  const name = crypto.randomUUID();
  const base = inject("webhookReceiverUrl");
  const control = async <T>(verb: string, command: object = {}): Promise<T> => {
    const response = await fetch(`${base}/control/${name}/${verb}`, { method: "POST", body: JSON.stringify(command) });
    return response.json();
  };
  return {
    url: `${base}/hook/${name}`,
    behave: (behaviour: Behaviour) => control("behave", behaviour),
    know: (...secrets: string[]) => control("know", { secrets }),
    received: () => control<Received[]>("received"),
    mostAtOnce: () => control<number>("most"),
    /** Until the first message has come. */
    arrival: () => until(async () => expect(await control<Received[]>("received")).toHaveLength(1)),
    /** The events that came, parsed. */
    async events() {
      return (await control<Received[]>("received")).map(({ body }) => JSON.parse(body));
    },
  };
}

/** A person's webhook to a receiver that knows its secret. */
export async function newWebhook(eventTypes: string[] = [], person?: Person) {
  const owner = person ?? (await signedInPerson());
  const receiver = newReceiver();
  const client = service();
  const order = { url: receiver.url, eventTypes, currentPassword: PASSWORD };
  const { body } = await client.post(PATH, order, { token: owner.token });
  await receiver.know(body.secret);
  const at = `${PATH}/${body.id}`;
  // A session for each call, since tests move the clock past the life of a token.
  const signedIn = async () => ({ token: (await openSession(owner.id)).token });
  /** Messages that are due are delivered before a test looks. */
  const delivered =
    <Result>(look: () => Promise<Result>) =>
    async () => {
      await deliverQueue();
      return look();
    };
  return {
    ...receiver,
    received: delivered(receiver.received),
    events: delivered(receiver.events),
    owner,
    token: owner.token,
    at,
    id: body.id as number,
    secret: body.secret as string,
    read: async () => (await client.get(at, await signedIn())).body,
    change: async (changes: object): Promise<Answer> => client.patch(at, changes, await signedIn()),
    deliveries: async (query = "") => (await client.get(`${at}/deliveries${query}`, await signedIn())).body.data,
    retry: async (deliveryId: string): Promise<Answer> =>
      client.post(`${at}/deliveries/${deliveryId}/retry`, undefined, await signedIn()),
  };
}

/** Leaves no endpoint behind: the writes of other files would be told to it. */
export async function removeWebhooks(): Promise<void> {
  await env.DB.batch([env.DB.prepare("DELETE FROM webhook_endpoints"), env.DB.prepare("DELETE FROM outbox")]);
  noneEnabled.forget();
}

/** Runs work of the service as a cron does, and waits for what it defers. */
export async function asSystem<T>(work: (ctx: Context) => Promise<T>, vars: Partial<Env> = {}): Promise<T> {
  const execution = createExecutionContext();
  const result = await work(systemCtx(vars, execution));
  await waitOnExecutionContext(execution);
  return result;
}

export const HOUR_MS = 3_600_000;
/** The cron, and the messages that are due when it has ended. */
export async function runCron(vars: Partial<Env> = {}): Promise<void> {
  await asSystem((ctx) => runSchedule("*/15 * * * *", ctx), vars);
  await deliverQueue({ vars });
}
/** A task, and the messages about it. */
export async function newTask(title = "x"): Promise<Answer> {
  const answer = await service().post("/api/tasks", { title });
  await deliverQueue();
  return answer;
}

/** Events that wait in the outbox, since nobody has asked for a drain yet. */
export async function happen(times = 1): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
      SELECT 'x', '', 'todo', 'low', '[]', 'manual', 1, 0, 0 FROM json_each(?)`,
  )
    .bind(JSON.stringify(Array(times).fill(0)))
    .run();
}

/** The handlers of the queue, with a receiver's time to respond that a test can wait for. */
export const impatient = (timeoutMs: number): Handlers => ({
  ...HANDLERS,
  "webhook.delivery": {
    ...HANDLERS["webhook.delivery"],
    run: (ctx, message, lane) => deliver(ctx, message, lane, timeoutMs),
  },
});

export function outboxRows(): Promise<{ type: string; record_id: string }[]> {
  return env.DB.prepare("SELECT type, record_id FROM outbox ORDER BY id")
    .all<{ type: string; record_id: string }>()
    .then(({ results }) => results);
}

export type Webhook = Awaited<ReturnType<typeof newWebhook>>;

/** Gives each test of a file a webhook of its own that hears of new tasks, and leaves none behind. */
export function eachWithWebhook(use: (webhook: Webhook) => void): void {
  beforeEach(async () => {
    await removeWebhooks();
    use(await newWebhook(["task.created"]));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await removeWebhooks();
  });
  afterAll(emptyService);
}
