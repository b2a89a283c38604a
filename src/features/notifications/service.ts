import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import type { PersonalChannel } from "../../lib/channels.ts";
import { errorFields, log } from "../../log.ts";
import { SENDERS } from "./channels/index.ts";
import { selectDevices } from "./channels/push.ts";
import { KINDS, type NoticeKind } from "./kinds.ts";
import type { Content, Notice, Reach, Recipient } from "./notice.ts";

interface Notification {
  kind: NoticeKind;
  write(to: Recipient): Content | Promise<Content>;
}

/** `skipped`: no channel is set up. `failed`: somebody did not get it, or may not have got it. */
export type Outcome = "sent" | "skipped" | "failed";

/** Tells everyone who wants to know. Never delays the caller, and never fails it. */
export function notify(ctx: Context, to: readonly Recipient[], notification: Notification): void {
  ctx.defer(sendNotification(ctx, to, notification));
}

/** The same, for a caller that waits. Never throws. */
export async function sendNotification(
  ctx: Context,
  to: readonly Recipient[],
  notification: Notification,
): Promise<Outcome> {
  const { kind } = notification;
  const failed = (error: unknown) => {
    log("error", "notification_failed", { kind, requestId: ctx.requestId, ...errorFields(error) });
    return "failed" as const;
  };
  const readers = await readersOf(ctx, to, kind).catch(failed);
  if (readers === "failed") return readers;
  const outcomes = new Set<Outcome>();
  for (const reader of readers) outcomes.add(await tell(ctx, reader, notification).catch(failed));
  if (outcomes.has("failed")) return "failed";
  return outcomes.has("sent") && !outcomes.has("skipped") ? "sent" : "skipped";
}

interface Reader extends Reach {
  channels: readonly PersonalChannel[];
}

async function readersOf(ctx: Context, to: readonly Recipient[], kind: NoticeKind): Promise<Reader[]> {
  const { channels } = KINDS[kind];
  // Nothing is read: the account may just have been deleted.
  if (typeof channels !== "function") return to.map((person) => ({ person, devices: [], channels }));
  const people = anyOf(to.map(({ id }) => id));
  const [rows, devices] = await ctx.db.batch([
    ctx.db.select().from(notificationPreferences).where(sql`${notificationPreferences.userId} IN ${people}`),
    selectDevices(ctx, people),
  ]);
  return to.flatMap((person) => {
    const own = rows.find(({ userId }) => userId === person.id);
    const wanted = own ? channels(own) : [];
    if (wanted.length === 0) return [];
    return [{ person, channels: wanted, devices: devices.filter(({ userId }) => userId === person.id) }];
  });
}

/** Tries the channels in their order, until one has sent it. */
async function tell(ctx: Context, { channels, ...reach }: Reader, { kind, write }: Notification): Promise<Outcome> {
  const fields = { kind, requestId: ctx.requestId };
  let notice: Notice | undefined;
  for (const channel of channels) {
    if (await SENDERS[channel].whyUnusable(ctx, reach)) continue;
    notice ??= { kind, ...(await write(reach.person)) };
    const { outcome, detail } = await SENDERS[channel].send(ctx, reach, notice);
    if (outcome === "sent") return "sent";
    log("error", "notification_failed", { ...fields, channel, detail });
  }
  if (notice) return "failed";
  log("warn", "notification_skipped", fields);
  return "skipped";
}

/** Whether a channel is set up by which the owner is told of problems. */
export async function canAlert(ctx: Context): Promise<boolean> {
  const reasons = await Promise.all(KINDS.service_alert.channels.map((channel) => SENDERS[channel].whyUnusable(ctx)));
  return reasons.includes(null);
}
