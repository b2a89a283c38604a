import type { Config } from "../config.ts";
import { AppError } from "../lib/errors.ts";

export interface Address {
  name: string;
  email: string;
}

export interface OutgoingMail {
  to: Address;
  subject: string;
  text: string;
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
}

const SENDER_NAME = "Personal Operations Assistant";
const LOCAL_SENDER = "assistant@localhost.example";

/** Outgoing mail, or null where it is not set up. In local work mail always goes somewhere visible. */
export function mailerOf(config: Config): Mailer | null {
  const isLocal = config.ALLOW_PRIVATE_HOSTS;
  const { EMAIL } = config.bindings;
  const sender = config.MAIL_FROM ?? (isLocal ? LOCAL_SENDER : undefined);
  if (EMAIL && sender) return bindingMailer(EMAIL, sender);
  return isLocal ? consoleMailer : null;
}

export function requireMailer(config: Config): Mailer {
  const mailer = mailerOf(config);
  if (!mailer) {
    throw new AppError("mail_not_configured", "Outgoing mail needs the EMAIL binding and MAIL_FROM; see the README.");
  }
  return mailer;
}

function bindingMailer(binding: SendEmail, sender: string): Mailer {
  return {
    async send({ to, subject, text }) {
      await binding.send({ from: { name: SENDER_NAME, email: sender }, to, subject, text });
    },
  };
}

/** Only where there is no binding and the service runs on the developer's own machine. */
const consoleMailer: Mailer = {
  async send({ to, subject, text }) {
    console.log(`Mail to ${to.email}: ${subject}\n\n${text}`);
  },
};
