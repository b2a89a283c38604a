import { type SQL, sql } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { auditLog } from "../../db/schema/auth.ts";
import type { AppError } from "../../lib/errors.ts";

export type AuditAction =
  | "account.registered"
  | "login.succeeded"
  | "login.failed"
  | "login.challenged"
  | "session.ended"
  | "session.refresh_reused"
  | "password.reset_requested"
  | "password.reset"
  | "two_factor.setup_started"
  | "two_factor.enabled"
  | "two_factor.disabled"
  | "two_factor.failed"
  | "two_factor.backup_codes_replaced"
  | "api_key.created"
  | "api_key.revoked"
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

/** The statement that records an act; goes into the same batch as the act. */
export function audit(ctx: Context, action: AuditAction, { userId, details, onlyIf }: AuditEntry) {
  return ctx.db.insert(auditLog).values({
    userId,
    action: onlyIf ? sql`CASE WHEN ${onlyIf} THEN ${action} END` : action,
    actor: actorName(ctx.actor),
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
    details,
    at: ctx.now,
  });
}

/** Whether a batch was undone because the `onlyIf` of its audit row no longer held. */
export function conditionFailed(error: unknown): boolean {
  return brokeConstraint(error, "audit_log.action");
}

type Batch = Parameters<Context["db"]["batch"]>[0];

/** Runs a batch whose audit row has an `onlyIf`; when that no longer holds, nothing is written and `refusal` is thrown. */
export async function batchOnlyIf(
  ctx: Context,
  refusal: () => AppError | Promise<AppError>,
  statements: Batch,
): Promise<void> {
  try {
    await ctx.db.batch(statements);
  } catch (error) {
    throw conditionFailed(error) ? await refusal() : error;
  }
}

function actorName(actor: Actor): string {
  if (actor.kind === "session") return `user:${actor.user.id}`;
  if (actor.kind === "api_key") return `api_key:${actor.key.id}`;
  return actor.kind;
}
