import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { fromBase64Url, fromBytes, toBase64Url, toBytes } from "./encoding.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;

/**
 * AES-256-GCM for values at rest. `purpose` says what the value is and whose: it is bound to the
 * sealed text, so that one record's value cannot be put in another's place.
 */
export async function seal(secret: string, purpose: string, plain: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const key = await aesKey(secret);
  const sealed = await crypto.subtle.encrypt(parameters(nonce, purpose), key, toBytes(plain));
  return `${VERSION}.${toBase64Url(nonce)}.${toBase64Url(new Uint8Array(sealed))}`;
}

/** The plain text, or null when it was sealed with another key, for another purpose, or altered. */
export async function unseal(secret: string, purpose: string, text: string): Promise<string | null> {
  const [version, nonceText = "", sealedText = ""] = text.split(".");
  const nonce = fromBase64Url(nonceText);
  const sealed = fromBase64Url(sealedText);
  if (version !== VERSION || !nonce || !sealed) return null;
  try {
    const plain = await crypto.subtle.decrypt(parameters(nonce, purpose), await aesKey(secret), sealed);
    return fromBytes(new Uint8Array(plain));
  } catch {
    return null;
  }
}

function parameters(nonce: Uint8Array, purpose: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: toBytes(`${VERSION}:${purpose}`) };
}

function aesKey(secret: string): Promise<CryptoKey> {
  const key = hkdf(sha256, toBytes(secret), undefined, toBytes("poa at rest"), 32);
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}
