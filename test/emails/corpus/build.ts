/** Pieces of raw messages. */

export interface File {
  name: string;
  bytes: Uint8Array;
}

export interface Sample {
  /** What is particular about it. */
  about: string;
  raw: Uint8Array;
  /** Words that the body must contain. */
  says: string[];
  /** Attachments in their order. */
  files?: File[];
  /** What the email must have besides. */
  has?: Record<string, unknown>;
}

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text.replaceAll(/\r?\n/g, "\r\n"));
export const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export function join(...parts: (string | Uint8Array)[]): Uint8Array {
  const all = parts.map((part) => (typeof part === "string" ? bytesOf(part) : part));
  const whole = new Uint8Array(all.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes of every value, the same for each seed. */
export function noise(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let at = 0; at < size; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[at] = state >> 16;
  }
  return bytes;
}

export function base64(bytes: Uint8Array, width = 76): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return (btoa(binary).match(new RegExp(`.{1,${width}}`, "g")) ?? []).join("\r\n");
}

export function quotedPrintable(bytes: Uint8Array): string {
  let line = "";
  const lines: string[] = [];
  for (const byte of bytes) {
    const letter =
      byte > 32 && byte < 127 && byte !== 61
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (line.length + letter.length > 75) {
      lines.push(`${line}=`);
      line = "";
    }
    line += letter;
  }
  return [...lines, line].join("\r\n");
}

let count = 0;

export const head = (subject: string, more = "") =>
  `From: Ann <ann@example.com>\nTo: hello@example.com\nSubject: ${subject}\nMessage-ID: <corpus-${++count}@example.com>\nMIME-Version: 1.0\n${more}`;

export const part = (headers: string, body: string | Uint8Array, boundary = "b"): Uint8Array =>
  join(`--${boundary}\n${headers}\n\n`, body, "\n");

export const filePart = ({ name, bytes }: File, type = "application/octet-stream", boundary = "b"): Uint8Array =>
  part(
    `Content-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64`,
    base64(bytes),
    boundary,
  );

export const PDF: File = { name: "Rechnung 4711.pdf", bytes: join("%PDF-1.4\n", noise(3000), "\n%%EOF\n") };
export const TEXT = "Content-Type: text/plain; charset=utf-8";
export const mixed = (subject: string, ...parts: Uint8Array[]) =>
  join(head(subject, "Content-Type: multipart/mixed; boundary=b\n"), "\n", ...parts, "--b--\n");
