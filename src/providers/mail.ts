import type { Config } from "../config.ts";
import { type Address, asciiDomain } from "../lib/addresses.ts";
import { assertType } from "../lib/cast.ts";
import { AppError } from "../lib/errors.ts";
import { fileType, mimeMessage } from "../lib/mime-message.ts";
import { collapseSpace } from "../lib/text.ts";
import { errorFields, log } from "../log.ts";

export interface OutgoingEmail {
  /** Default: the service. Its address must be at the domain of MAIL_FROM. */
  from?: Address;
  replyTo?: Address | null;
  to: Address | readonly Address[];
  cc?: readonly Address[];
  bcc?: readonly Address[];
  subject: string;
  text: string;
  html?: string;
  attachments?: readonly OutgoingAttachment[];
  /** The Message-ID and the time, for a mailer that does not choose them itself. */
  messageId?: string;
  date?: Date;
  /** Threading headers, for example. The provider chooses the Message-ID. */
  headers?: Record<string, string>;
}

export interface OutgoingAttachment {
  name: string;
  type: string;
  content: Uint8Array;
  /** For a picture within the HTML, which names it as `cid:`. */
  contentId?: string | null;
}

/** What the platform takes at once. It takes a message for all of its recipients or for none. */
export const MAX_RECIPIENTS = 50;

/** A response to an invitation, for one recipient. Calendar programs act on it if it is an alternative to the text. */
export interface CalendarReply {
  to: Address;
  subject: string;
  text: string;
  /** An iCalendar object with METHOD:REPLY. */
  calendar: string;
}

/** Nothing was sent. `refusal` is what the email service says, such as which recipient it does not accept. */
export class RefusedEmail extends AppError {
  readonly refusal: string;

  constructor(refusal: string) {
    super("provider_error", "The email service did not accept the message. Nothing was sent.");
    this.refusal = refusal;
  }
}

export interface Mailer {
  sender: Address;
  /** Set if it is a person's own mailbox, whose folder of sent emails shows what has left. */
  mailboxId?: number;
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
    send: ({ from = sender, replyTo, to, cc = [], bcc = [], subject, text, html, headers, attachments = [] }) =>
      orRefuse(async () => {
        const first = [to].flat();
        const message = {
          from: onOneLine(from),
          ...(replyTo && { replyTo: onOneLine(replyTo) }),
          subject: collapseSpace(subject),
          text,
          ...(first.length > 0 && { to: first.map(onOneLine) }),
          ...(cc.length > 0 && { cc: cc.map(onOneLine) }),
          ...(bcc.length > 0 && { bcc: bcc.map(onOneLine) }),
          ...(html !== undefined && { html }),
          ...(headers && { headers }),
          ...(attachments.length > 0 && { attachments: attachments.map(toBindingAttachment) }),
        };
        // The types want one of the three lists by name; which one there is, only the message knows.
        const builder = assertType<Parameters<SendEmail["send"]>[0]>(message);
        const sent: { messageId?: unknown } | undefined = await within(SEND_MS, binding.send(builder));
        // The platform has accepted the message, whatever it returns.
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
        await within(SEND_MS, binding.send(new EmailMessage(sender.email, to.email, raw)));
      }),
  };
}

/** Longer than the service takes for the largest message. */
const SEND_MS = 60_000;

/** Fails when the time is over. What was begun may still succeed. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the email service did not respond in time")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function orRefuse<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    log("error", "mail_not_sent", errorFields(error));
    if (isLost(error)) {
      throw new AppError("provider_timeout", "The email service did not respond. The email may have been sent.");
    }
    throw new RefusedEmail(refusalOf(error));
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

function refusalOf(error: unknown): string {
  return error instanceof Error ? collapseSpace(error.message).slice(0, 300) : "";
}

/** A line break would start another header. The domain is written as servers know it. */
function onOneLine({ name, email }: Address): Address {
  return { name: collapseSpace(name.replaceAll(/\p{Cc}+/gu, " ")), email: asciiDomain(email) };
}

function toBindingAttachment({ name, type, content, contentId }: OutgoingAttachment) {
  const file = { filename: collapseSpace(name.replaceAll(/\p{Cc}+/gu, " ")), type: fileType({ type }), content };
  const id = contentId?.replaceAll(/[^!-;=?-~]/g, "_");
  return id ? { ...file, disposition: "inline", contentId: id } : { ...file, disposition: "attachment" };
}

function consoleMailer(sender: Address): Mailer {
  const print = (to: Address | readonly Address[], subject: string, text: string) => {
    const names = [to].flat().map(({ email }) => email);
    console.log(`Email to ${names.join(", ")}: ${subject}\n\n${text}`);
  };
  return {
    sender,
    async sendCalendarReply({ to, subject, text, calendar }) {
      print(to, subject, `${text}\n\n${calendar}`);
    },
    async send({ to, cc = [], bcc = [], subject, text }) {
      print([to, cc, bcc].flat(), subject, text);
      return { messageId: `<${crypto.randomUUID()}@localhost.example>` };
    },
  };
}
