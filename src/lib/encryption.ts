import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { fromBase64Url, fromBytes, toBase64Url, toBytes } from "./encoding.ts";
import { type Secret, type Secrets, secretById } from "./secrets.ts";

const VERSION = "v2";
const NONCE_BYTES = 12;

/**
 * AES-256-GCM for values at rest: `v2.<id of the secret>.<nonce>.<sealed>`. `purpose` says what the value is and whose:
 * it is bound to the sealed text, so that one record's value cannot be put in another's place.
 */
export async function seal([current]: Secrets, purpose: string, plain: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(nonce, purpose), await aesKey(current), toBytes(plain));
  return [VERSION, current.id, toBase64Url(nonce), toBase64Url(new Uint8Array(sealed))].join(".");
}

/** The plain text, or null when it was sealed with an unknown secret, for another purpose, or altered. */
export async function unseal(secrets: Secrets, purpose: string, text: string): Promise<string | null> {
  const [version, id = "", nonceText = "", sealedText = ""] = text.split(".");
  const secret = secretById(secrets, id);
  const nonce = fromBase64Url(nonceText);
  const sealed = fromBase64Url(sealedText);
  if (version !== VERSION || !secret || !nonce || !sealed) return null;
  try {
    const plain = await crypto.subtle.decrypt(parameters(nonce, purpose), await aesKey(secret), sealed);
    return fromBytes(new Uint8Array(plain));
  } catch {
    return null;
  }
}

/** Whether the value was sealed with this secret. */
export function isSealedWith({ id }: Secret, text: string): boolean {
  return text.startsWith(`${VERSION}.${id}.`);
}

function parameters(nonce: Uint8Array, purpose: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: toBytes(`${VERSION}:${purpose}`) };
}

const keys = new WeakMap<Secret, Promise<CryptoKey>>();

/** Derived once, because that costs more than using the key. */
function aesKey(secret: Secret): Promise<CryptoKey> {
  let key = keys.get(secret);
  if (!key) {
    const bytes = hkdf(sha256, toBytes(secret.value), undefined, toBytes("poa at rest"), 32);
    key = crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
    keys.set(secret, key);
  }
  return key;
}
