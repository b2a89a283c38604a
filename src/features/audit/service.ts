import type { SQL } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";
import { auditLog } from "../../db/schema/audit.ts";

export type AuditAction =
  | "account.registered"
  | "login.succeeded"
  | "login.failed"
  | "login.challenged"
  | "session.ended"
  | "session.others_ended"
  | "session.proved"
  | "session.proof_failed"
  | "session.refresh_reused"
  | "password.reset_requested"
  | "password.reset"
  | "password.changed"
  | "email.verification_requested"
  | "email.verified"
  | "email.change_requested"
  | "email.change_cancelled"
  | "email.changed"
  | "two_factor.setup_started"
  | "two_factor.enabled"
  | "two_factor.disabled"
  | "two_factor.failed"
  | "two_factor.backup_codes_replaced"
  | "api_key.created"
  | "api_key.changed"
  | "api_key.rotated"
  | "api_key.revoked"
  | "profile.changed"
  | "profile.avatar_changed"
  | "profile.avatar_removed"
  | "profile.working_hours_changed"
  | "profile.notifications_changed"
  | "billing.checkout_started"
  | "billing.portal_opened"
  | "billing.plan_changed"
  | "tokens.budget_changed"
  | "tokens.purchase_started"
  | "tokens.purchased"
  | "tokens.alert_created"
  | "tokens.alert_changed"
  | "tokens.alert_deleted"
  | "data.exported"
  | "account.deleted"
  | "webhook.created"
  | "webhook.updated"
  | "webhook.deleted"
  | "webhook.secret_rotated"
  | "webhook.disabled"
  | "webhook.tested"
  | "webhook.delivery_retried"
  | "ai_key.saved"
  | "ai_key.removed";

interface AuditEntry {
  userId: number | SQL | null;
  details?: Record<string, string | number | boolean | null> | null;
}

/** The statement that records an action. Belongs in the batch that performs it. */
export function audit(ctx: Context, action: AuditAction, { userId, details = null }: AuditEntry) {
  const { ip, userAgent } = ctx.client;
  return ctx.db
    .insert(auditLog)
    .values({ userId, action, actor: actorName(ctx.actor), ip, userAgent, details, at: ctx.now });
}

function actorName(actor: Actor): string {
  if (actor.kind === "session") return `user:${actor.user.id}`;
  if (actor.kind === "api_key") return `api_key:${actor.key.id}`;
  return actor.kind;
}
