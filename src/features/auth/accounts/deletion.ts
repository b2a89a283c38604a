import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { type Context, signedInSession } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { idempotencyKeys } from "../../../db/schema/idempotency.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { clearAllFailures } from "../login/lockout.ts";
import { sessionEnded } from "../sessions/service.ts";

/** Whether the signed-in person is the owner and has the only account. */
export async function isOnlyOwner(ctx: Context): Promise<boolean> {
  const { user, session } = signedInSession(ctx);
  if (user.role !== "owner") return false;
  const [[alive], [other]] = await ctx.db.batch([
    ctx.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, session.id)),
    ctx.db.select({ id: users.id }).from(users).where(ne(users.id, user.id)).limit(1),
  ]);
  if (!alive) throw sessionEnded();
  return other === undefined;
}

/**
 * Deletes the account. Foreign keys delete what belongs to it: sessions, API keys, tokens, profile, audit log. One
 * anonymous audit entry remains. An owner must leave another owner behind.
 */
export async function deleteAccount(ctx: Context, newOwner: string | undefined): Promise<void> {
  const { user, session } = signedInSession(ctx);
  const isOwner = sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND role = 'owner')`;
  await remove(ctx, and(eq(users.email, newOwner ?? ""), isOwner), [
    assertExists(ctx.db, sessions, eq(sessions.id, session.id), sessionEnded),
    assertThat(ctx.db, "leaves_owner", leavesOwner(ctx, newOwner), () => newOwnerRequired(newOwner)),
  ]);
}

/**
 * Deletes the account of an owner who was alone when the service began to be emptied. Emptying cannot be undone, so
 * this does not fail if someone registered meanwhile: that account then owns the empty service.
 */
export async function deleteLastAccount(ctx: Context): Promise<void> {
  const { user } = signedInSession(ctx);
  await remove(ctx, sql`${users.id} = (SELECT min(id) FROM users WHERE id <> ${user.id})`, [
    assertExists(ctx.db, users, eq(users.id, user.id), sessionEnded),
  ]);
}

type Assertion = ReturnType<typeof assertThat>;

async function remove(ctx: Context, isSuccessor: SQL | undefined, assertions: readonly Assertion[]): Promise<void> {
  const { user } = signedInSession(ctx);
  await runBatch(ctx.db, [
    audit(ctx, "account.deleted", { userId: null, details: { role: user.role } }),
    ...assertions,
    ctx.db.update(users).set({ role: "owner" }).where(isSuccessor),
    ctx.db.delete(idempotencyKeys).where(eq(idempotencyKeys.actor, `user:${user.id}`)),
    clearAllFailures(ctx, user.email),
    ctx.db.delete(users).where(eq(users.id, user.id)),
  ]);
  sendSecurityAlert(ctx, user, "Your account was deleted", "All data of the account was deleted with it.");
}

/** An owner names the next owner, unless `OWNER_EMAIL` does. */
function leavesOwner(ctx: Context, newOwner: string | undefined): SQL {
  const { user } = signedInSession(ctx);
  const isNamed = ctx.config.OWNER_EMAIL !== undefined;
  if (isNamed && (newOwner === undefined || user.role !== "owner")) return sql`1`;
  // Reads the current role: a member may have become the owner since the session check.
  const isMember = isNamed ? sql`0` : sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND role <> 'owner')`;
  const successor = newOwner === undefined ? sql`role = 'owner'` : sql`email = ${newOwner}`;
  return sql`(${isMember} OR EXISTS (SELECT 1 FROM users WHERE id <> ${user.id} AND ${successor}))`;
}

function newOwnerRequired(newOwner: string | undefined): AppError {
  const detail =
    newOwner === undefined
      ? "Other accounts exist. Send the address of the account that becomes the owner in `newOwner`."
      : "`newOwner` must be the address of another account.";
  return new AppError("new_owner_required", detail);
}
