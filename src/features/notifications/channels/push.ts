import { eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { pushSubscriptions } from "../../../db/schema/notifications.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/time-zone.ts";
import { type PushOutcome, sendPush } from "../../../providers/push.ts";
import type { Device, Notice, Sender } from "../notice.ts";
import { pushSender } from "./push/vapid.ts";

const NOT_SET_UP = "Web Push is not set up.";

export const push: Sender = {
  async whyUnusable(ctx, reach) {
    if (reach?.devices.length === 0) return "No device is subscribed.";
    return (await pushSender(ctx)) ? null : NOT_SET_UP;
  },

  async send(ctx, { devices }, notice) {
    const sender = await pushSender(ctx);
    if (!sender) return { outcome: "skipped", detail: NOT_SET_UP };
    const message = messageOf(notice);
    const outcomes: PushOutcome[] = [];
    // One after the other: other reminders are sent at the same time, over few connections.
    for (const device of devices) outcomes.push(await sendPush(device, message, sender));
    await noteOutcomes(ctx, devices, outcomes);
    const sent = outcomes.filter(({ status }) => status === "sent").length;
    if (sent > 0) return { outcome: "sent", detail: `Sent to ${counted(sent, "device")}.` };
    const isTemporary = outcomes.some((each) => each.isTemporary);
    return { outcome: "failed", detail: outcomes[0]?.error ?? null, isTemporary };
  },
};

/** The console's service worker reads the text. */
function messageOf({ kind, subject, short }: Notice) {
  const { tag, usefulSeconds, data, ...shown } = short ?? {
    title: subject,
    body: "",
    url: "/app",
    tag: kind,
    usefulSeconds: DAY_MS / 1000,
    data: {},
  };
  return { text: JSON.stringify({ ...shown, tag, ...data }), topic: tag, ttlSeconds: usefulSeconds };
}

/** The statement that reads the devices of these people, given as a list of their ids in SQL. */
export function selectDevices({ db }: Pick<Context, "db">, people: SQL) {
  return db.select().from(pushSubscriptions).where(sql`user_id IN ${people}`);
}

/** Deletes the subscriptions that are gone, and notes what is new about others. */
async function noteOutcomes({ db }: Context, devices: readonly Device[], outcomes: readonly PushOutcome[]) {
  const now = new Date();
  const notes = devices.flatMap((device, index): BatchItem<"sqlite">[] => {
    const { status, error } = outcomes[index] ?? { status: "failed", error: null };
    if (status === "gone") return [db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, device.id))];
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
