import { eq, sql } from "drizzle-orm";
import { type Context, signedInSession, signedInUser } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import type { Rider } from "../../db/riders.ts";
import { sessions } from "../../db/schema/auth.ts";
import { users } from "../../db/schema/users.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import {
  claimantOf,
  clearFailures,
  countWrongGuess,
  credentialsUnchanged,
  lockedOr,
  refuseIfLocked,
  selectFailures,
} from "./login/lockout.ts";
import { passwordMatches } from "./password/hashing.ts";
import { REAUTHENTICATION_MS } from "./sessions/lifetime.ts";
import { isReauthenticated, whileProved } from "./sessions/proofs.ts";
import { checkSecondFactor, spendSecondFactor } from "./two-factor/service.ts";

type UserRow = typeof users.$inferSelect;

interface Proof {
  currentPassword?: string;
  code?: string;
}

interface Confirmation {
  always: boolean;
  /** What the person is asked to confirm. */
  action?: string;
}

/**
 * Checks password and code of the signed-in person. Both can be left out while they were confirmed in this session
 * within the last 15 minutes, unless they are `always` required. What is given must be right in any case. Whoever acts on
 * it takes the rider along: a session that is ended during the request, or has to confirm again, writes nothing more.
 */
export async function reauthenticate(ctx: Context, proof: Proof, when: Confirmation): Promise<Rider> {
  const { user, session } = signedInSession(ctx);
  const isNeeded = when.always || !isReauthenticated(ctx);
  const rider = whileProved(ctx, session.id);
  if (isNeeded) requireWhole(proof, user.twoFactorEnabled, when);
  else if (proof.currentPassword === undefined && proof.code === undefined) return rider;
  const row = await readAccount(ctx);
  // Turned on since the session check.
  if (isNeeded) requireWhole(proof, row.totpEnabledAt !== null, when);
  await prove(ctx, row, proof);
  return rider;
}

/**
 * A part of a proof is checked, but does not extend the time in which none is needed. Nor does it clear the wrong
 * guesses: otherwise whoever knows the password could guess codes without end.
 */
async function prove(ctx: Context, row: UserRow, { currentPassword, code }: Proof): Promise<void> {
  const actor = signedInSession(ctx);
  const { session } = actor;
  const claimant = claimantOf(ctx);
  if (currentPassword !== undefined) await checkPassword(ctx, row, currentPassword);
  const wrong = () => wrongCredentials(ctx, row);
  // Without two-factor authentication no code is right.
  const factor = code !== undefined && row.totpEnabledAt ? await checkSecondFactor(ctx, row, { code }) : null;
  if (code !== undefined && !factor) throw await wrong();
  const isWhole = currentPassword !== undefined && (factor !== null || row.totpEnabledAt === null);
  const isSession = eq(sessions.id, session.id);
  const isCurrent = sql`${credentialsUnchanged(ctx, row, claimant)} AND EXISTS (SELECT 1 FROM sessions WHERE ${isSession})`;
  await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", isCurrent, () => credentialsChanged(ctx)),
    ...(factor ? spendSecondFactor(ctx, factor, wrong) : []),
    ...(isWhole
      ? [
          audit(ctx, "session.proved", { userId: row.id }),
          ctx.db.update(sessions).set({ provedAt: ctx.now }).where(isSession),
          clearFailures(ctx, claimant),
        ]
      : []),
  ]);
  if (isWhole) ctx.actor = { ...actor, session: { ...session, provedAt: ctx.now } };
}

/** The account of the session, if the password is right. A wrong one counts as a failed sign-in. */
export async function requirePassword(ctx: Context, password: string): Promise<UserRow> {
  const row = await readAccount(ctx);
  await checkPassword(ctx, row, password);
  return row;
}

async function readAccount(ctx: Context): Promise<UserRow> {
  const { id } = signedInUser(ctx);
  const { email, known } = claimantOf(ctx);
  const [[row], failures] = await ctx.db.batch([
    ctx.db.select().from(users).where(eq(users.id, id)),
    selectFailures(ctx, email, known),
  ]);
  refuseIfLocked(ctx, known, failures);
  if (!row) throw new AppError("session_revoked");
  return row;
}

async function checkPassword(ctx: Context, row: UserRow, password: string): Promise<void> {
  if (!(await passwordMatches(ctx, password, row))) throw await wrongCredentials(ctx, row);
}

/** Does not reveal whether the password or the code was wrong. */
function wrongCredentials(ctx: Context, { id, totpEnabledAt }: UserRow): Promise<AppError> {
  const detail = totpEnabledAt
    ? "The current password or the code is wrong, or the code was used before. Send the next code."
    : "The current password or the code is wrong.";
  const wrong = new AppError("reauthentication_required", detail);
  return countWrongGuess(ctx, { ...claimantOf(ctx), userId: id, action: "session.proof_failed" }, wrong);
}

/** The error for a batch that was undone because the password it relied on is no longer the current one. */
export function credentialsChanged(ctx: Context): Promise<AppError> {
  const detail = "Your password or two-factor settings changed during this request. Try again.";
  return lockedOr(ctx, claimantOf(ctx), new AppError("reauthentication_required", detail));
}

/** Says what is missing, what it is for, and for how long it counts. */
function requireWhole({ currentPassword, code }: Proof, withCode: boolean, { always, action }: Confirmation): void {
  if (currentPassword !== undefined && (!withCode || code !== undefined)) return;
  const needs = ["currentPassword", ...(withCode ? ["code"] : [])];
  const details = { needs, ...(action && { action }), ...(!always && { validMinutes: REAUTHENTICATION_MS / 60_000 }) };
  throw new AppError("reauthentication_required", `Send ${needs.join(" and ")} in the body.`, { details });
}
