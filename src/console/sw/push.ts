/*
 * Notices by Web Push: `{ title, body, url, tag }`, and of a reminder also `{ id, at, late, recordType, recordId }`
 * (src/features/notifications/channels/push.ts, src/features/reminders/wording.ts). Buttons and clicks are answered here,
 * also while no page of the console is open.
 */

declare const self: ServiceWorkerGlobalScope;

interface Notice {
  title: string;
  body: string;
  url: string;
  tag: string;
  id?: number;
  recordType?: "task" | "event";
  recordId?: number;
}

/** As in client/session.ts: one refresh at a time over all tabs, and they learn of the new token. */
const SESSION = "poa-session";
const SNOOZE = { action: "snooze", title: "Snooze 10 min" };
const DONE = { action: "done", title: "Done" };
const DISMISS = { action: "dismiss", title: "Dismiss" };

export function listenForPush(): void {
  self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(answer(event.action, event.notification));
  });
  self.addEventListener("pushsubscriptionchange", (event) => {
    // The types of the web worker library do not know this event.
    const { oldSubscription } = event as Event & { oldSubscription?: PushSubscription | null };
    (event as ExtendableEvent).waitUntil(renew(oldSubscription ?? null));
  });
}

/** The push service has replaced the subscription of this browser: the service has to know the new one. */
async function renew(old: PushSubscription | null): Promise<void> {
  const key = old?.options.applicationServerKey;
  if (!key) return;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await self.registration.pushManager.subscribe(options);
  const token = await accessToken();
  const { endpoint, keys } = old.toJSON();
  // What only this browser knows: it shows that this is the same device, for which nobody is asked for the password.
  const replaces = { endpoint, auth: keys?.auth };
  if (token) await call(token, "POST", "/api/settings/notifications/push", { ...subscription.toJSON(), replaces });
}

/** A push without a notification is not allowed, so one that cannot be read has a general text. */
async function show(data: PushMessageData | null): Promise<void> {
  const notice = read(data);
  if (!notice) {
    await self.registration.showNotification("You have a reminder", { tag: "reminder", data: { url: "/app" } });
    return;
  }
  const { title, body, tag, recordType } = notice;
  // `actions`, `renotify` and `timestamp` are not in the types of the web worker library.
  const options: NotificationOptions & { actions: object[]; renotify: boolean } = {
    body,
    tag,
    renotify: true,
    icon: "/app/icons/icon-192.png",
    data: notice,
    actions: recordType ? [SNOOZE, recordType === "task" ? DONE : DISMISS] : [],
  };
  await self.registration.showNotification(title, options);
}

function read(data: PushMessageData | null): Notice | null {
  try {
    const value: unknown = data?.json();
    const isNotice = typeof value === "object" && value !== null && "title" in value && "url" in value;
    return isNotice ? (value as Notice) : null;
  } catch {
    return null;
  }
}

async function answer(action: string, notification: Notification): Promise<void> {
  const notice: Partial<Notice> = notification.data ?? {};
  const url = notice.url?.startsWith("/app") ? notice.url : "/app";
  if (action === "") return open(url);
  if (await send(action, notice)) return;
  // Without a session, or a network, the page says what to do.
  await open(url);
}

/** The page that is open, or a new one. */
async function open(url: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((client) => new URL(client.url).pathname === url) ?? windows[0];
  if (!shown) {
    await self.clients.openWindow(url);
    return;
  }
  await shown.focus();
  if (new URL(shown.url).pathname !== url) await shown.navigate(url);
}

/** Does what a button says. False if it was not done. */
async function send(action: string, { id, recordType, recordId }: Partial<Notice>): Promise<boolean> {
  try {
    const token = await accessToken();
    if (!token) return false;
    if (action === SNOOZE.action) return await call(token, "POST", `/api/reminders/${id}/snooze`, { minutes: 10 });
    if (action === DONE.action && recordType === "task") {
      return await call(token, "PATCH", `/api/tasks/${recordId}`, { status: "done" });
    }
    return await call(token, "POST", `/api/reminders/${id}/dismiss`);
  } catch {
    return false;
  }
}

async function call(token: string, method: string, path: string, body?: object): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return response.ok;
}

/** A token of the session in the cookie, which rotates. */
function accessToken(): Promise<string | null> {
  return navigator.locks.request(SESSION, async () => {
    const response = await fetch("/api/auth/session/refresh", {
      method: "POST",
      credentials: "same-origin",
      headers: { "x-poa-console": "1", "content-type": "application/json" },
    });
    if (!response.ok) return null;
    const { token, user }: { token?: string; user?: object } = await response.json();
    if (!token) return null;
    const channel = new BroadcastChannel(SESSION);
    channel.postMessage({ kind: "in", token, user });
    channel.close();
    return token;
  });
}
