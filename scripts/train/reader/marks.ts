import { chance, shuffle } from "../common.ts";

/** A structured perceptron over marks, averaged. */
export class Marks {
  readonly marks: number;
  readonly weights: Float64Array;
  readonly steps: Float64Array;
  readonly mayFollow: (before: number, mark: number) => boolean;

  constructor(features: number, marks: number, mayFollow: (before: number, mark: number) => boolean) {
    this.marks = marks;
    this.weights = new Float64Array(features * marks);
    this.steps = new Float64Array(marks * marks);
    this.mayFollow = mayFollow;
  }

  best(rows: readonly (readonly number[])[]): number[] {
    const { marks, weights, steps } = this;
    let scores = new Float64Array(marks).fill(Number.NEGATIVE_INFINITY);
    const from: Int16Array[] = [];
    for (let at = 0; at < rows.length; at += 1) {
      const own = new Float64Array(marks);
      for (const feature of rows[at] as number[]) {
        const base = feature * marks;
        for (let mark = 0; mark < marks; mark += 1) own[mark] = (own[mark] as number) + (weights[base + mark] as number);
      }
      const came = new Int16Array(marks);
      const next = new Float64Array(marks).fill(Number.NEGATIVE_INFINITY);
      for (let mark = 0; mark < marks; mark += 1) {
        if (at === 0) {
          if (this.mayFollow(0, mark)) next[mark] = (own[mark] as number) + (steps[mark] as number);
          continue;
        }
        for (let last = 0; last < marks; last += 1) {
          if (!this.mayFollow(last, mark)) continue;
          const sum = (scores[last] as number) + (steps[last * marks + mark] as number);
          if (sum + (own[mark] as number) > (next[mark] as number)) {
            next[mark] = sum + (own[mark] as number);
            came[mark] = last;
          }
        }
      }
      scores = next;
      from.push(came);
    }
    let mark = scores.indexOf(Math.max(...scores));
    const found: number[] = [];
    for (let at = rows.length - 1; at >= 0; at -= 1) {
      found.unshift(mark);
      mark = from[at]?.[mark] ?? 0;
    }
    return found;
  }
}

export interface Marked {
  rows: number[][];
  marks: number[];
}

export function trainMarks(
  examples: readonly Marked[],
  features: number,
  marks: number,
  mayFollow: (before: number, mark: number) => boolean,
  epochs: number,
): Marks {
  const random = chance(5);
  const model = new Marks(features, marks, mayFollow);
  const sums = new Float64Array(model.weights.length);
  const stepSums = new Float64Array(model.steps.length);
  let round = 1;
  const add = (place: number, by: number) => {
    model.weights[place] = (model.weights[place] as number) + by;
    sums[place] = (sums[place] as number) + by * round;
  };
  const addStep = (place: number, by: number) => {
    model.steps[place] = (model.steps[place] as number) + by;
    stepSums[place] = (stepSums[place] as number) + by * round;
  };
  const order = [...examples];
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const { rows, marks: right } of shuffle(order, random)) {
      round += 1;
      const guessed = model.best(rows);
      for (let at = 0; at < rows.length; at += 1) {
        const [mark, guess] = [right[at] ?? 0, guessed[at] ?? 0];
        const [before, guessedBefore] = at === 0 ? [0, 0] : [right[at - 1] ?? 0, guessed[at - 1] ?? 0];
        if (mark !== guess || before !== guessedBefore) {
          addStep(before * marks + mark, 1);
          addStep(guessedBefore * marks + guess, -1);
        }
        if (mark === guess) continue;
        for (const feature of rows[at] as number[]) {
          add(feature * marks + mark, 1);
          add(feature * marks + guess, -1);
        }
      }
    }
  }
  for (let place = 0; place < sums.length; place += 1)
    model.weights[place] = (model.weights[place] as number) - (sums[place] as number) / round;
  for (let place = 0; place < stepSums.length; place += 1)
    model.steps[place] = (model.steps[place] as number) - (stepSums[place] as number) / round;
  return model;
}
