import { AppError } from "../../../lib/errors.ts";
import { renderNotice } from "../../../lib/notice.ts";
import { mailerOf, requireMailer } from "../../../providers/mail.ts";
import { KINDS } from "../kinds.ts";
import type { Sender } from "../notice.ts";

export const email: Sender = {
  whyUnusable: async ({ config }) => (mailerOf(config) ? null : "Outgoing email is not set up."),

  async send({ config, baseUrl }, { person }, { kind, subject, blocks }) {
    const to = { name: person.name, email: person.email };
    const footer = KINDS[kind].why(baseUrl);
    try {
      await requireMailer(config).send({ to, ...renderNotice({ subject, name: person.name, blocks, footer }) });
      return { outcome: "sent", detail: null };
    } catch (error) {
      // The mailer has logged why.
      if (error instanceof AppError && error.code === "provider_timeout") {
        return { outcome: "unknown", detail: "The email service did not respond. The email may have left." };
      }
      return { outcome: "failed", detail: "The email service did not accept the email.", isTemporary: true };
    }
  },
};
