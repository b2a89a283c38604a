import type { Context } from "../../../context.ts";
import { renderNotice } from "../../../lib/notice.ts";
import { pagesOf } from "../../../lib/pages.ts";

export const CONFIRMATION_HOURS = 24;

export function confirmationEmail({ baseUrl }: Context, name: string, subject: string) {
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
