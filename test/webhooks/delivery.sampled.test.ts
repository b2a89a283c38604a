import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sendOverdue } from "../../src/features/webhooks/due.ts";
import { deliverNewEvents } from "../../src/features/webhooks/service.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog, expectProblem } from "../harness.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { sampled } from "../sampled.ts";
import {
  asSystem,
  eachWithWebhook,
  HOUR_MS,
  happen,
  impatient,
  newTask,
  newWebhook,
  runCron,
  type Webhook,
} from "./receiver.ts";

let webhook: Webhook;
eachWithWebhook((made) => {
  webhook = made;
});

/** Renders the events that wait, and hands their deliveries to the queue. */
const drain = () => asSystem(deliverNewEvents);

describe("a secret that cannot sign", () => {
  it.each([
    ["was encrypted with another key", "v1.AAAAAAAAAAAAAAAA.AAAA"],
    ["is missing", ""],
  ])("because it %s fails its own delivery and no other", async (_, sealed) => {
    const second = await newWebhook(["task.created"]);
    await env.DB.prepare("UPDATE webhook_endpoints SET secret = ? WHERE id = ?").bind(sealed, webhook.id).run();
    await newTask();
    expect(await webhook.deliveries()).toMatchObject([
      { status: "pending", attempts: 1, error: expect.stringContaining("ENCRYPTION_KEY") },
    ]);
    expect(await second.received()).toHaveLength(1);
    const [delivery] = await webhook.deliveries();
    expect((await webhook.retry(delivery.id)).body).toMatchObject({ status: "pending", attempts: 2 });
    expect(await webhook.received()).toEqual([]);
  });

  it("because the service has no ENCRYPTION_KEY is noted, and is sent once the key is there", async () => {
    expectErrorLog("webhook_not_signed");
    await happen();
    await drain();
    await deliverQueue({ vars: { ENCRYPTION_KEY: undefined } });
    expect(await webhook.deliveries()).toMatchObject([{ status: "pending", attempts: 1 }]);
    setClock(Date.now() + 16_000);
    expect(await webhook.received()).toHaveLength(1);
  });
});

describe("drains that run at once", () => {
  it("make one message of each event and send it once", async () => {
    const second = await newWebhook(["task.created"]);
    await happen(12);
    await Promise.all(Array.from({ length: 6 }, drain));
    expect(queued()).toHaveLength(24);
    await deliverQueue();
    for (const { received } of [webhook, second]) {
      const ids = (await received()).map(({ id }) => id);
      expect(ids).toHaveLength(12);
      expect(new Set(ids).size).toBe(12);
    }
    expect((await webhook.deliveries()).map(({ attempts }: { attempts: number }) => attempts)).toEqual(
      Array(12).fill(1),
    );
  });
});

describe("a message of the queue", () => {
  it("that comes twice sends once, also when both come at the same time", async () => {
    await happen();
    await drain();
    const [{ lane, body }] = takeQueued() as [ReturnType<typeof takeQueued>[number]];
    await Promise.all([deliverBatch(lane, [body, body]), deliverBatch("retries", [body])]);
    await deliverBatch(lane, [body]);
    expect(await webhook.received()).toHaveLength(1);
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("that comes late, after the next attempt was made, sends nothing", async () => {
    await webhook.behave({ status: 500 });
    await happen();
    await drain();
    const [first] = queued();
    await deliverQueue();
    setClock(Date.now() + 16_000);
    await deliverQueue();
    await deliverBatch("jobs", [first?.body]);
    expect(await webhook.received()).toHaveLength(2);
  });

  it("that is lost is sent again by the cron, whether it was the first one or a retry", async () => {
    const start = Date.now();
    await happen();
    await drain();
    expect(takeQueued()).toHaveLength(1);
    await runCron();
    expect(await webhook.received()).toEqual([]);
    setClock(start + 2 * 60_000);
    await webhook.behave({ status: 500 });
    await runCron();
    expect(await webhook.received()).toHaveLength(1);
    expect(takeQueued()).toMatchObject([{ body: { kind: "webhook.delivery", attempt: 2 } }]);
    await webhook.behave({});
    setClock(start + 17 * 60_000);
    await runCron();
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });

  it("that is lost again is sent again by a later cron, and until then no second time", async () => {
    const start = Date.now();
    await happen();
    await drain();
    takeQueued();
    setClock(start + 2 * 60_000);
    await asSystem(sendOverdue);
    expect(takeQueued()).toMatchObject([{ lane: "jobs", body: { attempt: 1 } }]);
    await runCron();
    expect(await webhook.received()).toEqual([]);
    setClock(start + 19 * 60_000);
    await runCron();
    expect(await webhook.received()).toHaveLength(1);
  });

  it("for an endpoint that was deleted, or whose delivery is gone, does nothing", async () => {
    await happen();
    await drain();
    await env.DB.prepare("DELETE FROM webhook_endpoints WHERE id = ?").bind(webhook.id).run();
    await deliverBatch("jobs", [{ kind: "webhook.endpoint", id: webhook.id }]);
    expect(await webhook.received()).toEqual([]);
  });

  it("for an endpoint that was disabled meanwhile sends nothing, nor after it is enabled again", async () => {
    await happen();
    await drain();
    const sent = queued();
    await webhook.change({ enabled: false });
    expect(await webhook.received()).toEqual([]);
    await webhook.change({ enabled: true });
    await deliverBatch(
      "jobs",
      sent.map(({ body }) => body),
    );
    expect(await webhook.received()).toEqual([]);
    expect(await webhook.deliveries()).toMatchObject([{ status: "failed", attempts: 0 }]);
  });
});

describe("an attempt", () => {
  it("is not repeated while it is made, by the cron or by a person", async () => {
    await webhook.behave({ holds: true });
    const writing = newTask();
    await webhook.arrival();
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    await runCron();
    expectProblem(await webhook.retry(delivery.id), 409, "conflict");
    await webhook.behave({});
    await writing;
    expect(await webhook.received()).toHaveLength(1);
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 1, responseStatus: 200 }]);
  });

  it("whose Worker dies before it has a result is counted, and another is made under the same id", async () => {
    await happen();
    await drain();
    await webhook.behave({ status: 500 });
    await deliverQueue();
    takeQueued();
    // As a Worker leaves it that dies after the claim.
    const [{ id }] = await webhook.deliveries();
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET next_attempt_at = last_attempt_at + 60000, duration_ms = NULL WHERE id = ?",
    )
      .bind(id)
      .run();
    expectProblem(await webhook.retry(id), 409, "conflict");
    await webhook.behave({});
    await runCron();
    expect(await webhook.received()).toHaveLength(1);
    setClock(Date.now() + 2 * 60_000 + 1000);
    await runCron();
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
    const received = await webhook.received();
    expect(new Set(received.map((each) => each.id)).size).toBe(1);
  });

  it("by a person makes the retry that was planned do nothing", async () => {
    await webhook.behave({ status: 500 });
    await newTask();
    const [{ id }] = await webhook.deliveries();
    await webhook.behave({});
    expect((await webhook.retry(id)).body).toMatchObject({ status: "delivered", attempts: 2 });
    setClock(Date.now() + HOUR_MS);
    await runCron();
    expect(await webhook.received()).toHaveLength(2);
  });
});

describe("a delivery that fails", () => {
  it.each([
    [{ status: 500 }, { responseStatus: 500, error: "responded 500" }],
    [{ status: 404 }, { responseStatus: 404, error: "responded 404" }],
    [
      { status: 302, headers: { location: "http://127.0.0.1:9/elsewhere" } },
      { responseStatus: 302, error: "responded 302: redirects are not followed" },
    ],
  ])("as %j is noted and stays on its way", async (behaviour, noted) => {
    await webhook.behave(behaviour);
    expect((await newTask()).status).toBe(201);
    const [delivery] = await webhook.deliveries("?status=pending");
    expect(delivery).toMatchObject({ ...noted, status: "pending", attempts: 1, deliveredAt: null });
    expect(await webhook.received()).toHaveLength(1);
    expect((await webhook.read()).failingSince).not.toBeNull();
  });

  it("for want of an answer is given up after its time", async () => {
    await webhook.behave({ holds: true });
    await happen();
    await drain();
    await deliverQueue({ handlers: impatient(150) });
    expect(await webhook.deliveries()).toMatchObject([
      { status: "pending", attempts: 1, responseStatus: null, error: "did not respond within 0.15 seconds" },
    ]);
  });

  it("for want of a receiver is told as such", async () => {
    await webhook.change({ url: "http://127.0.0.1:9/nobody" });
    await newTask();
    expect(await webhook.deliveries()).toMatchObject([{ status: "pending", error: "could not be reached" }]);
  });

  it("is tried again after 15 s, 1, 5, 30 min, 2, 5 h and a last time after 24 h, the same bytes under the same id", async () => {
    await webhook.behave({ status: 503 });
    const start = Date.now();
    await newTask();
    const gaps: number[] = [];
    for (let attempts = 1; attempts <= 7; attempts++) {
      const [{ nextAttemptAt, lastAttemptAt, createdAt, ...delivery }] = await webhook.deliveries();
      expect(delivery).toMatchObject({ attempts, status: "pending" });
      const from = attempts < 7 ? lastAttemptAt : createdAt;
      gaps.push(Math.round((Date.parse(nextAttemptAt) - Date.parse(from)) / 1000));
      setClock(Date.parse(nextAttemptAt) - 1000);
      await runCron();
      expect(await webhook.received()).toHaveLength(attempts);
      setClock(Date.parse(nextAttemptAt) + 1000);
      expect(await webhook.received()).toHaveLength(attempts + 1);
    }
    expect(gaps).toEqual([15, 60, 300, 1800, 7200, 18_000, 86_400]);
    expect(Date.now() - start).toBeGreaterThanOrEqual(24 * HOUR_MS);
    const received = await webhook.received();
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ timestamp }) => timestamp)).size).toBe(8);
    expect(await webhook.deliveries()).toMatchObject([{ status: "failed", attempts: 8, nextAttemptAt: null }]);
    expect(queued().filter(({ dueAt }) => dueAt > Date.now() + HOUR_MS)).toEqual([]);
  });

  it("and is delivered by a retry ends the endpoint's failing", async () => {
    await webhook.behave({ status: 503 });
    await newTask();
    await webhook.behave({});
    setClock(Date.now() + 16_000);
    await deliverQueue();
    expect(await webhook.deliveries()).toMatchObject([
      { status: "delivered", attempts: 2, error: null, nextAttemptAt: null },
    ]);
    expect((await webhook.read()).failingSince).toBeNull();
  });

  it("is not tried again by a mere write", async () => {
    await webhook.behave({ status: 500 });
    await newTask("first");
    takeQueued();
    setClock(Date.now() + HOUR_MS);
    await newTask("second");
    const titles = (await webhook.events()).map(({ data }) => data.title);
    expect(titles).toEqual(["first", "second"]);
  });

  it.each(
    sampled(
      [
        [429, "7200", 7200],
        [503, "999999999", 86_400],
        [503, () => new Date(Date.now() + 3 * HOUR_MS).toUTCString(), 3 * 3600],
        [429, () => new Date(Date.now() + 9 * 24 * HOUR_MS).toUTCString(), 86_400],
        [429, () => new Date(Date.now() - HOUR_MS).toUTCString(), 15],
        [429, "1", 15],
        [500, "7200", 15],
        [503, "soon", 15],
      ],
      3,
    ),
  )("as %i with a Retry-After of %s waits as long as asked, within a day", async (status, given, seconds) => {
    const retryAfter = typeof given === "string" ? given : given();
    await webhook.behave({ status, headers: { "retry-after": retryAfter } });
    await newTask();
    const [{ nextAttemptAt, lastAttemptAt }] = await webhook.deliveries();
    const waited = (Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)) / 1000;
    expect(waited).toBeGreaterThan(seconds - 3);
    expect(waited).toBeLessThan(seconds + 3);
  });

  it("because the rules for addresses are stricter by then is not sent at all", async () => {
    await happen();
    await drain();
    await deliverQueue({ vars: { ALLOW_PRIVATE_HOSTS: "false" } });
    expect(await webhook.received()).toEqual([]);
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, responseStatus: null });
    expect(delivery.error).toMatch(/^cannot be called: its address must/);
  });

  it("because its secret cannot be read is noted, not sent unsigned", async () => {
    await happen();
    await drain();
    await deliverQueue({ vars: { ENCRYPTION_KEY: "another-encryption-key-0123456789-abcdef" } });
    expect(await webhook.received()).toEqual([]);
    expect((await webhook.deliveries())[0].error).toMatch(/another ENCRYPTION_KEY/);
  });
});
