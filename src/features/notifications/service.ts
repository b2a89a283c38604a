import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { errorFields, log } from "../../log.ts";
import { mailerOf } from "../../providers/mail.ts";

/** What a person can be told of by mail. Security alerts cannot be switched off. */
export const NOTIFICATIONS = ["security_alert", "sync_failure", "token_alert", "daily_brief"] as const;
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

/** Tells people by mail, each only what they want to hear. Never keeps the caller waiting or fails it. */
export function notify(ctx: Context, to: readonly Recipient[], notification: Notification): void {
  ctx.defer(tell(ctx, to, notification));
}

async function tell(ctx: Context, to: readonly Recipient[], { kind, subject, text }: Notification): Promise<void> {
  const mailer = mailerOf(ctx.config);
  // Without outgoing mail there is nobody to tell; the log says that something would have been said.
  if (!mailer) return log("warn", "notification_skipped", { kind, requestId: ctx.requestId });
  for (const { name, email } of await thoseWhoWant(ctx, to, kind)) {
    try {
      await mailer.send({ to: { name, email }, subject, text });
    } catch (error) {
      log("error", "notification_failed", { kind, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
}

async function thoseWhoWant(
  ctx: Context,
  to: readonly Recipient[],
  kind: NotificationKind,
): Promise<readonly Recipient[]> {
  if (kind === "security_alert") return to;
  const ids = anyOf(to.map(({ id }) => id));
  const rows = await ctx.db
    .select({ userId: notificationPreferences.userId, wanted: SWITCHES[kind] })
    .from(notificationPreferences)
    .where(sql`${notificationPreferences.userId} IN ${ids}`);
  const wanted = new Set(rows.filter((row) => row.wanted).map(({ userId }) => userId));
  return to.filter(({ id }) => wanted.has(id));
}
