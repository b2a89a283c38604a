import { packWeights } from "../../../src/engine/packed-weights.ts";
import { bestMarks, MARK_GAP_BITS, MARKS, placeOf, stepFeature } from "../../../src/features/chat/reader/marks.ts";
import { asSteps, chance, shuffle } from "../common.ts";

export interface MarkedRow {
  /** The features of each word. */
  features: string[][];
  marks: number[];
}

const KEPT = 40_000;
const EPOCHS = 6;

/** Numbers that remember their average. */
class Averaged {
  readonly values: Float64Array;
  private readonly sums: Float64Array;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.sums = new Float64Array(size);
  }

  add(place: number, by: number, round: number): void {
    this.values[place] = (this.values[place] as number) + by;
    this.sums[place] = (this.sums[place] as number) + by * round;
  }

  average(place: number, rounds: number): number {
    return (this.values[place] as number) - (this.sums[place] as number) / rounds;
  }
}

/** A structured perceptron, averaged: words that are marked wrong move the weights of both readings. */
export function trainMarks(rows: Iterable<MarkedRow>): string {
  const random = chance(5);
  const ids = new Map<string, number>();
  const idOf = (feature: string) => {
    const id = ids.get(feature) ?? ids.size;
    ids.set(feature, id);
    return id;
  };
  const data = Array.from(rows, ({ features, marks }) => ({
    words: features.map((named) => Int32Array.from(named, idOf)),
    marks,
  }));
  const weights = new Averaged(ids.size * MARKS);
  const steps = new Averaged(MARKS * MARKS);
  let round = 1;
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { words, marks } of shuffle(data, random)) {
      round += 1;
      const scores = words.map((features) => {
        const own = new Float64Array(MARKS);
        for (const feature of features) {
          const base = feature * MARKS;
          for (let mark = 0; mark < MARKS; mark += 1)
            own[mark] = (own[mark] as number) + (weights.values[base + mark] as number);
        }
        return own;
      });
      const guessed = bestMarks(scores, steps.values);
      for (const [at, mark] of marks.entries()) {
        const guess = guessed[at] ?? 0;
        const [before, guessedBefore] = [marks[at - 1] ?? 0, guessed[at - 1] ?? 0];
        if (mark !== guess || before !== guessedBefore) {
          steps.add(before * MARKS + mark, 1, round);
          steps.add(guessedBefore * MARKS + guess, -1, round);
        }
        if (mark === guess) continue;
        for (const feature of words[at] ?? []) {
          weights.add(feature * MARKS + mark, 1, round);
          weights.add(feature * MARKS + guess, -1, round);
        }
      }
    }
  }
  const averaged: [number, number][] = [];
  for (const [feature, id] of ids) {
    for (let mark = 0; mark < MARKS; mark += 1)
      averaged.push([placeOf(feature, mark), weights.average(id * MARKS + mark, round)]);
  }
  const largest = averaged
    .filter(([, weight]) => weight !== 0)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
    .slice(0, KEPT);
  for (let before = 0; before < MARKS; before += 1) {
    for (let mark = 0; mark < MARKS; mark += 1)
      largest.push([placeOf(stepFeature(before), mark), steps.average(before * MARKS + mark, round)]);
  }
  return packWeights(asSteps(new Map(largest)).steps, MARK_GAP_BITS);
}
