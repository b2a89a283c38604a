import { sha256Hex } from "./crypto.ts";

export const API_KEY_PREFIX = "poa_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 40;
const CHECKSUM_CHARACTERS = 8;

/** `poa_`, about 238 random bits, and a checksum that reveals a mistyped key without a database query. */
export function makeApiKey(): string {
  let random = "";
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 is the largest multiple of 62 in a byte: higher values would make the first letters more likely.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += ALPHABET[byte % ALPHABET.length];
    }
  }
  return `${API_KEY_PREFIX}${random}${checksum(random)}`;
}

export function isApiKey(text: string): boolean {
  const random = text.slice(API_KEY_PREFIX.length, -CHECKSUM_CHARACTERS);
  return /^poa_[0-9A-Za-z]{40}[0-9a-f]{8}$/.test(text) && text.endsWith(checksum(random));
}

function checksum(random: string): string {
  return sha256Hex(`api key ${random}`).slice(0, CHECKSUM_CHARACTERS);
}
