import { and, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { generateSecret, generateURI, ScureBase32Plugin, verify } from "otplib";
import { renderSVG } from "uqr";
import type { Context } from "../../../context.ts";
import { signedInUser } from "../../../context.ts";
import { assertExists, runBatch } from "../../../db/assert.ts";
import { backupCodes } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { seal, unseal } from "../../../lib/encryption.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { alertOf } from "../../notifications/security-alerts.ts";

const ISSUER = "Personal Operations Assistant";
const STEP_SECONDS = 30;
/** Blank modules around the code, as its standard has it: with fewer, some apps do not find it on a dark page. */
const QUIET_ZONE = 4;
const BACKUP_CODES = 10;
const BACKUP_CODE_BYTES = 15;

/** One of the two is given. */
export interface GivenFactor {
  code?: string;
  backupCode?: string;
}

type Factors = Pick<typeof users.$inferSelect, "id" | "totpSecret">;

/** Starts over with a new secret; nothing is asked at sign-in until a code of it has been confirmed. */
export async function setUpTwoFactor(ctx: Context): Promise<{ secret: string; otpauthUri: string; qr: string }> {
  const user = signedInUser(ctx);
  const secret = generateSecret({ length: 20 });
  const sealed = await seal(ctx.config.secret("ENCRYPTION_KEY"), purpose(user.id), secret);
  await runBatch(ctx.db, [
    assertOff(ctx, user.id),
    audit(ctx, "two_factor.setup_started", { userId: user.id }),
    ctx.db.update(users).set({ totpSecret: sealed }).where(eq(users.id, user.id)),
  ]);
  const otpauthUri = generateURI({ issuer: ISSUER, label: user.email, secret });
  return { secret, otpauthUri, qr: renderSVG(otpauthUri, { border: QUIET_ZONE }) };
}

/** Turns it on once a code proves that the app has the secret, and gives the backup codes, this once. */
export async function enableTwoFactor(ctx: Context, code: string): Promise<{ backupCodes: string[] }> {
  const user = signedInUser(ctx);
  const [row] = await ctx.db.select().from(users).where(eq(users.id, user.id));
  if (!row?.totpSecret) throw new AppError("two_factor_not_enabled", "Start the set-up first.");
  if (row.totpEnabledAt) throw new AppError("two_factor_already_enabled");
  const step = await matchingStep(ctx, row, code);
  if (step === null) throw new AppError("invalid_code");
  const codes = newBackupCodes(ctx, user.id);
  await runBatch(ctx.db, [
    assertOff(ctx, user.id, eq(users.totpSecret, row.totpSecret)),
    audit(ctx, "two_factor.enabled", { userId: user.id }),
    ctx.db.update(users).set({ totpEnabledAt: ctx.now, totpLastStep: step }).where(eq(users.id, user.id)),
    ...codes.statements,
  ]);
  alertOf(ctx, user, "Two-factor authentication is on", "From now on signing in takes a code of your app.");
  return { backupCodes: codes.shown };
}

export async function disableTwoFactor(ctx: Context): Promise<void> {
  const user = signedInUser(ctx);
  await runBatch(ctx.db, [
    assertOn(ctx, user.id),
    audit(ctx, "two_factor.disabled", { userId: user.id }),
    ...dropTwoFactor(ctx, user.id, sql`1`),
  ]);
  alertOf(ctx, user, "Two-factor authentication is off", "From now on signing in takes only your password.");
}

/** The statements that take the second factor and its backup codes away, to go into a batch. */
export function dropTwoFactor(ctx: Context, userId: number, condition: SQL) {
  return [
    ctx.db
      .update(users)
      .set({ totpSecret: null, totpEnabledAt: null, totpLastStep: 0 })
      .where(and(eq(users.id, userId), condition)),
    ctx.db.delete(backupCodes).where(and(eq(backupCodes.userId, userId), condition)),
  ] as const;
}

export async function replaceBackupCodes(ctx: Context): Promise<{ backupCodes: string[] }> {
  const user = signedInUser(ctx);
  const codes = newBackupCodes(ctx, user.id);
  await runBatch(ctx.db, [
    assertOn(ctx, user.id),
    audit(ctx, "two_factor.backup_codes_replaced", { userId: user.id }),
    ...codes.statements,
  ]);
  return { backupCodes: codes.shown };
}

/** Whether it is on, and how many backup codes are left. */
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

/** Checks a factor and spends it in the same stroke: neither a time step nor a backup code works twice. */
export async function isSecondFactor(ctx: Context, user: Factors, { code, backupCode }: GivenFactor): Promise<boolean> {
  if (code !== undefined) {
    const step = await matchingStep(ctx, user, code);
    if (step === null) return false;
    const spent = await ctx.db
      .update(users)
      .set({ totpLastStep: step })
      .where(and(eq(users.id, user.id), lt(users.totpLastStep, step)))
      .returning({ id: users.id });
    return spent.length === 1;
  }
  const spent = await ctx.db
    .update(backupCodes)
    .set({ usedAt: ctx.now })
    .where(
      and(
        eq(backupCodes.codeHash, backupCodeHash(user.id, backupCode ?? "")),
        eq(backupCodes.userId, user.id),
        isNull(backupCodes.usedAt),
      ),
    )
    .returning({ userId: backupCodes.userId });
  return spent.length === 1;
}

async function matchingStep(ctx: Context, user: Factors, code: string): Promise<number | null> {
  if (!user.totpSecret || !/^\d{6}$/.test(code)) return null;
  const secret = await unseal(ctx.config.secret("ENCRYPTION_KEY"), purpose(user.id), user.totpSecret);
  if (secret === null)
    throw new AppError("misconfigured", "ENCRYPTION_KEY is not the one the secrets were sealed with.");
  const epoch = Math.floor(ctx.now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS, period: STEP_SECONDS });
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : null;
}

function newBackupCodes(ctx: Context, userId: number) {
  const base32 = new ScureBase32Plugin();
  const shown = Array.from({ length: BACKUP_CODES }, () => {
    const text = base32.encode(crypto.getRandomValues(new Uint8Array(BACKUP_CODE_BYTES)));
    return (text.match(/.{4}/g) ?? []).join("-");
  });
  const rows = shown.map((code) => ({ userId, codeHash: backupCodeHash(userId, code) }));
  return {
    shown,
    statements: [
      ctx.db.delete(backupCodes).where(eq(backupCodes.userId, userId)),
      ctx.db.insert(backupCodes).values(rows),
    ],
  };
}

/** As people type them, in capitals or not, with or without the dashes. */
function backupCodeHash(userId: number, code: string): string {
  return sha256Hex(`${userId}:${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
}

function purpose(userId: number): string {
  return `totp:${userId}`;
}

function assertOff(ctx: Context, userId: number, further?: SQL) {
  const isOff = and(eq(users.id, userId), isNull(users.totpEnabledAt), further);
  return assertExists(ctx.db, users, isOff, () => new AppError("two_factor_already_enabled"));
}

function assertOn(ctx: Context, userId: number) {
  const isOn = and(eq(users.id, userId), isNotNull(users.totpEnabledAt));
  return assertExists(ctx.db, users, isOn, () => new AppError("two_factor_not_enabled"));
}
