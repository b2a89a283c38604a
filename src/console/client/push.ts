import { signal } from "@preact/signals";
import { api } from "./api.ts";
import { queryClient } from "./queries.ts";

/*
 * Reminders as notifications of this browser (Web Push). The service lists a person's devices without their addresses;
 * a browser finds its own by the fingerprint of its address.
 */

type PushState =
  /** This browser cannot show notifications, or only once the console is installed. */
  | "unsupported"
  /** The service has no key to send with. */
  | "not_set_up"
  /** The person has forbidden notifications of this site in the browser. */
  | "blocked"
  | "off"
  | "on";

export interface PushHere {
  state: PushState;
  /** The id of this browser among the devices of `GET /api/settings/notifications/push`; null unless it is one. */
  deviceId: number | null;
}

/** Of this browser; null until it is known: `readPush` finds it out. */
export const pushHere = signal<PushHere | null>(null);

const PATH = "/api/settings/notifications/push";
/** The service worker is registered after the page has loaded, which takes a moment at the very first visit. */
const WORKER_MS = 10_000;

function isSupported(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** Finds out how it stands with this browser. */
export async function readPush(): Promise<PushHere> {
  pushHere.value = await find();
  return pushHere.value;
}

async function find(): Promise<PushHere> {
  if (!isSupported()) return { state: "unsupported", deviceId: null };
  const [{ publicKey, data }, subscription] = await Promise.all([api.get(PATH), ownSubscription()]);
  if (publicKey === null) return { state: "not_set_up", deviceId: null };
  const device = subscription && (await deviceOf(subscription, data));
  if (Notification.permission === "denied") return { state: "blocked", deviceId: device?.id ?? null };
  return device && Notification.permission === "granted"
    ? { state: "on", deviceId: device.id }
    : { state: "off", deviceId: null };
}

/**
 * Asks the person and subscribes this browser. Call it from a click: browsers ask only then. The state is "off" after it
 * if the person closed the question.
 */
export async function subscribe(): Promise<PushHere> {
  if (!isSupported()) return tell({ state: "unsupported", deviceId: null });
  const answer = await Notification.requestPermission();
  if (answer === "denied") return tell({ state: "blocked", deviceId: null });
  if (answer !== "granted") return tell({ state: "off", deviceId: null });
  const { publicKey } = await api.get(PATH);
  if (publicKey === null) return tell({ state: "not_set_up", deviceId: null });
  const registration = await workerInTime();
  if (!registration) return tell({ state: "unsupported", deviceId: null });
  return tell({ state: "on", deviceId: await subscribeWith(registration, publicKey) });
}

async function subscribeWith({ pushManager }: ServiceWorkerRegistration, publicKey: string): Promise<number> {
  const old = await pushManager.getSubscription();
  // A subscription belongs to one key of the service.
  const isOutdated = old !== null && keyOf(old) !== publicKey;
  // What only this browser knows shows the service that it is the same device.
  const { endpoint: oldEndpoint = "", keys: oldKeys } = (isOutdated && old?.toJSON()) || {};
  const replaces = oldKeys?.auth ? { endpoint: oldEndpoint, auth: oldKeys.auth } : undefined;
  if (isOutdated) await old.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = "", keys } = subscription.toJSON();
  const body = { endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" }, replaces };
  return (await api.post(PATH, { body })).id;
}

/** Ends the notifications of this browser, here and at the service. */
export async function unsubscribe(): Promise<PushHere> {
  const subscription = await ownSubscription();
  if (subscription) {
    const { data } = await api.get(PATH);
    const device = await deviceOf(subscription, data);
    await subscription.unsubscribe();
    if (device) await api.delete(`${PATH}/{id}`, { params: { id: device.id } });
  }
  return tell({ state: "off", deviceId: null });
}

/**
 * When somebody signs out: whoever comes next must not see their reminders. If the service cannot be reached, it learns
 * of it with the next reminder.
 */
export async function endPush(): Promise<void> {
  await unsubscribe().catch(async () => (await ownSubscription())?.unsubscribe());
}

/**
 * At each start: subscribes again if the service has another key. A subscription that is none of the person's devices is
 * dropped: they have deleted the device elsewhere, or it was somebody else's.
 */
export async function keepSubscribed(): Promise<void> {
  const subscription = await ownSubscription();
  if (!subscription) return;
  const [{ publicKey, data }, registration] = await Promise.all([api.get(PATH), workerInTime()]);
  const device = await deviceOf(subscription, data);
  if (!device) await subscription.unsubscribe();
  else if (publicKey !== null && registration && keyOf(subscription) !== publicKey) {
    await subscribeWith(registration, publicKey);
  }
}

async function ownSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration("/app");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function deviceOf<D extends { fingerprint: string }>({ endpoint }: PushSubscription, devices: readonly D[]) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  const fingerprint = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return devices.find((each) => each.fingerprint === fingerprint);
}

function tell(here: PushHere): PushHere {
  pushHere.value = here;
  void queryClient.invalidateQueries({ queryKey: ["profile"] });
  return here;
}

function workerInTime(): Promise<ServiceWorkerRegistration | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), WORKER_MS));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** As the service writes its key. */
function keyOf({ options: { applicationServerKey: key } }: PushSubscription): string | null {
  if (!key) return null;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/(?<!=)=+$/, "");
}
