import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toBase64, toBytes } from "./encoding.ts";

/*
 * Signing as Standard Webhooks has it: HMAC-SHA256 over `id.timestamp.body`, with the bytes that the secret
 * is the base64 of.
 */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

export interface SignedMessage {
  id: string;
  /** When this try is made, which is not when the event happened. */
  sentAt: Date;
  body: string;
}

/** The headers of a delivery. While a secret is being replaced both sign, and the receiver may know either; without one nothing does. */
export function signatureHeaders({ id, sentAt, body }: SignedMessage, secrets: readonly string[]) {
  const seconds = Math.floor(sentAt.getTime() / 1000);
  const content = toBytes(`${id}.${seconds}.${body}`);
  const signatures = secrets.map((secret) => `v1,${toBase64(hmac(sha256, keyOf(secret), content))}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
  };
}

/** `whsec_` announces base64; any other secret, as somebody's own may be, is taken as it stands. */
function keyOf(secret: string): Uint8Array {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  if (encoded === undefined || encoded.length % 4 === 1) return toBytes(secret);
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}
