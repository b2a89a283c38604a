import { and, eq, ne } from "drizzle-orm";
import { type Context, signedInUser } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { renderNotice } from "../../../lib/notice.ts";
import { pagesOf } from "../../../lib/pages.ts";
import { requireMailer } from "../../../providers/mail.ts";
import { audit } from "../../audit/service.ts";
import { deleteUnusedCodesOf } from "../../connections/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import {
  assertLiveToken,
  assertUnused,
  deleteEmailToken,
  deleteEmailTokens,
  expireEmailTokens,
  findEmailToken,
  sendEmailToken,
} from "../email-tokens.ts";

export async function requestEmailChange(ctx: Context, email: string): Promise<{ email: string; expiresAt: string }> {
  const user = signedInUser(ctx);
  requireMailer(ctx.config);
  if (email === user.email) throw validationFailed({ path: "email", message: "must differ from the current address" });
  const [taken] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, user.id)));
  if (taken) throw emailTaken();
  const { expiresAt } = await sendEmailToken(ctx, {
    userId: user.id,
    purpose: "change_email",
    to: { name: user.name, email },
    minutes: CONFIRMATION_HOURS * 60,
    action: "email.change_requested",
    details: { to: email },
    write: confirmationEmail(ctx, user.name, "Confirm your new address"),
  });
  const explanation = `We sent a link to ${email}. The address changes once it is confirmed there.`;
  sendSecurityAlert(ctx, user, "A change of your email address was requested", explanation);
  return { email, expiresAt };
}

export async function cancelEmailChange(ctx: Context): Promise<void> {
  const user = signedInUser(ctx);
  const nothingPending = () => new AppError("not_found", "No email address change is pending.");
  await runBatch(ctx.db, [
    assertLiveToken(ctx, user.id, "change_email", nothingPending),
    audit(ctx, "email.change_cancelled", { userId: user.id }),
    expireEmailTokens(ctx, user.id, "change_email"),
  ]);
}

export async function requestEmailVerification(ctx: Context): Promise<{ email: string; expiresAt: string }> {
  const user = signedInUser(ctx);
  requireMailer(ctx.config);
  if (user.emailVerified) throw new AppError("email_already_verified");
  const { expiresAt } = await sendEmailToken(ctx, {
    userId: user.id,
    purpose: "verify_email",
    to: user,
    minutes: CONFIRMATION_HOURS * 60,
    action: "email.verification_requested",
    write: confirmationEmail(ctx, user.name, "Confirm your address"),
  });
  return { email: user.email, expiresAt };
}

/** Accepts a token of either kind. The address it was sent to becomes the verified address of the account. */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string; emailVerified: true }> {
  const user = signedInUser(ctx);
  const invalid = new AppError("invalid_token", "The token is wrong, expired or already used. Request a new one.");
  const found =
    (await findEmailToken(ctx, "change_email", token)) ?? (await findEmailToken(ctx, "verify_email", token));
  if (!found || found.userId !== user.id) throw invalid;
  const { purpose, email } = found;
  const isChange = purpose === "change_email";
  try {
    await runBatch(ctx.db, [
      assertUnused(ctx, purpose, token, () => invalid),
      audit(ctx, isChange ? "email.changed" : "email.verified", {
        userId: user.id,
        ...(isChange && { details: { from: user.email, to: email } }),
      }),
      deleteEmailToken(ctx, purpose, token),
      ctx.db.update(users).set({ email, emailVerifiedAt: ctx.now }).where(eq(users.id, user.id)),
      // Tokens that were sent to the old address must not give access to the account.
      ...(isChange
        ? [deleteEmailTokens(ctx, user.id, "reset_password", "verify_email"), deleteUnusedCodesOf(ctx, user.id)]
        : []),
    ]);
  } catch (error) {
    throw brokeConstraint(error, "users.email") ? emailTaken() : error;
  }
  if (isChange) sendSecurityAlert(ctx, user, "Your email address was changed", `It is now ${email}.`);
  return { email, emailVerified: true };
}

function emailTaken(): AppError {
  return new AppError("email_taken", "Another account uses this address.");
}

const CONFIRMATION_HOURS = 24;

function confirmationEmail({ baseUrl }: Context, name: string, subject: string) {
  return (token: string) =>
    renderNotice({
      subject,
      name,
      blocks: [
        `Please confirm that this is the email address of your account at ${baseUrl}.`,
        { button: "Confirm this address", url: pagesOf(baseUrl).verify(token) },
        `The page asks you to sign in. The link works once, for ${CONFIRMATION_HOURS} hours.`,
        "If you did not ask for this, you can ignore this message. Nothing changes then.",
      ],
      footer: `You get this email because someone entered your address at ${baseUrl}.`,
    });
}
