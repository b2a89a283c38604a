import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toBase64, toBytes } from "./encoding.ts";

/* Signatures as in Standard Webhooks: HMAC-SHA256 over `id.timestamp.body` with the base64-decoded secret. */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** The limits of Standard Webhooks. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

export function newWebhookSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

interface SignedMessage {
  id: string;
  /** When this attempt is made, not when the event happened. */
  sentAt: Date;
  body: string;
}

/** The headers of a delivery. During a rotation both secrets sign; without a secret there is no signature. */
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

/** Why a secret cannot sign, as the rest of a sentence about it; null if it can. */
export function webhookSecretProblem(secret: string): string | null {
  if (!secret.startsWith(PREFIX)) return null;
  const length = decoded(secret)?.length ?? 0;
  const isUsable = length >= MIN_BYTES && length <= MAX_BYTES;
  return isUsable ? null : `must be ${PREFIX} followed by the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`;
}

/** A `whsec_` secret is base64; any other one is used as text. */
function keyOf(secret: string): Uint8Array {
  const key = secret.startsWith(PREFIX) ? decoded(secret) : toBytes(secret);
  if (!key) throw new Error("the webhook secret is not base64");
  return key;
}

function decoded(secret: string): Uint8Array | null {
  const encoded = secret.slice(PREFIX.length);
  // `atob` ignores spaces, which a receiver may not.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
