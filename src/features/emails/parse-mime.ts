import PostalMime, { type Attachment, type Email as MimeEmail, type Address as ParsedAddress } from "postal-mime";
import type { Address } from "../../lib/addresses.ts";
import { type Header, onlySender } from "../../lib/authentication-results.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { parseMessageId, parseMessageIds } from "../../lib/message-id.ts";
import { byteLength, cutToBytes, firstCharacters } from "../../lib/text.ts";
import type { EmailToStore } from "./store.ts";

// A database row holds 2 MB: body and HTML together stay below that.
const MAX_BODY_BYTES = 900_000;
const MAX_HTML_BYTES = 800_000;
const MAX_ADDRESSES = 100;
const MAX_ATTACHMENTS = 100;
/** Email programs send one, or the same one twice. `ics/read.ts` relies on this limit. */
const MAX_CALENDAR_PARTS = 4;
const SUBJECT_CHARACTERS = 2000;
const NAME_CHARACTERS = 200;

type Parsed = "inReplyTo" | "references" | "to" | "cc" | "replyTo" | "subject" | "body" | "html" | "attachments";

/** A raw message, cut to what can be stored. */
export interface ParsedEmail extends Pick<EmailToStore, Parsed> {
  messageId: string | null;
  from: Address | null;
  /** Its iCalendar parts. */
  calendarParts: string[];
  /** Its header fields, from the top. */
  headers: Header[];
}

/** Parses a raw message. If it is not valid MIME, its source becomes the body, with a note on top. */
export async function parseEmail(raw: Uint8Array<ArrayBuffer>): Promise<ParsedEmail> {
  try {
    return fromParsed(await PostalMime.parse(raw.buffer));
  } catch {
    return unreadable(raw);
  }
}

function fromParsed(mail: MimeEmail): ParsedEmail {
  return {
    headers: mail.headers,
    messageId: parseMessageId(mail.messageId),
    inReplyTo: parseMessageIds(mail.inReplyTo)[0] ?? null,
    references: parseMessageIds(mail.references),
    from: mailboxes([mail.from ?? mail.sender])[0] ?? null,
    to: mailboxes(mail.to ?? []),
    cc: mailboxes(mail.cc ?? []),
    replyTo: mailboxes(mail.replyTo ?? [])[0] ?? null,
    subject: firstCharacters((mail.subject ?? "").trim(), SUBJECT_CHARACTERS),
    ...bodies(mail),
    attachments: mail.attachments.slice(0, MAX_ATTACHMENTS).map((attachment, index) => ({
      name: firstCharacters(attachment.filename ?? unnamed(attachment, index), NAME_CHARACTERS),
      type: firstCharacters(attachment.mimeType, NAME_CHARACTERS),
      size: sizeOf(attachment),
    })),
    calendarParts: mail.attachments
      .filter(isCalendar)
      .slice(0, MAX_CALENDAR_PARTS)
      .map(({ content }) => (typeof content === "string" ? content : new TextDecoder().decode(content))),
  };
}

function mailboxes(addresses: readonly (ParsedAddress | undefined)[]): Address[] {
  return addresses
    .flatMap((address) => (address?.group ? address.group : address ? [address] : []))
    .flatMap(({ name, address }) =>
      address ? [{ name: firstCharacters(name.trim(), NAME_CHARACTERS), email: firstCharacters(address, 320) }] : [],
    )
    .slice(0, MAX_ADDRESSES);
}

function bodies(mail: MimeEmail): { body: string; html: string | null } {
  const isHtmlTooLarge = mail.html !== undefined && byteLength(mail.html) > MAX_HTML_BYTES;
  // Some programs send an empty text part next to the HTML.
  const text = (mail.text?.trim() ? mail.text : htmlToText(mail.html ?? "")).trimEnd();
  const kept = cutToBytes(text, MAX_BODY_BYTES);
  const notes = [
    ...(kept.length < text.length ? ["[The rest of this message was too large to store.]"] : []),
    ...(isHtmlTooLarge ? ["[The HTML version of this message was too large to store.]"] : []),
  ];
  return { body: [kept, ...notes].join("\n\n"), html: isHtmlTooLarge ? null : (mail.html ?? null) };
}

function isCalendar({ mimeType }: Attachment): boolean {
  return mimeType === "text/calendar" || mimeType === "application/ics";
}

function unnamed({ mimeType }: Attachment, index: number): string {
  const extension = /^[a-z]+\/([a-z0-9]{1,10})$/.exec(mimeType)?.[1];
  return `attachment-${index + 1}${extension ? `.${extension}` : ""}`;
}

function sizeOf({ content }: Attachment): number {
  return typeof content === "string" ? byteLength(content) : content.byteLength;
}

/** The header fields at the start of a message, as far as they can be told. */
function headersOf(text: string): Header[] {
  const block = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  return block
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .map((line) => {
      const at = line.indexOf(":");
      return { key: line.slice(0, Math.max(at, 0)).trim().toLowerCase(), value: line.slice(at + 1).trim() };
    });
}

const HEADERS_SCANNED = 64 * 1024;

function unreadable(raw: Uint8Array): ParsedEmail {
  const text = new TextDecoder().decode(raw.subarray(0, MAX_BODY_BYTES * 2));
  const headers = headersOf(text.slice(0, HEADERS_SCANNED));
  const header = (name: string) => headers.find(({ key }) => key === name)?.value;
  const sender = onlySender(headers);
  return {
    headers,
    messageId: parseMessageId(header("message-id")),
    inReplyTo: null,
    references: [],
    from: sender === null ? null : { name: "", email: firstCharacters(sender, 320) },
    to: [],
    cc: [],
    replyTo: null,
    subject: firstCharacters(header("subject") ?? "", SUBJECT_CHARACTERS) || "(unreadable message)",
    body: `[This message could not be parsed. Its source follows.]\n\n${cutToBytes(text, MAX_BODY_BYTES)}`,
    html: null,
    attachments: [],
    calendarParts: [],
  };
}
