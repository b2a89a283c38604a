import { toBase64, toBytes } from "../encoding.ts";
import { decodeText } from "./charset.ts";
import type { Multipart, TextPart } from "./skimmed.ts";
import { decodeBytes } from "./transfer-encoding.ts";

/** The texts of a message as a small, well-formed one in UTF-8, for the parser that puts body and HTML together. */
export function rewriteTexts(texts: readonly (Multipart | TextPart)[]): string {
  const [only] = texts;
  const root: Multipart | TextPart =
    texts.length === 1 && only ? only : { kind: "multipart", subtype: "mixed", children: [...texts] };
  return written(root);
}

function written(part: Multipart | TextPart): string {
  return part.kind === "text" ? writtenText(part) : writtenMultipart(part);
}

function writtenText({ headers, encoding, bytes, isCut }: TextPart): string {
  const { value, params } = headers.type;
  const format = ["format", "delsp"].map((name) => {
    const given = params.get(name)?.toLowerCase() ?? "";
    return /^(?:flowed|yes)$/.test(given) ? `; ${name}=${given}` : "";
  });
  const type = value === "text/html" ? value : "text/plain";
  const text = decodeText(decodeBytes(bytes, encoding), params.get("charset"), isCut);
  // The parser takes its time for each line, and a text may have a million of them.
  const content = toBase64(toBytes(text.replaceAll("\r\n", "\n"))).replaceAll(/.{1000}/g, "$&\r\n");
  const head = `Content-Type: ${type}; charset=utf-8${format.join("")}\r\nContent-Transfer-Encoding: base64`;
  return `${head}\r\n\r\n${content}`;
}

function writtenMultipart({ subtype, children }: Multipart): string {
  // No text contains it by chance.
  const boundary = crypto.randomUUID();
  const known = /^(?:alternative|related|mixed)$/.test(subtype) ? subtype : "mixed";
  const parts = children.map((child) => `--${boundary}\r\n${written(child)}\r\n`);
  return `Content-Type: multipart/${known}; boundary="${boundary}"\r\n\r\n${parts.join("")}--${boundary}--\r\n`;
}
