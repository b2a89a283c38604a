import type { Context } from "../../context.ts";
import type { Address } from "../../lib/addresses.ts";
import { AppError } from "../../lib/errors.ts";
import { limitReferences } from "../../lib/message-id.ts";
import { replySubject } from "../../lib/reply-subject.ts";
import { inboxTag } from "../../lib/tags.ts";
import { requireMailer } from "../../providers/mail.ts";
import { contentOf } from "./content.ts";
import { sendStored } from "./delivery.ts";
import { type EmailRow, toEmail } from "./record.ts";
import type { Email, Reply } from "./schemas.ts";
import { requireEmail } from "./store.ts";

/** Mail servers limit the length of header lines; clients thread by the first and the latest ids. */
const SENT_REFERENCES = 10;

/** Stores a reply in the thread and sends it. */
export async function replyToEmail(ctx: Context, id: number, input: Reply): Promise<Email> {
  const mailer = requireMailer(ctx.config);
  const parent = await requireEmail(ctx, id);
  const { to, cc } = recipients(parent, input, mailer.sender);
  const subject = input.subject ?? replySubject(parent.subject);
  const references = limitReferences([...parent.references, parent.messageId]);
  const message = {
    to,
    cc,
    subject,
    text: input.body,
    html: input.html,
    headers: { "In-Reply-To": bracketed(parent.messageId), References: referencesHeader(references) },
  };
  const row = await sendStored(ctx, mailer, message, {
    inReplyTo: parent.messageId,
    references,
    direction: "outbound",
    source: "api",
    kind: "person",
    authentication: null,
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
  return toEmail(row, await contentOf(ctx, row));
}

/** A reply goes to the sender; a reply to an outbound email goes to its recipients. */
function recipients(parent: EmailRow, input: Reply, sender: Address): { to: Address[]; cc: Address[] } {
  const author = parent.replyTo ?? { name: parent.fromName, email: parent.fromEmail };
  const to = parent.direction === "outbound" ? parent.to : [author];
  const others = input.replyAll
    ? [...parent.to, ...parent.cc].filter(({ email }) => !isOwn(email, parent, sender))
    : [];
  const seen = new Set([sender.email, ...to.map(({ email }) => email)].map((email) => email.toLowerCase()));
  const cc = [...input.cc, ...others].filter(({ email }) => {
    const isNew = !seen.has(email.toLowerCase());
    seen.add(email.toLowerCase());
    return isNew;
  });
  if (to.length === 0 || to.some(({ email }) => !email)) {
    throw new AppError("validation_failed", "The email has no address to reply to.");
  }
  return { to, cc };
}

/** The address an email was delivered to: its tag names the inbox. */
function isOwn(address: string, { direction, tags }: EmailRow, sender: Address): boolean {
  const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const isHere = direction === "inbound" && domainOf(address) === domainOf(sender.email);
  return isHere && inboxTag(address).some((tag) => tags.includes(tag));
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
