import { eq, gt, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import type { Given } from "../../../db/compiled-query.ts";
import { loginFailures } from "../../../db/schema/auth.ts";
import { AppError } from "../../../lib/errors.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60 * 1000;

type Lock = Pick<typeof loginFailures.$inferSelect, "lockedUntil">;

/** Reads the lock of a login name. Names without an account are counted too, so a lock tells nothing. */
export function selectLock(ctx: Pick<Context, "db">, email: Given<string> | SQL) {
  return ctx.db
    .select({ lockedUntil: loginFailures.lockedUntil })
    .from(loginFailures)
    .where(eq(loginFailures.email, email));
}

export function refuseIfLocked(ctx: Context, lock: Lock | undefined): void {
  if (lock?.lockedUntil && lock.lockedUntil > ctx.now) throw locked(ctx, lock.lockedUntil);
}

/** True while the account is open. Checked again in the batch that would let someone in. */
export function notLocked(email: Given<string>, now: Given<Date>): SQL {
  const { email: name, lockedUntil } = loginFailures;
  return sql`NOT EXISTS (SELECT 1 FROM login_failures WHERE ${eq(name, email)} AND ${gt(lockedUntil, now)})`;
}

/** What must still hold when the password has been checked: the account is open, and is let in the same way. */
export function isStillRight({ id, email, passwordHash, totpEnabledAt }: Seen, now: Given<Date>): SQL {
  return sql`${notLocked(email, now)} AND EXISTS (SELECT 1 FROM users
    WHERE id = ${id} AND password_hash = ${passwordHash} AND totp_enabled_at IS ${totpEnabledAt?.getTime() ?? null})`;
}

/** The account as it was when the password was checked. */
interface Seen {
  id: Given;
  email: Given<string>;
  passwordHash: Given<string>;
  totpEnabledAt: Date | null;
}

/**
 * Counts a wrong guess. The database puts parallel guesses in a row, and `verdict` tells each its
 * place: however many run at once, only the first ten learn that they were wrong.
 */
export function recordFailure(ctx: Context, email: string) {
  const now = ctx.now.getTime();
  const until = now + WINDOW_MS;
  const { count, since, lockedUntil } = loginFailures;
  const isNewWindow = sql`(${since} <= ${now - WINDOW_MS} AND coalesce(${lockedUntil}, 0) <= ${now})`;
  const newCount = sql`(CASE WHEN ${isNewWindow} THEN 1 ELSE ${count} + 1 END)`;
  return ctx.db
    .insert(loginFailures)
    .values({ email, count: 1, since: ctx.now, lockedUntil: null, expiresAt: new Date(until) })
    .onConflictDoUpdate({
      target: loginFailures.email,
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

/** What the caller of a failed attempt may learn: that it was wrong, or only that the account is locked. */
export function verdict(
  ctx: Context,
  failure: { count: number; lockedUntil: Date | null } | undefined,
  wrong: AppError,
): AppError {
  if (!failure || failure.count <= MAX_FAILURES) return wrong;
  return locked(ctx, failure.lockedUntil ?? ctx.now);
}

export function clearFailures(ctx: Pick<Context, "db">, email: Given<string>) {
  return ctx.db.delete(loginFailures).where(eq(loginFailures.email, email));
}

function locked(ctx: Context, until: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - ctx.now.getTime()) / 1000));
  return new AppError("account_locked", `Too many wrong guesses. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
    retryAfter: seconds,
  });
}
