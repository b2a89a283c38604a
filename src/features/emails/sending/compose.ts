import type { Context } from "../../../context.ts";
import { type Address, sameAddress } from "../../../lib/addresses.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { safeHtml } from "../../../lib/html/safe-html.ts";
import { htmlToText } from "../../../lib/html-text.ts";
import { limitReferences } from "../../../lib/message-id.ts";
import { type Original, quoteForForward, quoteForReply, textToHtml } from "../../../lib/quoted-original.ts";
import { cutToBytes, escapeMarkup } from "../../../lib/text.ts";
import type { Mailer } from "../../../providers/mail.ts";
import { mailerFor } from "../../mailboxes/mailer.ts";
import type { Content } from "../content.ts";
import { type IdentityRow, isSendable } from "../identities/service.ts";
import type { EmailRow } from "../record.ts";
import type { EmailToStore } from "../store.ts";
import { requireUploads, toStored } from "../uploads/service.ts";
import type { Desk, Letter } from "./letter.ts";
import { checkRecipients, eachOnce, inboxOf, othersOf } from "./recipients.ts";

/** An email that is ready to be stored and sent. */
export type Outgoing = Omit<EmailToStore, "messageId" | "delivery" | "receivedAt" | "sendAt">;

/** Together with its HTML, a body must fit a row of 2 MB, also as the stored response of an Idempotency-Key. */
const MAX_DERIVED_BYTES = 400_000;

/** Adds sender, signature, quote and threading to what a person wants to send. */
export function compose(ctx: Context, mailer: Mailer, letter: Letter, desk: Desk): Outgoing {
  const recipients = eachOnce(letter);
  checkRecipients(recipients);
  const identity = identityOf(letter, desk);
  const from = senderOf(ctx, mailer, identity);
  const content = contentOf(letter, desk, identity);
  const uploads = requireUploads(letter.attachmentIds, desk.uploads, letter.draftId ?? null);
  const answered = letter.relation === "forward" ? null : desk.original;
  return {
    ...recipients,
    ...content,
    from,
    replyTo: replyToOf(mailer, identity, from, answered),
    identityId: identity?.id ?? null,
    subject: letter.subject,
    inReplyTo: answered?.messageId ?? null,
    references: answered ? limitReferences([...answered.references, answered.messageId]) : [],
    direction: "outbound",
    source: "api",
    kind: "person",
    authentication: null,
    attachments: toStored(uploads, content.html),
    // A copy of its text is withheld as well.
    signIn: letter.signIn ?? desk.original?.signIn ?? null,
    tags: desk.original?.tags ?? [],
    status: "archived",
    isRead: true,
    isStarred: false,
  };
}

/** What sends the email: the mailbox whose address it is from, or the service. */
export function mailerOfLetter(ctx: Context, letter: Pick<Letter, "identityId">, desk: Desk): Mailer {
  const identity = identityOf(letter, desk);
  const from = identity?.address ?? (letter.identityId === undefined ? desk.cameBy : null);
  return mailerFor(ctx, from ?? "", desk.mailboxes);
}

/** The identity that the letter names, or else that of the mailbox that the original came by, or else the default. */
export function identityOf(
  { identityId }: Pick<Letter, "identityId">,
  { identities, cameBy }: Desk,
): IdentityRow | null {
  if (identityId === undefined) {
    const ofMailbox = identities.find(({ address }) => address?.toLowerCase() === cameBy);
    return ofMailbox ?? (cameBy === null ? (identities.find(({ isDefault }) => isDefault) ?? null) : null);
  }
  const found = identities.find(({ id }) => id === identityId);
  if (!found) throw validationFailed({ path: "identityId", message: "is not the id of one of your identities" });
  return found;
}

function senderOf({ actor }: Context, { sender, mailboxId }: Mailer, identity: IdentityRow | null): Address {
  const ownName = mailboxId === undefined ? "" : sender.name;
  const name = identity?.name ?? (ownName || ("user" in actor ? actor.user.name : sender.name));
  const email = identity?.address ?? sender.email;
  if (!isSendable(email, sender.email)) {
    const message = "has an address that this service can no longer send from; change the identity";
    throw validationFailed({ path: "identityId", message });
  }
  return { name, email };
}

/** An answer comes to the inbox that received the original, and not to an address that nobody may read. */
function replyToOf(
  { sender }: Mailer,
  identity: IdentityRow | null,
  from: Address,
  answered: EmailRow | null,
): Address | null {
  const inbox = answered && inboxOf(answered, sender.email);
  const replyTo = identity?.replyTo ?? (inbox ? { name: from.name, email: inbox } : null);
  return replyTo && !sameAddress(replyTo.email, from.email) ? replyTo : null;
}

/** All other recipients of the original, for a reply to all. */
export function replyAllTo({ original, addresses, identities, mailboxes }: Desk, serviceAddress: string): Address[] {
  if (!original) return [];
  const own = [
    serviceAddress,
    ...addresses,
    ...mailboxes.map(({ address }) => address),
    ...identities.flatMap((each) => [each.address ?? [], each.replyTo?.email ?? []].flat()),
  ];
  return othersOf(original, own, serviceAddress);
}

function contentOf(letter: Letter, desk: Desk, identity: IdentityRow | null): { body: string; html: string | null } {
  // A forward shows the original as it was, also below a text that the person wrote without markup.
  const asHtml = letter.relation === "forward" && letter.quote && typeof desk.original?.html === "string";
  const own = {
    body: letter.body ?? cutToBytes(htmlToText(letter.html ?? ""), MAX_DERIVED_BYTES),
    html: letter.html ?? (asHtml ? textToHtml(letter.body ?? "") : null),
  };
  const signed = harmless(letter.signature ? sign(own, identity) : own);
  if (!letter.quote || !desk.original) return signed;
  const quoted = (letter.relation === "reply" ? quoteForReply : quoteForForward)(
    toOriginal(desk.original),
    desk.wording,
  );
  return {
    body: [signed.body.trimEnd(), quoted.text].filter(Boolean).join("\n\n"),
    html: signed.html === null ? null : append(signed.html, `<br>\n${quoted.html}`),
  };
}

/** By the rule that emails are shown by: what leaves here shows something and does nothing else. */
function harmless({ body, html }: { body: string; html: string | null }) {
  if (html === null) return { body, html };
  const safe = safeHtml(html, { pictureOf });
  // A frame needs no end of a document, and gets none; other programs may.
  const ends = ["body", "html"].filter((name) => safe.includes(`<${name}`)).map((name) => `</${name}>`);
  return { body, html: safe + ends.join("") };
}

/** Pictures of the email itself, and those on the web. */
function pictureOf(given: string): string | null {
  const address = given.replace(/[\t\n\r]/g, "").trim();
  return /^(?:cid:|https:\/\/|data:image\/(?:png|jpeg|jpg|gif|webp|bmp)[;,])/i.test(address) ? address : null;
}

function toOriginal(row: EmailRow & Content): Original {
  return {
    from: { name: row.fromName, email: row.fromEmail },
    to: row.to,
    cc: row.cc,
    subject: row.subject,
    sentAt: row.receivedAt,
    text: row.body,
    html: row.html,
  };
}

/** Once: a text that was signed before, or that the person signed, stays as it is. */
function sign({ body, html }: { body: string; html: string | null }, identity: IdentityRow | null) {
  const text = identity?.signatureText?.trim() || (identity?.signatureHtml ? htmlToText(identity.signatureHtml) : "");
  const markup = identity?.signatureHtml?.trim() || textToHtml(text);
  if (!text && !markup) return { body, html };
  const hasText = !text || body.includes(text);
  const hasMarkup = !markup || html === null || html.includes(markup) || html.includes(escapeMarkup(text));
  return {
    body: hasText ? body : `${body.trimEnd()}\n\n-- \n${text}`.trimStart(),
    html: hasMarkup ? html : append(html, `<br>\n<div>-- <br>\n${markup}</div>`),
  };
}

/** At the end of the visible text, also of a whole HTML document. */
function append(html: string, addition: string): string {
  const end = /<\/(?:body|html)\s*>/i.exec(html)?.index ?? html.length;
  return `${html.slice(0, end)}\n${addition}${html.slice(end)}`;
}
