import type { Config } from "../config.ts";
import type { Address } from "../lib/addresses.ts";
import { AppError } from "../lib/errors.ts";
import { mimeMessage } from "../lib/mime-message.ts";
import { collapseSpace } from "../lib/text.ts";
import { errorFields, log } from "../log.ts";

export interface OutgoingEmail {
  to: Address | Address[];
  cc?: Address[];
  subject: string;
  text: string;
  html?: string;
  /** Threading headers, for example. The provider chooses the Message-ID. */
  headers?: Record<string, string>;
}

/** A response to an invitation, for one recipient. Calendar programs act on it if it is an alternative to the text. */
export interface CalendarReply {
  to: Address;
  subject: string;
  text: string;
  /** An iCalendar object with METHOD:REPLY. */
  calendar: string;
}

export interface Mailer {
  sender: Address;
  /**
   * Returns the Message-ID; null if the provider does not tell it. Throws `provider_error` if nothing was sent,
   * `provider_timeout` if that is not known.
   */
  send(email: OutgoingEmail): Promise<{ messageId: string | null }>;
  /** Throws as `send` does. */
  sendCalendarReply(reply: CalendarReply): Promise<void>;
}

const SENDER_NAME = "Personal Operations Assistant";
const LOCAL_SENDER = "assistant@localhost.example";

/** Null if outgoing email is not configured. In local work emails without a binding are printed. */
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
    throw new AppError(
      "mail_not_configured",
      "Outgoing email is not configured. It needs the EMAIL binding and MAIL_FROM; see the README.",
    );
  }
  return mailer;
}

function bindingMailer(binding: SendEmail, sender: Address): Mailer {
  return {
    sender,
    send: ({ cc = [], html, headers, ...email }) =>
      orRefuse(async () => {
        const sent: { messageId?: unknown } | undefined = await binding.send({
          from: sender,
          ...email,
          subject: collapseSpace(email.subject),
          to: [email.to].flat().map(onOneLine),
          ...(cc.length > 0 && { cc: cc.map(onOneLine) }),
          ...(html !== undefined && { html }),
          ...(headers && { headers }),
        });
        // Whatever it returns, it has taken the message.
        return { messageId: typeof sent?.messageId === "string" ? sent.messageId : null };
      }),
    sendCalendarReply: ({ to, subject, text, calendar }) =>
      orRefuse(async () => {
        // Loaded here, because only a Worker has this module.
        const { EmailMessage } = await import("cloudflare:email");
        const raw = mimeMessage({
          from: sender,
          to,
          subject,
          messageId: `<${crypto.randomUUID()}@${sender.email.split("@")[1]}>`,
          date: new Date(),
          alternatives: [
            { type: "text/plain; charset=utf-8", content: text },
            { type: "text/calendar; charset=utf-8; method=REPLY", content: calendar },
          ],
        });
        await binding.send(new EmailMessage(sender.email, to.email, raw));
      }),
  };
}

async function orRefuse<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    log("error", "mail_not_sent", errorFields(error));
    if (isLost(error)) {
      throw new AppError("provider_timeout", "The email service did not respond. The email may have been sent.");
    }
    throw new AppError("provider_error", "The email service did not accept the message. Nothing was sent.");
  }
}

/** How the local simulation, and the platform before it had codes, refuse a message. */
const REFUSAL = /\bnot (?:allowed|verified|authori[sz]ed)\b|\bcould not parse\b/i;

/** Whether the service may have taken the message: only a refusal is certain. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && code.startsWith("E_")) return code === "E_INTERNAL_SERVER_ERROR";
  return !REFUSAL.test(error.message);
}

/** A line break would start another header. */
function onOneLine({ name, email }: Address): Address {
  return { name: collapseSpace(name), email };
}

function consoleMailer(sender: Address): Mailer {
  const print = (to: Address | Address[], subject: string, text: string) => {
    const names = [to].flat().map(({ email }) => email);
    console.log(`Email to ${names.join(", ")}: ${subject}\n\n${text}`);
  };
  return {
    sender,
    async sendCalendarReply({ to, subject, text, calendar }) {
      print(to, subject, `${text}\n\n${calendar}`);
    },
    async send({ to, subject, text }) {
      print(to, subject, text);
      return { messageId: `<${crypto.randomUUID()}@localhost.example>` };
    },
  };
}
