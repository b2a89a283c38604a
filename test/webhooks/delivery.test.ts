import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { deliverAll, deliverNews } from "../../src/features/webhooks/service.ts";
import { runSchedule } from "../../src/schedule.ts";
import { auditActions, countRows, setClock } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { asSystem, newWebhook, QUICK, removeWebhooks } from "./receiver.ts";

const HOUR_MS = 3_600_000;
const CRON = "*/15 * * * *";
const client = service();
type Webhook = Awaited<ReturnType<typeof newWebhook>>;
let webhook: Webhook;

beforeEach(async () => {
  await removeWebhooks();
  webhook = await newWebhook(["task.created"]);
});
afterEach(async () => {
  vi.useRealTimers();
  await removeWebhooks();
});
afterAll(emptyService);

const newTask = (title = "x") => client.post("/api/tasks", { title });
const runCron = () => asSystem((ctx) => runSchedule(CRON, ctx));

/** An event that waits in the outbox, since nobody has asked for a drain yet. */
async function happen(times = 1): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
      SELECT 'x', '', 'todo', 'low', '[]', 'manual', 1, 0, 0 FROM json_each(?)`,
  )
    .bind(JSON.stringify(Array(times).fill(0)))
    .run();
}

describe("drains that run at once", () => {
  it("make one message of each event and send it once", async () => {
    const second = await newWebhook(["task.created"]);
    await happen(12);
    await Promise.all(Array.from({ length: 6 }, () => asSystem((ctx) => deliverNews(ctx))));
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
    await webhook.behave({ delayMs: 400 });
    const writing = newTask();
    await vi.waitFor(async () => expect(await webhook.received()).toHaveLength(1));
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    await asSystem((ctx) => deliverAll(ctx, QUICK));
    expectProblem(await webhook.retry(delivery.id), 409, "conflict");
    await writing;
    expect(await webhook.received()).toHaveLength(1);
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 1, responseStatus: 200 }]);
  });

  it("leave a delivery whose Worker died to a later one, which counts the lost try", async () => {
    await happen();
    await webhook.behave({ status: 500 });
    await asSystem((ctx) => deliverAll(ctx, QUICK));
    const [{ id }] = await webhook.deliveries();
    await env.DB.prepare("UPDATE webhook_deliveries SET lease_until = ?, next_attempt_at = ? WHERE id = ?")
      .bind(Date.now() + 60_000, Date.now() + 60_000, id)
      .run();
    await webhook.behave({});
    await asSystem((ctx) => deliverAll(ctx, QUICK));
    expect(await webhook.received()).toHaveLength(1);
    setClock(Date.now() + 61_000);
    await asSystem((ctx) => deliverAll(ctx, QUICK));
    expect(await webhook.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });
});

describe("a delivery that fails", () => {
  it.each([
    [{ status: 500 }, { responseStatus: 500, error: "answered 500" }],
    [{ status: 404 }, { responseStatus: 404, error: "answered 404" }],
    [
      { status: 302, headers: { location: "http://127.0.0.1:9/elsewhere" } },
      { responseStatus: 302, error: "answered 302: redirects are not followed" },
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
    await webhook.behave({ hangs: true });
    await happen(8);
    await asSystem((ctx) => deliverAll(ctx, { ...QUICK, timeoutMs: 150 }));
    expect(await quick.received()).toHaveLength(8);
    const tried = (await webhook.deliveries()).filter(({ attempts }: { attempts: number }) => attempts > 0);
    expect(tried.length).toBeLessThanOrEqual(5);
    expect(tried[0]).toMatchObject({
      status: "pending",
      responseStatus: null,
      error: "gave no answer within 0.15 seconds",
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
    await asSystem((ctx) => deliverAll(ctx, QUICK), { ALLOW_PRIVATE_HOSTS: "false" });
    expect(await webhook.received()).toEqual([]);
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, responseStatus: null });
    expect(delivery.error).toMatch(/^its address must/);
  });

  it("because its secret cannot be read is noted, not sent unsigned", async () => {
    await happen();
    await asSystem((ctx) => deliverAll(ctx, QUICK), { ENCRYPTION_KEY: "another-encryption-key-0123456789-abcdef" });
    expect(await webhook.received()).toEqual([]);
    expect((await webhook.deliveries())[0].error).toMatch(/another ENCRYPTION_KEY/);
  });
});

describe("an endpoint", () => {
  it("that answers 410 is switched off, its owner told, and nothing more is sent", async () => {
    await webhook.behave({ status: 410 });
    const mails: { to: unknown; subject: string; text: string }[] = [];
    const send = async (mail: (typeof mails)[number]) => void mails.push(mail);
    const EMAIL = { send } as unknown as Env["EMAIL"];
    await service({ EMAIL, MAIL_FROM: "me@example.com" }).post("/api/tasks", { title: "x" });
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails[0]?.to)).toContain(webhook.owner.email);
    expect(mails[0]?.text).toContain(`/api/settings/webhooks/${webhook.id}`);
    expect(await webhook.read()).toMatchObject({
      enabled: false,
      disabledReason: expect.stringContaining("410"),
      version: 2,
    });
    expect(await webhook.deliveries()).toMatchObject([{ status: "failed", responseStatus: 410, nextAttemptAt: null }]);
    expect(await auditActions(webhook.owner.id)).toEqual(["webhook.created", "webhook.disabled"]);
    await newTask();
    setClock(Date.now() + 2 * HOUR_MS);
    await runCron();
    expect(await webhook.received()).toHaveLength(1);
  });

  it("that fails for 24 hours is switched off, and what waits for it given up", async () => {
    await webhook.behave({ status: 500 });
    const start = Date.now();
    await newTask();
    for (let hour = 1; hour <= 23; hour++) {
      setClock(start + hour * HOUR_MS);
      if (hour === 20) await newTask();
      await runCron();
      expect((await webhook.read()).enabled).toBe(true);
    }
    setClock(start + 24.5 * HOUR_MS);
    await runCron();
    expect(await webhook.read()).toMatchObject({
      enabled: false,
      disabledReason: "Nothing could be delivered for 24 hours.",
      failingSince: expect.any(String),
    });
    expect(await webhook.deliveries("?status=pending")).toEqual([]);
    expect(await webhook.deliveries("?status=failed")).toHaveLength(2);
    expect(await auditActions(webhook.owner.id)).toEqual(["webhook.created", "webhook.disabled"]);
    const first = (await webhook.deliveries()).at(-1);
    expect(first.attempts).toBeGreaterThanOrEqual(8);
  });

  it("that had a success in between goes on, while the message that fails is given up", async () => {
    await webhook.behave({ status: 500 });
    const start = Date.now();
    await newTask();
    setClock(start + 13 * HOUR_MS);
    await webhook.behave({});
    await newTask();
    expect((await webhook.read()).failingSince).toBeNull();
    await webhook.behave({ status: 500 });
    for (const hours of [14, 16, 20, 24.1]) {
      setClock(start + hours * HOUR_MS);
      await runCron();
    }
    expect((await webhook.read()).enabled).toBe(true);
    expect(await webhook.deliveries("?status=failed")).toMatchObject([{ responseStatus: 500, nextAttemptAt: null }]);
  });

  it("that was switched off comes back by PATCH, and then hears what is new", async () => {
    await webhook.behave({ status: 410 });
    await newTask("old");
    await newTask("missed");
    await webhook.behave({});
    const { body } = await webhook.change({ enabled: true });
    expect(body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    await newTask("new");
    expect((await webhook.events()).map(({ data }) => data.title)).toEqual(["old", "new"]);
  });

  it("that a person switches off gives up what was on its way, also what was being tried just then", async () => {
    await webhook.behave({ status: 500, delayMs: 300 });
    const writing = newTask();
    await vi.waitFor(async () => expect(await webhook.received()).toHaveLength(1));
    expect((await webhook.change({ enabled: false })).body).toMatchObject({ enabled: false, disabledReason: null });
    await writing;
    expect(await webhook.deliveries()).toMatchObject([{ status: "failed", nextAttemptAt: null }]);
  });

  it("that is deleted takes its deliveries with it", async () => {
    await newTask();
    expect((await client.delete(webhook.at, { token: webhook.token })).status).toBe(204);
    expect(await countRows("webhook_deliveries", "endpoint_id = ?", webhook.id)).toBe(0);
  });
});

describe("a new secret", () => {
  it("signs beside the old one for a day, and then alone", async () => {
    const { body } = await client.post(`${webhook.at}/rotate-secret`, undefined, { token: webhook.token });
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(webhook.secret);
    const hours = (Date.parse(body.previousSecretUntil) - Date.now()) / HOUR_MS;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await webhook.know(body.secret, webhook.secret);
    await newTask();
    const [both] = await webhook.received();
    expect(both?.verifiedWith).toEqual([body.secret, webhook.secret]);
    expect(both?.signature).toMatch(/^v1,\S{44} v1,\S{44}$/);
    await env.DB.prepare("UPDATE webhook_endpoints SET previous_secret_until = ? WHERE id = ?")
      .bind(Date.now() - 1, webhook.id)
      .run();
    await newTask();
    const [, alone] = await webhook.received();
    expect(alone?.verifiedWith).toEqual([body.secret]);
    expect(alone?.signature).toMatch(/^v1,\S{44}$/);
    expect((await webhook.read()).previousSecretUntil).toBeNull();
  });

  it("replaces the last one only, when it is changed twice", async () => {
    const rotate = async () =>
      (await client.post(`${webhook.at}/rotate-secret`, undefined, { token: webhook.token })).body;
    const second = await rotate();
    const third = await rotate();
    await webhook.know(webhook.secret, second.secret, third.secret);
    await newTask();
    expect((await webhook.received())[0]?.verifiedWith).toEqual([second.secret, third.secret]);
  });
});

describe("a test", () => {
  it("sends a signed event at once, also to an endpoint that is off, and says what came of it", async () => {
    await webhook.change({ enabled: false });
    const { status, body } = await client.post(`${webhook.at}/test`, undefined, { token: webhook.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "delivered", attempts: 1, responseStatus: 200, eventType: "webhook.test" });
    const [received] = await webhook.received();
    expect(received?.verifiedWith).toEqual([webhook.secret]);
    expect(received?.id).toBe(body.messageId);
    expect(JSON.parse(received?.body ?? "")).toMatchObject({ type: "webhook.test", data: { webhookId: webhook.id } });
  });

  it("sends the example of an event on request", async () => {
    await client.post(`${webhook.at}/test?eventType=task.completed`, undefined, { token: webhook.token });
    expect(await webhook.events()).toMatchObject([{ type: "task.completed", data: { status: "done" } }]);
    expectProblem(
      await client.post(`${webhook.at}/test?eventType=nonsense`, undefined, { token: webhook.token }),
      422,
      "validation_failed",
    );
  });

  it("that fails counts for nothing and is not repeated", async () => {
    await webhook.behave({ status: 410 });
    const { body } = await client.post(`${webhook.at}/test`, undefined, { token: webhook.token });
    expect(body).toMatchObject({ status: "failed", responseStatus: 410, nextAttemptAt: null });
    expect(await webhook.read()).toMatchObject({ enabled: true, failingSince: null });
    setClock(Date.now() + 2 * HOUR_MS);
    await runCron();
    expect(await webhook.received()).toHaveLength(1);
  });
});

describe("the log of deliveries", () => {
  it("is paged, newest first, and filtered by status", async () => {
    await newTask("first");
    await webhook.behave({ status: 500 });
    await newTask("second");
    await newTask("third");
    const page = async (query: string) =>
      (await client.get(`${webhook.at}/deliveries?${query}`, { token: webhook.token })).body;
    const first = await page("limit=2");
    const rest = await page(`limit=2&cursor=${first.nextCursor}`);
    const status = ({ status }: { status: string }) => status;
    expect(first.data.map(status)).toEqual(["pending", "pending"]);
    expect(rest.data.map(status)).toEqual(["delivered"]);
    expect(rest.nextCursor).toBeNull();
    expect((await page("status=delivered")).data).toEqual(rest.data);
    expect((await page("status=failed")).data).toEqual([]);
    const wrong = await client.get(`${webhook.at}/deliveries?status=lost`, { token: webhook.token });
    expectProblem(wrong, 422, "validation_failed");
    expect(JSON.stringify(first)).not.toContain("nobody's business");
  });

  it("lets a message be sent again, the same bytes under the same id", async () => {
    await webhook.behave({ status: 500 });
    await newTask();
    const [delivery] = await webhook.deliveries();
    const failed = await webhook.retry(delivery.id);
    expect(failed.body).toMatchObject({ id: delivery.id, status: "pending", attempts: 2, responseStatus: 500 });
    await webhook.behave({});
    const { body } = await webhook.retry(delivery.id);
    expect(body).toMatchObject({ status: "delivered", attempts: 3, responseStatus: 200, error: null });
    const received = await webhook.received();
    expect(new Set(received.map(({ id, body: text }) => id + text)).size).toBe(1);
    expectProblem(await webhook.retry("unknown"), 404, "not_found");
    await webhook.change({ enabled: false });
    expectProblem(await webhook.retry(delivery.id), 409, "webhook_disabled");
  });

  it("sends a message once when a person asks twice at once", async () => {
    await webhook.behave({ status: 500 });
    await newTask();
    const [delivery] = await webhook.deliveries();
    await webhook.behave({ delayMs: 300 });
    const answers = await Promise.all([webhook.retry(delivery.id), webhook.retry(delivery.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await webhook.received()).toHaveLength(2);
  });

  it("forgets a delivery after thirty days, by the nightly job", async () => {
    await newTask();
    const [{ messageId }] = await webhook.deliveries();
    await asSystem((ctx) => runSchedule("17 3 * * *", ctx));
    expect(await webhook.deliveries()).toHaveLength(1);
    setClock(Date.now() + 31 * 24 * HOUR_MS);
    await asSystem((ctx) => runSchedule("17 3 * * *", ctx));
    expect(await countRows("webhook_deliveries", "endpoint_id = ?", webhook.id)).toBe(0);
    expect(await countRows("webhook_messages", "id = ?", messageId)).toBe(0);
  });
});
