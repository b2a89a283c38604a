import { assertType } from "./cast.ts";
import { fromBase64Url, joinBytes, toBase64Url, toBytes } from "./encoding.ts";

/*
 * Web Push: the message encryption of RFC 8291 (aes128gcm, RFC 8188) and the signature of RFC 8292 (VAPID), with the
 * runtime's own cryptography.
 */

interface PushTarget {
  endpoint: string;
  /** The device's public key and secret, in base64url. */
  p256dh: string;
  auth: string;
}

/** The key that this service signs with. Devices subscribe to its public part. */
export interface VapidKey {
  key: CryptoKey;
  /** Uncompressed point, in base64url. */
  publicKey: string;
}

const POINT_BYTES = 65;
const SECRET_BYTES = 16;
const SCALAR_BYTES = 32;
const RECORD_SIZE = 4096;
const CURVE = { name: "ECDH", namedCurve: "P-256" };
const SIGNING = { name: "ECDSA", namedCurve: "P-256" };

/** A private key of 32 bytes as PKCS #8, without its public key, which the runtime then computes. */
const PKCS8_START = Uint8Array.from(atob("MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCA="), (char) =>
  char.charCodeAt(0),
);

/** The key behind VAPID_PRIVATE_KEY, which is 32 bytes in base64url; null if it is none. */
export async function readVapidKey(privateKey: string): Promise<VapidKey | null> {
  const scalar = fromBase64Url(privateKey);
  if (scalar?.length !== SCALAR_BYTES) return null;
  try {
    const key = await crypto.subtle.importKey("pkcs8", joinBytes([PKCS8_START, scalar]), SIGNING, true, ["sign"]);
    const { x, y } = assertType<JsonWebKey>(await crypto.subtle.exportKey("jwk", key));
    const [left, right] = [fromBase64Url(x ?? ""), fromBase64Url(y ?? "")];
    if (!left || !right) return null;
    return { key, publicKey: toBase64Url(joinBytes([Uint8Array.of(4), left, right])) };
  } catch {
    return null;
  }
}

/** Whether a device could have made these: a point of the curve, and a secret of the right length. */
export async function isPushKey({ p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">): Promise<boolean> {
  const point = fromBase64Url(p256dh);
  if (point?.length !== POINT_BYTES || fromBase64Url(auth)?.length !== SECRET_BYTES) return false;
  try {
    await crypto.subtle.importKey("raw", point, CURVE, false, []);
    return true;
  } catch {
    return false;
  }
}

/** The body of a push message that only the device can read. */
export async function encryptPush({ p256dh, auth }: PushTarget, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const [devicePoint, secret] = [fromBase64Url(p256dh), fromBase64Url(auth)];
  if (!devicePoint || !secret) throw new Error("the keys of a push subscription are not valid");
  const device = await crypto.subtle.importKey("raw", devicePoint, CURVE, false, []);
  const own = assertType<CryptoKeyPair>(await crypto.subtle.generateKey(CURVE, true, ["deriveBits"]));
  const ownPoint = new Uint8Array(assertType<ArrayBuffer>(await crypto.subtle.exportKey("raw", own.publicKey)));
  const agreement = assertType<SubtleCryptoDeriveKeyAlgorithm>({ name: "ECDH", public: device });
  const shared = new Uint8Array(await crypto.subtle.deriveBits(agreement, own.privateKey, 256));
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const info = joinBytes([toBytes("WebPush: info\0"), devicePoint, ownPoint]);
  const material = await hkdf(shared, secret, info, 32);
  const contentKey = await hkdf(material, salt, toBytes("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await hkdf(material, salt, toBytes("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"]);
  // 2 marks the last record; there is only this one.
  const plain = joinBytes([toBytes(text), Uint8Array.of(2)]);
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, aes, plain));
  const size = new DataView(new ArrayBuffer(5));
  size.setUint32(0, RECORD_SIZE);
  size.setUint8(4, ownPoint.length);
  return joinBytes([salt, new Uint8Array(size.buffer), ownPoint, sealed]);
}

async function hkdf(key: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, material, bytes * 8),
  );
}

/** How long a signature is valid. The RFC allows a day. */
const VALID_SECONDS = 12 * 60 * 60;

/** The `Authorization` of a push message: who sends it, for the push service at that address. */
export async function vapidHeader(
  { key, publicKey }: VapidKey,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: number },
): Promise<string> {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + VALID_SECONDS, sub: subject };
  const part = (value: object) => toBase64Url(toBytes(JSON.stringify(value)));
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, toBytes(signed));
  return `vapid t=${signed}.${toBase64Url(new Uint8Array(signature))}, k=${publicKey}`;
}
