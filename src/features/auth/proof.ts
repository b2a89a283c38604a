import { eq } from "drizzle-orm";
import { type Context, forBookkeeping, signedInUser } from "../../context.ts";
import { users } from "../../db/schema/users.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import { recordFailure, refuseIfLocked, selectLock, verdict } from "./login/lockout.ts";
import { passwordMatches } from "./password/hashing.ts";

type UserRow = typeof users.$inferSelect;

/** The account behind the session, once its password is right. A wrong one counts as a wrong login does. */
export async function requirePassword(ctx: Context, password: string): Promise<UserRow> {
  const { id, email } = signedInUser(ctx);
  const [[row], [lock]] = await ctx.db.batch([
    ctx.db.select().from(users).where(eq(users.id, id)),
    selectLock(ctx, email),
  ]);
  refuseIfLocked(ctx, lock);
  if (!row) throw new AppError("session_revoked");
  if (!(await passwordMatches(ctx, password, row.passwordHash))) throw await refuseProof(ctx, row);
  return row;
}

/** Counts the wrong proof. Does not tell which part of it was wrong. */
export async function refuseProof(given: Context, { id, email }: UserRow): Promise<AppError> {
  const ctx = forBookkeeping(given);
  const [[failure]] = await ctx.db.batch([
    recordFailure(ctx, email),
    audit(ctx, "session.proof_failed", { userId: id }),
  ]);
  return verdict(ctx, failure, new AppError("reauthentication_required", "The current password or the code is wrong."));
}

/** Why a batch that rested on a right password was undone. */
export async function whyNoLonger(ctx: Context, email: string): Promise<AppError> {
  const [lock] = await selectLock(ctx, email);
  refuseIfLocked(ctx, lock);
  return new AppError("reauthentication_required", "The account has changed meanwhile. Prove who you are again.");
}
