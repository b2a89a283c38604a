import { equalBytes, hmacSha256 } from "./crypto.ts";
import { toBase64Url } from "./encoding.ts";

export interface Secret {
  /** Names the secret beside what was made with it. Reveals nothing about it. */
  id: string;
  value: string;
}

/** The current secret, which everything new is made with, and the previous one while it is being replaced. */
export type Secrets = readonly [current: Secret, previous?: Secret];

const ID_BYTES = 8;

/** `name` is part of the id, so that it does not show that two settings have the same value. */
export function secretOf(name: string, value: string): Secret {
  return { id: toBase64Url(hmacSha256(value, `id of ${name}`).subarray(0, ID_BYTES)), value };
}

export function secretById(secrets: Secrets, id: string): Secret | undefined {
  return secrets.find((secret) => secret?.id === id);
}

/** Signs with the current secret. `message` begins with what it is for, so that no signature is valid elsewhere. */
export function sign([current]: Secrets, message: string): Uint8Array {
  return hmacSha256(current.value, message);
}

/** Accepts a signature of the current or the previous secret, cut to `length` bytes. */
export function isSignature(secrets: Secrets, message: string, given: Uint8Array, length = 32): boolean {
  return secrets.some((secret) => secret && equalBytes(given, hmacSha256(secret.value, message).subarray(0, length)));
}
