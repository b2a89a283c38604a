import type { Context } from "../../../context.ts";
import { renderNotice } from "../../../lib/notice.ts";
import { pagesOf } from "../../../lib/pages.ts";
import { RESET_MINUTES } from "../email-tokens.ts";

export function resetEmail({ baseUrl }: Context, name: string) {
  return (token: string) =>
    renderNotice({
      subject: "Reset your password",
      name,
      blocks: [
        "Someone asked to reset the password of your account. Choose a new one here:",
        { button: "Choose a new password", url: pagesOf(baseUrl).reset(token) },
        `The link works once, for ${RESET_MINUTES} minutes. A new password signs out every session.`,
        "If you did not ask for this, you can ignore this message. Your password stays as it is.",
      ],
      footer: `You get this email because your address belongs to an account at ${baseUrl}.`,
    });
}
