import { decodeWords } from "postal-mime";
import { decodeText, isUtf8 } from "./charset.ts";

/** A header such as Content-Type: its value in lower case, and its parameters. */
export interface Structured {
  value: string;
  params: Map<string, string>;
}

/** The content headers of a part. Of repeated ones the first counts. */
export interface PartHeaders {
  type: Structured;
  disposition: Structured;
  transferEncoding: string;
  contentId: string;
}

const CONTENT_HEADERS = /^(content-(?:type|disposition|transfer-encoding|id))[ \t]*:/i;

/** Header lines as text: in UTF-8, or in whatever the sender wrote without saying so. */
export function headerText(bytes: Uint8Array, charset = ""): string {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : decodeText(bytes, charset || "windows-1252");
}

export function readPartHeaders(block: string): PartHeaders {
  const found = new Map<string, string>();
  for (const line of block.replaceAll(/\r?\n(?=[ \t])/g, "").split(/\r?\n/)) {
    const name = CONTENT_HEADERS.exec(line)?.[1]?.toLowerCase();
    if (name && !found.has(name)) found.set(name, line.slice(line.indexOf(":") + 1).trim());
  }
  return {
    type: structured(found.get("content-type") ?? ""),
    disposition: structured(found.get("content-disposition") ?? ""),
    transferEncoding: found.get("content-transfer-encoding") ?? "",
    contentId: (found.get("content-id") ?? "").trim().replaceAll(/^<+|>+$/g, ""),
  };
}

/** One parameter after another: `; name=value` or `; name="value"`. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

export function structured(header: string): Structured {
  const text = withoutComments(header);
  const value = (/^[^;]*/.exec(text)?.[0] ?? "").trim().replaceAll('"', "").toLowerCase();
  const given = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!given.has(key)) given.set(key, quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(.)/g, "$1"));
  }
  return { value, params: joined(given) };
}

/** Comments stand in parentheses, where spaces may stand. In quotes and inside of names a parenthesis is a letter. */
function withoutComments(header: string): string {
  return header.replaceAll(/"(?:[^"\\]|\\.)*"|(?<=^|[\s;])\([^()]*\)/g, (part) => (part.startsWith('"') ? part : " "));
}

/** Puts together what RFC 2231 takes apart: `name*0`, `name*1*`, `name*=utf-8''…`. */
function joined(given: ReadonlyMap<string, string>): Map<string, string> {
  const params = new Map<string, string>();
  const pieces = new Map<string, { order: number; text: string; isEncoded: boolean }[]>();
  for (const [name, value] of given) {
    const [, base = name, order, star] = /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(name) ?? [];
    if (order === undefined && !star) params.set(base, value);
    else
      pieces.set(base, [
        ...(pieces.get(base) ?? []),
        { order: Number(order ?? 0), text: value, isEncoded: Boolean(star) },
      ]);
  }
  for (const [name, list] of pieces) {
    const sorted = list.sort((a, b) => a.order - b.order);
    const charset = /^([^']*)'[^']*'/.exec(sorted[0]?.text ?? "");
    const isExtended = sorted[0]?.isEncoded === true && charset !== null;
    const bytes = sorted.flatMap(({ text, isEncoded }, index) => {
      const content = index === 0 && isExtended ? text.slice(charset[0].length) : text;
      return isEncoded ? percentDecoded(content) : [...new TextEncoder().encode(content)];
    });
    params.set(name, decodeText(Uint8Array.from(bytes), isExtended ? charset[1] : "utf-8"));
  }
  return params;
}

function percentDecoded(text: string): number[] {
  const bytes: number[] = [];
  for (const [part, hex] of text.matchAll(/%([0-9a-f]{2})|[^%]+|%/gi)) {
    if (hex) bytes.push(Number.parseInt(hex, 16));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return bytes;
}

const NAME_CHARACTERS = 200;

/** The file name of a part, safe to show; empty if it has none. */
export function fileName({ type, disposition }: PartHeaders): string {
  const name = disposition.params.get("filename") ?? type.params.get("name") ?? "";
  const decoded = /=\?/.test(name) ? decodeWords(name) : name;
  // Neither a folder nor characters that hide what the name ends with.
  const clean =
    decoded
      .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "")
      .split(/[/\\]/)
      .at(-1) ?? "";
  return [...clean.trim()].slice(0, NAME_CHARACTERS).join("");
}
