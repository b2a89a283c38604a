import { decodeWords } from "postal-mime";
import { trimmedOf } from "../text.ts";
import { decodeText, isUtf8 } from "./charset.ts";
import { commentEnd } from "./comments.ts";

/** A header such as Content-Type: its value in lower case, and its parameters. */
interface Structured {
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

/** Of a longer value the rest is not read: programs write a few hundred characters. */
const VALUE_CHARACTERS = 8000;

/** Header lines as text: in UTF-8, or in whatever the sender wrote without saying so. */
export function headerText(bytes: Uint8Array, charset = ""): string {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : decodeText(bytes, charset || "windows-1252");
}

/** Of the headers with one of these names together. Only the first hundred addresses are kept. */
const ADDRESS_CHARACTERS = 20_000;
const ADDRESS_LISTS = ["to", "cc", "bcc", "reply-to"];
const ADDRESS_HEADERS = ["from", "sender", "return-path", "delivered-to", ...ADDRESS_LISTS];

/**
 * A block of headers whose addresses are not too long for a parser that reads nested groups again and again. A list ends
 * after its last whole address. A sender is not cut, which could name another one: it is left out.
 */
export function withinAddressLimit(block: string): { block: string; isCut: boolean } {
  const used = new Map<string, number>();
  let isCut = false;
  const fields = block.split(/\r?\n(?![ \t])/).map((field) => {
    const colon = field.indexOf(":");
    const name = field.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (!ADDRESS_HEADERS.includes(name)) return field;
    const before = used.get(name) ?? 0;
    used.set(name, before + field.length);
    const left = ADDRESS_CHARACTERS - before;
    if (field.length <= left) return field;
    isCut = true;
    const end = ADDRESS_LISTS.includes(name) ? field.lastIndexOf(",", Math.max(left, 0)) : -1;
    return field.slice(0, Math.max(end, colon + 1));
  });
  return { block: fields.join("\r\n"), isCut };
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
    transferEncoding: (found.get("content-transfer-encoding") ?? "").slice(0, VALUE_CHARACTERS),
    contentId: trimmedOf((found.get("content-id") ?? "").slice(0, VALUE_CHARACTERS), /[<>\s]/),
  };
}

export function structured(header: string): Structured {
  const [first, ...parameters] = fieldsOf(header.slice(0, VALUE_CHARACTERS));
  const given = new Map<string, string>();
  for (const { name, value, isQuoted } of parameters) {
    const key = name?.toLowerCase() ?? "";
    if (key && !/[\s"]/.test(key) && !given.has(key)) given.set(key, isQuoted ? value : value.trim());
  }
  return { value: (first?.value ?? "").trim().replaceAll('"', "").toLowerCase(), params: joinedParameters(given) };
}

interface Field {
  /** The name before `=`. */
  name: string | null;
  value: string;
  /** Whether the value began with a quote: what follows its end is not read. */
  isQuoted: boolean;
}

/**
 * The parts between semicolons, in one pass. Comments stand where spaces may stand: in quotes and inside of names a
 * parenthesis is a letter. A quote without an end goes on to the end of the header.
 */
function fieldsOf(text: string): Field[] {
  let field: Field = { name: null, value: "", isQuoted: false };
  const fields = [field];
  let isInside = false;
  let isBlank = true;
  let hasComments = true;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isInside) {
      isInside = char !== '"';
      if (isInside) field.value += char === "\\" ? text.charAt(++at) : char;
    } else if (char === "(" && hasComments && /^$|[\s;]/.test(text.charAt(at - 1))) {
      const end = commentEnd(text, at);
      hasComments = end >= 0;
      // Without an end it is a letter, and is read again as one.
      at = (hasComments ? end : at) - 1;
    } else if (char === ";") {
      field = { name: null, value: "", isQuoted: false };
      fields.push(field);
      isBlank = true;
    } else if (char === "=" && field.name === null && fields.length > 1) {
      field.name = field.value.trim();
      field.value = "";
      isBlank = true;
    } else if (char === '"' && isBlank && field.name !== null) {
      field.value = "";
      field.isQuoted = true;
      isInside = true;
      isBlank = false;
    } else if (!field.isQuoted) {
      field.value += char;
      isBlank &&= /\s/.test(char);
    }
  }
  return fields;
}

/** Puts together what RFC 2231 takes apart: `name*0`, `name*1*`, `name*=utf-8''…`. */
export function joinedParameters(given: ReadonlyMap<string, string>): Map<string, string> {
  const params = new Map<string, string>();
  const pieces = new Map<string, { order: number; text: string; isEncoded: boolean }[]>();
  for (const [name, value] of given) {
    const [, base = name, order, star] = /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(name) ?? [];
    if (order === undefined && !star) params.set(base, value);
    else {
      const list = pieces.get(base) ?? [];
      list.push({ order: Number(order ?? 0), text: value, isEncoded: Boolean(star) });
      pieces.set(base, list);
    }
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
