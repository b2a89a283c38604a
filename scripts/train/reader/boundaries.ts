import { hashOf, packWeights } from "../../../src/engine/packed-weights.ts";
import { asSteps, chance, shuffle } from "../common.ts";

export interface Place {
  features: string[];
  isBoundary: boolean;
}

const KEPT = 8000;
const EPOCHS = 8;
const STEP = 0.1;

/** Logistic regression by AdaGrad. */
export function trainBoundaries(places: Iterable<Place>): string {
  const random = chance(3);
  const ids = new Map<number, number>();
  const idOf = (feature: string) => {
    const hash = hashOf(feature);
    const id = ids.get(hash) ?? ids.size;
    ids.set(hash, id);
    return id;
  };
  const data = Array.from(places, ({ features, isBoundary }) => ({
    known: Int32Array.from(features, idOf),
    isBoundary,
  }));
  const weights = new Float64Array(ids.size);
  const squares = new Float64Array(ids.size).fill(0.01);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { known, isBoundary } of shuffle(data, random)) {
      let score = 0;
      for (const place of known) score += weights[place] as number;
      const error = 1 / (1 + Math.exp(-score)) - (isBoundary ? 1 : 0);
      if (Math.abs(error) < 0.001) continue;
      for (const place of known) {
        squares[place] = (squares[place] as number) + error * error;
        weights[place] = (weights[place] as number) - (STEP * error) / Math.sqrt(squares[place] as number);
      }
    }
  }
  const largest = [...ids]
    .map(([hash, id]): [number, number] => [hash, weights[id] as number])
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
    .slice(0, KEPT);
  return packWeights(asSteps(new Map(largest)).steps);
}
