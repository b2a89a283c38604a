import type { Context } from "../../context.ts";
import type { Address } from "../../lib/addresses.ts";
import { AppError } from "../../lib/errors.ts";
import { limitReferences } from "../../lib/message-id.ts";
import { replySubject } from "../../lib/reply-subject.ts";
import { requireMailer } from "../../providers/mail.ts";
import { type EmailRow, toEmail } from "./record.ts";
import type { Email, Reply } from "./schemas.ts";
import { requireMail, storeMail } from "./store.ts";

/** Header lines have a limit on the way; the first mail and the latest are what clients thread by. */
const SENT_REFERENCES = 10;

/** Sends an answer and stores it in the thread, under the Message-ID it really left with. */
export async function replyToEmail(ctx: Context, id: number, input: Reply): Promise<Email> {
  const mailer = requireMailer(ctx.config);
  const parent = await requireMail(ctx, id);
  const { to, cc } = recipients(parent, input, mailer.sender);
  const subject = input.subject ?? replySubject(parent.subject);
  const references = limitReferences([...parent.references, parent.messageId]);
  const letter = {
    to,
    cc,
    subject,
    text: input.body,
    html: input.html,
    headers: { "In-Reply-To": bracketed(parent.messageId), References: referencesHeader(references) },
  };
  const { messageId } = await ctx.irreversibly(() => mailer.send(letter));
  const { row } = await storeMail(ctx, {
    messageId,
    inReplyTo: parent.messageId,
    references,
    direction: "outbound",
    source: "api",
    from: mailer.sender,
    to,
    cc,
    replyTo: null,
    subject,
    body: input.body,
    html: input.html ?? null,
    attachments: [],
    tags: parent.tags,
    status: "archived",
    isRead: true,
    isStarred: false,
    receivedAt: ctx.now,
  });
  return toEmail(row);
}

/** Answers go to who wrote; an answer to our own mail goes on to whom we wrote. */
function recipients(parent: EmailRow, input: Reply, sender: Address): { to: Address[]; cc: Address[] } {
  const author = parent.replyTo ?? { name: parent.fromName, email: parent.fromEmail };
  const to = parent.direction === "outbound" ? parent.to : [author];
  const others = input.replyAll ? [...parent.to, ...parent.cc] : [];
  const seen = new Set([sender.email, ...to.map(({ email }) => email)].map((email) => email.toLowerCase()));
  const cc = [...input.cc, ...others].filter(({ email }) => {
    const isNew = !seen.has(email.toLowerCase());
    seen.add(email.toLowerCase());
    return isNew;
  });
  if (to.length === 0 || to.some(({ email }) => !email)) {
    throw new AppError("validation_failed", "The mail names nobody to answer.");
  }
  return { to, cc };
}

function bracketed(messageId: string): string {
  return messageId.startsWith("<") ? messageId : `<${messageId}>`;
}

function referencesHeader(references: readonly string[]): string {
  const sent =
    references.length > SENT_REFERENCES
      ? [...references.slice(0, 1), ...references.slice(1 - SENT_REFERENCES)]
      : references;
  return sent.map(bracketed).join(" ");
}
