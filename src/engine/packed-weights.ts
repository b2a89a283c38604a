const HASH_BITS = 20;
/** A weight is stored as a sign and a size from 1 to this. */
export const LARGEST_WEIGHT = 16;
const WEIGHT_BITS = 5;
/** Gaps between hashes are Rice-coded: so many low bits as they are, the rest as a count of ones. */
const GAP_BITS = 7;
/** Two characters of this alphabet hold 13 bits. It stands in source as it is: no quote, no dollar, no backslash. */
export const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .join("")
  .replace(/["$\\]/g, "");
const PAIR_BITS = 13;
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character.charCodeAt(0), value]));

/** What a character of packed text stands for. */
export const valueAt = (packed: string, at: number) => VALUES.get(packed.charCodeAt(at)) ?? 0;

/** FNV-1a with a final mix, because its low bits alone are poorly distributed. */
export function hashOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) {
    hash ^= feature.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca77);
  return (hash ^ (hash >>> 13)) >>> (32 - HASH_BITS);
}

/** Bits as text. Ones at the end begin a gap that is never finished. */
function packBits(bits: string): string {
  let packed = "";
  for (let at = 0; at < bits.length; at += PAIR_BITS) {
    const pair = Number.parseInt(bits.slice(at, at + PAIR_BITS).padEnd(PAIR_BITS, "1"), 2);
    packed += ALPHABET.charAt(Math.floor(pair / ALPHABET.length)) + ALPHABET.charAt(pair % ALPHABET.length);
  }
  return packed;
}

const gapAsBits = (gap: number, gapBits: number) =>
  `${"1".repeat(gap >>> gapBits)}0${(gap & ((1 << gapBits) - 1)).toString(2).padStart(gapBits, "0")}`;

export function packWeights(weights: ReadonlyMap<number, number>, gapBits = GAP_BITS): string {
  let bits = "";
  let last = -1;
  for (const [hash, weight] of [...weights].sort(([a], [b]) => a - b)) {
    bits += gapAsBits(hash - last - 1, gapBits);
    bits += (Math.abs(weight) - 1 + (weight < 0 ? LARGEST_WEIGHT : 0)).toString(2).padStart(WEIGHT_BITS, "0");
    last = hash;
  }
  return packBits(bits);
}

/** Numbers in rising order. */
export function packHashes(sorted: readonly number[], gapBits: number): string {
  return packBits(sorted.map((hash, at) => gapAsBits(hash - (sorted[at - 1] ?? -1) - 1, gapBits)).join(""));
}

/** Reads the next bits of packed text. */
function bitsOf(packed: string) {
  const end = (packed.length / 2) * PAIR_BITS;
  let at = 0;
  let pair = 0;
  const bit = () => {
    const place = at % PAIR_BITS;
    if (place === 0) {
      const first = (at / PAIR_BITS) * 2;
      pair = valueAt(packed, first) * ALPHABET.length + valueAt(packed, first + 1);
    }
    at += 1;
    return (pair >>> (PAIR_BITS - 1 - place)) & 1;
  };
  const number = (length: number) => {
    let value = 0;
    for (let read = 0; read < length; read += 1) value = (value << 1) | bit();
    return value;
  };
  /** The next gap, if so many bits more follow it; null at the end. */
  const gap = (gapBits: number, following: number): number | null => {
    let high = 0;
    while (at < end && bit() === 1) high += 1;
    return at + gapBits + following > end ? null : (high << gapBits) + number(gapBits);
  };
  return { number, gap };
}

export function unpackWeights(table: string, gapBits = GAP_BITS): Map<number, number> {
  const weights = new Map<number, number>();
  const { gap, number } = bitsOf(table);
  let hash = -1;
  for (let next = gap(gapBits, WEIGHT_BITS); next !== null; next = gap(gapBits, WEIGHT_BITS)) {
    hash += 1 + next;
    const stored = number(WEIGHT_BITS);
    weights.set(hash, stored < LARGEST_WEIGHT ? stored + 1 : LARGEST_WEIGHT - 1 - stored);
  }
  return weights;
}

/** The place of each number. */
export function unpackHashes(packed: string, gapBits: number): Map<number, number> {
  const places = new Map<number, number>();
  const { gap } = bitsOf(packed);
  let hash = -1;
  for (let next = gap(gapBits, 0); next !== null; next = gap(gapBits, 0)) {
    hash += 1 + next;
    places.set(hash, places.size);
  }
  return places;
}
