import { sha256 } from "@noble/hashes/sha2.js";
import { toBytes, toHex } from "../../../lib/encoding.ts";
import { parseMessageId } from "../../../lib/message-id.ts";
import { collapseSpace } from "../../../lib/text.ts";
import { latin1 } from "./framer.ts";

/** What tells messages apart whatever the server makes of the rest of a header. */
export const DIGEST_FIELDS = ["message-id", "date", "from", "to", "subject"];

const HEADER_BYTES = 256 * 1024;

/** Of the header, or the whole message that begins with it, and the size that the server names (RFC822.SIZE). */
export function messageDigest(message: Uint8Array, size: number): string {
  const fields = headerFields(message);
  const told = DIGEST_FIELDS.map((name) => fields.get(name) ?? "");
  return toHex(sha256(toBytes([size, ...told].join("\n"))));
}

export function messageIdOf(header: Uint8Array): string | null {
  return parseMessageId(headerFields(header).get("message-id"));
}

export function dateOf(header: Uint8Array): number | null {
  const time = Date.parse(headerFields(header).get("date") ?? "");
  return Number.isNaN(time) ? null : time;
}

/** The first of each name, unfolded. */
function headerFields(message: Uint8Array): Map<string, string> {
  const [header = ""] = latin1(message.subarray(0, HEADER_BYTES)).split(/\r?\n\r?\n/, 1);
  const fields = new Map<string, string>();
  for (const line of header.split(/\r?\n(?![ \t])/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (DIGEST_FIELDS.includes(name) && !fields.has(name)) fields.set(name, collapseSpace(line.slice(colon + 1)));
  }
  return fields;
}
