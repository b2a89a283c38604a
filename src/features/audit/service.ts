import { eq, type SQL } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";
import { auditLog } from "../../db/schema/audit.ts";
import { assertType } from "../../lib/cast.ts";

/** The audited actions, grouped by their object. */
interface Actions {
  account: "registered" | "deleted";
  login: "succeeded" | "failed" | "challenged";
  session: "ended" | "others_ended" | "proved" | "proof_failed" | "refresh_reused";
  password: "reset_requested" | "reset" | "changed";
  email: "verification_requested" | "verified" | "change_requested" | "change_cancelled" | "changed";
  two_factor: "setup_started" | "enabled" | "disabled" | "failed" | "backup_codes_replaced";
  api_key: "created" | "changed" | "rotated" | "revoked";
  connection: "allowed" | "declined" | "changed" | "ended" | "refresh_reused" | "code_reused";
  agent: "wrote" | "proposed";
  calendar_feed: "created" | "revoked";
  profile: "changed" | "avatar_changed" | "avatar_removed" | "working_hours_changed" | "notifications_changed";
  identity: "created" | "changed" | "deleted";
  mailbox: "connected" | "changed" | "removed";
  billing: "checkout_started" | "portal_opened" | "plan_changed";
  tokens: "budget_changed" | "purchase_started" | "purchased" | "alert_created" | "alert_changed" | "alert_deleted";
  data: "exported" | "export_deleted" | "imported";
  retention: "changed";
  push: "subscribed" | "unsubscribed";
  webhook: "created" | "updated" | "deleted" | "secret_rotated" | "disabled" | "tested" | "delivery_retried";
  ai_key: "saved" | "removed" | "resealed";
}

/** Such as `webhook.created`. */
export type AuditAction = { [Kind in keyof Actions]: `${Kind}.${Actions[Kind]}` }[keyof Actions];

type Details = Record<string, string | number | boolean | null> | null;

interface AuditEntry {
  userId: number | SQL | null;
  /** As an expression, where it names what only the database knows. */
  details?: Details | SQL;
}

/** The statement that makes the entries about one account those of another. */
export function moveEntries({ db }: Pick<Context, "db">, from: SQL | number, to: SQL | number) {
  return db
    .update(auditLog)
    .set({ userId: assertType(to) })
    .where(eq(auditLog.userId, from));
}

/** The statement that records an action. Belongs in the batch that performs it. */
export function audit(ctx: Context, action: AuditAction, { userId, details = null }: AuditEntry) {
  const { ip, userAgent } = ctx.client;
  return ctx.db
    .insert(auditLog)
    .values({ userId, action, actor: actorName(ctx.actor), ip, userAgent, details, at: ctx.now });
}

/** The statement that records an action and returns the id of its entry. */
export function returningEntry(entry: ReturnType<typeof audit>) {
  return entry.returning({ id: auditLog.id });
}

/** Takes back the entry of an action that was not done after all. */
export async function removeEntry(db: Context["db"], id: number): Promise<void> {
  await db.delete(auditLog).where(eq(auditLog.id, id));
}

function actorName(actor: Actor): string {
  if (actor.kind === "session") return `user:${actor.user.id}`;
  if (actor.kind === "api_key") return `api_key:${actor.key.id}`;
  if (actor.kind === "grant") return `connection:${actor.grant.id}`;
  return actor.kind;
}
