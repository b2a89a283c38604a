import { and, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { generateSecret, generateURI, ScureBase32Plugin, verify } from "otplib";
import { renderSVG } from "uqr";
import { type Context, signedInSession, signedInUser } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { backupCodes } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { deleteUnusedCodesOf } from "../../connections/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { claimantOf, countWrongGuess, lockedOr, notLocked, refuseIfLocked, selectFailures } from "../login/lockout.ts";
import { forgetProofs } from "../sessions/proofs.ts";
import { openTotpSecret, sealTotpSecret } from "./totp-secret.ts";

const ISSUER = "Personal Operations Assistant";
const STEP_SECONDS = 30;
/** Blank modules around the QR code, as its standard requires: with fewer, some apps do not find it on a dark page. */
const QUIET_ZONE = 4;
const BACKUP_CODES = 10;
const BACKUP_CODE_BYTES = 15;

/** Exactly one of the two is given. */
export interface GivenFactor {
  code?: string;
  backupCode?: string;
}

type Factors = Pick<typeof users.$inferSelect, "id" | "totpSecret" | "totpEnabledAt" | "totpLastStep">;

export async function setUpTwoFactor(ctx: Context): Promise<{ secret: string; otpauthUri: string; qr: string }> {
  const user = signedInUser(ctx);
  const secret = generateSecret({ length: 20 });
  const sealed = await sealTotpSecret(ctx, user.id, secret);
  await runBatch(ctx.db, [
    assertOff(ctx, user.id),
    audit(ctx, "two_factor.setup_started", { userId: user.id }),
    ctx.db.update(users).set({ totpSecret: sealed }).where(eq(users.id, user.id)),
  ]);
  const otpauthUri = generateURI({ issuer: ISSUER, label: user.email, secret });
  return { secret, otpauthUri, qr: renderSVG(otpauthUri, { border: QUIET_ZONE }) };
}

/** A wrong code counts as in a sign-in: whoever has a session must not find one, and with it backup codes, by trying. */
export async function enableTwoFactor(ctx: Context, code: string): Promise<{ backupCodes: string[] }> {
  const { user, session } = signedInSession(ctx);
  const claimant = claimantOf(ctx);
  const [[row], failures] = await ctx.db.batch([
    ctx.db.select().from(users).where(eq(users.id, user.id)),
    selectFailures(ctx, claimant.email, claimant.known),
  ]);
  if (!row?.totpSecret)
    throw new AppError("two_factor_not_enabled", "Start with POST /api/settings/security/2fa/setup.");
  if (row.totpEnabledAt) throw new AppError("two_factor_already_enabled");
  refuseIfLocked(ctx, claimant.known, failures);
  const wrong = new AppError("wrong_code", "The code is wrong. Send the code that the app shows now.");
  const step = await matchingStep(ctx, row, code);
  if (step === null)
    throw await countWrongGuess(ctx, { ...claimant, userId: user.id, action: "session.proof_failed" }, wrong);
  const created = newBackupCodes(ctx, user.id);
  await runBatch(ctx.db, [
    assertThat(ctx.db, "not_locked", notLocked(ctx, claimant), () => lockedOr(ctx, claimant, wrong)),
    assertOff(ctx, user.id, eq(users.totpSecret, row.totpSecret)),
    audit(ctx, "two_factor.enabled", { userId: user.id }),
    ctx.db.update(users).set({ totpEnabledAt: ctx.now, totpLastStep: step }).where(eq(users.id, user.id)),
    // Confirmations and permissions that were given without a code.
    forgetProofs(ctx, user.id, session.id),
    deleteUnusedCodesOf(ctx, user.id),
    ...created.statements,
  ]);
  sendSecurityAlert(ctx, user, "Two-factor authentication is on", "Signing in now needs a code from your app.");
  return { backupCodes: created.codes };
}

export async function disableTwoFactor(ctx: Context): Promise<void> {
  const user = signedInUser(ctx);
  await runBatch(ctx.db, [
    assertOn(ctx, user.id),
    audit(ctx, "two_factor.disabled", { userId: user.id }),
    ctx.db.update(users).set({ totpSecret: null, totpEnabledAt: null, totpLastStep: 0 }).where(eq(users.id, user.id)),
    ctx.db.delete(backupCodes).where(eq(backupCodes.userId, user.id)),
  ]);
  sendSecurityAlert(ctx, user, "Two-factor authentication is off", "Signing in now needs only your password.");
}

export async function replaceBackupCodes(ctx: Context): Promise<{ backupCodes: string[] }> {
  const user = signedInUser(ctx);
  const created = newBackupCodes(ctx, user.id);
  await runBatch(ctx.db, [
    assertOn(ctx, user.id),
    audit(ctx, "two_factor.backup_codes_replaced", { userId: user.id }),
    ...created.statements,
  ]);
  return { backupCodes: created.codes };
}

export async function twoFactorState(ctx: Context) {
  const user = signedInUser(ctx);
  const [row] = await ctx.db
    .select({ enabledAt: users.totpEnabledAt, secret: users.totpSecret, left: backupCodesLeft(user.id) })
    .from(users)
    .where(eq(users.id, user.id));
  return {
    enabled: row?.enabledAt != null,
    enabledAt: row?.enabledAt?.toISOString() ?? null,
    setupStarted: row?.enabledAt === null && row.secret !== null,
    backupCodesLeft: row?.left ?? 0,
  };
}

export function backupCodesLeft(userId: number) {
  return sql<number>`(SELECT count(*) FROM backup_codes WHERE user_id = ${userId} AND used_at IS NULL)`;
}

/** A second factor that is right unless it has been used: that is checked where it is spent. */
type CheckedFactor = { userId: number; enabledAt: Date | null } & (
  | { method: "totp"; step: number }
  | { method: "backup_code"; codeHash: string }
);

/** Changes nothing. Returns null if the code is wrong or its time step was used before. */
export async function checkSecondFactor(
  ctx: Context,
  user: Factors,
  { code, backupCode }: GivenFactor,
): Promise<CheckedFactor | null> {
  const whose = { userId: user.id, enabledAt: user.totpEnabledAt };
  if (code === undefined) {
    return { ...whose, method: "backup_code", codeHash: backupCodeHash(user.id, backupCode ?? "") };
  }
  const step = await matchingStep(ctx, user, code);
  return step === null || step <= user.totpLastStep ? null : { ...whose, method: "totp", step };
}

/**
 * Statements that use the factor up, for the batch that acts on it: a time step or a backup code works once, and a
 * batch that fails leaves it unused. `refusal` is for a code that does not exist or was used meanwhile.
 */
export function spendSecondFactor(ctx: Context, factor: CheckedFactor, refusal: () => Promise<AppError>) {
  const { userId, enabledAt } = factor;
  const isOn = and(eq(users.id, userId), sql`${users.totpEnabledAt} IS ${enabledAt?.getTime() ?? null}`);
  if (factor.method === "totp") {
    const isUnused = and(isOn, lt(users.totpLastStep, factor.step));
    return [
      assertExists(ctx.db, users, isUnused, refusal),
      ctx.db.update(users).set({ totpLastStep: factor.step }).where(isUnused),
    ] as const;
  }
  const isUnused = and(
    eq(backupCodes.codeHash, factor.codeHash),
    eq(backupCodes.userId, userId),
    isNull(backupCodes.usedAt),
  );
  return [
    assertExists(ctx.db, backupCodes, isUnused, refusal),
    ctx.db.update(backupCodes).set({ usedAt: ctx.now }).where(isUnused),
  ] as const;
}

async function matchingStep(ctx: Context, user: Factors, code: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const secret = await openTotpSecret(ctx, user);
  if (secret === null) return null;
  const epoch = Math.floor(ctx.now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS, period: STEP_SECONDS });
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : null;
}

function newBackupCodes(ctx: Context, userId: number) {
  const base32 = new ScureBase32Plugin();
  const codes = Array.from({ length: BACKUP_CODES }, () => {
    const text = base32.encode(crypto.getRandomValues(new Uint8Array(BACKUP_CODE_BYTES)));
    return (text.match(/.{4}/g) ?? []).join("-");
  });
  const rows = codes.map((code) => ({ userId, codeHash: backupCodeHash(userId, code) }));
  return {
    codes,
    statements: [
      ctx.db.delete(backupCodes).where(eq(backupCodes.userId, userId)),
      ctx.db.insert(backupCodes).values(rows),
    ],
  };
}

/** Codes match in upper or lower case, with or without dashes. */
function backupCodeHash(userId: number, code: string): string {
  return sha256Hex(`${userId}:${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
}

function assertOff(ctx: Context, userId: number, further?: SQL) {
  const isOff = and(eq(users.id, userId), isNull(users.totpEnabledAt), further);
  return assertExists(ctx.db, users, isOff, () => new AppError("two_factor_already_enabled"));
}

function assertOn(ctx: Context, userId: number) {
  const isOn = and(eq(users.id, userId), isNotNull(users.totpEnabledAt));
  return assertExists(ctx.db, users, isOn, () => new AppError("two_factor_not_enabled"));
}
