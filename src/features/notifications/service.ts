import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { errorFields, log } from "../../log.ts";
import { mailerOf } from "../../providers/mail.ts";

/** The kinds of email a person can get from the service. Security and service alerts cannot be turned off. */
export const NOTIFICATIONS = ["security_alert", "service_alert", "sync_failure", "token_alert", "daily_brief"] as const;
export type NotificationKind = (typeof NOTIFICATIONS)[number];

export interface Recipient {
  id: number;
  name: string;
  email: string;
}

export interface Notification {
  kind: NotificationKind;
  subject: string;
  text: string;
}

const SWITCHES = {
  sync_failure: notificationPreferences.syncFailure,
  token_alert: notificationPreferences.tokenAlerts,
  daily_brief: notificationPreferences.dailyBrief,
} as const;

/** Emails everyone who has this kind of notification turned on. Never delays the caller, and never fails it. */
export function notify(ctx: Context, to: readonly Recipient[], notification: Notification): void {
  ctx.defer(sendNotification(ctx, to, notification));
}

/** The same, for a caller that waits. False if somebody did not get it, or may not have got it. */
export async function sendNotification(
  ctx: Context,
  to: readonly Recipient[],
  { kind, subject, text }: Notification,
): Promise<boolean> {
  const mailer = mailerOf(ctx.config);
  if (!mailer) {
    log("warn", "notification_skipped", { kind, requestId: ctx.requestId });
    return false;
  }
  let isSent = true;
  for (const { name, email } of await subscribersOf(ctx, to, kind)) {
    try {
      await mailer.send({ to: { name, email }, subject, text });
    } catch (error) {
      isSent = false;
      log("error", "notification_failed", { kind, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
  return isSent;
}

async function subscribersOf(
  ctx: Context,
  to: readonly Recipient[],
  kind: NotificationKind,
): Promise<readonly Recipient[]> {
  if (kind === "security_alert" || kind === "service_alert") return to;
  const ids = anyOf(to.map(({ id }) => id));
  const rows = await ctx.db
    .select({ userId: notificationPreferences.userId, isOn: SWITCHES[kind] })
    .from(notificationPreferences)
    .where(sql`${notificationPreferences.userId} IN ${ids}`);
  const subscribers = new Set(rows.filter(({ isOn }) => isOn).map(({ userId }) => userId));
  return to.filter(({ id }) => subscribers.has(id));
}
