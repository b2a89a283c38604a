import { hashOf, unpackWeights } from "../packed-weights.ts";
import { REQUEST_MODEL } from "./request-weights.ts";
import { featuresOf } from "./sentence-features.ts";

/** A linear model in its stored form: hashes of n-grams, each with a weight. */
export interface PackedModel {
  /** The gap to the next hash and the weight of each n-gram: see `packWeights`. */
  table: string;
  /** The factor of stored weights. */
  scale: number;
  bias: number;
  /** Sentences with a higher score are requests, proposals or promises. */
  threshold: number;
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
