import { and, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../../db/assert.ts";
import { compiledSelect } from "../../../db/compiled-query.ts";
import { loginChallenges } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken, sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { selectLoginFrom } from "../../audit/history.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { hashPassword, isOutdated, passwordCheck } from "../password/hashing.ts";
import { insertSession, type NewSession, newSession, signedIn } from "../sessions/service.ts";
import { checkSecondFactor, type GivenFactor, spendSecondFactor } from "../two-factor/service.ts";
import { countedAs, type Device, deviceOf, deviceToken, readDeviceToken } from "./device-tokens.ts";
import {
  type Claimant,
  clearFailures,
  countWrongGuess,
  credentialsUnchanged,
  lockedOr,
  notLocked,
  refuseIfLocked,
  selectFailures,
  selectFailuresOf,
} from "./lockout.ts";

/** How long, and how often, a second factor can be tried after the password. */
const CHALLENGE_SECONDS = 300;
const CHALLENGE_ATTEMPTS = 5;

type Tokens = Awaited<ReturnType<typeof signedIn>> & { deviceToken: string };
type Challenge = { twoFactorRequired: true; challengeToken: string; expiresIn: number };
type LoginRow = Pick<typeof users.$inferSelect, keyof typeof loginColumns>;

interface Credentials {
  email: string;
  password: string;
  deviceToken?: string;
}

/** Who signs in: the account with the password that was checked, and the device if it is known. */
interface Applicant {
  user: LoginRow;
  device: Device | null;
  claimant: Claimant;
  /** Replaces an outdated hash of the password. */
  renewal: BatchItem<"sqlite">[];
}

export async function login(ctx: Context, input: Credentials, session = newSession(ctx)): Promise<Tokens | Challenge> {
  const { email, password } = input;
  const given = readDeviceToken(ctx, input.deviceToken);
  // Read while the password is prepared.
  const reading = ctx.db.batch([selectAccount(ctx.db, { email }), selectFailuresOf(ctx, email, countedAs(given))]);
  const matches = passwordCheck(ctx, password);
  const [[user], failures] = await reading;
  const device = deviceOf(user, given);
  const claimant = { email, known: countedAs(device) };
  refuseIfLocked(ctx, claimant.known, failures);
  if (!(await matches(user)) || !user) {
    const guess = { ...claimant, userId: user?.id ?? null, action: "login.failed" as const };
    throw await countWrongGuess(ctx, guess, new AppError("invalid_credentials"));
  }
  const renewed = isOutdated(ctx, user) ? await hashPassword(ctx, password) : null;
  const renewal = renewed ? [ctx.db.update(users).set(renewed).where(eq(users.id, user.id))] : [];
  try {
    const applicant = { user, device, claimant, renewal };
    return await (user.totpEnabledAt ? challenge(ctx, applicant) : signIn(ctx, applicant, session));
  } catch (error) {
    if (!(error instanceof AssertionFailed)) throw error;
    // The account was locked or its password changed during the check, so the password is checked again.
    return login(ctx, input, session);
  }
}

const { id, email, name, passwordHash, pepperId, passwordChangedAt, totpEnabledAt, timeZone } = getTableColumns(users);
const loginColumns = { id, email, name, passwordHash, pepperId, passwordChangedAt, totpEnabledAt, timeZone };
const selectAccount = compiledSelect(({ db }) =>
  db
    .select(loginColumns)
    .from(users)
    .where(eq(users.email, sql.placeholder("email"))),
);

async function signIn(
  ctx: Context,
  { user, device, claimant, renewal }: Applicant,
  session: NewSession,
): Promise<Tokens> {
  // The token is signed while the database writes. If the write fails, the token is not sent.
  const [[earlier], tokens] = await Promise.all([
    runBatch(ctx.db, [
      selectLoginFrom(ctx, user.id, ctx.client.userAgent),
      assertThat(ctx.db, "credentials_unchanged", credentialsUnchanged(ctx, user, claimant)),
      audit(ctx, "login.succeeded", { userId: user.id, details: { method: "password" } }),
      insertSession(ctx, { ...session.row, userId: user.id }),
      clearFailures(ctx, claimant),
      ...renewal,
    ]),
    signedIn(ctx, session, user),
  ]);
  if (earlier.length === 0) alertNewClient(ctx, user);
  return { ...tokens, deviceToken: deviceToken(ctx, user.id, device) };
}

function alertNewClient(ctx: Context, user: LoginRow): void {
  const explanation = "It came from a browser or app that you have not used before.";
  sendSecurityAlert(ctx, user, "New sign-in to your account", explanation);
}

async function challenge(ctx: Context, { user, claimant, renewal }: Applicant): Promise<Challenge> {
  const challengeToken = randomToken(32);
  await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", credentialsUnchanged(ctx, user, claimant)),
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

interface SecondStep extends GivenFactor {
  challengeToken: string;
  deviceToken?: string;
}

/** The second step of a sign-in: counts an attempt, checks the second factor, and uses it and the challenge up. */
export async function completeLogin(ctx: Context, input: SecondStep, session = newSession(ctx)): Promise<Tokens> {
  const thisChallenge = eq(loginChallenges.tokenHash, sha256Hex(input.challengeToken));
  const alive = and(thisChallenge, gt(loginChallenges.expiresAt, ctx.now));
  const detail = "The challenge has expired or was used up. Sign in with your password again.";
  const expired = new AppError("challenge_expired", detail);
  const userId = sql`(SELECT user_id FROM login_challenges WHERE ${thisChallenge})`;
  const given = readDeviceToken(ctx, input.deviceToken);
  const [attempt, [row], failures] = await ctx.db.batch([
    ctx.db
      .update(loginChallenges)
      .set({ attempts: sql`${loginChallenges.attempts} + 1` })
      .where(and(alive, sql`${loginChallenges.attempts} < ${CHALLENGE_ATTEMPTS}`))
      .returning({ attempts: loginChallenges.attempts }),
    ctx.db.select().from(users).where(eq(users.id, userId)),
    selectFailures(ctx, sql`(SELECT email FROM users WHERE id = ${userId})`, countedAs(given)),
  ]);
  if (attempt.length === 0 || !row) throw expired;
  const device = deviceOf(row, given);
  const claimant = { email: row.email, known: countedAs(device) };
  refuseIfLocked(ctx, claimant.known, failures);
  const wrongCode = () => {
    const wrong = new AppError("invalid_code", "The code is wrong or was used before. Use the next one.");
    return countWrongGuess(ctx, { ...claimant, userId: row.id, action: "two_factor.failed" }, wrong);
  };
  const factor = await checkSecondFactor(ctx, row, input);
  if (!factor) throw await wrongCode();
  const isOpen = sql`EXISTS (SELECT 1 FROM login_challenges WHERE ${alive}) AND ${notLocked(ctx, claimant)}`;
  const [earlier] = await runBatch(ctx.db, [
    selectLoginFrom(ctx, row.id, ctx.client.userAgent),
    assertThat(ctx.db, "challenge_is_open", isOpen, () => lockedOr(ctx, claimant, expired)),
    ...spendSecondFactor(ctx, factor, wrongCode),
    audit(ctx, "login.succeeded", { userId: row.id, details: { method: factor.method } }),
    insertSession(ctx, { ...session.row, userId: row.id }),
    ctx.db.delete(loginChallenges).where(thisChallenge),
    clearFailures(ctx, claimant),
  ]);
  if (factor.method === "backup_code") {
    const explanation = "The code cannot be used again. You can create new backup codes in your security settings.";
    sendSecurityAlert(ctx, row, "A backup code was used to sign in", explanation);
  } else if (earlier.length === 0) alertNewClient(ctx, row);
  return { ...(await signedIn(ctx, session, row)), deviceToken: deviceToken(ctx, row.id, device) };
}
