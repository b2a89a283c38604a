import { packHashes } from "../../../src/engine/packed-weights.ts";
import {
  DIMENSIONS,
  FEATURE_GAP_BITS,
  LARGEST,
  type PackedNetwork,
  packPoints,
} from "../../../src/features/chat/reader/network.ts";
import { chance, shuffle } from "../common.ts";

/** Features with the right label, and whether a change is wanted; null if that cannot be said. */
export interface Row {
  /** Hashes. */
  features: Int32Array;
  label: number;
  change: boolean | null;
}

interface Known {
  places: number[];
  label: number;
  change: boolean | null;
}

/** How many features ship: those that say most about the label. */
const KEPT = 30_000;
const EPOCHS = 25;
const STEP = 0.1;
/** The share of the features that each step leaves out, so that none is relied upon alone. */
const LEFT_OUT = 0.7;
/** Shares are made less certain by this, as the network is too sure of itself on text that it has not seen. */
const DOUBT = 0.5;
/** The share of the largest numbers that are cut to the largest size. */
const CUT = 0.003;

function telling(rows: readonly Row[], labels: number): number[] {
  const all = new Float64Array(labels);
  const counts = new Map<number, Uint16Array>();
  for (const { features, label } of rows) {
    all[label] = (all[label] ?? 0) + 1;
    for (const feature of features) {
      const own = counts.get(feature) ?? new Uint16Array(labels);
      counts.set(feature, own);
      own[label] = (own[label] ?? 0) + 1;
    }
  }
  const worth = (own: Uint16Array) => {
    const total = own.reduce((sum, count) => sum + count, 0);
    let gain = 0;
    for (const [label, count] of own.entries()) {
      if (count > 0) gain += count * Math.log(count / total / ((all[label] ?? 1) / rows.length));
    }
    return total > 1 ? gain : 0;
  };
  return [...counts]
    .map(([feature, own]): [number, number] => [feature, worth(own)])
    .sort((one, other) => other[1] - one[1])
    .slice(0, KEPT)
    .map(([feature]) => feature);
}

/** Numbers that learn by AdaGrad. */
class Learned {
  readonly values: Float32Array;
  readonly squares: Float32Array;

  constructor(size: number, first: () => number) {
    this.values = Float32Array.from({ length: size }, first);
    this.squares = new Float32Array(size).fill(0.0001);
  }

  learn(place: number, gradient: number): void {
    const square = (this.squares[place] as number) + gradient * gradient;
    this.squares[place] = square;
    this.values[place] = (this.values[place] as number) - (STEP * gradient) / Math.sqrt(square);
  }
}

interface Network {
  points: Learned;
  directions: Learned;
  biases: Learned;
}

/** Trains the network of `src/features/chat/reader/network.ts`: an output for each label, and one for "wants a change". */
export function trainNetwork(rows: readonly Row[], labels: number): PackedNetwork {
  const hashes = telling(rows, labels).sort((a, b) => a - b);
  const places = new Map(hashes.map((hash, at) => [hash, at]));
  const random = chance(7);
  const network = {
    points: new Learned(places.size * DIMENSIONS, () => (random() - 0.5) * 0.2),
    directions: new Learned((labels + 1) * DIMENSIONS, () => 0),
    biases: new Learned(labels + 1, () => 0),
  };
  const data = rows.map(({ features, label, change }): Known => {
    return { places: [...features].flatMap((feature) => places.get(feature) ?? []), label, change };
  });
  const learnFrom = learner(network, labels);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { places: all, label, change } of shuffle(data, random)) {
      const kept = all.filter(() => random() >= LEFT_OUT);
      if (kept.length > 0) learnFrom({ places: kept, label, change });
    }
  }
  return packNetwork(network, hashes, labels + 1);
}

/** One step of training. */
function learner({ points, directions, biases }: Network, labels: number): (known: Known) => void {
  const middle = new Float32Array(DIMENSIONS);
  const back = new Float32Array(DIMENSIONS);
  const scores = new Float32Array(labels + 1);
  return ({ places, label: right, change }) => {
    const norm = 1 / Math.sqrt(places.length);
    middle.fill(0);
    for (const place of places) {
      const base = place * DIMENSIONS;
      for (let at = 0; at < DIMENSIONS; at += 1)
        middle[at] = (middle[at] as number) + (points.values[base + at] as number) * norm;
    }
    for (let label = 0; label <= labels; label += 1) {
      let score = biases.values[label] as number;
      const base = label * DIMENSIONS;
      for (let at = 0; at < DIMENSIONS; at += 1)
        score += (directions.values[base + at] as number) * (middle[at] as number);
      scores[label] = score;
    }
    const shares = scores.subarray(0, labels);
    const top = shares.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
    let total = 0;
    for (let label = 0; label < labels; label += 1) {
      shares[label] = Math.exp((shares[label] as number) - top);
      total += shares[label] as number;
    }
    back.fill(0);
    for (let label = 0; label <= labels; label += 1) {
      if (label === labels && change === null) continue;
      const error =
        label < labels
          ? (shares[label] as number) / total - (label === right ? 1 : 0)
          : 1 / (1 + Math.exp(-(scores[labels] as number))) - (change ? 1 : 0);
      if (Math.abs(error) < 0.0005) continue;
      biases.learn(label, error);
      const base = label * DIMENSIONS;
      for (let at = 0; at < DIMENSIONS; at += 1) {
        back[at] = (back[at] as number) + error * (directions.values[base + at] as number);
        directions.learn(base + at, error * (middle[at] as number));
      }
    }
    for (const place of places) {
      const base = place * DIMENSIONS;
      for (let at = 0; at < DIMENSIONS; at += 1) points.learn(base + at, (back[at] as number) * norm);
    }
  };
}

function packNetwork({ points, directions, biases }: Network, hashes: number[], outputs: number): PackedNetwork {
  const sizes = points.values.map(Math.abs).sort();
  const scale = (sizes[Math.floor(sizes.length * (1 - CUT))] ?? 1) / LARGEST;
  const steps = [...points.values].map((value) => Math.max(-LARGEST, Math.min(LARGEST, Math.round(value / scale))));
  const rounded = (value: number) => Math.round(value * DOUBT * 1000);
  return {
    features: packHashes(hashes, FEATURE_GAP_BITS),
    points: packPoints(steps),
    scale: Math.round(scale * 10_000) / 10_000,
    outputs: Array.from({ length: outputs }, (_, output) =>
      [...directions.values.subarray(output * DIMENSIONS, (output + 1) * DIMENSIONS), biases.values[output] ?? 0].map(
        rounded,
      ),
    ),
  };
}
