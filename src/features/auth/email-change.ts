import { and, eq, ne, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Given } from "../../db/compiled-query.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { users } from "../../db/schema/auth.ts";
import type { Address } from "../../lib/addresses.ts";
import { AppError } from "../../lib/errors.ts";
import { requireMailer } from "../../providers/mail.ts";
import { signedInUser } from "./account.ts";
import { alertOf } from "./alerts.ts";
import { audit, batchOnlyIf } from "./audit.ts";
import { findMailToken, issueMailToken, revokeMailTokens, selectLiveToken, spendMailToken } from "./mail-tokens.ts";

const TOKEN_HOURS = 24;
const RESEND_MS = 60_000;

/** The address the account is to move to, while its token can still be confirmed. */
export function selectPendingEmail(ctx: Pick<Context, "db">, userId: Given, now: Given<Date>) {
  return selectLiveToken(ctx, userId, "change_email", now);
}

/** Mails a token to the new address. Nothing changes until that address has proved itself. */
export async function requestEmailChange(ctx: Context, email: string): Promise<{ email: string; expiresAt: string }> {
  const user = signedInUser(ctx);
  requireMailer(ctx.config);
  if (email === user.email) throw invalidEmail("is the address of the account already");
  const [[taken], [last]] = await ctx.db.batch([
    ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), ne(users.id, user.id))),
    selectPendingEmail(ctx, user.id, ctx.now),
  ]);
  if (taken) throw emailTaken();
  refuseTooSoon(ctx, last);
  const { token, statements } = issue(ctx, user.id, "change_email", email);
  await ctx.db.batch([
    ...statements,
    audit(ctx, "email.change_requested", { userId: user.id, details: { to: email } }),
  ]);
  await sendToken(ctx, "change_email", { to: { name: user.name, email }, subject: "Confirm your new address", token });
  const advice = `A message went to ${email}; the account moves there once that message is answered.`;
  alertOf(ctx, user, "A change of your account's address was asked for", advice);
  return { email, expiresAt: expiry(ctx).toISOString() };
}

export async function cancelEmailChange(ctx: Context): Promise<void> {
  const user = signedInUser(ctx);
  await batchOnlyIf(ctx, () => new AppError("not_found", "No change of address is pending."), [
    audit(ctx, "email.change_cancelled", {
      userId: user.id,
      onlyIf: sql`EXISTS (SELECT 1 FROM mail_tokens WHERE user_id = ${user.id} AND purpose = 'change_email')`,
    }),
    revokeMailTokens(ctx, user.id, "change_email"),
  ]);
}

/** Mails a token that proves the current address. */
export async function requestEmailVerification(ctx: Context): Promise<{ email: string; expiresAt: string }> {
  const user = signedInUser(ctx);
  requireMailer(ctx.config);
  if (user.emailVerified) throw new AppError("email_already_verified");
  const [last] = await selectLiveToken(ctx, user.id, "verify_email", ctx.now);
  refuseTooSoon(ctx, last);
  const { token, statements } = issue(ctx, user.id, "verify_email", user.email);
  await ctx.db.batch([...statements, audit(ctx, "email.verification_requested", { userId: user.id })]);
  await sendToken(ctx, "verify_email", { to: user, subject: "Confirm your address", token });
  return { email: user.email, expiresAt: expiry(ctx).toISOString() };
}

/** Spends a token of either kind: the address it was mailed to has proved itself, and becomes the account's. */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string; emailVerified: true }> {
  const user = signedInUser(ctx);
  const invalid = new AppError("invalid_token", "The token is wrong, expired or was used before. Ask for a new one.");
  const found = (await findMailToken(ctx, "change_email", token)) ?? (await findMailToken(ctx, "verify_email", token));
  if (!found || found.userId !== user.id) throw invalid;
  const { purpose, email } = found;
  const isChange = purpose === "change_email";
  const { isUnspent, spend } = spendMailToken(ctx, purpose, token);
  try {
    await batchOnlyIf(ctx, () => invalid, [
      audit(ctx, isChange ? "email.changed" : "email.verified", {
        userId: user.id,
        ...(isChange && { details: { from: user.email, to: email } }),
        onlyIf: isUnspent,
      }),
      spend,
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

/** A token whose mail did not leave is taken back, so that the next try need not wait. */
async function sendToken(
  ctx: Context,
  purpose: "change_email" | "verify_email",
  { to, subject, token }: { to: Address; subject: string; token: string },
): Promise<void> {
  try {
    const text = tokenText(ctx, to.name, token);
    await requireMailer(ctx.config).send({ to: { name: to.name, email: to.email }, subject, text });
  } catch (error) {
    await revokeMailTokens(ctx, signedInUser(ctx).id, purpose);
    throw error;
  }
}

function issue(ctx: Context, userId: number, purpose: "change_email" | "verify_email", email: string) {
  return issueMailToken(ctx, { userId, purpose, email, minutes: TOKEN_HOURS * 60 });
}

function expiry(ctx: Context): Date {
  return new Date(ctx.now.getTime() + TOKEN_HOURS * 3_600_000);
}

/** A mailbox is not a toy: one message a minute. */
function refuseTooSoon(ctx: Context, last: { createdAt: Date } | undefined): void {
  const wait = last ? last.createdAt.getTime() + RESEND_MS - ctx.now.getTime() : 0;
  if (wait > 0) throw new AppError("rate_limited", "A message has just been sent.", { retryAfter: wait / 1000 });
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
