import { and, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { type Context, forBookkeeping, signedInSession } from "../../../context.ts";
import { compiledQuery } from "../../../db/compiled-query.ts";
import { loginFailures } from "../../../db/schema/auth.ts";
import type { users } from "../../../db/schema/users.ts";
import { guessNetwork } from "../../../lib/client-network.ts";
import { AppError } from "../../../lib/errors.ts";
import { type AuditAction, audit } from "../../audit/service.ts";

/** Ten wrong guesses in 15 minutes from one network lock the account for that network for 15 minutes. */
const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60 * 1000;

/**
 * From this many wrong guesses on, from all networks together, unknown devices have to wait after every further one,
 * and one wrong guess locks its network. The wait doubles with every tenth guess, up to about two minutes. It is much
 * shorter than the lock of a network: otherwise one network could use every turn and keep the owner's new device out.
 */
const MAX_UNDELAYED = 100;
const GUESSES_PER_DOUBLING = 10;
const MAX_DOUBLINGS = 7;
/** The count of the account starts again after a day without a wrong guess. */
const ACCOUNT_MS = 24 * 60 * 60 * 1000;

/** The `network` of the row that counts the guesses from all networks. */
const ALL_NETWORKS = "";

/** Expired rows that each wrong guess deletes, so that the table does not grow between two nightly purges. */
const PURGED_PER_GUESS = 4;

/** The address that somebody tries to sign in with, and the device if it is known. */
export interface Claimant {
  /** Addresses without an account are counted and locked too, so that a lock does not reveal whether one exists. */
  email: string;
  /** A device or session of the account. It has a count of its own, so that nobody else's guesses keep it out. */
  known: string | null;
}

/**
 * A session counts its own wrong guesses: the guesses of others do not keep a signed-in person out, and a stolen
 * session does not get more of them by changing its network.
 */
export function claimantOf(ctx: Context): Claimant & { known: string } {
  const { user, session } = signedInSession(ctx);
  return { email: user.email, known: `session:${session.id}` };
}

type Failures = Pick<typeof loginFailures.$inferSelect, "network" | "lockedUntil">;

/** The rows that can refuse this claimant. */
function gatesOf(ctx: Context, known: string | null): string[] {
  return known === null ? [guessNetwork(ctx.client.ip), ALL_NETWORKS] : [known];
}

const selectGates = compiledQuery<Failures>();

/** `selectFailures` for a known address, compiled. */
export function selectFailuresOf(ctx: Context, email: string, known: string | null) {
  const gates = [...gatesOf(ctx, null), ...(known === null ? [] : [known])];
  const { network, lockedUntil } = loginFailures;
  const build = ({ db }: Pick<Context, "db">) =>
    db
      .select({ network, lockedUntil })
      .from(loginFailures)
      .where(
        and(
          eq(loginFailures.email, sql.placeholder("email")),
          inArray(
            network,
            gates.map((_, index) => sql.placeholder(`gate${index}`)),
          ),
        ),
      );
  const values = Object.fromEntries(gates.map((gate, index) => [`gate${index}`, gate]));
  return selectGates(ctx.db, String(gates.length), build, { email, ...values });
}

/** All rows that may matter. `known` may turn out not to belong to the account, so both kinds are read. */
export function selectFailures(ctx: Context, email: string | SQL, known: string | null) {
  const { network, lockedUntil } = loginFailures;
  const gates = [...gatesOf(ctx, null), ...(known === null ? [] : [known])];
  return ctx.db
    .select({ network, lockedUntil })
    .from(loginFailures)
    .where(and(eq(loginFailures.email, email), inArray(network, gates)));
}

function lockedUntil(ctx: Context, known: string | null, failures: readonly Failures[]): Date | null {
  const gates = gatesOf(ctx, known);
  let latest: Date | null = null;
  for (const { network, lockedUntil: until } of failures) {
    if (!until || until <= ctx.now || !gates.includes(network)) continue;
    if (!latest || until > latest) latest = until;
  }
  return latest;
}

export function refuseIfLocked(ctx: Context, known: string | null, failures: readonly Failures[]): void {
  const until = lockedUntil(ctx, known, failures);
  if (until) throw locked(ctx, until);
}

/** The error for a sign-in whose batch was undone: the claimant was locked out meanwhile, or `otherwise`. */
export async function lockedOr(ctx: Context, { email, known }: Claimant, otherwise: AppError): Promise<AppError> {
  refuseIfLocked(ctx, known, await selectFailures(ctx, email, known));
  return otherwise;
}

/** A condition for the batch that signs in: parallel guesses may have caused a lock since it was read. */
export function notLocked(ctx: Context, { email, known }: Claimant): SQL {
  const { network, lockedUntil: until } = loginFailures;
  const isGate = and(eq(loginFailures.email, email), inArray(network, gatesOf(ctx, known)), gt(until, ctx.now));
  return sql`NOT EXISTS (SELECT 1 FROM login_failures WHERE ${isGate})`;
}

/** The account as it was when its password was checked. */
type CheckedAccount = Pick<typeof users.$inferSelect, "id" | "passwordHash" | "totpEnabledAt">;

/** A condition for the batch that signs in: nothing that the checked password depended on has changed since. */
export function credentialsUnchanged(
  ctx: Context,
  { id, passwordHash, totpEnabledAt }: CheckedAccount,
  claimant: Claimant,
): SQL {
  return sql`${notLocked(ctx, claimant)} AND EXISTS (SELECT 1 FROM users
    WHERE id = ${id} AND password_hash = ${passwordHash} AND totp_enabled_at IS ${totpEnabledAt?.getTime() ?? null})`;
}

interface WrongGuess extends Claimant {
  /** Null for an address without an account: the entry is written all the same, so that both take equally long. */
  userId: number | null;
  action: AuditAction;
}

/**
 * Counts a wrong guess and returns the error for it. The database counts parallel guesses one after another, and each
 * reads what those before it have left: however many run at once, only the first ten of a network learn that they were
 * wrong, only one while unknown devices have to wait, and the others only that the account is locked.
 */
export async function countWrongGuess(given: Context, guess: WrongGuess, wrong: AppError): Promise<AppError> {
  const ctx = forBookkeeping(given);
  const { email, known, userId, action } = guess;
  const network = guessNetwork(ctx.client.ip);
  const [before] = await ctx.db.batch([
    selectFailures(ctx, email, known),
    recordFailure(ctx, email, network, known === null ? isDelayed(ctx, email) : sql`0`),
    ...(known === null ? [] : [recordFailure(ctx, email, known, sql`0`)]),
    recordForAccount(ctx, email),
    purgeSome(ctx),
    audit(ctx, action, { userId }),
  ]);
  const until = lockedUntil(ctx, known, before);
  return until ? locked(ctx, until) : wrong;
}

/** Whether unknown devices have to wait between guesses. */
function isDelayed(ctx: Context, email: string): SQL {
  return sql`EXISTS (SELECT 1 FROM login_failures AS account WHERE account.email = ${email}
    AND account.network = ${ALL_NETWORKS} AND account.count >= ${MAX_UNDELAYED} AND account.expires_at > ${ctx.now.getTime()})`;
}

/** `locksAtOnce`: this one guess is enough for a lock. */
function recordFailure(ctx: Context, email: string, network: string, locksAtOnce: SQL) {
  const now = ctx.now.getTime();
  const until = now + WINDOW_MS;
  const { count, since, lockedUntil: locked } = loginFailures;
  const isNewWindow = sql`(${since} <= ${now - WINDOW_MS} AND coalesce(${locked}, 0) <= ${now})`;
  const newCount = sql`(CASE WHEN ${isNewWindow} THEN 1 ELSE ${count} + 1 END)`;
  return ctx.db
    .insert(loginFailures)
    .values({
      email,
      network,
      count: 1,
      since: ctx.now,
      lockedUntil: sql`CASE WHEN ${locksAtOnce} THEN ${until} END`,
      expiresAt: new Date(until),
    })
    .onConflictDoUpdate({
      target: [loginFailures.email, loginFailures.network],
      set: {
        count: newCount,
        since: sql`CASE WHEN ${isNewWindow} THEN ${now} ELSE ${since} END`,
        lockedUntil: sql`CASE
          WHEN ${locked} > ${now} THEN ${locked}
          WHEN ${newCount} >= ${MAX_FAILURES} OR ${locksAtOnce} THEN ${until} END`,
        expiresAt: new Date(until),
      },
    });
}

function recordForAccount(ctx: Context, email: string) {
  const now = ctx.now.getTime();
  const { count, lockedUntil: locked, expiresAt } = loginFailures;
  const newCount = sql`(CASE WHEN ${expiresAt} <= ${now} THEN 1 ELSE ${count} + 1 END)`;
  const doublings = sql`min(${MAX_DOUBLINGS}, (${newCount} - ${MAX_UNDELAYED}) / ${GUESSES_PER_DOUBLING})`;
  return ctx.db
    .insert(loginFailures)
    .values({
      email,
      network: ALL_NETWORKS,
      count: 1,
      since: ctx.now,
      lockedUntil: null,
      expiresAt: new Date(now + ACCOUNT_MS),
    })
    .onConflictDoUpdate({
      target: [loginFailures.email, loginFailures.network],
      set: {
        count: newCount,
        lockedUntil: sql`CASE
          WHEN ${locked} > ${now} THEN ${locked}
          WHEN ${newCount} >= ${MAX_UNDELAYED} THEN ${now} + 1000 * (1 << ${doublings}) END`,
        expiresAt: new Date(now + ACCOUNT_MS),
      },
    });
}

function purgeSome(ctx: Context) {
  const { expiresAt } = loginFailures;
  const expired = ctx.db
    .select({ rowid: sql`rowid` })
    .from(loginFailures)
    .where(lt(expiresAt, ctx.now))
    .orderBy(expiresAt)
    .limit(PURGED_PER_GUESS);
  return ctx.db.delete(loginFailures).where(sql`rowid IN ${expired}`);
}

/** After a success. The account-wide count stays: an attacker must not get another hundred guesses with every sign-in. */
export function clearFailures(ctx: Context, { email, known }: Claimant) {
  const cleared = [guessNetwork(ctx.client.ip), ...(known === null ? [] : [known])];
  const where = and(eq(loginFailures.email, email), inArray(loginFailures.network, cleared));
  return ctx.db.delete(loginFailures).where(where).returning({ network: loginFailures.network });
}

/** After a password reset, or with the account. */
export function clearAllFailures(ctx: Context, email: string) {
  return ctx.db.delete(loginFailures).where(eq(loginFailures.email, email));
}

function locked(ctx: Context, until: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - ctx.now.getTime()) / 1000));
  const wait = retryAfter <= 120 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`;
  return new AppError("account_locked", `Too many failed attempts. Try again in ${wait}.`, { retryAfter });
}
