import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toBase64Url, toBytes, toHex } from "./encoding.ts";

export function sha256Hex(text: string): string {
  return toHex(sha256(toBytes(text)));
}

export function hmacSha256(key: string, message: string): Uint8Array {
  return hmac(sha256, toBytes(key), toBytes(message));
}

/** Compares without stopping at the first difference, so that timing tells nothing of the content. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

/** An unguessable id or token; 16 bytes are 128 bits. */
export function randomToken(bytes = 16): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}
