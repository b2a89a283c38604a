import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deliverAllEvents, deliverNewEvents } from "../../src/features/webhooks/service.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog, expectProblem } from "../harness.ts";
import {
  asSystem,
  eachWithWebhook,
  HOUR_MS,
  happen,
  newTask,
  newWebhook,
  QUICK,
  runCron,
  type Webhook,
} from "./receiver.ts";

let webhook: Webhook;
eachWithWebhook((made) => {
  webhook = made;
});

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

  it("because the service has no ENCRYPTION_KEY does not stop the run, and is sent once the key is there", async () => {
    expectErrorLog("webhook_not_signed");
    await happen();
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK), { ENCRYPTION_KEY: undefined });
    expect(await webhook.deliveries()).toMatchObject([{ status: "pending", attempts: 1 }]);
    setClock(Date.now() + HOUR_MS);
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK));
    expect(await webhook.received()).toHaveLength(1);
  });
});

describe("drains that run at once", () => {
  it("make one message of each event and send it once", async () => {
    const second = await newWebhook(["task.created"]);
    await happen(12);
    await Promise.all(Array.from({ length: 6 }, () => asSystem((ctx) => deliverNewEvents(ctx))));
    for (const { received } of [webhook, second]) {
      const ids = (await received()).map(({ id }) => id);
      expect(ids).toHaveLength(12);
      expect(new Set(ids).size).toBe(12);
    }
    expect((await webhook.deliveries()).map(({ attempts }: { attempts: number }) => attempts)).toEqual(
      Array(12).fill(1),
    );
  });

  it("do not send what another is sending, and neither does a person's retry", async () => {
    await webhook.behave({ holds: true });
    const writing = newTask();
    await webhook.arrival();
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK));
    expectProblem(await webhook.retry(delivery.id), 409, "conflict");
    await webhook.behave({});
    await writing;
    expect(await webhook.received()).toHaveLength(1);
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 1, responseStatus: 200 }]);
  });

  it("leave a delivery whose Worker died to a later one, which counts the lost try", async () => {
    await happen();
    await webhook.behave({ status: 500 });
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK));
    const [{ id }] = await webhook.deliveries();
    await env.DB.prepare("UPDATE webhook_deliveries SET lease_until = ?, next_attempt_at = ? WHERE id = ?")
      .bind(Date.now() + 60_000, Date.now() + 60_000, id)
      .run();
    await webhook.behave({});
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK));
    expect(await webhook.received()).toHaveLength(1);
    setClock(Date.now() + 61_000);
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK));
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
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

  it("for want of an answer is given up after its time, and keeps no other from its own", async () => {
    const quick = await newWebhook(["task.created"]);
    await webhook.behave({ holds: true });
    await happen(8);
    await asSystem((ctx) => deliverAllEvents(ctx, { ...QUICK, timeoutMs: 150 }));
    expect(await quick.received()).toHaveLength(8);
    const tried = (await webhook.deliveries()).filter(({ attempts }: { attempts: number }) => attempts > 0);
    expect(tried.length).toBeLessThanOrEqual(5);
    expect(tried[0]).toMatchObject({
      status: "pending",
      responseStatus: null,
      error: "did not respond within 0.15 seconds",
    });
  });

  it("for want of a receiver is told as such", async () => {
    await webhook.change({ url: "http://127.0.0.1:9/nobody" });
    await newTask();
    expect(await webhook.deliveries()).toMatchObject([{ status: "pending", error: "could not be reached" }]);
  });

  it("is tried again by the cron, with growing gaps, the same bytes under the same id", async () => {
    await webhook.behave({ status: 503 });
    const start = Date.now();
    await newTask();
    const gaps: number[] = [];
    for (let attempts = 1; attempts <= 4; attempts++) {
      const [{ nextAttemptAt, lastAttemptAt, ...delivery }] = await webhook.deliveries();
      expect(delivery).toMatchObject({ attempts, status: "pending" });
      gaps.push((Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)) / HOUR_MS);
      setClock(Date.parse(nextAttemptAt) - 1000);
      await runCron();
      expect(await webhook.received()).toHaveLength(attempts);
      setClock(Date.parse(nextAttemptAt) + 1000);
      await runCron();
      expect(await webhook.received()).toHaveLength(attempts + 1);
    }
    for (const [index, hours] of [0.25, 0.5, 1, 2].entries()) {
      expect(gaps[index]).toBeGreaterThan(hours * 0.84);
      expect(gaps[index]).toBeLessThanOrEqual(hours + 0.01);
    }
    await webhook.behave({});
    setClock(start + 23 * HOUR_MS);
    await runCron();
    const received = await webhook.received();
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ timestamp }) => timestamp)).size).toBe(6);
    expect(await webhook.deliveries()).toMatchObject([
      { status: "delivered", attempts: 6, error: null, nextAttemptAt: null },
    ]);
    expect((await webhook.read()).failingSince).toBeNull();
  });

  it("is not tried again by a mere write", async () => {
    await webhook.behave({ status: 500 });
    await newTask("first");
    setClock(Date.now() + HOUR_MS);
    await newTask("second");
    const titles = (await webhook.events()).map(({ data }) => data.title);
    expect(titles).toEqual(["first", "second"]);
  });

  it("with a Retry-After waits at least that long, within reason", async () => {
    const waits: number[] = [];
    for (const [status, retryAfter] of [
      [429, "7200"],
      [503, "999999999"],
      [429, "1"],
      [500, "7200"],
    ] as const) {
      await webhook.behave({ status, headers: { "retry-after": retryAfter } });
      await newTask();
      const [{ nextAttemptAt, lastAttemptAt }] = await webhook.deliveries();
      waits.push((Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)) / HOUR_MS);
    }
    expect(waits[0]).toBeCloseTo(2, 1);
    expect(waits[1]).toBeCloseTo(8, 1);
    expect(waits[2]).toBeLessThanOrEqual(0.26);
    expect(waits[3]).toBeLessThanOrEqual(0.26);
  });

  it("because the rules for addresses are stricter by then is not sent at all", async () => {
    await happen();
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK), { ALLOW_PRIVATE_HOSTS: "false" });
    expect(await webhook.received()).toEqual([]);
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, responseStatus: null });
    expect(delivery.error).toMatch(/^its address must/);
  });

  it("because its secret cannot be read is noted, not sent unsigned", async () => {
    await happen();
    await asSystem((ctx) => deliverAllEvents(ctx, QUICK), {
      ENCRYPTION_KEY: "another-encryption-key-0123456789-abcdef",
    });
    expect(await webhook.received()).toEqual([]);
    expect((await webhook.deliveries())[0].error).toMatch(/another ENCRYPTION_KEY/);
  });
});
