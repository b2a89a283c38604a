import { hashOf } from "../../src/engine/packed-weights.ts";
import {
  DIMENSIONS,
  LARGEST,
  type PackedActs,
  packHashes,
  packPoints,
} from "../../src/features/chat/language/reader/act-model.ts";
import { chance, shuffle } from "./common.ts";

export interface Row {
  features: string[];
  label: number;
}

/** How many features ship: those that say most about the label. */
const KEPT = 5000;
const EPOCHS = 45;
const STEP = 0.1;
/** The share of the features that each step leaves out, so that none is relied upon alone. */
const LEFT_OUT = 0.5;
const DECAY = 0.00001;
/** Shares are made less certain by this, as the network is too sure of itself on text that it has not seen. */
const DOUBT = 0.6;
/** The share of the largest numbers that are cut to the largest size. */
const CUT = 0.003;

function telling(rows: readonly Row[], labels: number): string[] {
  const all = new Float64Array(labels);
  const counts = new Map<string, Float64Array>();
  for (const { features, label } of rows) {
    all[label] = (all[label] ?? 0) + 1;
    for (const feature of features) {
      const own = counts.get(feature) ?? new Float64Array(labels);
      counts.set(feature, own);
      own[label] = (own[label] ?? 0) + 1;
    }
  }
  const worth = (own: Float64Array) => {
    const total = own.reduce((sum, count) => sum + count, 0);
    let gain = 0;
    for (const [label, count] of own.entries()) {
      if (count > 0) gain += count * Math.log(count / total / ((all[label] ?? 1) / rows.length));
    }
    return total > 1 ? gain : 0;
  };
  const valued = [...counts].map(([feature, own]): [string, number] => [feature, worth(own)]);
  return valued
    .sort((a, b) => b[1] - a[1])
    .slice(0, KEPT)
    .map(([feature]) => feature);
}

/** Numbers that learn by AdaGrad. */
class Learned {
  readonly values: Float64Array;
  private readonly squares: Float64Array;

  constructor(size: number, first: () => number) {
    this.values = Float64Array.from({ length: size }, first);
    this.squares = new Float64Array(size).fill(0.0001);
  }

  at(place: number): number {
    return this.values[place] ?? 0;
  }

  learn(place: number, error: number): void {
    const gradient = error + DECAY * this.at(place);
    const square = (this.squares[place] ?? 0) + gradient * gradient;
    this.squares[place] = square;
    this.values[place] = this.at(place) - (STEP * gradient) / Math.sqrt(square);
  }
}

/** Trains the network of `src/features/chat/language/reader/act-model.ts`. */
export function trainActs(rows: readonly Row[], labels: number): PackedActs {
  const places = new Map(
    [...new Set(telling(rows, labels).map(hashOf))].sort((a, b) => a - b).map((hash, at) => [hash, at]),
  );
  const random = chance(7);
  const points = new Learned(places.size * DIMENSIONS, () => (random() - 0.5) * 0.2);
  const directions = new Learned(labels * DIMENSIONS, () => 0);
  const biases = new Learned(labels, () => 0);
  const data = rows.map(({ features, label }) => ({
    label,
    known: features.flatMap((feature) => places.get(hashOf(feature)) ?? []),
  }));
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { label, known } of shuffle([...data], random)) {
      learnFrom(
        known.filter(() => random() >= LEFT_OUT),
        label,
        labels,
        { points, directions, biases },
      );
    }
  }
  const sizes = [...points.values].map(Math.abs).sort((a, b) => b - a);
  const scale = (sizes[Math.floor(sizes.length * CUT)] ?? 1) / LARGEST;
  const steps = [...points.values].map((value) => Math.max(-LARGEST, Math.min(LARGEST, Math.round(value / scale))));
  const rounded = (value: number) => Math.round(value * DOUBT * 100) / 100;
  return {
    features: packHashes([...places.keys()]),
    points: packPoints(steps),
    scale: Math.round(scale * 10_000) / 10_000,
    labels: Array.from({ length: labels }, (_, label) => [
      ...Array.from({ length: DIMENSIONS }, (__, at) => rounded(directions.at(label * DIMENSIONS + at))),
      rounded(biases.at(label)),
    ]),
  };
}

interface Network {
  points: Learned;
  directions: Learned;
  biases: Learned;
}

function learnFrom(known: readonly number[], label: number, labels: number, network: Network): void {
  const { points, directions, biases } = network;
  if (known.length === 0) return;
  const norm = 1 / Math.sqrt(known.length);
  const middle = new Float64Array(DIMENSIONS);
  for (const place of known) {
    for (let at = 0; at < DIMENSIONS; at += 1)
      middle[at] = (middle[at] ?? 0) + points.at(place * DIMENSIONS + at) * norm;
  }
  const scores = Float64Array.from({ length: labels }, (_, each) => {
    let score = biases.at(each);
    for (let at = 0; at < DIMENSIONS; at += 1) score += directions.at(each * DIMENSIONS + at) * (middle[at] ?? 0);
    return score;
  });
  const top = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - top));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const back = new Float64Array(DIMENSIONS);
  for (const [each, share] of shares.entries()) {
    const error = share / total - (each === label ? 1 : 0);
    biases.learn(each, error);
    for (let at = 0; at < DIMENSIONS; at += 1) {
      const place = each * DIMENSIONS + at;
      back[at] = (back[at] ?? 0) + error * directions.at(place);
      directions.learn(place, error * (middle[at] ?? 0));
    }
  }
  for (const place of known) {
    for (let at = 0; at < DIMENSIONS; at += 1) points.learn(place * DIMENSIONS + at, (back[at] ?? 0) * norm);
  }
}
