import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../../db/assert.ts";
import { loginChallenges, sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { renderNotice } from "../../../lib/notice.ts";
import { pagesOf } from "../../../lib/pages.ts";
import { requireMailer } from "../../../providers/mail.ts";
import { audit } from "../../audit/service.ts";
import { endFeedOf } from "../../calendar/feed/service.ts";
import { deleteConnectionsOf, deleteUnusedCodesOf } from "../../connections/service.ts";
import { deleteDevicesOf } from "../../notifications/channels/push/devices.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { deleteEndpointsOf } from "../../webhooks/endpoints.ts";
import { replaceAccount } from "../accounts/replacement.ts";
import { assertUnused, deleteEmailTokens, findEmailToken, RESET_MINUTES, sendEmailToken } from "../email-tokens.ts";
import { clearAllFailures } from "../login/lockout.ts";
import { hashPassword } from "./hashing.ts";
import { refuseWeakPassword } from "./weak-passwords.ts";

/** Reads nothing before it responds, so that neither the response nor its timing reveals whether an account exists. */
export function requestPasswordReset(ctx: Context, email: string): void {
  requireMailer(ctx.config);
  ctx.defer(sendResetEmail(ctx, email));
}

async function sendResetEmail(ctx: Context, email: string): Promise<void> {
  const [user] = await ctx.db.select().from(users).where(eq(users.email, email));
  if (!user) return;
  try {
    await sendEmailToken(ctx, {
      userId: user.id,
      purpose: "reset_password",
      to: { name: user.name, email },
      minutes: RESET_MINUTES,
      action: "password.reset_requested",
      write: resetEmail(ctx, user),
    });
  } catch (error) {
    // The response has been sent; the tokens of the earlier emails still work.
    if (!(error instanceof AppError && error.code === "rate_limited")) throw error;
  }
}

/**
 * Sets the password and removes a lock: whoever reads the emails of the address owns the account. Ends whatever somebody
 * else may have opened to reach it: sessions with their devices, pending sign-ins, connected agents and webhooks. If the
 * address was never verified, somebody else may have registered it: then nothing of the account is kept.
 */
export async function resetPassword(ctx: Context, input: { token: string; password: string }): Promise<void> {
  const invalid = new AppError("invalid_token", "The token is wrong, expired or already used. Request a new one.");
  const found = await findEmailToken(ctx, "reset_password", input.token);
  if (!found) throw invalid;
  const { userId, email } = found;
  const [person] = await ctx.db.select().from(users).where(eq(users.id, userId));
  // A token that was being sent while the address changed went to the old one.
  if (person?.email !== email) throw invalid;
  refuseWeakPassword(input.password, person);
  const { emailVerifiedAt } = person;
  const set = { ...(await hashPassword(ctx, input.password)), passwordChangedAt: ctx.now, emailVerifiedAt: ctx.now };
  const isAsRead = sql`EXISTS (SELECT 1 FROM users
    WHERE id = ${userId} AND email = ${email} AND email_verified_at IS ${emailVerifiedAt?.getTime() ?? null})`;
  try {
    const [, , devices, agents, webhooks] = await runBatch(ctx.db, [
      assertUnused(ctx, "reset_password", input.token, () => invalid),
      assertThat(ctx.db, "verified_as_read", isAsRead),
      deleteDevicesOf(ctx, userId),
      deleteConnectionsOf(ctx, userId),
      deleteEndpointsOf(ctx, userId),
      ctx.db.delete(sessions).where(eq(sessions.userId, userId)),
      deleteUnusedCodesOf(ctx, userId),
      endFeedOf(ctx, userId),
      ctx.db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
      deleteEmailTokens(ctx, userId, "reset_password", "change_email", "verify_email"),
      clearAllFailures(ctx, email),
      ...(emailVerifiedAt
        ? [ctx.db.update(users).set(set).where(eq(users.id, userId))]
        : replaceAccount(ctx, { ...person, ...set })),
      audit(ctx, "password.reset", { userId }),
    ] as const);
    const ended = [
      listed("The agents", agents, ({ name }) => `"${name}"`),
      listed("The webhooks to", webhooks, ({ url }) => new URL(url).host),
      listed("The devices for reminders", devices, ({ name }) => `"${name}"`),
    ];
    const explanation = emailVerifiedAt
      ? `All sessions were signed out. ${ended.join("")}API keys still work: look at those you have.`
      : `The address had never been verified, so the account was emptied: ${EMPTIED}.`;
    sendSecurityAlert(ctx, userId, "Your password was reset", explanation);
  } catch (error) {
    // The address was verified during the request.
    if (error instanceof AssertionFailed) return resetPassword(ctx, input);
    throw error;
  }
}

function listed<Row>(what: string, rows: readonly Row[], nameOf: (row: Row) => string): string {
  return rows.length === 0 ? "" : `${what} ${rows.map(nameOf).join(", ")} were disconnected. `;
}

type UserRow = typeof users.$inferSelect;

/** The warning in a reset email to an unverified address. */
const EMPTIED =
  "API keys, two-factor authentication, webhooks, agents, devices, sender addresses, chats and settings are deleted. " +
  "Emails, tasks and events of the service stay";

function resetEmail({ baseUrl }: Context, { name, emailVerifiedAt }: Pick<UserRow, "name" | "emailVerifiedAt">) {
  return (token: string) =>
    renderNotice({
      subject: "Reset your password",
      name,
      blocks: [
        "Someone asked to reset the password of your account. Choose a new one here:",
        { button: "Choose a new password", url: pagesOf(baseUrl).reset(token) },
        `The link works once, for ${RESET_MINUTES} minutes. A new password signs out every session and disconnects agents, webhooks and devices.`,
        ...(emailVerifiedAt
          ? []
          : [`Your address was never verified. With the new password the account starts empty: ${EMPTIED}.`]),
        "If you did not ask for this, you can ignore this message. Your password stays as it is.",
      ],
      footer: `You get this email because your address belongs to an account at ${baseUrl}.`,
    });
}
