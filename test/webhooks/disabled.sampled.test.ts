import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { auditActions, countRows, setClock } from "../auth/people.ts";
import { service } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { eachWithWebhook, HOUR_MS, newReceiver, newTask, runCron, type Webhook } from "./receiver.ts";

const client = service();
let webhook: Webhook;
eachWithWebhook((made) => {
  webhook = made;
});

describe("an endpoint", () => {
  it("that answers 410 is disabled, its owner notified, and nothing more is sent", async () => {
    await webhook.behave({ status: 410 });
    const mails: { to: unknown; subject: string; text: string }[] = [];
    const send = async (mail: (typeof mails)[number]) => ({ messageId: `sent-${mails.push(mail)}` });
    const EMAIL = { send } as unknown as Env["EMAIL"];
    await client.post("/api/tasks", { title: "x" });
    await deliverQueue({ vars: { EMAIL, MAIL_FROM: "me@example.com" } });
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails[0]?.to)).toContain(webhook.owner.email);
    expect(mails[0]?.text).toContain(`Your webhook ${webhook.id} at `);
    expect(await webhook.read()).toMatchObject({
      enabled: false,
      disabledReason: expect.stringContaining("410"),
      version: 2,
    });
    expect(await webhook.deliveries()).toMatchObject([{ status: "failed", responseStatus: 410, nextAttemptAt: null }]);
    expect(await auditActions(webhook.owner.id)).toEqual(["session.proved", "webhook.created", "webhook.disabled"]);
    await newTask();
    setClock(Date.now() + 2 * HOUR_MS);
    await runCron();
    expect(await webhook.received()).toHaveLength(1);
  });

  rarely("that fails for 24 hours is disabled, and its pending deliveries are cancelled", async () => {
    await webhook.behave({ status: 500 });
    const start = Date.now();
    await newTask();
    for (const hours of [0.3, 0.9, 2, 4.1, 8.2, 16.5, 20]) {
      setClock(start + hours * HOUR_MS);
      if (hours === 20) await newTask();
      await runCron();
    }
    expect((await webhook.read()).enabled).toBe(true);
    setClock(start + 24.5 * HOUR_MS);
    await runCron();
    expect(await webhook.read()).toMatchObject({
      enabled: false,
      disabledReason: "Every delivery failed for 24 hours.",
      failingSince: expect.any(String),
    });
    expect(await webhook.deliveries("?status=pending")).toEqual([]);
    expect(await webhook.deliveries("?status=failed")).toHaveLength(2);
    expect(await auditActions(webhook.owner.id)).toEqual(["session.proved", "webhook.created", "webhook.disabled"]);
    const first = (await webhook.deliveries()).at(-1);
    expect(first.attempts).toBe(8);
  });

  rarely("that had a success in between goes on, while the message that fails is given up", async () => {
    await webhook.behave({ status: 500, only: "poison" });
    const start = Date.now();
    await newTask("poison");
    expect((await webhook.read()).failingSince).not.toBeNull();
    setClock(start + 13 * HOUR_MS);
    await newTask();
    expect((await webhook.read()).failingSince).toBeNull();
    for (const hours of [14, 16, 20, 24.1]) {
      setClock(start + hours * HOUR_MS);
      await runCron();
    }
    expect((await webhook.read()).enabled).toBe(true);
    expect(await webhook.deliveries("?status=failed")).toMatchObject([{ responseStatus: 500, nextAttemptAt: null }]);
  });

  it("that was disabled is enabled by PATCH, and then gets new events", async () => {
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
    await webhook.behave({ holds: true });
    const writing = newTask();
    await webhook.arrival();
    expect((await webhook.change({ enabled: false })).body).toMatchObject({ enabled: false, disabledReason: null });
    await webhook.behave({ status: 500 });
    await writing;
    expect(await webhook.deliveries()).toMatchObject([{ status: "failed", nextAttemptAt: null }]);
  });

  it("that gets a new address is not disabled for a response of the old one", async () => {
    await webhook.behave({ holds: true });
    const writing = newTask();
    await webhook.arrival();
    const elsewhere = newReceiver();
    await webhook.change({ url: elsewhere.url });
    await webhook.behave({ status: 410 });
    await writing;
    expect(await webhook.read()).toMatchObject({ enabled: true, disabledReason: null });
    const [{ nextAttemptAt }] = await webhook.deliveries();
    setClock(Date.parse(nextAttemptAt) + 1000);
    await runCron();
    expect(await elsewhere.received()).toHaveLength(1);
  });

  it("that is deleted takes its deliveries with it", async () => {
    await newTask();
    expect((await client.delete(webhook.at, { token: webhook.token })).status).toBe(204);
    expect(await countRows("webhook_deliveries", "endpoint_id = ?", webhook.id)).toBe(0);
  });
});
