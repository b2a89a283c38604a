import { type Address, asciiDomain } from "./addresses.ts";
import { joinBytes, toBase64, toBytes } from "./encoding.ts";
import { collapseSpace } from "./text.ts";

/** An email as text. `files` are read when the message is. */
interface MimeMessage {
  from: Address;
  replyTo?: Address | null;
  to: Address | readonly Address[];
  cc?: readonly Address[];
  subject: string;
  messageId: string;
  date: Date;
  headers?: Record<string, string>;
  /** The same content in different forms, the plainest first. */
  alternatives: readonly { type: string; content: string }[];
  files?: readonly MimeFile[];
  /** Begins what separates the parts. The same message has the same bytes if it is given. */
  boundary?: string;
}

export interface MimeFile {
  name: string;
  type: string;
  /** In bytes; `read` gives exactly as many. */
  size: number;
  /** For a picture that the HTML shows. */
  contentId?: string | null;
  read(): Promise<ReadableStream<Uint8Array>>;
}

/** A message in pieces: text, and files that are encoded when they are read. */
type Pieces = readonly (string | MimeFile)[];

const LINE = "\r\n";
/** Base64 of this many bytes is a line of 76 characters. */
const LINE_BYTES = 57;
const LINE_CHARACTERS = 76;

/** A message without files. */
export function mimeMessage(message: Omit<MimeMessage, "files">): string {
  return mimePieces(message).join("");
}

/** Pictures are next to the text that shows them, all other files next to both. */
export function mimePieces(message: MimeMessage): Pieces {
  const { boundary = `=_${crypto.randomUUID()}`, alternatives, files = [] } = message;
  const isPicture = ({ contentId }: MimeFile) => Boolean(contentId);
  const texts = alternatives.map(textPart);
  const shown = multipart("alternative", `${boundary}-a`, texts);
  const related = multipart("related", `${boundary}-r`, [shown, ...files.filter(isPicture).map(filePart)]);
  const whole = multipart("mixed", `${boundary}-m`, [
    related,
    ...files.filter((file) => !isPicture(file)).map(filePart),
  ]);
  return [headerLines(message), ...whole];
}

export function sizeOf(pieces: Pieces): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === "string" ? toBytes(piece).length : encodedSize(piece.size)),
    0,
  );
}

function encodedSize(bytes: number): number {
  return Math.ceil(bytes / 3) * 4 + Math.ceil(bytes / LINE_BYTES) * LINE.length;
}

/** One file is open at a time, and none is held in memory. */
export function streamOf(pieces: Pieces): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const write = async () => {
    for (const piece of pieces) {
      if (typeof piece === "string") {
        const writer = writable.getWriter();
        await writer.write(toBytes(piece));
        writer.releaseLock();
      } else {
        await (await piece.read()).pipeThrough(base64Lines()).pipeTo(writable, { preventClose: true });
      }
    }
    await writable.close();
  };
  // The reader of the stream gets the error.
  write().catch((error: unknown) => writable.abort(error).catch(() => {}));
  return readable;
}

function base64Lines(): TransformStream<Uint8Array, Uint8Array> {
  let rest = new Uint8Array();
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = joinBytes([rest, chunk]);
      const whole = bytes.length - (bytes.length % LINE_BYTES);
      rest = bytes.slice(whole);
      if (whole > 0) controller.enqueue(toBytes(encoded(bytes.subarray(0, whole))));
    },
    flush(controller) {
      if (rest.length > 0) controller.enqueue(toBytes(encoded(rest)));
    },
  });
}

function encoded(bytes: Uint8Array): string {
  const text = toBase64(bytes);
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += LINE_CHARACTERS) lines.push(text.slice(at, at + LINE_CHARACTERS), LINE);
  return lines.join("");
}

/** A single part stands for itself. */
function multipart(subtype: string, boundary: string, parts: readonly Pieces[]): Pieces {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return [
    `Content-Type: multipart/${subtype}; boundary="${boundary}"${LINE}${LINE}`,
    ...parts.flatMap((part) => [`--${boundary}${LINE}`, ...part]),
    `--${boundary}--${LINE}`,
  ];
}

function textPart({ type, content }: { type: string; content: string }): Pieces {
  const text = encoded(toBytes(content.replaceAll(/\r\n?|\n/g, LINE)));
  return [[`Content-Type: ${type}`, "Content-Transfer-Encoding: base64", "", text].join(LINE)];
}

function filePart(file: MimeFile): Pieces {
  const { name, contentId } = file;
  const lines = [
    `Content-Type: ${fileType(file)}`,
    `Content-Disposition: ${contentId ? "inline" : "attachment"}; ${fileNameParameter(name)}`,
    ...(contentId ? [`Content-ID: <${contentId.replaceAll(/[^!-;=?-~]/g, "_")}>`] : []),
    "Content-Transfer-Encoding: base64",
  ];
  return [lines.join(LINE) + LINE + LINE, file];
}

/**
 * The type of a file that leaves: a stored one may be a sender's words. A message or multipart must not be encoded (RFC
 * 2045), and would be read as a part of this message.
 */
export function fileType({ type }: { type: string }): string {
  return /^(?!message\/|multipart\/)[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream";
}

const NAME_PIECE = 60;

/** RFC 2231: a long name, or one with other letters, is written in encoded pieces. */
function fileNameParameter(name: string): string {
  const line = collapseSpace(name.replaceAll(/\p{Surrogate}|\p{Cc}/gu, "_"));
  if (/^[\w .()+,-]{1,60}$/.test(line)) return `filename="${line}"`;
  const letters = encodeURIComponent(line)
    .replaceAll(/['()*!]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .match(/%..|[^%]/g);
  const pieces = [""];
  for (const letter of letters ?? []) {
    const last = pieces.at(-1) ?? "";
    if (last.length + letter.length > NAME_PIECE) pieces.push(letter);
    else pieces[pieces.length - 1] = last + letter;
  }
  return pieces.map((piece, index) => `filename*${index}*=${index === 0 ? "UTF-8''" : ""}${piece}`).join(`;${LINE} `);
}

function headerLines({ from, replyTo, to, cc = [], subject, messageId, date, headers = {} }: MimeMessage): string {
  const first = [to].flat();
  return [
    `From: ${mailbox(from)}`,
    ...(replyTo ? [`Reply-To: ${mailbox(replyTo)}`] : []),
    ...(first.length > 0 ? [`To: ${mailboxes(first)}`] : []),
    ...(cc.length > 0 ? [`Cc: ${mailboxes(cc)}`] : []),
    `Subject: ${encodedWords(subject)}`,
    `Message-ID: ${messageId.replaceAll(/\s+/g, "")}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${folded(value)}`),
    "",
  ].join(LINE);
}

/** On lines of their own, because a line has at most 998 characters. */
function folded(value: string): string {
  return collapseSpace(value).replaceAll(/(.{1,70}) /g, `$1${LINE} `);
}

function mailboxes(addresses: readonly Address[]): string {
  return addresses.map(mailbox).join(`,${LINE} `);
}

function mailbox({ name, email }: Address): string {
  const address = `<${asciiDomain(email).replaceAll(/[\s<>\p{Cc}]/gu, "")}>`;
  return name ? `${encodedWords(name, /^[\w ]{1,60}$/)} ${address}` : address;
}

const ENCODED_BYTES = 45;

/** RFC 2047. Each encoded word holds whole characters and is at most 75 characters long. */
function encodedWords(value: string, plain = /^[\x20-\x7e]{0,60}$/): string {
  const line = collapseSpace(value);
  if (plain.test(line) && !line.includes("=?")) return line;
  const chunks = [""];
  for (const character of line) {
    const last = chunks.at(-1) ?? "";
    if (toBytes(last + character).length > ENCODED_BYTES) chunks.push(character);
    else chunks[chunks.length - 1] = last + character;
  }
  return chunks.map((chunk) => `=?UTF-8?B?${toBase64(toBytes(chunk))}?=`).join(`${LINE} `);
}
