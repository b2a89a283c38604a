import type { Context } from "../../context.ts";
import { requireMailer } from "../../providers/mail.ts";

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

/** Tells people by mail, each only what they want to hear. Never keeps the caller waiting or fails it. */
export function notify(ctx: Context, to: readonly Recipient[], { subject, text }: Notification): void {
  ctx.defer(
    (async () => {
      const mailer = requireMailer(ctx.config);
      for (const { name, email } of to) await mailer.send({ to: { name, email }, subject, text });
    })(),
  );
}
