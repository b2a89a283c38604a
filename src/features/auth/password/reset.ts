import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { apiKeys } from "../../../db/schema/api-keys.ts";
import { loginChallenges, sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { requireMailer } from "../../../providers/mail.ts";
import { audit } from "../../audit/service.ts";
import { alertById } from "../../notifications/security-alerts.ts";
import { assertUnspent, findMailToken, RESET_MINUTES, revokeMailTokens, sendMailToken } from "../email-tokens.ts";
import { clearFailures } from "../login/lockout.ts";
import { dropTwoFactor } from "../two-factor/service.ts";
import { hashPassword } from "./hashing.ts";

/** Answers the same, and as fast, whoever asks: everything that depends on the account happens afterwards. */
export function requestPasswordReset(ctx: Context, email: string): void {
  requireMailer(ctx.config);
  ctx.defer(sendResetMail(ctx, email));
}

async function sendResetMail(ctx: Context, email: string): Promise<void> {
  const [user] = await ctx.db.select({ id: users.id, name: users.name }).from(users).where(eq(users.email, email));
  if (!user) return;
  try {
    await sendMailToken(ctx, {
      userId: user.id,
      purpose: "reset_password",
      to: { name: user.name, email },
      minutes: RESET_MINUTES,
      action: "password.reset_requested",
      subject: "Reset your password",
      text: (token) => resetText(ctx, user.name, token),
    });
  } catch (error) {
    // What was sent before still works, and nobody but the reader of that mailbox may know of it.
    if (!(error instanceof AppError && error.code === "rate_limited")) throw error;
  }
}

function resetText(ctx: Context, name: string, token: string): string {
  return `Hello ${name},

someone asked to reset the password of your account at ${ctx.baseUrl}.

Your reset token: ${token}

It works once, for ${RESET_MINUTES} minutes. Send it with a new password:

  POST ${ctx.baseUrl}/api/auth/password/reset
  {"token": "${token}", "password": "<your new password>"}

Setting a new password signs you out everywhere. If you did not ask for this, you need do nothing.
`;
}

/** Statements that take from an account what somebody else may have put there, where `isUnproved` holds. */
type TakeBack = (userId: number, isUnproved: SQL) => readonly BatchItem<"sqlite">[];

/**
 * Sets the password, ends every session and every sign-in that is half done, and lifts a lock: whoever reads
 * the mail is the owner of the account. Where nobody had proved the address before, somebody else may have
 * registered it, so the API keys and the second factor made until then end too, and what `takeBack` adds.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; password: string },
  takeBack: TakeBack,
): Promise<void> {
  const invalid = new AppError("invalid_token", "The token is wrong, expired or was used before. Ask for a new one.");
  const found = await findMailToken(ctx, "reset_password", input.token);
  if (!found) throw invalid;
  const { userId, email } = found;
  const passwordHash = await hashPassword(ctx, input.password);
  const isUnproved = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified_at IS NULL)`;
  await runBatch(ctx.db, [
    assertUnspent(ctx, "reset_password", input.token, () => invalid),
    audit(ctx, "password.reset", { userId }),
    revokeMailTokens(ctx, userId, "reset_password"),
    ctx.db.delete(apiKeys).where(and(eq(apiKeys.userId, userId), isUnproved)),
    ...dropTwoFactor(ctx, userId, isUnproved),
    ...takeBack(userId, isUnproved),
    ctx.db
      .update(users)
      .set({ passwordHash, emailVerifiedAt: ctx.now, passwordChangedAt: ctx.now })
      .where(eq(users.id, userId)),
    ctx.db.delete(sessions).where(eq(sessions.userId, userId)),
    ctx.db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
    clearFailures(ctx, email),
  ]);
  alertById(ctx, userId, "Your password was reset", "Every session has been ended.");
}
