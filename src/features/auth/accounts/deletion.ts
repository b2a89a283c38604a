import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { signedInSession } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { idempotencyKeys } from "../../../db/schema/idempotency.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { alertOf } from "../../notifications/security-alerts.ts";
import { clearFailures } from "../login/lockout.ts";

/** Whether this is the owner, and nobody else has an account. */
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
 * Removes the account, and by the tables' own rules everything that hangs on it: sessions, keys, tokens, profile,
 * log. What stays is one anonymous entry that an account was deleted. An owner leaves an owner behind.
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
 * The same for an owner who was alone when the service began to be emptied. That is not undone, so nothing refuses the
 * rest; whoever registered meanwhile is the next, and owns the empty service.
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
    clearFailures(ctx, user.email),
    ctx.db.delete(users).where(eq(users.id, user.id)),
  ]);
  alertOf(ctx, user, "Your account was deleted", "Everything that belonged to it is gone.");
}

/** Not by chance does a member become the owner: the one who goes names them. OWNER_EMAIL names one for good. */
function leavesOwner(ctx: Context, newOwner: string | undefined): SQL {
  const { user } = signedInSession(ctx);
  const isNamed = ctx.config.OWNER_EMAIL !== undefined;
  if (isNamed && (newOwner === undefined || user.role !== "owner")) return sql`1`;
  // The role as it is now: whoever was named owner a moment ago is one.
  const isMember = isNamed ? sql`0` : sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND role <> 'owner')`;
  const successor = newOwner === undefined ? sql`role = 'owner'` : sql`email = ${newOwner}`;
  return sql`(${isMember} OR EXISTS (SELECT 1 FROM users WHERE id <> ${user.id} AND ${successor}))`;
}

function newOwnerRequired(newOwner: string | undefined): AppError {
  const detail =
    newOwner === undefined
      ? "Name in `newOwner` the address of the account that takes over; its mail, tasks and events stay."
      : "`newOwner` is not the address of another account.";
  return new AppError("new_owner_required", detail);
}

function sessionEnded(): AppError {
  return new AppError("session_revoked", "The session has ended. Sign in again.");
}
