import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { users } from "../../db/schema/auth.ts";
import { idempotencyKeys } from "../../db/schema/idempotency.ts";
import { AppError } from "../../lib/errors.ts";
import { signedInSession } from "./account.ts";
import { alertOf } from "./alerts.ts";
import { audit, batchOnlyIf } from "./audit.ts";
import { clearFailures } from "./lockout.ts";

/** Whether this is the owner, and nobody else has an account. */
export async function isOnlyOwner(ctx: Context): Promise<boolean> {
  const { user } = signedInSession(ctx);
  if (user.role !== "owner") return false;
  const [other] = await ctx.db.select({ id: users.id }).from(users).where(ne(users.id, user.id)).limit(1);
  return other === undefined;
}

/**
 * Removes the account, and by the tables' own rules everything that hangs on it: sessions, keys, tokens, profile,
 * log. What stays is one anonymous entry that an account was deleted. An owner leaves an owner behind.
 */
export async function deleteAccount(ctx: Context, newOwner: string | undefined): Promise<void> {
  const { user, session } = signedInSession(ctx);
  const isMine = sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${session.id})`;
  await batchOnlyIf(ctx, () => whyNotDeleted(ctx, newOwner), [
    audit(ctx, "account.deleted", {
      userId: null,
      details: { role: user.role },
      onlyIf: sql`${isMine} AND ${leavesOwner(ctx, user.id, newOwner)}`,
    }),
    ctx.db
      .update(users)
      .set({ role: "owner" })
      .where(
        and(
          eq(users.email, newOwner ?? ""),
          sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND role = 'owner')`,
        ),
      ),
    ctx.db.delete(idempotencyKeys).where(eq(idempotencyKeys.actor, `user:${user.id}`)),
    clearFailures(ctx, user.email),
    ctx.db.delete(users).where(eq(users.id, user.id)),
  ]);
  alertOf(ctx, user, "Your account was deleted", "Everything that belonged to it is gone.");
}

/** Not by chance does a member become the owner: the one who goes names them. OWNER_EMAIL names one for good. */
function leavesOwner(ctx: Context, userId: number, newOwner: string | undefined): SQL {
  if (ctx.config.OWNER_EMAIL !== undefined) return sql`1`;
  const successor = newOwner === undefined ? sql`role = 'owner'` : sql`email = ${newOwner}`;
  const isAlone = newOwner === undefined ? sql`NOT EXISTS (SELECT 1 FROM users WHERE id <> ${userId})` : sql`0`;
  // The role as it is now: whoever was named owner a moment ago is one.
  return sql`(EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND role <> 'owner') OR ${isAlone}
    OR EXISTS (SELECT 1 FROM users WHERE id <> ${userId} AND ${successor}))`;
}

async function whyNotDeleted(ctx: Context, newOwner: string | undefined): Promise<AppError> {
  const { session } = signedInSession(ctx);
  const [alive] = await ctx.db.all<{ id: string }>(sql`SELECT id FROM sessions WHERE id = ${session.id}`);
  if (!alive) return new AppError("session_revoked", "The session has ended. Sign in again.");
  const detail =
    newOwner === undefined
      ? "Name in `newOwner` the address of the account that takes over; its mail, tasks and events stay."
      : "`newOwner` is not the address of another account.";
  return new AppError("new_owner_required", detail);
}
