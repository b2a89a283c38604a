import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { loginChallenges, sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { requireMailer } from "../../../providers/mail.ts";
import { deleteApiKeysOf } from "../../api-keys/service.ts";
import { audit } from "../../audit/service.ts";
import { deleteConnectionsOf } from "../../connections/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { deleteEndpointsOf } from "../../webhooks/endpoints.ts";
import { assertUnused, deleteEmailTokens, findEmailToken, RESET_MINUTES, sendEmailToken } from "../email-tokens.ts";
import { clearAllFailures } from "../login/lockout.ts";
import { removeTwoFactor } from "../two-factor/service.ts";
import { hashPassword } from "./hashing.ts";
import { resetEmail } from "./reset-email.ts";
import { refuseWeakPassword } from "./weak-passwords.ts";

/** Reads nothing before it responds, so that neither the response nor its timing reveals whether an account exists. */
export function requestPasswordReset(ctx: Context, email: string): void {
  requireMailer(ctx.config);
  ctx.defer(sendResetEmail(ctx, email));
}

async function sendResetEmail(ctx: Context, email: string): Promise<void> {
  const [user] = await ctx.db.select({ id: users.id, name: users.name }).from(users).where(eq(users.email, email));
  if (!user) return;
  try {
    await sendEmailToken(ctx, {
      userId: user.id,
      purpose: "reset_password",
      to: { name: user.name, email },
      minutes: RESET_MINUTES,
      action: "password.reset_requested",
      write: resetEmail(ctx, user.name),
    });
  } catch (error) {
    // The response has been sent; the tokens of the earlier emails still work.
    if (!(error instanceof AppError && error.code === "rate_limited")) throw error;
  }
}

/**
 * Sets the password, ends every session and pending sign-in, and removes a lock: whoever reads the emails of the
 * address owns the account. If the address was never verified, someone else may have registered it. API keys,
 * webhooks and the second factor created until then are deleted too.
 */
export async function resetPassword(ctx: Context, input: { token: string; password: string }): Promise<void> {
  const invalid = new AppError("invalid_token", "The token is wrong, expired or already used. Request a new one.");
  const found = await findEmailToken(ctx, "reset_password", input.token);
  if (!found) throw invalid;
  const { userId, email } = found;
  const [person] = await ctx.db
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userId));
  if (!person) throw invalid;
  refuseWeakPassword(input.password, person);
  const password = await hashPassword(ctx, input.password);
  const isUnverified = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified_at IS NULL)`;
  await runBatch(ctx.db, [
    assertUnused(ctx, "reset_password", input.token, () => invalid),
    audit(ctx, "password.reset", { userId }),
    deleteEmailTokens(ctx, userId, "reset_password"),
    deleteApiKeysOf(ctx, userId, isUnverified),
    ...removeTwoFactor(ctx, userId, isUnverified),
    deleteEndpointsOf(ctx, userId, isUnverified),
    ctx.db
      .update(users)
      .set({ ...password, emailVerifiedAt: ctx.now, passwordChangedAt: ctx.now })
      .where(eq(users.id, userId)),
    ctx.db.delete(sessions).where(eq(sessions.userId, userId)),
    deleteConnectionsOf(ctx, userId),
    ctx.db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
    clearAllFailures(ctx, email),
  ]);
  sendSecurityAlert(ctx, userId, "Your password was reset", "All sessions were signed out.");
}
