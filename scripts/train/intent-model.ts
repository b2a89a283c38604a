import { hashOf, packWeights } from "../../src/engine/packed-weights.ts";
import { messageFeatures } from "../../src/features/chat/language/errands/intent-features.ts";
import {
  INTENTS,
  type Intent,
  type PackedIntents,
  weightName,
} from "../../src/features/chat/language/errands/intent-model.ts";
import { asSteps, chance, shuffle } from "./common.ts";

export interface Utterance {
  split: "train" | "val" | "test";
  intent: Intent;
  text: string;
}

const EPOCHS = 12;
const STEP = 0.3;
const DECAY = 0.0004;
/** How many weights ship. */
const KEPT = 6000;
const FREQUENCY_POWER = 0.7;

interface Sample {
  features: string[];
  intent: number;
}

interface Fitted {
  weights: Map<string, number>;
  counts: Map<string, number>;
  biases: number[];
}

/** Softmax regression by AdaGrad, averaged over the later epochs; with `kept`, over these weights only. */
function regress(samples: readonly Sample[], kept: ReadonlySet<string> | null): Fitted {
  const random = chance(7);
  const counts = new Map<string, number>();
  for (const { features } of samples)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const names = [...counts.keys()].filter((name) => (counts.get(name) ?? 0) > 1);
  const index = new Map(names.map((name, at) => [name, at]));
  const width = INTENTS.length;
  const weights = new Float64Array(names.length * width);
  const squares = new Float64Array(weights.length).fill(1e-8);
  const sums = new Float64Array(weights.length);
  const open = Uint8Array.from({ length: weights.length }, (_, at) => {
    const name = names[Math.floor(at / width)] ?? "";
    return kept === null || kept.has(weightName(at % width, name)) ? 1 : 0;
  });
  const biases = new Float64Array(width);
  const biasSquares = new Float64Array(width).fill(1e-8);
  const biasSums = new Float64Array(width);
  const rows = samples.map(({ features, intent }) => ({
    intent,
    norm: 1 / Math.sqrt(features.length),
    columns: features.flatMap((feature) => index.get(feature) ?? []),
  }));
  let averaged = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { intent, norm, columns } of shuffle([...rows], random)) {
      const scores = Float64Array.from({ length: width }, (_, at) => {
        let score = biases[at] ?? 0;
        for (const column of columns) score += (weights[column * width + at] ?? 0) * norm;
        return score;
      });
      const top = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - top));
      const total = shares.reduce((sum, share) => sum + share, 0);
      for (let at = 0; at < width; at += 1) {
        const error = (shares[at] ?? 0) / total - (at === intent ? 1 : 0);
        biasSquares[at] = (biasSquares[at] ?? 0) + error * error;
        biases[at] = (biases[at] ?? 0) - (STEP * error) / Math.sqrt(biasSquares[at] ?? 1);
        for (const column of columns) {
          const place = column * width + at;
          if (open[place] === 0) continue;
          const weight = weights[place] ?? 0;
          const gradient = error * norm + DECAY * weight;
          const square = (squares[place] ?? 0) + gradient * gradient;
          squares[place] = square;
          weights[place] = weight - (STEP * gradient) / Math.sqrt(square);
        }
      }
    }
    if (epoch < EPOCHS / 2) continue;
    averaged += 1;
    for (let at = 0; at < width; at += 1) biasSums[at] = (biasSums[at] ?? 0) + (biases[at] ?? 0);
    for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + (weights[at] ?? 0);
  }
  const named = new Map<string, number>();
  for (let at = 0; at < sums.length; at += 1) {
    const weight = (sums[at] ?? 0) / averaged;
    if (weight !== 0) named.set(weightName(at % width, names[Math.floor(at / width)] ?? ""), weight);
  }
  return { weights: named, counts, biases: [...biasSums].map((sum) => sum / averaged) };
}

/** Trains, keeps the weights that matter, trains those again and packs them. */
export function trainIntents(utterances: readonly Utterance[]): PackedIntents {
  const samples = utterances.map(({ text, intent }) => ({
    features: messageFeatures(text),
    intent: INTENTS.indexOf(intent),
  }));
  const whole = regress(samples, null);
  const worth = ([name, weight]: [string, number]) =>
    Math.abs(weight) * (whole.counts.get(name.slice(name.indexOf("|") + 1)) ?? 1) ** FREQUENCY_POWER;
  const kept = [...whole.weights].sort((a, b) => worth(b) - worth(a)).slice(0, KEPT);
  const { weights, biases } = regress(samples, new Set(kept.map(([name]) => name)));
  const { scale, steps } = asSteps(weights);
  const table = new Map([...steps].map(([name, step]) => [hashOf(name), step]));
  return { table: packWeights(table), scale, biases: biases.map((bias) => Math.round(bias * 1000) / 1000) };
}
