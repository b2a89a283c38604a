import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { type Block, type RenderedNotice, renderNotice } from "../../lib/notice.ts";
import { pagesOf } from "../../lib/pages.ts";
import type { TimeStyle } from "../../lib/spoken-time.ts";
import { errorFields, log } from "../../log.ts";
import { mailerOf } from "../../providers/mail.ts";

/** The kinds of email a person can get from the service. Security and service alerts cannot be turned off. */
export const NOTIFICATIONS = [
  "security_alert",
  "service_alert",
  "sync_failure",
  "token_alert",
  "daily_brief",
  "reminder",
] as const;
export type NotificationKind = (typeof NOTIFICATIONS)[number];

export interface Recipient extends TimeStyle {
  id: number;
  name: string;
  email: string;
  timeZone: string;
}

interface Content {
  subject: string;
  blocks: readonly Block[];
}

export interface Notification {
  kind: NotificationKind;
  /** Everyone gets their own text, since everyone reads times in their own way. */
  write(to: Recipient): Content;
}

const SWITCHES = {
  sync_failure: notificationPreferences.syncFailure,
  token_alert: notificationPreferences.tokenAlerts,
  daily_brief: notificationPreferences.dailyBrief,
  reminder: notificationPreferences.reminders,
} as const;

/** Emails everyone who has this kind of notification turned on. Never delays the caller, and never fails it. */
export function notify(ctx: Context, to: readonly Recipient[], notification: Notification): void {
  ctx.defer(sendNotification(ctx, to, notification));
}

/** The same, for a caller that waits. False if somebody did not get it, or may not have got it. */
export async function sendNotification(
  ctx: Context,
  to: readonly Recipient[],
  { kind, write }: Notification,
): Promise<boolean> {
  const mailer = mailerOf(ctx.config);
  if (!mailer) {
    log("warn", "notification_skipped", { kind, requestId: ctx.requestId });
    return false;
  }
  let isSent = true;
  for (const person of await subscribersOf(ctx, to, kind)) {
    try {
      const { name, email } = person;
      await mailer.send({ to: { name, email }, ...renderNotification(ctx, kind, name, write(person)) });
    } catch (error) {
      isSent = false;
      log("error", "notification_failed", { kind, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
  return isSent;
}

/** The email, with a last line that says why the person gets it. */
export function renderNotification(
  { baseUrl }: Context,
  kind: NotificationKind,
  name: string,
  { subject, blocks }: Content,
): RenderedNotice {
  const settings = pagesOf(baseUrl).reference("Profile", "updateNotificationPreferences");
  const why: Record<NotificationKind, string> = {
    security_alert: `You get this email because it concerns the security of your account at ${baseUrl}. Such emails cannot be turned off.`,
    service_alert: `You get this email because you own the service at ${baseUrl}: one when a problem begins, and one when it is over.`,
    sync_failure: `You get this email because emails about a failing sync are on. Change that here: ${settings}`,
    token_alert: `You get this email because you set this alert. Change your alerts here: ${pagesOf(baseUrl).reference("AI tokens", "updateTokenAlert")}`,
    reminder: `You get this email because reminders by email are on. Change that here: ${settings}`,
    daily_brief: `You get this email every morning because the daily brief is on. Change that here: ${settings}`,
  };
  return renderNotice({ subject, name, blocks, footer: why[kind] });
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
