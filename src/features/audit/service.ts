import type { SQL } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";
import { givenRow, type WholeRow } from "../../db/compiled-query.ts";
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
  return insertAudit(ctx, { ...auditSource(ctx), userId, action, details });
}

/** `audit` for a compiled batch, which is given `userId` and the values of `auditSource` each time it runs. */
export function auditCompiled(ctx: Pick<Context, "db">, action: AuditAction, details: AuditEntry["details"] = null) {
  return insertAudit(ctx, { ...givenRow(auditLog, "id"), action, details });
}

/** Who acts, from where and when. */
export function auditSource(ctx: Context) {
  return { actor: actorName(ctx.actor), ip: ctx.client.ip, userAgent: ctx.client.userAgent, at: ctx.now };
}

function insertAudit({ db }: Pick<Context, "db">, row: WholeRow<typeof auditLog, "id">) {
  return db.insert(auditLog).values(row);
}

function actorName(actor: Actor): string {
  if (actor.kind === "session") return `user:${actor.user.id}`;
  if (actor.kind === "api_key") return `api_key:${actor.key.id}`;
  return actor.kind;
}
