import { chance, shuffle } from "../common.ts";

export interface Options {
  dimensions: number;
  epochs: number;
  step: number;
  leftOut: number;
  kept: number;
  seed: number;
}

export interface Example {
  features: readonly number[];
  label: number;
  weight: number;
}

/** One hidden layer: the middle of the points of a message's features, then a direction for each label. */
export class Network {
  readonly dimensions: number;
  readonly labels: number;
  readonly points: Float32Array;
  readonly directions: Float32Array;
  readonly biases: Float32Array;

  constructor(features: number, labels: number, dimensions: number, random: () => number) {
    this.dimensions = dimensions;
    this.labels = labels;
    this.points = Float32Array.from({ length: features * dimensions }, () => (random() - 0.5) * 0.2);
    this.directions = new Float32Array(labels * dimensions);
    this.biases = new Float32Array(labels);
  }

  middleOf(known: ArrayLike<number>, middle: Float32Array): void {
    const { dimensions: size, points } = this;
    middle.fill(0);
    if (known.length === 0) return;
    for (let k = 0; k < known.length; k += 1) {
      const base = (known[k] as number) * size;
      for (let d = 0; d < size; d += 1) middle[d] = (middle[d] as number) + (points[base + d] as number);
    }
    const norm = 1 / Math.sqrt(known.length);
    for (let d = 0; d < size; d += 1) middle[d] = (middle[d] as number) * norm;
  }

  sharesOf(known: ArrayLike<number>, scale = 1): Float32Array {
    const { dimensions: size, labels, directions, biases } = this;
    const middle = new Float32Array(size);
    this.middleOf(known, middle);
    const shares = new Float32Array(labels);
    let top = Number.NEGATIVE_INFINITY;
    for (let label = 0; label < labels; label += 1) {
      let score = biases[label] as number;
      const base = label * size;
      for (let d = 0; d < size; d += 1) score += (directions[base + d] as number) * (middle[d] as number);
      shares[label] = score * scale;
      top = Math.max(top, score * scale);
    }
    let total = 0;
    for (let label = 0; label < labels; label += 1) {
      const share = Math.exp((shares[label] as number) - top);
      shares[label] = share;
      total += share;
    }
    for (let label = 0; label < labels; label += 1) shares[label] = (shares[label] as number) / total;
    return shares;
  }
}

/** AdaGrad over single examples, leaving out a share of the features of each. */
export function train(examples: readonly Example[], features: number, labels: number, options: Options): Network {
  const random = chance(options.seed);
  const { dimensions: size, step, leftOut } = options;
  const network = new Network(features, labels, size, random);
  const { points, directions, biases } = network;
  const pointSquares = new Float32Array(points.length).fill(0.0001);
  const directionSquares = new Float32Array(directions.length).fill(0.0001);
  const biasSquares = new Float32Array(biases.length).fill(0.0001);
  const middle = new Float32Array(size);
  const back = new Float32Array(size);
  const order = [...examples];
  const known = new Int32Array(2000);
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    for (const { features: all, label: right, weight } of shuffle(order, random)) {
      let count = 0;
      for (const feature of all) if (random() >= leftOut && count < known.length) known[count++] = feature;
      if (count === 0) continue;
      const used = known.subarray(0, count);
      network.middleOf(used, middle);
      const norm = 1 / Math.sqrt(count);
      const scores = new Float32Array(labels);
      let top = Number.NEGATIVE_INFINITY;
      for (let label = 0; label < labels; label += 1) {
        let score = biases[label] as number;
        const base = label * size;
        for (let d = 0; d < size; d += 1) score += (directions[base + d] as number) * (middle[d] as number);
        scores[label] = score;
        if (score > top) top = score;
      }
      let total = 0;
      for (let label = 0; label < labels; label += 1) {
        const share = Math.exp((scores[label] as number) - top);
        scores[label] = share;
        total += share;
      }
      back.fill(0);
      for (let label = 0; label < labels; label += 1) {
        const error = weight * ((scores[label] as number) / total - (label === right ? 1 : 0));
        if (Math.abs(error) < 0.0005) continue;
        const square = (biasSquares[label] as number) + error * error;
        biasSquares[label] = square;
        biases[label] = (biases[label] as number) - (step * error) / Math.sqrt(square);
        const base = label * size;
        for (let d = 0; d < size; d += 1) {
          const value = directions[base + d] as number;
          back[d] = (back[d] as number) + error * value;
          const gradient = error * (middle[d] as number);
          const own = (directionSquares[base + d] as number) + gradient * gradient;
          directionSquares[base + d] = own;
          directions[base + d] = value - (step * gradient) / Math.sqrt(own);
        }
      }
      for (let d = 0; d < size; d += 1) back[d] = (back[d] as number) * norm;
      for (let k = 0; k < count; k += 1) {
        const base = (used[k] as number) * size;
        for (let d = 0; d < size; d += 1) {
          const gradient = back[d] as number;
          const own = (pointSquares[base + d] as number) + gradient * gradient;
          pointSquares[base + d] = own;
          points[base + d] = (points[base + d] as number) - (step * gradient) / Math.sqrt(own);
        }
      }
    }
  }
  return network;
}
