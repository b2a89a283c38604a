import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { Actor, Context } from "../../context.ts";
import { givenRow, type WholeRow } from "../../db/compiled-query.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { auditLog } from "../../db/schema/audit.ts";
import type { AppError } from "../../lib/errors.ts";

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
  details?: Record<string, string | number | boolean | null>;
  /**
   * What must still hold at the moment of writing. When it does not, the row's action becomes NULL,
   * the column refuses it, and the whole batch is undone: see `conditionFailed`.
   */
  onlyIf?: SQL;
}

/** The statement that records an action. Belongs in the batch that performs it. */
export function audit(ctx: Context, action: AuditAction, { userId, details, onlyIf }: AuditEntry) {
  return insertAudit(ctx, {
    ...auditSource(ctx),
    userId,
    action: onlyIf ? actionIf(onlyIf, action) : action,
    details: details ?? null,
  });
}

/** `audit` for a compiled batch, which is given `userId` and the values of `auditSource` each time it runs. */
export function auditCompiled(
  ctx: Pick<Context, "db">,
  action: AuditAction,
  { details, onlyIf }: { details: AuditEntry["details"]; onlyIf: SQL },
) {
  return insertAudit(ctx, {
    ...givenRow(auditLog, "id"),
    action: actionIf(onlyIf, action),
    details: details ?? null,
  });
}

/** Who acts, from where and when. */
export function auditSource(ctx: Context) {
  return { actor: actorName(ctx.actor), ip: ctx.client.ip, userAgent: ctx.client.userAgent, at: ctx.now };
}

function insertAudit({ db }: Pick<Context, "db">, row: WholeRow<typeof auditLog, "id">) {
  return db.insert(auditLog).values(row);
}

function actionIf(condition: SQL, action: AuditAction): SQL {
  return sql`CASE WHEN ${condition} THEN ${action} END`;
}

/** Whether a batch was undone because the `onlyIf` of its audit row no longer held. */
export function conditionFailed(error: unknown): boolean {
  return brokeConstraint(error, "audit_log.action");
}

/** Runs a batch whose audit row has an `onlyIf`; when that no longer holds, nothing is written and `refusal` is thrown. */
export async function batchOnlyIf<Item extends BatchItem<"sqlite">, Batch extends readonly [Item, ...Item[]]>(
  ctx: Context,
  refusal: () => AppError | Promise<AppError>,
  statements: Batch,
): Promise<BatchResponse<Batch>> {
  try {
    return await ctx.db.batch(statements);
  } catch (error) {
    throw conditionFailed(error) ? await refusal() : error;
  }
}

function actorName(actor: Actor): string {
  if (actor.kind === "session") return `user:${actor.user.id}`;
  if (actor.kind === "api_key") return `api_key:${actor.key.id}`;
  return actor.kind;
}
