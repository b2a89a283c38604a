import PostalMime, { type Email as MimeEmail, type Address as ParsedAddress } from "postal-mime";
import type { Address } from "../../lib/addresses.ts";
import { type StoredAttachment, shownBy } from "../../lib/attachments.ts";
import { type Header, onlySender } from "../../lib/authentication-results.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { parseMessageId, parseMessageIds } from "../../lib/message-id.ts";
import { decodeText } from "../../lib/mime/charset.ts";
import { fileName, headerText, withinAddressLimit } from "../../lib/mime/headers.ts";
import { type FilePart, mayBeCalendar, type SkimmedMessage } from "../../lib/mime/skimmed.ts";
import { rewriteTexts } from "../../lib/mime/texts.ts";
import { decodeBytes } from "../../lib/mime/transfer-encoding.ts";
import { cutToBytes, firstCharacters } from "../../lib/text.ts";
import type { EmailToStore } from "./store.ts";

const MAX_BODY_BYTES = 900_000;
const MAX_HTML_BYTES = 1_500_000;
const MAX_ADDRESSES = 100;
/** Email programs send one, or the same one twice. `ics/read.ts` relies on this limit. */
const MAX_CALENDAR_PARTS = 4;
const SUBJECT_CHARACTERS = 2000;
const NAME_CHARACTERS = 200;

type Parsed = "inReplyTo" | "references" | "to" | "cc" | "replyTo" | "subject" | "body" | "html" | "attachments";

/** A message as it is stored. Its attachments say where in the raw message their bytes are. */
export interface ParsedEmail extends Pick<EmailToStore, Parsed> {
  messageId: string | null;
  from: Address | null;
  /** When its sender says that it was written; null if that cannot be read. */
  date: Date | null;
  /** Its iCalendar parts. */
  calendarParts: string[];
  /** Its header fields, from the top. */
  headers: Header[];
}

/** Puts a message together from what the skim kept of it. Never throws: what cannot be read is shown as it came. */
export async function parseEmail(skimmed: SkimmedMessage): Promise<ParsedEmail> {
  const { html, text } = await readTexts(skimmed);
  const isShown = shownBy(html ?? "");
  const { hasMoreAddresses, ...head } = await readHead(skimmed);
  return {
    ...head,
    ...bodies(skimmed, { text, html, hasMoreAddresses }),
    attachments: skimmed.files.map((file, index) => toAttachment(file, index, isShown)),
    calendarParts: skimmed.files.filter(isCalendar).slice(0, MAX_CALENDAR_PARTS).map(calendarText),
  };
}

async function readTexts({ texts }: SkimmedMessage): Promise<Pick<MimeEmail, "html" | "text">> {
  if (texts.length === 0) return {};
  try {
    return await PostalMime.parse(rewriteTexts(texts));
  } catch {
    return { text: texts.map((part) => (part.kind === "text" ? decodeText(part.bytes) : "")).join("\n") };
  }
}

async function readHead({ header, root }: SkimmedMessage) {
  // Before the blank line, so that nothing of the body is read as a header.
  const { block, isCut } = withinAddressLimit(headerText(header, root.type.params.get("charset")));
  try {
    const mail = await PostalMime.parse(`${block.trimEnd()}\r\n\r\n`);
    const date = mail.date ? new Date(mail.date) : null;
    const [to, cc] = [mailboxes(mail.to), mailboxes(mail.cc)];
    return {
      headers: mail.headers,
      messageId: parseMessageId(mail.messageId),
      inReplyTo: parseMessageIds(mail.inReplyTo)[0] ?? null,
      references: parseMessageIds(mail.references),
      date: date && Number.isFinite(date.getTime()) ? date : null,
      from: mailboxes([mail.from ?? mail.sender])[0] ?? null,
      to: to.slice(0, MAX_ADDRESSES),
      cc: cc.slice(0, MAX_ADDRESSES),
      replyTo: mailboxes(mail.replyTo)[0] ?? null,
      subject: firstCharacters((mail.subject ?? "").trim(), SUBJECT_CHARACTERS),
      hasMoreAddresses: isCut || Math.max(to.length, cc.length) > MAX_ADDRESSES,
    };
  } catch {
    return { ...unreadableHead(block), hasMoreAddresses: isCut };
  }
}

function mailboxes(addresses: readonly (ParsedAddress | undefined)[] = []): Address[] {
  return addresses
    .flatMap((address) => (address?.group ? address.group : address ? [address] : []))
    .flatMap(({ name, address }) =>
      address ? [{ name: firstCharacters(name.trim(), NAME_CHARACTERS), email: firstCharacters(address, 320) }] : [],
    );
}

interface ReadParts {
  text: string | undefined;
  html: string | undefined;
  hasMoreAddresses: boolean;
}

function bodies(skimmed: SkimmedMessage, { text: given = "", html = "", hasMoreAddresses }: ReadParts) {
  // Some programs send an empty text part next to the HTML.
  const text = (given.trim() ? given : htmlToText(html)).trimEnd() || withoutText(skimmed, html);
  const kept = { body: cutToBytes(text, MAX_BODY_BYTES), html: cutToBytes(html, MAX_HTML_BYTES) };
  const isCut =
    kept.body.length < text.length ||
    kept.html.length < html.length ||
    skimmed.files.some(({ isLongText }) => isLongText);
  const notes = [
    ...(isCut ? ["is longer than what is shown here"] : []),
    ...(skimmed.isCut ? ["has more parts, or longer headers, than are read"] : []),
    ...(hasMoreAddresses ? ["has more recipients than are listed"] : []),
  ].map((what) => `[This message ${what}. All of it is in the raw message.]`);
  return { body: [kept.body, ...notes].filter(Boolean).join("\n\n"), html: kept.html || null };
}

/** The text shown for a message without one. */
function withoutText({ root, files, loose, start, isBroken }: SkimmedMessage, html: string): string {
  if (html.trim()) return "";
  const isSigned = (type: string | undefined) => type?.includes("signed") ?? false;
  const smime = files.find(({ headers }) => /^application\/(?:x-)?pkcs7-mime$/.test(headers.type.value));
  if (root.type.value === "multipart/encrypted" || (smime && !isSigned(smime.headers.type.params.get("smime-type")))) {
    return "[This message is encrypted. Its content is attached as it came: open it with a program that has your key.]";
  }
  if (smime) {
    return "[This message is signed in a form that contains its text (S/MIME). Open the attachment with an email program.]";
  }
  const source = decodeText(loose.length > 0 ? loose : isBroken && files.length === 0 ? start : new Uint8Array());
  if (source.trim() || (isBroken && start.length > 0 && isHollow(files))) {
    const shown = source.trim() ? source : decodeText(start);
    return `[This message could not be parsed. Its source follows.]\n\n${shown.trimEnd()}`;
  }
  return "";
}

/** Whether nothing but a multipart that is nested too deeply was found. */
function isHollow(files: readonly FilePart[]): boolean {
  return files.every(({ headers }) => headers.type.value.startsWith("multipart/"));
}

function toAttachment(file: FilePart, index: number, isShownIn: (contentId: string) => boolean): StoredAttachment {
  const { headers, offset, length, encoding, size, isRelated, isLongText } = file;
  const contentId = firstCharacters(headers.contentId, NAME_CHARACTERS);
  const isShown = contentId !== "" && isShownIn(contentId);
  const isInline = isShown || (contentId !== "" && isRelated && headers.disposition.value !== "attachment");
  return {
    name: isLongText ? `message${extensionOf(headers.type.value)}` : fileName(headers) || unnamed(file, index),
    type: firstCharacters(headers.type.value || "application/octet-stream", NAME_CHARACTERS),
    size,
    ...(isInline && { inline: true }),
    ...(contentId && { contentId }),
    offset,
    length,
    ...(encoding !== "binary" && { encoding }),
  };
}

const EXTENSIONS: Record<string, string> = {
  "message/rfc822": ".eml",
  "message/delivery-status": ".txt",
  "text/rfc822-headers": ".txt",
  "text/plain": ".txt",
  "text/calendar": ".ics",
  "application/ics": ".ics",
  "application/pgp-encrypted": ".txt",
  "application/pgp-signature": ".asc",
  "application/octet-stream": ".bin",
};

function extensionOf(type: string): string {
  const subtype = /^[a-z]+\/([a-z0-9]{1,10})$/.exec(type)?.[1];
  return EXTENSIONS[type] ?? (subtype ? `.${subtype}` : "");
}

function unnamed({ headers }: FilePart, index: number): string {
  const type = headers.type.value;
  if (type === "application/ms-tnef") return "winmail.dat";
  if (type.endsWith("pkcs7-mime")) return "smime.p7m";
  return `attachment-${index + 1}${extensionOf(type)}`;
}

function isCalendar({ headers, start }: FilePart): boolean {
  return start !== null && mayBeCalendar(headers);
}

function calendarText({ headers, encoding, start }: FilePart): string {
  return decodeText(decodeBytes(start ?? new Uint8Array(), encoding), headers.type.params.get("charset"));
}

/** The header fields of a block that the parser refuses, as far as they can be told. */
function unreadableHead(block: string) {
  const headers = block
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .map((line) => {
      const at = line.indexOf(":");
      return { key: line.slice(0, Math.max(at, 0)).trim().toLowerCase(), value: line.slice(at + 1).trim() };
    });
  const header = (name: string) => headers.find(({ key }) => key === name)?.value;
  const sender = onlySender(headers);
  return {
    headers,
    messageId: parseMessageId(header("message-id")),
    inReplyTo: null,
    references: [],
    date: null,
    from: sender === null ? null : { name: "", email: firstCharacters(sender, 320) },
    to: [],
    cc: [],
    replyTo: null,
    subject: firstCharacters(header("subject") ?? "", SUBJECT_CHARACTERS) || "(unreadable message)",
  };
}
