import { ALPHABET, hashOf, unpackHashes, valueAt } from "../../../engine/packed-weights.ts";

/** How many numbers stand for a feature, and how large each can be. */
export const DIMENSIONS = 24;
export const LARGEST = 3;
const LEVELS = 2 * LARGEST + 1;
/** How the gaps between the hashes of features are packed. */
export const FEATURE_GAP_BITS = 5;

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

/** Two numbers a character: frequent pairs make frequent characters, so that the upload compresses them. */
export function packPoints(steps: readonly number[]): string {
  let packed = "";
  for (let at = 0; at < steps.length; at += 2)
    packed += ALPHABET.charAt(((steps[at] ?? 0) + LARGEST) * LEVELS + (steps[at + 1] ?? 0) + LARGEST);
  return packed;
}

function unpackPoints(packed: string): Int8Array {
  const steps = new Int8Array(packed.length * 2);
  for (let at = 0; at < packed.length; at += 1) {
    const pair = valueAt(packed, at);
    steps[2 * at] = Math.floor(pair / LEVELS) - LARGEST;
    steps[2 * at + 1] = (pair % LEVELS) - LARGEST;
  }
  return steps;
}

/** The score of each output, in their order. */
export function loadNetwork(packed: PackedNetwork): (features: readonly string[]) => number[] {
  const places = unpackHashes(packed.features, FEATURE_GAP_BITS);
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
