import { once } from "node:events";
import type http from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, CDPSession, Page, Worker } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakePushService, type PushReceived } from "../fakes/push/server.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { confirmPassword, eventually, newProfile, type Opened, openTab, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/*
 * Reminders in the browser. A push service cannot be reached from here, so the fake one stands in for it: it decrypts
 * what the service sends, and the browser's developer protocol hands the message to the service worker as a push.
 */

const ADA = { email: "ada@example.com", password: "correct horse battery staple" };
const MINUTE_MS = 60_000;

interface Shown {
  title: string;
  body: string;
  tag: string;
  actions: { action: string; title: string }[];
}

describe.skipIf(!executablePath)("reminders in the browser", () => {
  let service: RunningService;
  let browser: Browser;
  let push: http.Server;
  let pushOrigin: string;
  let token: string;
  let opened: Opened;
  let page: Page;
  let worker: Worker;
  let protocol: CDPSession;
  let registrationId = "";

  beforeAll(async () => {
    push = createFakePushService().listen(0, "127.0.0.1");
    await once(push, "listening");
    pushOrigin = `http://127.0.0.1:${(push.address() as AddressInfo).port}`;
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    ({ token } = await api("POST", "/api/auth/register", { ...ADA, name: "Ada Lovelace" }));
    opened = await openTab(await newProfile(browser), service.origin);
    page = opened.page;
    await opened.context.grantPermissions(["notifications"], { origin: service.origin });
    await subscribesAt(page, "laptop");
    const registered = opened.context.waitForEvent("serviceworker");
    await signIn(page, service.origin, "/app", ADA);
    worker = await registered;
    await page.evaluate("navigator.serviceWorker.ready.then(() => null)");
    protocol = await registrationOf(opened.context);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
    push?.close();
  });

  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what each test says it is.
  async function api(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${service.origin}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? null : response.json();
  }

  const control = async <T>(device: string, verb: string): Promise<T> =>
    (await fetch(`${pushOrigin}/control/${device}/${verb}`, { method: "POST", body: "{}" })).json();
  const received = (device = "laptop") => control<PushReceived[]>(device, "received");

  /** Chromium would subscribe at its maker's push service. Here it gets a subscription at ours. */
  async function subscribesAt(shown: Page, device: string): Promise<void> {
    const { keys } = await control<{ keys: object }>(device, "keys");
    await shown.addInitScript(`{
      const make = (key) => ({
        endpoint: "${pushOrigin}/device/${device}",
        options: { applicationServerKey: Uint8Array.from(key, (each) => each.charCodeAt(0)).buffer },
        toJSON: () => ({ endpoint: "${pushOrigin}/device/${device}", expirationTime: null, keys: ${JSON.stringify(keys)} }),
        unsubscribe: async () => { sessionStorage.removeItem("fake-push"); return true; },
      });
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        const key = atob(applicationServerKey.replaceAll("-", "+").replaceAll("_", "/"));
        sessionStorage.setItem("fake-push", key);
        return make(key);
      };
      PushManager.prototype.getSubscription = async () => {
        const key = sessionStorage.getItem("fake-push");
        return key === null ? null : make(key);
      };
    }`);
  }

  /** Learns which registration of a service worker the protocol can deliver to. */
  async function registrationOf(context: BrowserContext): Promise<CDPSession> {
    const session = await context.newCDPSession(page);
    const known = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(`${service.origin}/app`));
        if (own) resolve(own.registrationId);
      });
    });
    await session.send("ServiceWorker.enable");
    registrationId = await known;
    return session;
  }

  /**
   * Hands a message to the service worker until its notification is shown: while the worker is being started, the
   * protocol may lose one without a word. A message that comes twice replaces its first notification.
   */
  async function deliver(data: string, tag: string): Promise<void> {
    const isShown = async () => {
      await protocol.send("ServiceWorker.deliverPushMessage", { origin: service.origin, registrationId, data });
      await expect
        .poll(shown, { timeout: 3000 })
        .toContainEqual(expect.objectContaining({ tag }))
        .catch(() => {});
      return (await shown()).some((each) => each.tag === tag);
    };
    await eventually(isShown).toBe(true);
  }

  const cron = () => fetch(`${service.origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`);

  /** Makes a record that reminds now, and returns what the push service got of it. */
  async function reminded(
    path: string,
    record: object,
    device = "laptop",
  ): Promise<{ id: number; message: PushReceived }> {
    const before = (await received(device)).length;
    const { id } = await api("POST", path, record);
    await cron();
    await eventually(async () => (await received(device)).length).toBe(before + 1);
    const message = (await received(device)).at(-1);
    if (!message) throw new Error("no message");
    return { id, message };
  }

  const shown = (): Promise<Shown[]> =>
    worker.evaluate(`self.registration.getNotifications().then((all) =>
      all.map(({ title, body, tag, actions }) => ({ title, body, tag, actions: actions.map(({ action, title }) => ({ action, title })) })))`);

  /**
   * Presses a notification or one of its buttons, and waits until it is answered. The protocol has no such press. The
   * event is made by a script, which must not wait or focus, so these two are noted instead.
   */
  function press(tag: string, action: string): Promise<string[]> {
    return worker.evaluate(
      async ([name, button]) => {
        const scope = globalThis as unknown as ServiceWorkerScope;
        const [notification] = await scope.registration.getNotifications({ tag: name });
        const focused: string[] = [];
        const { prototype } = scope.WindowClient;
        prototype.focus = async function focus() {
          focused.push(this.url);
          return this;
        };
        const event = new scope.NotificationEvent("notificationclick", { notification, action: button });
        let answered: Promise<unknown> = Promise.resolve();
        Object.defineProperty(event, "waitUntil", { value: (work: Promise<unknown>) => (answered = work) });
        scope.dispatchEvent(event);
        await answered;
        return focused;
      },
      [tag, action] as const,
    );
  }

  interface ServiceWorkerScope {
    registration: { getNotifications(filter: { tag: string }): Promise<object[]> };
    WindowClient: { prototype: { focus(this: { url: string }): Promise<unknown> } };
    NotificationEvent: new (type: string, init: object) => Event;
    dispatchEvent(event: Event): void;
  }

  const dueNow = (title: string) => ({ title, dueAt: new Date().toISOString() });
  const textOf = ({ text }: PushReceived) => text ?? "";
  const toast = (title: string) => page.locator(".notice.reminder").filter({ hasText: title });

  it("subscribes this browser from the command palette", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("turn on notifications");
    await page.keyboard.press("Enter");
    await confirmPassword(page, ADA.password);
    await page.getByText("Notifications are on").waitFor();
    const { data } = await api("GET", "/api/settings/notifications/push");
    expect(data).toMatchObject([{ service: new URL(pushOrigin).host, lastError: null }]);
  });

  it("shows a reminder of a task with its buttons; Snooze has it come again", async () => {
    const { id, message } = await reminded("/api/tasks", dueNow("Take the pizza out"));
    const { publicKey } = await api("GET", "/api/settings/notifications/push");
    expect(message).toMatchObject({ encoding: "aes128gcm", vapid: { isValid: true, publicKey } });
    const text = textOf(message);
    const { tag, id: reminder } = JSON.parse(text);
    await deliver(text, tag);
    await eventually(shown).toMatchObject([
      {
        title: "Take the pizza out",
        body: expect.stringContaining("Due today at"),
        tag,
        actions: [
          { action: "snooze", title: "Snooze 10 min" },
          { action: "done", title: "Done" },
        ],
      },
    ]);
    await toast("Take the pizza out").waitFor();
    expect(await press(tag, "snooze")).toEqual([]);
    const { state, snoozedUntil } = await api("GET", `/api/reminders/${reminder}`);
    expect(state).toBe("snoozed");
    expect(Date.parse(snoozedUntil) - Date.now()).toBeGreaterThan(8 * MINUTE_MS);
    await eventually(shown).toEqual([]);
    // Answered there, so the open page no longer asks.
    await toast("Take the pizza out").waitFor({ state: "detached" });
    expect((await api("GET", `/api/tasks/${id}`)).status).toBe("todo");
  });

  it("completes the task by Done, and opens it by a click, also after a long time without a token", async () => {
    const { id, message } = await reminded("/api/tasks", dueNow("Water the plants"));
    const text = textOf(message);
    const { tag } = JSON.parse(text);
    await deliver(text, tag);
    await eventually(shown).toHaveLength(1);
    await page.goto("about:blank");
    expect(await press(tag, "done")).toEqual([]);
    expect((await api("GET", `/api/tasks/${id}`)).status).toBe("done");
    await page.goto(`${service.origin}/app`);
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    await deliver(text, tag);
    await eventually(shown).toHaveLength(1);
    expect(await press(tag, "")).toEqual([`${service.origin}/app`]);
    await page.waitForURL(`**/app/tasks/${id}`);
    await page.getByRole("dialog", { name: "Water the plants" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("offers Dismiss for an event, and says something of a message that it cannot read", async () => {
    const start = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
    const { message } = await reminded("/api/calendar/events", { title: "Review", start, location: "Room 4" });
    const text = textOf(message);
    const { tag, id } = JSON.parse(text);
    await deliver(text, tag);
    await eventually(shown).toMatchObject([
      {
        title: "Review",
        body: expect.stringContaining("Room 4"),
        actions: [{ action: "snooze" }, { action: "dismiss" }],
      },
    ]);
    await press(tag, "dismiss");
    expect((await api("GET", `/api/reminders/${id}`)).state).toBe("dismissed");
    await deliver("no JSON", "reminder");
    await eventually(shown).toMatchObject([{ title: "You have a reminder" }]);
    const notice = { title: "The printer is on fire", body: "", url: "/app", tag: "reminder" };
    await deliver(JSON.stringify(notice), "reminder");
    await eventually(shown).toMatchObject([{ title: notice.title, actions: [] }]);
  });

  it("offers every order of the channels in the settings, and saves the chosen one", async () => {
    await page.goto(`${service.origin}/app/settings/notifications`);
    const how = page.getByLabel("How", { exact: true });
    await how.waitFor();
    expect(await how.locator("option").allTextContents()).toEqual([
      "On your devices, otherwise by email",
      "By email, otherwise on your devices",
      "Only on your devices",
      "Only by email",
      "Only in the console",
    ]);
    const channels = async () => (await api("GET", "/api/settings/profile/notifications")).reminderChannels;
    await how.selectOption({ label: "By email, otherwise on your devices" });
    await eventually(channels).toEqual(["email", "push"]);
    await how.selectOption({ label: "On your devices, otherwise by email" });
    await eventually(channels).toEqual(["push", "email"]);
  });

  it("asks in the open page too: Snooze and Done there", async () => {
    const { id, message } = await reminded("/api/tasks", dueNow("Feed the cat"));
    await toast("Feed the cat").getByRole("button", { name: "Snooze" }).click();
    await page.getByText("Snoozed until").waitFor();
    const { id: reminder } = JSON.parse(textOf(message));
    expect((await api("GET", `/api/reminders/${reminder}`)).state).toBe("snoozed");
    const second = await reminded("/api/tasks", dueNow("Walk the dog"));
    await toast("Walk the dog").getByRole("button", { name: "Done" }).click();
    await eventually(async () => (await api("GET", `/api/tasks/${second.id}`)).status).toBe("done");
    expect((await api("GET", `/api/tasks/${id}`)).status).toBe("todo");
  });

  it("adds and removes reminders of a task in its sheet", async () => {
    const { id } = await api("POST", "/api/tasks", { title: "Pack", dueAt: "2031-05-06T15:00:00Z" });
    await page.goto(`${service.origin}/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Pack" });
    const reminders = async () => (await api("GET", `/api/tasks/${id}`)).reminders;
    const field = sheet.getByRole("region", { name: "Reminders" });
    await field.getByText("Default", { exact: true }).first().waitFor();
    await field.getByLabel("Add a reminder").selectOption({ label: "1 hour before" });
    await field.getByRole("listitem").filter({ hasText: "1 hour before" }).waitFor();
    await eventually(reminders).toMatchObject([{ minutesBefore: 60 }]);
    await field.getByLabel("Add a reminder").selectOption({ label: "At another time…" });
    await field.getByLabel("Remind me").fill("someday");
    await page.keyboard.press("Enter");
    await field.getByText("Enter a day and a time").waitFor();
    await field.getByLabel("Remind me").fill("2031-05-05 8am");
    await page.keyboard.press("Enter");
    await eventually(reminders).toMatchObject([{ minutesBefore: 60 }, { at: "2031-05-05T08:00:00.000Z" }]);
    await field.getByRole("button", { name: "Remove: 1 hour before" }).click();
    await eventually(reminders).toMatchObject([{ minutesBefore: null }]);
    await field.getByLabel("Add a reminder").selectOption({ label: "Default" });
    await eventually(reminders).toBeNull();
    await page.keyboard.press("Escape");
  });

  it("shows no more reminders to whoever comes after the person has signed out", async () => {
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect((await api("GET", "/api/settings/notifications/push")).data).toEqual([]);
    expect(await page.evaluate("sessionStorage.getItem('fake-push')")).toBeNull();
    expect(opened.trouble).toEqual([]);
  });
});
