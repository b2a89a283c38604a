import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { purgeWebhookHistory } from "../../src/features/webhooks/outbox.ts";
import { deliverNewEvents, sweepWebhooks } from "../../src/features/webhooks/service.ts";
import { QueueMessage } from "../../src/lib/queue-messages.ts";
import { runSchedule } from "../../src/schedule.ts";
import { countRows, setClock } from "../auth/people.ts";
import { expectErrorLog } from "../harness.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import {
  asSystem,
  eachWithWebhook,
  HOUR_MS,
  happen,
  impatient,
  newTask,
  newWebhook,
  outboxRows,
  runCron,
  type Webhook,
} from "./receiver.ts";

/* Endpoints that are dead or slow keep no other one waiting, and in the end get everything. */

let healthy: Webhook;
eachWithWebhook((made) => {
  healthy = made;
});

const drain = () => asSystem(deliverNewEvents);
const idsOf = (received: { id: string }[]) => new Set(received.map(({ id }) => id));

async function pauseOf({ id }: Webhook): Promise<number | null> {
  const row = await env.DB.prepare("SELECT paused_until FROM webhook_endpoints WHERE id = ?")
    .bind(id)
    .first<{ paused_until: number | null }>();
  return row?.paused_until ?? null;
}

/** Lets the clock run in steps of ten seconds, and has delivered what is due after each. */
async function pass(seconds: number, timeoutMs = 100): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    setClock(Date.now() + 10_000);
    await deliverQueue({ handlers: impatient(timeoutMs) });
  }
}

describe("of three endpoints, one dead and one slow,", () => {
  it("the healthy one gets everything from the first lane, and the dead one gets everything when it is back", async () => {
    const EVENTS = 20;
    const [dead, slow] = [await newWebhook(["task.created"]), await newWebhook(["task.created"])];
    await dead.behave({ holds: true });
    await slow.behave({ delayMs: 1100 });
    await happen(EVENTS);
    await drain();
    expect(queued()).toHaveLength(3 * EVENTS);
    // Nothing can keep a lane longer than its attempts take: the first lane alone serves the healthy endpoint.
    const rounds = await deliverQueue({ handlers: impatient(2000) });
    expect(rounds.jobs).toBe((3 * EVENTS) / 20);
    const received = await healthy.received();
    expect(idsOf(received).size).toBe(EVENTS);
    expect(received).toHaveLength(EVENTS);
    // At most as many attempts as ran at once before the failures were known, and as many again in the other lane.
    const tried = (await dead.deliveries("?limit=100")).filter(({ attempts }: { attempts: number }) => attempts > 0);
    expect(tried.length).toBeLessThanOrEqual(10);
    expect((await slow.received()).length).toBe(EVENTS);

    const more = 5;
    await happen(more);
    await drain();
    const lanes = queued().filter(({ dueAt }) => dueAt <= Date.now());
    expect(lanes.filter(({ lane }) => lane === "jobs")).toHaveLength(more);
    await slow.behave({});
    await dead.behave({});
    await pass(80);
    const late = await dead.received();
    expect(idsOf(late)).toEqual(idsOf(await healthy.received()));
    expect(idsOf(late).size).toBe(EVENTS + more);
    expect(await dead.deliveries("?status=pending")).toEqual([]);
    expect(await dead.read()).toMatchObject({ enabled: true, failingSince: null });
  });
});

describe("an endpoint that fails", () => {
  it("once is not paused, since it may be the message's fault", async () => {
    await healthy.behave({ status: 500, only: "poison" });
    await newTask("poison");
    expect(await pauseOf(healthy)).toBeNull();
    await newTask("fine");
    expect((await healthy.events()).map(({ data }) => data.title)).toEqual(["poison", "fine"]);
    expect((await healthy.read()).failingSince).toBeNull();
  });

  it("again is paused for half the time that it has failed, from 15 s to 15 min, and one delivery tells when it is back", async () => {
    await healthy.behave({ status: 500 });
    setClock(Date.now());
    for (const title of ["a", "b", "c"]) await newTask(title);
    expect(await pauseOf(healthy)).toBe(Date.now() + 15_000);
    const before = await healthy.received();
    const attempts = async () =>
      (await healthy.deliveries()).reduce((sum: number, each: { attempts: number }) => sum + each.attempts, 0);
    expect(await attempts()).toBe(2);
    expect(before).toHaveLength(2);
    // New ones wait without an attempt and without a message.
    takeQueued();
    await newTask();
    expect(queued()).toEqual([]);
    const pause = new Date((await pauseOf(healthy)) ?? 0).toISOString();
    const untried = (await healthy.deliveries()).filter((each: { attempts: number }) => each.attempts === 0);
    expect(untried).toMatchObject([{ nextAttemptAt: pause }, { nextAttemptAt: pause }]);
    setClock(Date.now() + 3 * HOUR_MS);
    await runCron();
    expect(((await pauseOf(healthy)) ?? 0) - Date.now()).toBe(15 * 60_000);
    // The cron and the end of the pause sent one each.
    expect((await healthy.received()).length - before.length).toBeLessThanOrEqual(2);
    await healthy.behave({});
    setClock(Date.now() + 16 * 60_000);
    await runCron();
    expect(await pauseOf(healthy)).toBeNull();
    expect(idsOf(await healthy.received()).size).toBe(4);
    expect(await healthy.deliveries("?status=pending")).toEqual([]);
  });

  it("asks with Retry-After to be left alone, and is", async () => {
    await healthy.behave({ status: 429, headers: { "retry-after": "600" } });
    setClock(Date.now());
    await newTask();
    expect(await pauseOf(healthy)).toBe(Date.now() + 600_000);
    await healthy.behave({});
    await newTask();
    await pass(590);
    expect(await healthy.received()).toHaveLength(1);
    await pass(30);
    expect(idsOf(await healthy.received()).size).toBe(2);
  });

  it("and gets a new address is tried there at once", async () => {
    await healthy.behave({ status: 429, headers: { "retry-after": "600" } });
    await newTask("first");
    await healthy.behave({});
    await healthy.change({ url: healthy.url });
    await newTask("second");
    expect((await healthy.events()).map(({ data }) => data.title)).toEqual(["first", "second"]);
  });
});

describe("an endpoint that is slow", () => {
  const lanes = async (events: number) => {
    await happen(events);
    await drain();
    return new Set(queued().map(({ lane }) => lane));
  };

  it("five times in a row is served in the other lane, until it is fast again", async () => {
    await healthy.behave({ delayMs: 1100 });
    expect(await lanes(4)).toEqual(new Set(["jobs"]));
    await deliverQueue();
    expect(await lanes(1)).toEqual(new Set(["jobs"]));
    await deliverQueue();
    expect(await lanes(2)).toEqual(new Set(["retries"]));
    await healthy.behave({});
    await deliverQueue();
    expect(await lanes(1)).toEqual(new Set(["jobs"]));
    expect(await healthy.received()).toHaveLength(8);
  });

  it("has a few deliveries in the queue, and further events put nothing there until one of them is done", async () => {
    const [SLOW_PAGE, EVENTS] = [20, 50];
    await healthy.behave({ delayMs: 1100 });
    await lanes(5);
    await deliverQueue();
    await healthy.behave({});
    expect(await lanes(EVENTS)).toEqual(new Set(["retries"]));
    // It is told once that there is something, and takes as much as it may have.
    const [announced, ...none] = takeQueued();
    expect(announced?.body).toMatchObject({ kind: "webhook.endpoint" });
    expect(none).toEqual([]);
    await deliverBatch("retries", [announced?.body]);
    const waiting = takeQueued();
    expect(waiting.map(({ body }) => QueueMessage.parse(body).kind)).toEqual(Array(SLOW_PAGE).fill("webhook.delivery"));
    expect(await lanes(EVENTS)).toEqual(new Set());
    // One that is done makes room for the next, and being fast again for all.
    await deliverBatch("retries", [waiting[0]?.body]);
    await deliverQueue();
    await deliverBatch(
      "retries",
      waiting.slice(1).map(({ body }) => body),
    );
    expect(idsOf(await healthy.received()).size).toBe(5 + 2 * EVENTS);
    expect(await healthy.deliveries("?status=pending")).toEqual([]);
  });

  it("now and then stays where it is", async () => {
    for (const delayMs of [1100, 0, 1100, 0]) {
      await healthy.behave({ delayMs });
      expect(await lanes(2)).toEqual(new Set(["jobs"]));
      await deliverQueue();
    }
  });
});

describe("the sweep", () => {
  it("sends everything that is overdue, however much it is, through the queue", async () => {
    const OWED = 2500;
    await happen();
    await drain();
    takeQueued();
    await env.DB.prepare(
      `INSERT INTO webhook_deliveries (id, message_id, endpoint_id, type, status, attempts, next_attempt_at, created_at)
        SELECT 'd' || each.value, message_id, endpoint_id, d.type, status, 0, 0, created_at
        FROM webhook_deliveries d, json_each(?) AS each WHERE endpoint_id = ?`,
    )
      .bind(JSON.stringify(Array.from({ length: OWED - 1 }, (_, index) => index)), healthy.id)
      .run();
    setClock(Date.now() + 2 * 60_000);
    await asSystem(sweepWebhooks);
    const sent = new Set<string>();
    for (let rounds = 0; queued().length > 0; rounds++) {
      const messages = takeQueued().map(({ body }) => QueueMessage.parse(body));
      for (const message of messages) if (message.kind === "webhook.delivery") sent.add(message.id);
      expect(sent.size).toBe(Math.min(OWED, (rounds + 1) * 1000));
      await deliverBatch(
        "retries",
        messages.filter(({ kind }) => kind === "webhook.endpoint"),
      );
    }
    expect(sent.size).toBe(OWED);
  });

  it("without queues does the work itself, and so do the retries", async () => {
    const vars = { JOBS: undefined, RETRIES: undefined };
    await healthy.behave({ status: 500, only: "poison" });
    await happen(3);
    await runCron(vars);
    const start = Date.now();
    setClock(start + 2 * 60_000);
    await runCron(vars);
    expect(queued()).toEqual([]);
    expect(await healthy.received()).toHaveLength(3);
  });

  it("deletes nothing that was not rendered or not delivered", async () => {
    expectErrorLog("event_not_rendered");
    const blind = new Proxy(env.DB, {
      get(target, name) {
        if (name === "prepare") {
          return (sql: string) => {
            if (/from "tasks"/.test(sql)) throw new Error("the tasks cannot be read");
            return target.prepare(sql);
          };
        }
        const member = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    await happen(2);
    await asSystem(deliverNewEvents, { DB: blind });
    expect(await outboxRows()).toHaveLength(2);
    await newTask();
    await happen();
    await drain();
    takeQueued();
    setClock(Date.now() + 31 * 24 * HOUR_MS);
    await happen();
    await asSystem(purgeWebhookHistory);
    expect(await outboxRows()).toHaveLength(1);
    expect(await countRows("webhook_deliveries", "status = 'pending'")).toBe(1);
    expect(await countRows("webhook_deliveries", "status = 'delivered'")).toBe(0);
    await asSystem((ctx) => runSchedule("17 3 * * *", ctx));
    await deliverQueue();
    expect(await countRows("webhook_deliveries", "status = 'pending'")).toBe(0);
    expect(await outboxRows()).toEqual([]);
  });
});
