import { ALPHABET, hashOf } from "../../../engine/packed-weights.ts";

/** How many numbers stand for a feature, and how large each can be. */
export const DIMENSIONS = 24;
export const LARGEST = 4;
const LEVELS = 2 * LARGEST + 1;
/** So many numbers are packed into two characters. */
const PER_PAIR = 4;

/**
 * A small network with one layer: each feature is a point in a space of a few dimensions, a message is the middle of its
 * features, and each output has a direction in that space. Far fewer numbers say as much as a weight for each feature and
 * output would.
 */
export interface PackedNetwork {
  /** Hashes of the features. */
  features: string;
  /** The points of the features, in the order of their hashes. */
  points: string;
  /** What one step of a point stands for. */
  scale: number;
  /** The direction of each output, then its bias, in thousandths. */
  outputs: readonly (readonly number[])[];
}

/** Gaps that do not fit into a pair are cut into several; the last is the one that ends at a feature. */
const LARGEST_GAP = ALPHABET.length ** 2 - 1;

const pairAt = (packed: string, at: number) =>
  ALPHABET.indexOf(packed.charAt(at)) * ALPHABET.length + ALPHABET.indexOf(packed.charAt(at + 1));

const pair = (value: number) =>
  ALPHABET.charAt(Math.floor(value / ALPHABET.length)) + ALPHABET.charAt(value % ALPHABET.length);

export function packHashes(sorted: readonly number[]): string {
  let packed = "";
  let last = 0;
  for (const hash of sorted) {
    let gap = hash - last;
    last = hash;
    for (; gap >= LARGEST_GAP; gap -= LARGEST_GAP) packed += pair(LARGEST_GAP);
    packed += pair(gap);
  }
  return packed;
}

/** The place of each hash. */
export function unpackHashes(packed: string): Map<number, number> {
  const places = new Map<number, number>();
  let hash = 0;
  for (let at = 0; at < packed.length; at += 2) {
    const gap = pairAt(packed, at);
    hash += gap;
    if (gap < LARGEST_GAP) places.set(hash, places.size);
  }
  return places;
}

/** Whole numbers from -4 to 4. */
export function packPoints(steps: readonly number[]): string {
  let packed = "";
  for (let at = 0; at < steps.length; at += PER_PAIR) {
    let value = 0;
    for (let place = 0; place < PER_PAIR; place += 1) value = value * LEVELS + (steps[at + place] ?? 0) + LARGEST;
    packed += pair(value);
  }
  return packed;
}

function unpackPoints(packed: string): Int8Array {
  const steps = new Int8Array((packed.length / 2) * PER_PAIR);
  for (let at = 0; at < packed.length; at += 2) {
    let value = pairAt(packed, at);
    for (let place = PER_PAIR - 1; place >= 0; place -= 1) {
      steps[(at / 2) * PER_PAIR + place] = (value % LEVELS) - LARGEST;
      value = Math.floor(value / LEVELS);
    }
  }
  return steps;
}

/** The score of each output, in their order. */
export function loadNetwork(packed: PackedNetwork): (features: readonly string[]) => number[] {
  const places = unpackHashes(packed.features);
  const points = unpackPoints(packed.points);
  return (features) => {
    const middle = new Float64Array(DIMENSIONS);
    let known = 0;
    for (const feature of features) {
      const place = places.get(hashOf(feature));
      if (place === undefined) continue;
      known += 1;
      for (let at = 0; at < DIMENSIONS; at += 1)
        middle[at] = (middle[at] ?? 0) + (points[place * DIMENSIONS + at] ?? 0);
    }
    const norm = packed.scale / Math.sqrt(Math.max(1, known));
    return packed.outputs.map((numbers) => {
      let score = numbers[DIMENSIONS] ?? 0;
      for (let at = 0; at < DIMENSIONS; at += 1) score += (numbers[at] ?? 0) * (middle[at] ?? 0) * norm;
      return score / 1000;
    });
  };
}
