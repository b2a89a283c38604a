import { eq } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { pushSubscriptions } from "../../db/schema/reminders.ts";
import { AppError } from "../../lib/errors.ts";
import type { PersonalChannel, ReminderDelivery } from "../../lib/reminder-kinds.ts";
import { counted } from "../../lib/spoken-time.ts";
import { HOUR_MS } from "../../lib/time-zone.ts";
import { mailerOf } from "../../providers/mail.ts";
import { type PushOutcome, sendPush } from "../../providers/push.ts";
import { renderNotification } from "../notifications/service.ts";
import type { Person } from "./people.ts";
import { pushSender } from "./push/vapid.ts";
import { emailContent, type Occasion, pushText, type Subject, usefulSeconds } from "./wording.ts";

export type Subscription = typeof pushSubscriptions.$inferSelect;

export interface Message {
  person: Person;
  subject: Subject;
  occasion: Occasion;
  /** The person's devices. */
  devices: readonly Subscription[];
}

/** What became of a try, and whether another one may succeed where this one has not. */
export type Tried = Pick<ReminderDelivery, "outcome" | "detail"> & { isTemporary?: true };

const UNUSABLE = { outcome: "skipped", detail: "The channel is not set up." } as const;

/** Why a channel cannot be used at all; null if it can. */
export async function whyUnusable(
  ctx: Context,
  channel: PersonalChannel,
  devices: readonly Subscription[],
): Promise<string | null> {
  if (channel === "email") return mailerOf(ctx.config) ? null : "Outgoing email is not set up.";
  if (devices.length === 0) return "No device is subscribed.";
  return (await pushSender(ctx)) ? null : "Web Push is not set up.";
}

/** Sends a reminder by a channel that can be used. Never throws. */
export function sendBy(ctx: Context, channel: PersonalChannel, message: Message): Promise<Tried> {
  return channel === "email" ? sendEmail(ctx, message) : pushToDevices(ctx, message);
}

async function sendEmail(ctx: Context, { person, subject, occasion }: Message): Promise<Tried> {
  const mailer = mailerOf(ctx.config);
  if (!mailer) return UNUSABLE;
  const { name, email } = person;
  const content = emailContent(person, subject, occasion, Date.now(), ctx.baseUrl);
  try {
    await mailer.send({ to: { name, email }, ...renderNotification(ctx, "reminder", name, content) });
    return { outcome: "sent", detail: null };
  } catch (error) {
    // The mailer has logged why.
    const isUnknown = error instanceof AppError && error.code === "provider_timeout";
    if (isUnknown)
      return { outcome: "unknown", detail: "The email service did not respond. The email may have been sent." };
    return { outcome: "failed", detail: "The email service did not accept the email.", isTemporary: true };
  }
}

async function pushToDevices(ctx: Context, message: Message): Promise<Tried> {
  const { person, subject, occasion, devices } = message;
  const sender = await pushSender(ctx);
  if (!sender) return UNUSABLE;
  const now = Date.now();
  const push = {
    text: pushText(person, subject, occasion, now),
    topic: `reminder-${occasion.reminderId}`,
    ttlSeconds: usefulSeconds(subject, now),
  };
  const outcomes: PushOutcome[] = [];
  // One after the other: other reminders are sent at the same time, over few connections.
  for (const device of devices) outcomes.push(await sendPush(device, push, sender));
  await noteOutcomes(ctx, devices, outcomes);
  const sent = outcomes.filter(({ status }) => status === "sent").length;
  if (sent > 0) return { outcome: "sent", detail: `Sent to ${counted(sent, "device")}.` };
  const isTemporary = outcomes.some((each) => each.isTemporary);
  return { outcome: "failed", detail: outcomes[0]?.error ?? null, ...(isTemporary && { isTemporary }) };
}

/** Deletes the subscriptions that are gone, and notes what is new about others. */
async function noteOutcomes({ db }: Context, devices: readonly Subscription[], outcomes: readonly PushOutcome[]) {
  const now = new Date();
  const notes = devices.flatMap((device, index): BatchItem<"sqlite">[] => {
    const { status, error } = outcomes[index] ?? { status: "failed", error: null };
    if (status === "gone") return [db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, device.id))];
    const isNews = device.lastError !== error || (error === null && isOld(device.lastSentAt, now));
    if (!isNews) return [];
    // The other reminders of this message have the same devices.
    Object.assign(device, { lastError: error, ...(error === null && { lastSentAt: now }) });
    const set = { lastError: error, ...(error === null && { lastSentAt: now }) };
    return [db.update(pushSubscriptions).set(set).where(eq(pushSubscriptions.id, device.id))];
  });
  const [first, ...others] = notes;
  if (first) await db.batch([first, ...others]);
}

/** That a device is reached is noted once in an hour. */
function isOld(moment: Date | null, now: Date): boolean {
  return moment === null || now.getTime() - moment.getTime() > HOUR_MS;
}
