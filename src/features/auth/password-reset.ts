import { and, eq, max, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { apiKeys, loginChallenges, mailTokens, sessions, users } from "../../db/schema/auth.ts";
import { AppError } from "../../lib/errors.ts";
import { requireMailer } from "../../providers/mail.ts";
import { alertById } from "./alerts.ts";
import { audit, batchOnlyIf } from "./audit.ts";
import { clearFailures } from "./lockout.ts";
import { findMailToken, issueMailToken, spendMailToken } from "./mail-tokens.ts";
import { hashPassword } from "./password.ts";

const TOKEN_MINUTES = 30;
const RESEND_MS = 60_000;

/** Answers the same, and as fast, whoever asks: everything that depends on the account happens afterwards. */
export function requestPasswordReset(ctx: Context, email: string): void {
  const mailer = requireMailer(ctx.config);
  ctx.defer(sendResetMail(ctx, mailer, email));
}

async function sendResetMail(ctx: Context, mailer: ReturnType<typeof requireMailer>, email: string): Promise<void> {
  const lastSentAt = ctx.db
    .select({ at: max(mailTokens.createdAt) })
    .from(mailTokens)
    .where(and(eq(mailTokens.userId, users.id), eq(mailTokens.purpose, "reset_password")));
  const [user] = await ctx.db
    .select({ id: users.id, name: users.name, lastSentAt: sql<number | null>`${lastSentAt}` })
    .from(users)
    .where(eq(users.email, email));
  // A mailbox is not a toy: one message a minute, whoever asks for it.
  if (!user || ctx.now.getTime() - (user.lastSentAt ?? 0) < RESEND_MS) return;
  const { token, statements } = issueMailToken(ctx, {
    userId: user.id,
    purpose: "reset_password",
    email,
    minutes: TOKEN_MINUTES,
  });
  await ctx.db.batch([...statements, audit(ctx, "password.reset_requested", { userId: user.id })]);
  await mailer.send({
    to: { name: user.name, email },
    subject: "Reset your password",
    text: resetText(ctx, user.name, token),
  });
}

function resetText(ctx: Context, name: string, token: string): string {
  return `Hello ${name},

someone asked to reset the password of your account at ${ctx.baseUrl}.

Your reset token: ${token}

It works once, for ${TOKEN_MINUTES} minutes. Send it with a new password:

  POST ${ctx.baseUrl}/api/auth/password/reset
  {"token": "${token}", "password": "<your new password>"}

Setting a new password signs you out everywhere. If you did not ask for this, you need do nothing.
`;
}

/**
 * Sets the password, ends every session and every sign-in that is half done, and lifts a lock: whoever reads
 * the mail is the owner of the account. Where nobody had proved the address before, somebody else may have
 * registered it, so the API keys made until then end too.
 */
export async function resetPassword(ctx: Context, input: { token: string; password: string }): Promise<void> {
  const invalid = new AppError("invalid_token", "The token is wrong, expired or was used before. Ask for a new one.");
  const found = await findMailToken(ctx, "reset_password", input.token);
  if (!found) throw invalid;
  const { userId, email } = found;
  const passwordHash = await hashPassword(ctx, input.password);
  const { isUnspent, spend } = spendMailToken(ctx, "reset_password", input.token);
  await batchOnlyIf(ctx, () => invalid, [
    audit(ctx, "password.reset", { userId, onlyIf: isUnspent }),
    spend,
    ctx.db
      .delete(apiKeys)
      .where(and(eq(apiKeys.userId, userId), sql`(SELECT email_verified_at FROM users WHERE id = ${userId}) IS NULL`)),
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
