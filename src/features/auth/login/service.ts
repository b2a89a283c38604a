import { and, eq, getTableColumns, gt, lt, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { signedInSession } from "../../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../../db/assert.ts";
import { compiledBatch, givenRow } from "../../../db/compiled-query.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { purge, purgeExpired } from "../../../db/purge.ts";
import { auditLog } from "../../../db/schema/audit.ts";
import { loginChallenges, loginFailures, mailTokens, sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken, sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit, auditSource, insertAudit } from "../../audit/service.ts";
import { alertOf } from "../../notifications/security-alerts.ts";
import { earlierLogin, tellOfNewClient } from "../new-client.ts";
import { hashPassword, isOutdated, passwordCheck } from "../password/hashing.ts";
import { insertSession, newSession, signedIn } from "../sessions/service.ts";
import { type GivenFactor, isSecondFactor } from "../two-factor/service.ts";
import {
  clearFailures,
  isStillRight,
  notLocked,
  recordFailure,
  refuseIfLocked,
  selectLock,
  verdict,
} from "./lockout.ts";

const CHALLENGE_SECONDS = 300;
const CHALLENGE_ATTEMPTS = 5;
const BACKUP_CODE_ADVICE = "That code is spent. When few are left, make new ones in your security settings.";

/** Creates an account and signs it in. The first one, or the one `OWNER_EMAIL` names, is the owner's. */
export async function register(ctx: Context, input: { email: string; password: string; name: string }) {
  const { email, name } = input;
  const { REGISTRATION, OWNER_EMAIL } = ctx.config;
  const isOpen = REGISTRATION === "open" || email === OWNER_EMAIL;
  // Before the work of hashing; and the same for everybody, so that nobody learns who has an account.
  if (!isOpen && (await isFirstPlaceTaken(ctx))) throw registrationClosed();
  const passwordHash = await hashPassword(ctx, input.password);
  const userId = sql`(SELECT id FROM users WHERE email = ${email})`;
  const session = newSession(ctx);
  try {
    const [, [created]] = await runBatch(ctx.db, [
      // Inside the batch, so that of two first accounts only one is made.
      assertThat(
        ctx.db,
        "registration_open",
        isOpen ? sql`1` : sql`NOT EXISTS (SELECT 1 FROM users)`,
        registrationClosed,
      ),
      ctx.db
        .insert(users)
        .values({
          email,
          name,
          passwordHash,
          role: sql`CASE WHEN EXISTS (SELECT 1 FROM users) THEN 'member' ELSE 'owner' END`,
          createdAt: ctx.now,
        })
        .returning({ id: users.id }),
      audit(ctx, "account.registered", { userId }),
      insertSession(ctx, { ...session.row, userId }),
    ]);
    if (!created) throw new Error("the new account has no id");
    return await signedIn(ctx, session, { id: created.id, email, name });
  } catch (error) {
    if (brokeConstraint(error, "users.email"))
      throw new AppError("email_taken", "Sign in, or reset the password if you have forgotten it.");
    throw error;
  }
}

/** With an owner named, the first place is theirs, whether they have come or not. */
async function isFirstPlaceTaken(ctx: Context): Promise<boolean> {
  if (ctx.config.OWNER_EMAIL !== undefined) return true;
  const [someone] = await ctx.db.select({ id: users.id }).from(users).limit(1);
  return someone !== undefined;
}

function registrationClosed(): AppError {
  return new AppError("registration_closed", "The owner of this service has closed registration.");
}

type Tokens = Awaited<ReturnType<typeof signedIn>>;
type Challenge = { twoFactorRequired: true; challengeToken: string; expiresIn: number };
type LoginRow = Pick<typeof users.$inferSelect, keyof typeof loginColumns>;

/** Signs in, or asks for the second factor. */
export async function login(ctx: Context, input: { email: string; password: string }): Promise<Tokens | Challenge> {
  const { email, password } = input;
  const reading = selectAccount(ctx.db, { email });
  // Made while the database looks.
  const matches = passwordCheck(ctx, password);
  const session = newSession(ctx);
  const {
    found: [user],
    locks: [lock],
  } = await reading;
  refuseIfLocked(ctx, lock);
  if (!(await matches(user?.passwordHash)) || !user) {
    throw await refuseLogin(ctx, email, user?.id);
  }
  try {
    return await (user.totpEnabledAt ? challenge(ctx, user) : enter(ctx, user, { password, session }));
  } catch (error) {
    if (!(error instanceof AssertionFailed)) throw error;
    // Locked, reset or hashed anew while the password was being checked: it is checked against what is there now.
    return login(ctx, input);
  }
}

const { id, email, name, passwordHash, totpEnabledAt } = getTableColumns(users);
const loginColumns = { id, email, name, passwordHash, totpEnabledAt };

const selectAccount = compiledBatch((ctx) => ({
  found: ctx.db
    .select(loginColumns)
    .from(users)
    .where(eq(users.email, sql.placeholder("email"))),
  locks: selectLock(ctx, sql.placeholder("email")),
}));

async function enter(
  ctx: Context,
  user: LoginRow,
  { password, session }: { password: string; session: ReturnType<typeof newSession> },
): Promise<Tokens> {
  const renewedHash = isOutdated(user.passwordHash) ? await hashPassword(ctx, password) : null;
  // The token is signed while the database writes; should that fail, nobody gets it.
  const [{ known }, tokens] = await Promise.all([
    writeEntry(
      ctx.db,
      {
        ...session.row,
        ...auditSource(ctx),
        userId: user.id,
        email: user.email,
        checkedHash: user.passwordHash,
        renewedHash,
        now: ctx.now.getTime(),
      },
      renewedHash === null ? "" : RENEWED,
    ),
    signedIn(ctx, session, user),
  ]);
  if (known.length === 0) tellOfNewClient(ctx, user);
  return tokens;
}

const given = sql.placeholder;
const RENEWED = "with a new hash";

/** Built once: beside the check of the password, building it would be most of what a login takes. */
const writeEntry = compiledBatch((ctx, shape) => {
  const userId = given("userId");
  const seen = { id: userId, email: given("email"), passwordHash: given("checkedHash"), totpEnabledAt: null };
  return {
    known: earlierLogin(ctx, userId, given("userAgent")),
    current: assertThat(ctx.db, "credentials_unchanged", isStillRight(seen, given("now"))),
    logged: insertAudit(ctx, {
      ...givenRow(auditLog, "id"),
      action: "login.succeeded",
      details: { method: "password" },
    }),
    begun: insertSession(ctx, givenRow(sessions)),
    cleared: clearFailures(ctx, given("email")),
    ...(shape === RENEWED && {
      renewed: ctx.db
        .update(users)
        .set({ passwordHash: sql`${given("renewedHash")}` })
        .where(eq(users.id, userId)),
    }),
  };
});

async function refuseLogin(ctx: Context, email: string, userId: number | undefined): Promise<AppError> {
  const wrong = new AppError("invalid_credentials");
  const [[failure]] = await ctx.db.batch([
    recordFailure(ctx, email),
    // Written for nobody too: both cases cost the same, and the operator sees who is guessing.
    audit(ctx, "login.failed", { userId: userId ?? null }),
  ]);
  return verdict(ctx, failure, wrong);
}

async function challenge(ctx: Context, user: LoginRow): Promise<Challenge> {
  const challengeToken = randomToken(32);
  await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", isStillRight(user, ctx.now)),
    audit(ctx, "login.challenged", { userId: user.id }),
    ctx.db.insert(loginChallenges).values({
      tokenHash: sha256Hex(challengeToken),
      userId: user.id,
      attempts: 0,
      expiresAt: new Date(ctx.now.getTime() + CHALLENGE_SECONDS * 1000),
    }),
  ]);
  return { twoFactorRequired: true, challengeToken, expiresIn: CHALLENGE_SECONDS };
}

/** The second step: takes one of the challenge's attempts, checks the factor, and spends the challenge. */
export async function completeLogin(ctx: Context, input: { challengeToken: string } & GivenFactor) {
  const thisChallenge = eq(loginChallenges.tokenHash, sha256Hex(input.challengeToken));
  const alive = and(thisChallenge, gt(loginChallenges.expiresAt, ctx.now));
  const expired = new AppError("challenge_expired", "Sign in with your password again.");
  const emailOfChallenge = sql`(SELECT email FROM users WHERE id = (SELECT user_id FROM login_challenges WHERE ${thisChallenge}))`;
  const [attempt, [row], [lock]] = await ctx.db.batch([
    ctx.db
      .update(loginChallenges)
      .set({ attempts: sql`${loginChallenges.attempts} + 1` })
      .where(and(alive, sql`${loginChallenges.attempts} < ${CHALLENGE_ATTEMPTS}`))
      .returning({ attempts: loginChallenges.attempts }),
    ctx.db.select().from(users).where(sql`${users.id} = (SELECT user_id FROM login_challenges WHERE ${thisChallenge})`),
    selectLock(ctx, emailOfChallenge),
  ]);
  if (attempt.length === 0 || !row) throw expired;
  refuseIfLocked(ctx, lock);
  if (!(await isSecondFactor(ctx, row, input))) {
    const [[failure]] = await ctx.db.batch([
      recordFailure(ctx, row.email),
      audit(ctx, "two_factor.failed", { userId: row.id }),
    ]);
    throw verdict(
      ctx,
      failure,
      new AppError("invalid_code", "Use the next code your app shows, or another backup code."),
    );
  }
  const session = newSession(ctx);
  const method = input.code === undefined ? "backup_code" : "totp";
  const refusal = async () => {
    const [current] = await selectLock(ctx, row.email);
    refuseIfLocked(ctx, current);
    return expired;
  };
  // Parallel guesses may have locked the account since the lock was read.
  const isOpen = sql`EXISTS (SELECT 1 FROM login_challenges WHERE ${alive}) AND ${notLocked(row.email, ctx.now)}`;
  const [known] = await runBatch(ctx.db, [
    earlierLogin(ctx, row.id, ctx.client.userAgent),
    assertThat(ctx.db, "challenge_is_open", isOpen, refusal),
    audit(ctx, "login.succeeded", { userId: row.id, details: { method } }),
    insertSession(ctx, { ...session.row, userId: row.id }),
    ctx.db.delete(loginChallenges).where(thisChallenge),
    clearFailures(ctx, row.email),
  ]);
  if (method === "backup_code") alertOf(ctx, row, "A backup code was used to sign in", BACKUP_CODE_ADVICE);
  else if (known.length === 0) tellOfNewClient(ctx, row);
  return signedIn(ctx, session, row);
}

/** The profile behind the session that asks; the session check has already read it. */
export function me(ctx: Context) {
  const { user, session } = signedInSession(ctx);
  const { timeZone: _, ...shown } = user;
  return {
    user: { ...shown, createdAt: user.createdAt.toISOString() },
    session: {
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    },
  };
}

/** Strangers' guesses are kept for as long as someone may want to look into them; a person's own log stays. */
const GUESSES_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Nightly: what has expired no longer works; this only frees its room. */
export async function purgeExpiredCredentials(ctx: Context): Promise<void> {
  await purgeExpired(ctx.db, ctx.now, [sessions, loginChallenges, loginFailures, mailTokens]);
  const isOld = lt(auditLog.at, new Date(ctx.now.getTime() - GUESSES_KEPT_MS));
  await purge(ctx.db, auditLog, sql`${auditLog.userId} IS NULL AND ${isOld}`);
}
