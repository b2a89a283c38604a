import type { PackedModel } from "../../src/engine/email/request-model.ts";
import { featuresOf } from "../../src/engine/email/sentence-features.ts";
import { hashOf, packWeights } from "../../src/engine/packed-weights.ts";
import { asSteps, chance, inFolds, shuffle, type Tried } from "./common.ts";

export interface Example {
  text: string;
  label: boolean;
}

const EPOCHS = 6;
const STEP = 0.3;
const DECAY = 0.0005;
const KEPT = 4200;
/** How much a feature's frequency counts beside its weight when the table is cut to size. */
const FREQUENCY_POWER = 0.8;

interface Sample {
  features: string[];
  label: boolean;
}

interface Fitted {
  weights: Map<string, number>;
  counts: Map<string, number>;
  bias: number;
}

/**
 * Logistic regression over n-grams that are scaled by how one-sided they are (Wang and Manning's NB-SVM),
 * by AdaGrad, averaged over the later epochs.
 */
function regress(samples: readonly Sample[], kept: ReadonlySet<string> | null): Fitted {
  const random = chance(7);
  const seen = new Map<string, { positive: number; negative: number }>();
  for (const { features, label } of samples) {
    for (const feature of features) {
      if (kept && !kept.has(feature)) continue;
      const count = seen.get(feature) ?? { positive: 0, negative: 0 };
      count[label ? "positive" : "negative"] += 1;
      seen.set(feature, count);
    }
  }
  const names = [...seen.keys()];
  const index = new Map(names.map((name, at) => [name, at]));
  const positives = samples.filter(({ label }) => label).length;
  const negatives = samples.length - positives;
  const ratio = Float64Array.from(
    seen.values(),
    ({ positive, negative }) =>
      Math.abs(Math.log((positive + 1) / (positives + 2) / ((negative + 1) / (negatives + 2)))) + 0.2,
  );
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(1e-8);
  const sums = new Float64Array(names.length);
  let bias = 0;
  let biasSquares = 1e-8;
  let biasSum = 0;
  const rows = samples.map(({ features, label }) => ({
    label,
    norm: 1 / Math.sqrt(features.length),
    columns: Int32Array.from(features.flatMap((feature) => index.get(feature) ?? [])),
  }));
  let averaged = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { label, norm, columns } of shuffle([...rows], random)) {
      let score = bias;
      for (const column of columns) score += (weights[column] ?? 0) * (ratio[column] ?? 0) * norm;
      const error = 1 / (1 + Math.exp(-score)) - (label ? 1 : 0);
      for (const column of columns) {
        const weight = weights[column] ?? 0;
        const gradient = error * (ratio[column] ?? 0) * norm + DECAY * weight;
        const square = (squares[column] ?? 0) + gradient * gradient;
        squares[column] = square;
        weights[column] = weight - (STEP * gradient) / Math.sqrt(square);
      }
      biasSquares += error * error;
      bias -= (STEP * error) / Math.sqrt(biasSquares);
    }
    if (epoch < EPOCHS / 2) continue;
    averaged += 1;
    biasSum += bias;
    for (let at = 0; at < weights.length; at += 1) sums[at] = (sums[at] ?? 0) + (weights[at] ?? 0);
  }
  return {
    bias: biasSum / averaged,
    weights: new Map(names.map((name, at) => [name, ((sums[at] ?? 0) / averaged) * (ratio[at] ?? 0)])),
    counts: new Map([...seen].map(([name, { positive, negative }]) => [name, positive + negative])),
  };
}

/** Trains, keeps the n-grams that matter, trains on those again and packs the result; the threshold is left at zero. */
function trainPacked(samples: readonly Sample[]): PackedModel {
  const whole = regress(samples, null);
  const worth = ([name, weight]: [string, number]) =>
    Math.abs(weight) * (whole.counts.get(name) ?? 1) ** FREQUENCY_POWER;
  const kept = [...whole.weights].sort((a, b) => worth(b) - worth(a)).slice(0, KEPT);
  const { weights, bias } = regress(samples, new Set(kept.map(([name]) => name)));
  const { scale, steps } = asSteps(weights);
  const table = new Map([...steps].map(([name, step]) => [hashOf(name), step]));
  return { table: packWeights(table), scale, bias, threshold: 0 };
}

const sampleOf = ({ text, label }: Example): Sample => ({ features: featuresOf(text), label });

/** Every example with a packed model that has not seen it. */
export function crossValidate(examples: readonly Example[]): Tried<Example, PackedModel>[] {
  return inFolds(examples, (others) => trainPacked(others.map(sampleOf)));
}

export interface Measure {
  precision: number;
  recall: number;
  f1: number;
}

export function measure(pairs: readonly { truth: boolean; guess: boolean }[]): Measure {
  let hits = 0;
  let wrong = 0;
  let missed = 0;
  for (const { truth, guess } of pairs) {
    if (truth && guess) hits += 1;
    else if (guess) wrong += 1;
    else if (truth) missed += 1;
  }
  return {
    precision: hits / Math.max(1, hits + wrong),
    recall: hits / Math.max(1, hits + missed),
    f1: (2 * hits) / Math.max(1, 2 * hits + wrong + missed),
  };
}

/** The share of requests in ordinary email. The training data has more, since they were sought for it. */
export const USUAL_SHARE = 0.33;

/** The same if requests were as frequent as in ordinary email: precision falls with their share, recall does not. */
export function atUsualShare(pairs: readonly { truth: boolean; guess: boolean }[]): Measure {
  const count = (truth: boolean, guess: boolean) =>
    pairs.filter((pair) => pair.truth === truth && pair.guess === guess).length;
  const hits = count(true, true);
  const positives = hits + count(true, false);
  const wrong = count(false, true);
  const recall = hits / Math.max(1, positives);
  const falseRate = wrong / Math.max(1, pairs.length - positives);
  const found = USUAL_SHARE * recall + (1 - USUAL_SHARE) * falseRate;
  const precision = (USUAL_SHARE * recall) / Math.max(1e-9, found);
  return { precision, recall, f1: (2 * precision * recall) / Math.max(1e-9, precision + recall) };
}

/** F1 hardly changes over a wide range of thresholds: within this of the best, the most precise one wins. */
const AS_GOOD = 0.005;

/** The threshold for ordinary email, by scores that no model has seen. */
export function bestThreshold(scores: readonly { score: number; label: boolean }[]): number {
  const tried = Array.from({ length: 61 }, (_, step) => -2 + step * 0.05).map((threshold) => ({
    threshold,
    f1: atUsualShare(scores.map(({ score, label }) => ({ truth: label, guess: score > threshold }))).f1,
  }));
  const best = Math.max(...tried.map(({ f1 }) => f1));
  const chosen = tried.findLast(({ f1 }) => f1 >= best - AS_GOOD);
  return Math.round((chosen?.threshold ?? 0) * 100) / 100;
}

/** The table that ships: trained on everything, its threshold from cross-validation. */
export function trainFinal(examples: readonly Example[], threshold: number): PackedModel {
  return { ...trainPacked(examples.map(sampleOf)), threshold };
}
