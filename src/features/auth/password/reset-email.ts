import type { Context } from "../../../context.ts";
import type { users } from "../../../db/schema/users.ts";
import { renderNotice } from "../../../lib/notice.ts";
import { pagesOf } from "../../../lib/pages.ts";
import { RESET_MINUTES } from "../email-tokens.ts";

type UserRow = typeof users.$inferSelect;

/** The warning in a reset email to an unverified address. */
export const EMPTIED =
  "API keys, two-factor authentication, webhooks, agents, devices, sender addresses, chats and settings are deleted. " +
  "Emails, tasks and events of the service stay";

export function resetEmail({ baseUrl }: Context, { name, emailVerifiedAt }: Pick<UserRow, "name" | "emailVerifiedAt">) {
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
