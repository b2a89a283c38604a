import type { Address } from "./addresses.ts";
import { toBase64, toBytes } from "./encoding.ts";
import { collapseSpace } from "./text.ts";

/** An email as text. For what the mail binding cannot compose: a calendar part that is no attachment. */
export interface MimeMessage {
  from: Address;
  to: Address;
  subject: string;
  messageId: string;
  date: Date;
  headers?: Record<string, string>;
  /** The same content in different forms, the plainest first. */
  alternatives: { type: string; content: string }[];
}

export function mimeMessage({ from, to, subject, messageId, date, headers = {}, alternatives }: MimeMessage): string {
  const boundary = `=_${crypto.randomUUID()}`;
  const parts = alternatives.flatMap(({ type, content }) => [
    `--${boundary}`,
    `Content-Type: ${type}`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(toBase64(toBytes(content.replaceAll(/\r?\n/g, "\r\n"))).match(/.{1,76}/g) ?? []),
  ]);
  return [
    `From: ${mailbox(from)}`,
    `To: ${mailbox(to)}`,
    `Subject: ${encodedWords(subject)}`,
    `Message-ID: ${messageId}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${collapseSpace(value)}`),
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    ...parts,
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

function mailbox({ name, email }: Address): string {
  const address = `<${email.replaceAll(/[\s<>]/g, "")}>`;
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
  return chunks.map((chunk) => `=?UTF-8?B?${toBase64(toBytes(chunk))}?=`).join("\r\n ");
}
