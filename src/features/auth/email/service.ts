import { and, eq, ne } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { signedInUser } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import type { Given } from "../../../db/compiled-query.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { requireMailer } from "../../../providers/mail.ts";
import { audit } from "../../audit/service.ts";
import { alertOf } from "../../notifications/security-alerts.ts";
import {
  assertLiveToken,
  assertUnspent,
  endMailTokens,
  findMailToken,
  revokeMailTokens,
  selectLiveToken,
  sendMailToken,
  spendMailToken,
} from "../email-tokens.ts";

const TOKEN_HOURS = 24;

/** The address the account is to move to, while its token can still be confirmed. */
export function selectPendingEmail(ctx: Pick<Context, "db">, userId: Given, now: Given<Date>) {
  return selectLiveToken(ctx, userId, "change_email", now);
}

/** Mails a token to the new address. Nothing changes until that address has proved itself. */
export async function requestEmailChange(ctx: Context, email: string): Promise<{ email: string; expiresAt: string }> {
  const user = signedInUser(ctx);
  requireMailer(ctx.config);
  if (email === user.email) throw invalidEmail("is the address of the account already");
  const [taken] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, user.id)));
  if (taken) throw emailTaken();
  const { expiresAt } = await sendMailToken(ctx, {
    userId: user.id,
    purpose: "change_email",
    to: { name: user.name, email },
    minutes: TOKEN_HOURS * 60,
    action: "email.change_requested",
    details: { to: email },
    subject: "Confirm your new address",
    text: (token) => tokenText(ctx, user.name, token),
  });
  const advice = `A message went to ${email}; the account moves there once that message is answered.`;
  alertOf(ctx, user, "A change of your account's address was asked for", advice);
  return { email, expiresAt };
}

export async function cancelEmailChange(ctx: Context): Promise<void> {
  const user = signedInUser(ctx);
  const nothing = () => new AppError("not_found", "No change of address is pending.");
  await runBatch(ctx.db, [
    assertLiveToken(ctx, user.id, "change_email", nothing),
    audit(ctx, "email.change_cancelled", { userId: user.id }),
    endMailTokens(ctx, user.id, "change_email"),
  ]);
}

/** Mails a token that proves the current address. */
export async function requestEmailVerification(ctx: Context): Promise<{ email: string; expiresAt: string }> {
  const user = signedInUser(ctx);
  requireMailer(ctx.config);
  if (user.emailVerified) throw new AppError("email_already_verified");
  const { expiresAt } = await sendMailToken(ctx, {
    userId: user.id,
    purpose: "verify_email",
    to: user,
    minutes: TOKEN_HOURS * 60,
    action: "email.verification_requested",
    subject: "Confirm your address",
    text: (token) => tokenText(ctx, user.name, token),
  });
  return { email: user.email, expiresAt };
}

/** Spends a token of either kind: the address it was mailed to has proved itself, and becomes the account's. */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string; emailVerified: true }> {
  const user = signedInUser(ctx);
  const invalid = new AppError("invalid_token", "The token is wrong, expired or was used before. Ask for a new one.");
  const found = (await findMailToken(ctx, "change_email", token)) ?? (await findMailToken(ctx, "verify_email", token));
  if (!found || found.userId !== user.id) throw invalid;
  const { purpose, email } = found;
  const isChange = purpose === "change_email";
  try {
    await runBatch(ctx.db, [
      assertUnspent(ctx, purpose, token, () => invalid),
      audit(ctx, isChange ? "email.changed" : "email.verified", {
        userId: user.id,
        ...(isChange && { details: { from: user.email, to: email } }),
      }),
      spendMailToken(ctx, purpose, token),
      ctx.db.update(users).set({ email, emailVerifiedAt: ctx.now }).where(eq(users.id, user.id)),
      // What went to the old address must not open the account any more.
      ...(isChange ? [revokeMailTokens(ctx, user.id, "reset_password", "verify_email")] : []),
    ]);
  } catch (error) {
    throw brokeConstraint(error, "users.email") ? emailTaken() : error;
  }
  if (isChange) alertOf(ctx, user, "Your account's address was changed", `It is ${email} now.`);
  return { email, emailVerified: true };
}

function invalidEmail(message: string): AppError {
  return new AppError("validation_failed", `email: ${message}`, { errors: [{ path: "email", message }] });
}

function emailTaken(): AppError {
  return new AppError("email_taken", "Another account has this address.");
}

function tokenText(ctx: Context, name: string, token: string): string {
  return `Hello ${name},

your account at ${ctx.baseUrl} is to use this address. To confirm that you read mail here, send this token
while you are signed in:

  POST ${ctx.baseUrl}/api/settings/profile/email/confirm
  {"token": "${token}"}

Your confirmation token: ${token}

It works once, for ${TOKEN_HOURS} hours. If you did not ask for this, you need do nothing.
`;
}
