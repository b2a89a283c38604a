import type { Config } from "../config.ts";
import type { Address } from "../lib/addresses.ts";
import { AppError } from "../lib/errors.ts";
import { collapseSpace } from "../lib/text.ts";
import { errorFields, log } from "../log.ts";

export interface OutgoingMail {
  to: Address | Address[];
  cc?: Address[];
  subject: string;
  text: string;
  html?: string;
  /** Threading headers and the like. The Message-ID is the provider's to choose. */
  headers?: Record<string, string>;
}

export interface Mailer {
  /** Whom our mail is from. */
  sender: Address;
  /** Sends, and tells the Message-ID the mail left with; `provider_error` when it did not leave. */
  send(mail: OutgoingMail): Promise<{ messageId: string }>;
}

const SENDER_NAME = "Personal Operations Assistant";
const LOCAL_SENDER = "assistant@localhost.example";

/** Outgoing mail, or null where it is not set up. In local work mail always goes somewhere visible. */
export function mailerOf(config: Config): Mailer | null {
  const isLocal = config.ALLOW_PRIVATE_HOSTS;
  const { EMAIL } = config.bindings;
  const address = config.MAIL_FROM ?? (isLocal ? LOCAL_SENDER : undefined);
  if (!address) return null;
  const sender = { name: SENDER_NAME, email: address };
  if (EMAIL) return bindingMailer(EMAIL, sender);
  return isLocal ? consoleMailer(sender) : null;
}

export function requireMailer(config: Config): Mailer {
  const mailer = mailerOf(config);
  if (!mailer) {
    throw new AppError("mail_not_configured", "Outgoing mail needs the EMAIL binding and MAIL_FROM; see the README.");
  }
  return mailer;
}

function bindingMailer(binding: SendEmail, sender: Address): Mailer {
  return {
    sender,
    async send({ cc = [], html, headers, ...mail }) {
      try {
        const { messageId } = await binding.send({
          from: sender,
          ...mail,
          subject: collapseSpace(mail.subject),
          to: [mail.to].flat().map(onOneLine),
          ...(cc.length > 0 && { cc: cc.map(onOneLine) }),
          ...(html !== undefined && { html }),
          ...(headers && { headers }),
        });
        return { messageId };
      } catch (error) {
        log("error", "mail_not_sent", errorFields(error));
        throw new AppError("provider_error", "The mail service did not take the message. Nothing was sent.");
      }
    },
  };
}

/** A line break in what becomes a header would begin another header. */
function onOneLine({ name, email }: Address): Address {
  return { name: collapseSpace(name), email };
}

/** Only where there is no binding and the service runs on the developer's own machine. */
function consoleMailer(sender: Address): Mailer {
  return {
    sender,
    async send({ to, subject, text }) {
      const names = [to].flat().map(({ email }) => email);
      console.log(`Mail to ${names.join(", ")}: ${subject}\n\n${text}`);
      return { messageId: `<${crypto.randomUUID()}@localhost.example>` };
    },
  };
}
