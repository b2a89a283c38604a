import { env } from "cloudflare:workers";
import { bytesToHex } from "@noble/hashes/utils.js";
import { afterEach, describe, expect, inject, it } from "vitest";
import { sendNotification } from "../../src/features/notifications/service.ts";
import { openSession, type Person, signedInPerson } from "../auth/people.ts";
import type { PushReceived } from "../fakes/push/server.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import type { mailbox } from "../settings/people.ts";
import { asSystem } from "../webhooks/receiver.ts";
import { api, leaveStage, newTask, prefer, remindersOf, stage, tick, tokenOf } from "./stage.ts";

type Mailbox = ReturnType<typeof mailbox>;

afterEach(leaveStage);

const PATH = "/api/settings/notifications/push";
const NOON = "2026-11-18T12:00:00Z";

/** A browser with a subscription at the fake push service. */
async function newDevice() {
  const name = crypto.randomUUID();
  const base = inject("pushServiceUrl");
  const control = async <T>(verb: string, command: object = {}): Promise<T> =>
    (await fetch(`${base}/control/${name}/${verb}`, { method: "POST", body: JSON.stringify(command) })).json();
  const { keys } = await control<{ keys: { p256dh: string; auth: string } }>("keys");
  return {
    subscription: { endpoint: `${base}/device/${name}`, expirationTime: null, keys },
    behave: (status: number) => control("behave", { status }),
    received: () => control<PushReceived[]>("received"),
  };
}

async function subscribed(
  person: Person | { id: number },
  device: Awaited<ReturnType<typeof newDevice>>,
  name = "Laptop",
) {
  const answer = await api.post(PATH, { ...device.subscription, name }, await tokenOf(person));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describe("Web Push", () => {
  it("hands a reminder to the push service, encrypted for the device and signed", async () => {
    const { owner, mail } = await stage(NOON);
    const device = await newDevice();
    await subscribed(owner, device);
    const task = await newTask({ title: "Take the pizza out – now", dueAt: "2026-11-18T12:20:00Z" });
    await tick("2026-11-18T12:20:00Z", mail.vars);
    const [fired] = await remindersOf(owner);
    expect(fired?.deliveries).toMatchObject([{ channel: "push", outcome: "sent", detail: "Sent to 1 device." }]);
    expect(mail.sent).toEqual([]);
    const [message, ...others] = await device.received();
    expect(others).toEqual([]);
    expect(JSON.parse(message?.text ?? "")).toEqual({
      id: fired?.id,
      title: "Take the pizza out – now",
      body: "Due today at 12:20",
      url: `/app/tasks/${task.id}`,
      tag: `reminder-${fired?.id}`,
      at: "2026-11-18T12:20:00.000Z",
      late: false,
      recordType: "task",
      recordId: task.id,
    });
    expect(message).toMatchObject({ encoding: "aes128gcm", urgency: "high", topic: `reminder-${fired?.id}` });
    expect(Number(message?.ttl)).toBeGreaterThan(0);
    const { publicKey } = (await api.get(PATH, await tokenOf(owner))).body;
    expect(message?.vapid).toMatchObject({
      isValid: true,
      publicKey,
      claims: { aud: inject("pushServiceUrl"), sub: "mailto:assistant@example.org" },
    });
    const expires = message?.vapid.claims.exp ?? 0;
    expect(expires - Date.parse("2026-11-18T12:20:00Z") / 1000).toBeGreaterThan(3600);
    expect(expires - Date.parse("2026-11-18T12:20:00Z") / 1000).toBeLessThanOrEqual(86_400);
  });

  it("goes to every device of the person, and to nobody else's", async () => {
    const { owner, mail } = await stage(NOON);
    const other = await signedInPerson();
    const [laptop, phone, foreign] = [await newDevice(), await newDevice(), await newDevice()];
    await subscribed(owner, laptop);
    await subscribed(owner, phone, "Phone");
    await subscribed(other, foreign);
    await api.patch("/api/settings/profile/notifications", { taskReminderMinutes: null }, await tokenOf(other));
    await newTask({ title: "Call", dueAt: NOON });
    await tick(NOON, mail.vars);
    expect(
      [await laptop.received(), await phone.received(), await foreign.received()].map(({ length }) => length),
    ).toEqual([1, 1, 0]);
  });

  it.each([404, 410])("deletes a subscription that is gone (%d), and uses the next channel", async (status) => {
    const { owner, mail } = await stage(NOON);
    const device = await newDevice();
    await subscribed(owner, device);
    await device.behave(status);
    await newTask({ title: "Call", dueAt: NOON });
    await tick(NOON, mail.vars);
    expect((await api.get(PATH, await tokenOf(owner))).body.data).toEqual([]);
    expect((await remindersOf(owner))[0]?.deliveries).toMatchObject([
      { channel: "push", outcome: "failed", detail: "The device has unsubscribed." },
      { channel: "email", outcome: "sent" },
    ]);
    expect(mail.subjectsTo(owner.email)).toEqual(["Reminder: Call"]);
  });

  it("falls back to email when the push service fails, keeps the device, and shows why", async () => {
    const { owner, mail } = await stage(NOON);
    const device = await newDevice();
    await subscribed(owner, device);
    await device.behave(503);
    await newTask({ title: "Call", dueAt: NOON });
    await tick(NOON, mail.vars);
    await tick("2026-11-18T12:10:00Z", mail.vars);
    expect(mail.sent).toHaveLength(1);
    expect(await device.received()).toHaveLength(1);
    const { data } = (await api.get(PATH, await tokenOf(owner))).body;
    expect(data).toMatchObject([{ name: "Laptop", lastError: "The push service responded 503." }]);
  });

  it("by email first if the person prefers it, or the reminder asks for it", async () => {
    const { owner, mail } = await stage(NOON);
    const device = await newDevice();
    await subscribed(owner, device);
    await newTask({ title: "By email", dueAt: NOON, reminders: [{ minutesBefore: 0, channel: "email" }] });
    await tick(NOON, mail.vars);
    expect(await device.received()).toEqual([]);
    expect(mail.sent).toHaveLength(1);
  });

  it("is sent again for what failed everywhere, when the service works again", async () => {
    const { owner, mail } = await stage(NOON, { reminderChannels: ["push"] });
    const device = await newDevice();
    await subscribed(owner, device);
    await device.behave(500);
    await newTask({ title: "Call", dueAt: NOON });
    await tick(NOON, mail.vars);
    await device.behave(201);
    await tick("2026-11-18T12:01:00Z", mail.vars);
    await tick("2026-11-18T12:20:00Z", mail.vars);
    expect(await device.received()).toHaveLength(2);
    expect((await remindersOf(owner))[0]?.deliveries.map(({ outcome }) => outcome)).toEqual(["failed", "sent"]);
  });
});

describe("a notice of any kind", () => {
  /** Sent by the channels of the person's reminders: push, then email. */
  const tell = (owner: Person, mail: Mailbox) => {
    const person = { ...owner, name: "N", timeZone: "UTC", timeFormat: "24h" as const, locale: "en" };
    const write = () => ({ subject: "The printer is on fire", blocks: ["Take the stairs."] });
    return asSystem((ctx) => sendNotification(ctx, [person], { kind: "reminder", write }), mail.vars);
  };

  it("goes to a device with its subject and a link to the console", async () => {
    const { owner, mail } = await stage(NOON);
    const device = await newDevice();
    await subscribed(owner, device);
    expect(await tell(owner, mail)).toBe("sent");
    const shown = (await device.received()).map(({ text }) => JSON.parse(text ?? ""));
    expect(shown).toEqual([{ title: "The printer is on fire", body: "", url: "/app", tag: "reminder" }]);
    expect(mail.sent).toEqual([]);
  });

  it("goes by the next channel when the first fails", async () => {
    expectErrorLog("notification_failed");
    const { owner, mail } = await stage(NOON);
    const device = await newDevice();
    await subscribed(owner, device);
    await device.behave(503);
    expect(await tell(owner, mail)).toBe("sent");
    expect(mail.subjectsTo(owner.email)).toEqual(["The printer is on fire"]);
    await prefer(owner, { reminderChannels: ["push"] });
    expect(await tell(owner, mail)).toBe("failed");
    await prefer(owner, { reminderChannels: [] });
    expect(await tell(owner, mail)).toBe("skipped");
    expect(mail.sent).toHaveLength(1);
  });
});

describe("a push device", () => {
  it("is listed without its address and keys, updated in place, and deleted", async () => {
    const { owner } = await stage(NOON);
    const device = await newDevice();
    const first = await subscribed(owner, device);
    const again = await subscribed(owner, device, "Same browser");
    expect(again.id).toBe(first.id);
    const { body, text } = await api.get(PATH, await tokenOf(owner));
    expect(body.data).toMatchObject([{ id: first.id, name: "Same browser", lastSentAt: null, lastError: null }]);
    expect(body.publicKey).toMatch(/^B[\w-]{86}$/);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(device.subscription.endpoint));
    expect(body.data[0].fingerprint).toBe(bytesToHex(new Uint8Array(digest)));
    for (const secret of [device.subscription.endpoint, device.subscription.keys.auth])
      expect(text).not.toContain(secret);
    expect((await api.delete(`${PATH}/${first.id}`, await tokenOf(await signedInPerson()))).status).toBe(404);
    expect((await api.delete(`${PATH}/${first.id}`, await tokenOf(owner))).status).toBe(204);
    expect((await api.get(PATH, await tokenOf(owner))).body.data).toEqual([]);
  });

  it("belongs to whoever subscribed it last: the browser has one subscription", async () => {
    const { owner } = await stage(NOON);
    const other = await signedInPerson();
    const device = await newDevice();
    await subscribed(owner, device);
    await subscribed(other, device);
    expect((await api.get(PATH, await tokenOf(owner))).body.data).toEqual([]);
    expect((await api.get(PATH, await tokenOf(other))).body.data).toHaveLength(1);
  });

  it("needs an address outside, with https, and keys of a device", async () => {
    const { owner } = await stage(NOON);
    const { subscription } = await newDevice();
    const closed = service({ ALLOW_PRIVATE_HOSTS: "false" });
    const refuse = async (client: typeof api, body: object, path: string) => {
      const answer = await client.post(PATH, body, await tokenOf(owner));
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors[0].path).toBe(path);
    };
    for (const endpoint of [
      "http://push.example.com/a",
      "https://127.0.0.1/a",
      "https://localhost/a",
      "ftp://x",
      "?",
    ]) {
      await refuse(closed, { ...subscription, endpoint }, "endpoint");
    }
    const { keys } = subscription;
    for (const bad of [
      { ...keys, auth: "short" },
      { ...keys, p256dh: keys.auth },
      { ...keys, p256dh: `BB${"A".repeat(85)}` },
    ]) {
      await refuse(api, { ...subscription, keys: bad }, "keys");
    }
    expect((await api.post(PATH, subscription)).status).toBe(401);
  });

  it("is refused beyond the twentieth", async () => {
    const { owner } = await stage(NOON);
    const session = await tokenOf(owner);
    await env.DB.prepare(
      `INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth, name, created_at)
       SELECT ?1, (SELECT id FROM sessions WHERE user_id = ?1), 'https://push.example.com/' || value, '', '', 'Old', 0
       FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')`,
    )
      .bind(owner.id)
      .run();
    const { subscription } = await newDevice();
    expectProblem(await api.post(PATH, subscription, session), 409, "conflict");
  });

  it("cannot subscribe to a service without a key, which says so", async () => {
    const { owner } = await stage(NOON);
    const without = service({ VAPID_PRIVATE_KEY: "" });
    const { token } = await openSession(owner.id);
    expect((await without.get(PATH, { token })).body).toEqual({ publicKey: null, data: [] });
    const { subscription } = await newDevice();
    expectProblem(await without.post(PATH, subscription, { token }), 501, "push_not_configured");
  });
});
