import type { TransferEncoding } from "../attachments.ts";
import type { PartHeaders } from "./headers.ts";

/** A part that is a file, and where its bytes are. */
export interface FilePart {
  headers: PartHeaders;
  offset: number;
  length: number;
  encoding: TransferEncoding;
  /** Decoded. */
  size: number;
  /** Whether it is in a multipart/related, where HTML refers to it. */
  isRelated: boolean;
  /** The first bytes, still encoded, of a part that may have to be read at once: a calendar. */
  start: Uint8Array | null;
  /** Set for a text that was too long to be kept whole: this is all of it. */
  isLongText?: true;
}

/** A part that is shown as text, still encoded. */
export interface TextPart {
  kind: "text";
  headers: PartHeaders;
  encoding: TransferEncoding;
  bytes: Uint8Array;
  /** Whether the text goes on. */
  isCut: boolean;
}

export interface Multipart {
  kind: "multipart";
  subtype: string;
  children: (Multipart | TextPart)[];
}

export interface SkimmedMessage {
  /** All header lines, from the top. */
  header: Uint8Array;
  root: PartHeaders;
  /** The texts and how they belong together. */
  texts: (Multipart | TextPart)[];
  files: FilePart[];
  /** Text of multiparts that have no part. */
  loose: Uint8Array;
  /** The beginning of the message. */
  start: Uint8Array;
  /** Whether something could not be followed to its end. */
  isBroken: boolean;
  /** Whether it has more parts or longer headers than are read. */
  isCut: boolean;
}

/** Texts that are data: a person opens them as files. */
const DATA_TEXTS =
  /^text\/(?:calendar|csv|x?-?vcard|directory|x-amp-html|rfc822-headers|xml|javascript|css|tab-separated-values)$/;

/** A part without a valid type is text, unless it is said to be a file. */
export function isShownAsText(headers: PartHeaders): boolean {
  const { type, disposition } = headers;
  if (disposition.value === "attachment") return false;
  const hasName = disposition.params.has("filename") || type.params.has("name");
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(type.value)) return !hasName;
  if (type.value === "text/plain" || type.value === "text/html") return true;
  return type.value.startsWith("text/") && !DATA_TEXTS.test(type.value) && !hasName;
}

/** Programs attach invitations as any type of file. */
export function mayBeCalendar({ type, disposition }: PartHeaders): boolean {
  const name = disposition.params.get("filename") ?? type.params.get("name") ?? "";
  return (
    /^(?:text\/calendar|text\/x-vcalendar|application\/ics)$/.test(type.value) || /\.(?:ics|vcs)\b|\.ics\?=/i.test(name)
  );
}
