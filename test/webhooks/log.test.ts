import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runSchedule } from "../../src/schedule.ts";
import { countRows, setClock } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { asSystem, eachWithWebhook, HOUR_MS, newTask, runCron, type Webhook } from "./receiver.ts";

const client = service();
let webhook: Webhook;
eachWithWebhook((made) => {
  webhook = made;
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

describe("a test or a retry with an Idempotency-Key", () => {
  it("is sent once, however often it is asked for", async () => {
    const { token } = webhook;
    const asks = async (path: string) => {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const [first, again] = [
        await client.post(path, undefined, { token, headers }),
        await client.post(path, undefined, { token, headers }),
      ];
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      return first.body;
    };
    const { id } = await asks(`${webhook.at}/test`);
    expect(await webhook.received()).toHaveLength(1);
    await asks(`${webhook.at}/deliveries/${id}/retry`);
    expect(await webhook.received()).toHaveLength(2);
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
    await webhook.behave({ holds: true });
    const both = [webhook.retry(delivery.id), webhook.retry(delivery.id)];
    expectProblem(await Promise.race(both), 409, "conflict");
    await webhook.behave({});
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
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
