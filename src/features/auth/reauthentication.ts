import { eq, sql } from "drizzle-orm";
import { type Context, signedInSession, signedInUser } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { sessions } from "../../db/schema/auth.ts";
import { users } from "../../db/schema/users.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import {
  clearFailures,
  countWrongGuess,
  credentialsUnchanged,
  lockedOr,
  refuseIfLocked,
  selectLock,
} from "./login/lockout.ts";
import { passwordMatches } from "./password/hashing.ts";
import { REAUTHENTICATION_MS } from "./sessions/lifetime.ts";
import { isSecondFactor } from "./two-factor/service.ts";

type UserRow = typeof users.$inferSelect;

/** Until when sensitive requests of the session need no password. */
export function reauthenticatedUntil(session: { provedAt: Date }): Date {
  return new Date(session.provedAt.getTime() + REAUTHENTICATION_MS);
}

/** Checks password and code of the signed-in person, unless the session did so within the last 15 minutes. */
export async function reauthenticate(
  ctx: Context,
  { currentPassword, code }: { currentPassword?: string; code?: string },
): Promise<void> {
  const actor = signedInSession(ctx);
  const { user, session } = actor;
  if (reauthenticatedUntil(session) > ctx.now) return;
  if (currentPassword === undefined || (user.twoFactorEnabled && code === undefined)) {
    throw credentialsMissing(user.twoFactorEnabled);
  }
  const row = await requirePassword(ctx, currentPassword);
  if (row.totpEnabledAt) {
    if (code === undefined) throw credentialsMissing(true);
    if (!(await isSecondFactor(ctx, row, { code }))) throw await wrongCredentials(ctx, row);
  }
  const isCurrent = sql`${credentialsUnchanged(row, ctx.now)} AND EXISTS (SELECT 1 FROM sessions WHERE id = ${session.id})`;
  await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", isCurrent, () => credentialsChanged(ctx, row.email)),
    audit(ctx, "session.proved", { userId: user.id }),
    ctx.db.update(sessions).set({ provedAt: ctx.now }).where(eq(sessions.id, session.id)),
    clearFailures(ctx, row.email),
  ]);
  ctx.actor = { ...actor, session: { ...session, provedAt: ctx.now } };
}

/** The account of the session, if the password is right. A wrong one counts as a failed sign-in. */
export async function requirePassword(ctx: Context, password: string): Promise<UserRow> {
  const { id, email } = signedInUser(ctx);
  const [[row], [lock]] = await ctx.db.batch([
    ctx.db.select().from(users).where(eq(users.id, id)),
    selectLock(ctx, email),
  ]);
  refuseIfLocked(ctx, lock);
  if (!row) throw new AppError("session_revoked");
  if (!(await passwordMatches(ctx, password, row))) throw await wrongCredentials(ctx, row);
  return row;
}

/** Does not reveal whether the password or the code was wrong. */
function wrongCredentials(ctx: Context, { id, email }: UserRow): Promise<AppError> {
  const wrong = new AppError("reauthentication_required", "The current password or the code is wrong.");
  return countWrongGuess(ctx, { email, userId: id, action: "session.proof_failed" }, wrong);
}

/** The error for a batch that was undone because the password it relied on is no longer the current one. */
export function credentialsChanged(ctx: Context, email: string): Promise<AppError> {
  const detail = "Your password or two-factor settings changed during this request. Try again.";
  return lockedOr(ctx, email, new AppError("reauthentication_required", detail));
}

function credentialsMissing(withCode: boolean): AppError {
  const needs = ["currentPassword", ...(withCode ? ["code"] : [])];
  return new AppError("reauthentication_required", `Send ${needs.join(" and ")} in the body.`, { details: { needs } });
}
