import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { mailboxes } from "../../db/schema/mailboxes.ts";
import { type Address, asciiDomain } from "../../lib/addresses.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { mimePieces, sizeOf, streamOf } from "../../lib/mime-message.ts";
import { type Mailer, mailerOf, type OutgoingEmail, RefusedEmail, requireMailer } from "../../providers/mail.ts";
import { sendBySmtp } from "../../providers/mailbox/client.ts";
import { MailboxError } from "../../providers/mailbox/types.ts";
import { authOf } from "./secrets.ts";

type MailboxRow = typeof mailboxes.$inferSelect;

/** All mailboxes that emails can leave through. For a batch. */
export function selectSenders({ db }: Pick<Context, "db">) {
  return db.select().from(mailboxes);
}

/** Sends what is from a mailbox's address through that mailbox, and everything else by the service. */
export function mailerFor(ctx: Context, from: string, rows: readonly MailboxRow[]): Mailer {
  const mailbox = rows.find(({ address }) => address === from.toLowerCase());
  return mailbox ? mailboxMailer(ctx, mailbox) : requireMailer(ctx.config);
}

/** The same for a stored email; null if nothing can send it. */
export async function findMailer(ctx: Context, from: string): Promise<Mailer | null> {
  const [mailbox] = await ctx.db.select().from(mailboxes).where(eq(mailboxes.address, from.toLowerCase()));
  return mailbox ? mailboxMailer(ctx, mailbox) : mailerOf(ctx.config);
}

function mailboxMailer(ctx: Context, mailbox: MailboxRow): Mailer {
  const sender = { name: mailbox.name ?? "", email: mailbox.address };
  return {
    sender,
    mailboxId: mailbox.id,
    async send(email) {
      const { from = sender, to, cc = [], bcc = [], messageId = null } = email;
      const recipients = [[to].flat(), cc, bcc].flat().map(({ email: address }) => asciiDomain(address));
      // Before anything is sent: what cannot be read is not sent.
      const auth = await authOf(ctx, mailbox);
      const mail = {
        from: asciiDomain(from.email),
        to: [...new Set(recipients)],
        message: await messageOf(email, sender),
      };
      try {
        await sendBySmtp(mailbox.smtp, auth, { allowPrivateHosts: ctx.config.ALLOW_PRIVATE_HOSTS }, mail);
      } catch (error) {
        throw refusalOf(error);
      }
      return { messageId };
    },
    sendCalendarReply: (reply) => requireMailer(ctx.config).sendCalendarReply(reply),
  };
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof MailboxError)) return error;
  if (error.code !== "mail_maybe_sent") return new RefusedEmail(error.reason);
  return new AppError("provider_timeout", "The mail server did not say whether it has taken the email.");
}

/** The bytes that leave, and those of the copy among the sent emails: the same email gives the same ones. */
export async function messageOf(email: OutgoingEmail, sender: Address): Promise<Uint8Array<ArrayBuffer>> {
  const { from = sender, messageId = "", date = new Date(), text, html, attachments = [], replyTo, headers } = email;
  const pieces = mimePieces({
    ...{ from, to: email.to, cc: email.cc ?? [], subject: email.subject, messageId, date },
    ...(replyTo && { replyTo }),
    ...(headers && { headers }),
    alternatives: [
      { type: "text/plain; charset=utf-8", content: text },
      ...(html === undefined ? [] : [{ type: "text/html; charset=utf-8", content: html }]),
    ],
    files: attachments.map(({ name, type, content, contentId = null }) => ({
      ...{ name, type, contentId, size: content.length },
      read: async () => piecewise(content),
    })),
    boundary: `=_${sha256Hex(messageId).slice(0, 32)}`,
  });
  // Attachments of 25 MB are in memory once as they are, and once as they leave.
  const bytes = new Uint8Array(sizeOf(pieces));
  let at = 0;
  for await (const piece of streamOf(pieces)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const PIECE_BYTES = 256 * 1024;

/** Without a copy. */
function piecewise(content: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= content.length) return controller.close();
      controller.enqueue(content.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
}
