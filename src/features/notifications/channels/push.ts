import { eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { pushSubscriptions } from "../../../db/schema/notifications.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/time-zone.ts";
import { encryptPush, vapidHeader } from "../../../lib/web-push.ts";
import { post } from "../../../providers/post.ts";
import type { Device, Notice, Sender } from "../notice.ts";
import { vapidKeyOf, vapidSubject } from "./push/vapid.ts";

export const push: Sender = {
  async whyUnusable(ctx, reach) {
    if (reach?.devices.length === 0) return "No device is subscribed.";
    return (await vapidKeyOf(ctx)) ? null : "Web Push is not set up.";
  },

  async send(ctx, { devices }, notice) {
    const outcomes: Outcome[] = [];
    // One after the other: other reminders are sent at the same time, over few connections.
    for (const device of devices) outcomes.push(await sendTo(ctx, device, notice));
    await noteOutcomes(ctx, devices, outcomes);
    const sent = outcomes.filter(({ error }) => error === null).length;
    if (sent > 0) return { outcome: "sent", detail: `Sent to ${counted(sent, "device")}.` };
    const isTemporary = outcomes.some((each) => each.isTemporary);
    return { outcome: "failed", detail: outcomes[0]?.error ?? null, isTemporary };
  },
};

interface Outcome {
  /** Why it was not sent; null if it was. */
  error: string | null;
  isTemporary?: boolean;
  /** The device has unsubscribed, and the subscription is of no use any more. */
  isGone?: boolean;
}

/** Hands a notice to the push service of a device. The console's service worker reads it there. */
async function sendTo(ctx: Context, device: Device, notice: Notice): Promise<Outcome> {
  const { kind, subject, short = { title: subject, body: "", url: "/app", tag: kind }, usefulMs = DAY_MS } = notice;
  const { endpoint } = device;
  const key = await vapidKeyOf(ctx);
  const sealed =
    key &&
    (await Promise.all([
      encryptPush(device, JSON.stringify(short)),
      vapidHeader(key, { endpoint, subject: vapidSubject(ctx), now: Date.now() }),
    ]).catch(() => null));
  if (!sealed) return { error: "The message could not be encrypted for the device." };
  const [body, authorization] = sealed;
  const headers = {
    authorization,
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(Math.ceil(usefulMs / 1000)),
    urgency: "high",
    topic: short.tag,
  };
  const allowPrivate = ctx.config.ALLOW_PRIVATE_HOSTS;
  const { isAccepted, status, error, isTemporary } = await post({ url: endpoint, allowPrivate, headers, body });
  if (isAccepted) return { error: null };
  if (status === 404 || status === 410) return { error: "The device has unsubscribed.", isGone: true };
  return { error: `The push service ${error}.`, isTemporary };
}

/** The statement that reads the devices of these people, given as a list of their ids in SQL. */
export function selectDevices({ db }: Pick<Context, "db">, people: SQL) {
  return db.select().from(pushSubscriptions).where(sql`user_id IN ${people}`);
}

/** Deletes the subscriptions that are gone, and notes what is new about others. */
async function noteOutcomes({ db }: Context, devices: readonly Device[], outcomes: readonly Outcome[]) {
  const now = new Date();
  const notes = devices.flatMap((device, index): BatchItem<"sqlite">[] => {
    const { isGone, error } = outcomes[index] ?? { error: null };
    if (isGone) return [db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, device.id))];
    const isNews = device.lastError !== error || (error === null && isOld(device.lastSentAt, now));
    if (!isNews) return [];
    const set = { lastError: error, ...(error === null && { lastSentAt: now }) };
    // The other reminders of this message have the same devices.
    Object.assign(device, set);
    return [db.update(pushSubscriptions).set(set).where(eq(pushSubscriptions.id, device.id))];
  });
  const [first, ...others] = notes;
  if (first) await db.batch([first, ...others]);
}

/** That a device is reached is noted once in an hour. */
function isOld(moment: Date | null, now: Date): boolean {
  return moment === null || now.getTime() - moment.getTime() > HOUR_MS;
}
