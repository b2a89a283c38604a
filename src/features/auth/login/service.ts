import { and, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../../db/assert.ts";
import { loginChallenges } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken, sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { selectLoginFrom } from "../../audit/history.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { hashPassword, isOutdated, passwordCheck } from "../password/hashing.ts";
import { insertSession, newSession, signedIn } from "../sessions/service.ts";
import { type GivenFactor, isSecondFactor } from "../two-factor/service.ts";
import {
  clearFailures,
  countWrongGuess,
  credentialsUnchanged,
  lockedOr,
  notLocked,
  refuseIfLocked,
  selectLock,
} from "./lockout.ts";

/** How long, and how often, a second factor can be tried after the password. */
const CHALLENGE_SECONDS = 300;
const CHALLENGE_ATTEMPTS = 5;

type Tokens = Awaited<ReturnType<typeof signedIn>>;
type Challenge = { twoFactorRequired: true; challengeToken: string; expiresIn: number };
type LoginRow = Pick<typeof users.$inferSelect, keyof typeof loginColumns>;

export async function login(ctx: Context, input: { email: string; password: string }): Promise<Tokens | Challenge> {
  const { email, password } = input;
  // Read while the password is prepared.
  const reading = ctx.db.batch([
    ctx.db.select(loginColumns).from(users).where(eq(users.email, email)),
    selectLock(ctx, email),
  ]);
  const matches = passwordCheck(ctx, password);
  const session = newSession(ctx);
  const [[user], [lock]] = await reading;
  refuseIfLocked(ctx, lock);
  if (!(await matches(user)) || !user) {
    const guess = { email, userId: user?.id ?? null, action: "login.failed" as const };
    throw await countWrongGuess(ctx, guess, new AppError("invalid_credentials"));
  }
  const renewed = isOutdated(ctx, user) ? await hashPassword(ctx, password) : null;
  const renewal = renewed ? [ctx.db.update(users).set(renewed).where(eq(users.id, user.id))] : [];
  try {
    return await (user.totpEnabledAt ? challenge(ctx, user, renewal) : signIn(ctx, user, session, renewal));
  } catch (error) {
    if (!(error instanceof AssertionFailed)) throw error;
    // The account was locked or its password changed during the check, so the password is checked again.
    return login(ctx, input);
  }
}

const { id, email, name, passwordHash, pepperId, totpEnabledAt, timeZone } = getTableColumns(users);
const loginColumns = { id, email, name, passwordHash, pepperId, totpEnabledAt, timeZone };

async function signIn(
  ctx: Context,
  user: LoginRow,
  session: ReturnType<typeof newSession>,
  renewal: BatchItem<"sqlite">[],
): Promise<Tokens> {
  // The token is signed while the database writes. If the write fails, the token is not sent.
  const [[earlier], tokens] = await Promise.all([
    runBatch(ctx.db, [
      selectLoginFrom(ctx, user.id, ctx.client.userAgent),
      assertThat(ctx.db, "credentials_unchanged", credentialsUnchanged(user, ctx.now)),
      audit(ctx, "login.succeeded", { userId: user.id, details: { method: "password" } }),
      insertSession(ctx, { ...session.row, userId: user.id }),
      clearFailures(ctx, user.email),
      ...renewal,
    ]),
    signedIn(ctx, session, user),
  ]);
  if (earlier.length === 0) alertNewClient(ctx, user);
  return tokens;
}

function alertNewClient(ctx: Context, user: LoginRow): void {
  const explanation = "It came from a browser or app that you have not used before.";
  sendSecurityAlert(ctx, user, "New sign-in to your account", explanation);
}

async function challenge(ctx: Context, user: LoginRow, renewal: BatchItem<"sqlite">[]): Promise<Challenge> {
  const challengeToken = randomToken(32);
  await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", credentialsUnchanged(user, ctx.now)),
    audit(ctx, "login.challenged", { userId: user.id }),
    ctx.db.insert(loginChallenges).values({
      tokenHash: sha256Hex(challengeToken),
      userId: user.id,
      attempts: 0,
      expiresAt: new Date(ctx.now.getTime() + CHALLENGE_SECONDS * 1000),
    }),
    ...renewal,
  ]);
  return { twoFactorRequired: true, challengeToken, expiresIn: CHALLENGE_SECONDS };
}

/** The second step of a sign-in: counts an attempt, checks the second factor, and uses up the challenge. */
export async function completeLogin(ctx: Context, input: { challengeToken: string } & GivenFactor) {
  const thisChallenge = eq(loginChallenges.tokenHash, sha256Hex(input.challengeToken));
  const alive = and(thisChallenge, gt(loginChallenges.expiresAt, ctx.now));
  const detail = "The challenge has expired or was used up. Sign in with your password again.";
  const expired = new AppError("challenge_expired", detail);
  const userId = sql`(SELECT user_id FROM login_challenges WHERE ${thisChallenge})`;
  const [attempt, [row], [lock]] = await ctx.db.batch([
    ctx.db
      .update(loginChallenges)
      .set({ attempts: sql`${loginChallenges.attempts} + 1` })
      .where(and(alive, sql`${loginChallenges.attempts} < ${CHALLENGE_ATTEMPTS}`))
      .returning({ attempts: loginChallenges.attempts }),
    ctx.db.select().from(users).where(eq(users.id, userId)),
    selectLock(ctx, sql`(SELECT email FROM users WHERE id = ${userId})`),
  ]);
  if (attempt.length === 0 || !row) throw expired;
  refuseIfLocked(ctx, lock);
  if (!(await isSecondFactor(ctx, row, input))) {
    const wrong = new AppError("invalid_code", "The code is wrong or was used before. Use the next one.");
    throw await countWrongGuess(ctx, { email: row.email, userId: row.id, action: "two_factor.failed" }, wrong);
  }
  const session = newSession(ctx);
  const method = input.code === undefined ? "backup_code" : "totp";
  const isOpen = sql`EXISTS (SELECT 1 FROM login_challenges WHERE ${alive}) AND ${notLocked(row.email, ctx.now)}`;
  const [earlier] = await runBatch(ctx.db, [
    selectLoginFrom(ctx, row.id, ctx.client.userAgent),
    assertThat(ctx.db, "challenge_is_open", isOpen, () => lockedOr(ctx, row.email, expired)),
    audit(ctx, "login.succeeded", { userId: row.id, details: { method } }),
    insertSession(ctx, { ...session.row, userId: row.id }),
    ctx.db.delete(loginChallenges).where(thisChallenge),
    clearFailures(ctx, row.email),
  ]);
  if (method === "backup_code") {
    const explanation = "The code cannot be used again. You can create new backup codes in your security settings.";
    sendSecurityAlert(ctx, row, "A backup code was used to sign in", explanation);
  } else if (earlier.length === 0) alertNewClient(ctx, row);
  return signedIn(ctx, session, row);
}
