import { eq, gt, type SQL, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../../context.ts";
import { loginFailures } from "../../../db/schema/auth.ts";
import type { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { type AuditAction, audit } from "../../audit/service.ts";

/** Ten wrong guesses in 15 minutes lock an account for 15 minutes. */
const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60 * 1000;

type Lock = Pick<typeof loginFailures.$inferSelect, "lockedUntil">;

/** Addresses without an account are locked too, so that a lock does not reveal whether an account exists. */
export function selectLock(ctx: Context, email: string | SQL) {
  return ctx.db
    .select({ lockedUntil: loginFailures.lockedUntil })
    .from(loginFailures)
    .where(eq(loginFailures.email, email));
}

export function refuseIfLocked(ctx: Context, lock: Lock | undefined): void {
  if (lock?.lockedUntil && lock.lockedUntil > ctx.now) throw locked(ctx, lock.lockedUntil);
}

/** The error for a sign-in whose batch was undone: the account was locked meanwhile, or `otherwise`. */
export async function lockedOr(ctx: Context, email: string, otherwise: AppError): Promise<AppError> {
  const [lock] = await selectLock(ctx, email);
  refuseIfLocked(ctx, lock);
  return otherwise;
}

/** A condition for the batch that signs in: parallel guesses may have locked the account since the lock was read. */
export function notLocked(email: string, now: Date): SQL {
  const { email: name, lockedUntil } = loginFailures;
  return sql`NOT EXISTS (SELECT 1 FROM login_failures WHERE ${eq(name, email)} AND ${gt(lockedUntil, now)})`;
}

/** The account as it was when its password was checked. */
type CheckedAccount = Pick<typeof users.$inferSelect, "id" | "email" | "passwordHash" | "totpEnabledAt">;

/** A condition for the batch that signs in: nothing that the checked password depended on has changed since. */
export function credentialsUnchanged({ id, email, passwordHash, totpEnabledAt }: CheckedAccount, now: Date): SQL {
  return sql`${notLocked(email, now)} AND EXISTS (SELECT 1 FROM users
    WHERE id = ${id} AND password_hash = ${passwordHash} AND totp_enabled_at IS ${totpEnabledAt?.getTime() ?? null})`;
}

interface WrongGuess {
  email: string;
  /** Null for an address without an account: the entry is written all the same, so that both take equally long. */
  userId: number | null;
  action: AuditAction;
}

/**
 * Counts a wrong guess and returns the error for it. The database counts parallel guesses one after another: however
 * many run at once, only the first ten learn that they were wrong, and the others only that the account is locked.
 */
export async function countWrongGuess(given: Context, guess: WrongGuess, wrong: AppError): Promise<AppError> {
  const ctx = forBookkeeping(given);
  const [[failure]] = await ctx.db.batch([
    recordFailure(ctx, guess.email),
    audit(ctx, guess.action, { userId: guess.userId }),
  ]);
  if (!failure || failure.count <= MAX_FAILURES) return wrong;
  return locked(ctx, failure.lockedUntil ?? ctx.now);
}

function recordFailure(ctx: Context, email: string) {
  const now = ctx.now.getTime();
  const until = now + WINDOW_MS;
  const { count, since, lockedUntil } = loginFailures;
  const isNewWindow = sql`(${since} <= ${now - WINDOW_MS} AND coalesce(${lockedUntil}, 0) <= ${now})`;
  const newCount = sql`(CASE WHEN ${isNewWindow} THEN 1 ELSE ${count} + 1 END)`;
  return ctx.db
    .insert(loginFailures)
    .values({ email, network: "", count: 1, since: ctx.now, lockedUntil: null, expiresAt: new Date(until) })
    .onConflictDoUpdate({
      target: [loginFailures.email, loginFailures.network],
      set: {
        count: newCount,
        since: sql`CASE WHEN ${isNewWindow} THEN ${now} ELSE ${since} END`,
        lockedUntil: sql`CASE
          WHEN ${lockedUntil} > ${now} THEN ${lockedUntil}
          WHEN ${newCount} >= ${MAX_FAILURES} THEN ${until} END`,
        expiresAt: new Date(until),
      },
    })
    .returning({ count, lockedUntil });
}

export function clearFailures(ctx: Context, email: string) {
  return ctx.db.delete(loginFailures).where(eq(loginFailures.email, email));
}

function locked(ctx: Context, until: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - ctx.now.getTime()) / 1000));
  const detail = `Too many failed attempts. Try again in ${Math.ceil(retryAfter / 60)} minutes.`;
  return new AppError("account_locked", detail, { retryAfter });
}
