import { REQUEST_MODEL } from "./request-weights.ts";
import { featuresOf } from "./sentence-features.ts";

/** A linear model as it is shipped: hashes of the n-grams it knows, one byte of weight each. */
export interface PackedModel {
  /** Base64 of (gap to the next hash as a variable-length number, signed weight) for each n-gram. */
  table: string;
  /** What a weight of one stands for. */
  scale: number;
  bias: number;
  /** Sentences that score above it are requests, proposals or commitments. */
  threshold: number;
}

const HASH_BITS = 22;

/** FNV-1a, mixed once more so that the low bits are good. */
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

export function packWeights(weights: ReadonlyMap<number, number>): string {
  const bytes: number[] = [];
  let last = 0;
  for (const [hash, weight] of [...weights].sort(([a], [b]) => a - b)) {
    let gap = hash - last;
    last = hash;
    while (gap >= 128) {
      bytes.push((gap & 127) | 128);
      gap >>>= 7;
    }
    bytes.push(gap, weight & 255);
  }
  return btoa(String.fromCharCode(...bytes));
}

export function unpackWeights(table: string): Map<number, number> {
  const text = atob(table);
  const weights = new Map<number, number>();
  let at = 0;
  let hash = 0;
  while (at < text.length) {
    let shift = 0;
    let byte = 128;
    let gap = 0;
    while (byte >= 128) {
      byte = text.charCodeAt(at);
      at += 1;
      gap |= (byte & 127) << shift;
      shift += 7;
    }
    hash += gap;
    const weight = text.charCodeAt(at);
    at += 1;
    weights.set(hash, weight > 127 ? weight - 256 : weight);
  }
  return weights;
}

export interface RequestModel {
  /** The log-odds above the threshold; positive for a request. */
  margin(sentence: string): number;
}

export function loadModel(packed: PackedModel): RequestModel {
  let weights: Map<number, number> | null = null;
  return {
    margin(sentence) {
      weights ??= unpackWeights(packed.table);
      const features = featuresOf(sentence);
      let sum = 0;
      for (const feature of features) sum += weights.get(hashOf(feature)) ?? 0;
      return packed.bias + (packed.scale * sum) / Math.sqrt(features.length) - packed.threshold;
    },
  };
}

/** The model trained by `npm run train`. */
export const requestModel = loadModel(REQUEST_MODEL);
