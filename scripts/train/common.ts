import { LARGEST_WEIGHT } from "../../src/engine/packed-weights.ts";

/** What training any of the engine's models shares. */

const FOLDS = 5;

/** A repeatable source of chance, so that the same data gives the same table. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffle<T>(list: T[], random: () => number): T[] {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const kept = list[at];
    const moved = list[other];
    if (kept !== undefined && moved !== undefined) {
      list[at] = moved;
      list[other] = kept;
    }
  }
  return list;
}

export interface Tried<Example, Model> {
  example: Example;
  fold: number;
  model: Model;
}

/** Every example with a model that has not seen it. */
export function inFolds<Example, Model>(
  examples: readonly Example[],
  train: (others: Example[]) => Model,
): Tried<Example, Model>[] {
  const folds = shuffle([...examples], chance(11)).map((example, at) => ({ example, fold: at % FOLDS }));
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    train(folds.filter((item) => item.fold !== fold).map(({ example }) => example)),
  );
  return folds.flatMap(({ example, fold }) => {
    const model = models[fold];
    return model === undefined ? [] : [{ example, fold, model }];
  });
}

/** The share of the largest weights that are cut to the largest size, so that the rest are told apart. */
const CUT = 0.005;

/** Weights as small whole numbers and what one stands for. */
export function asSteps<Key>(weights: ReadonlyMap<Key, number>): { scale: number; steps: Map<Key, number> } {
  const sizes = [...weights.values()].map(Math.abs).sort((a, b) => b - a);
  const scale = (sizes[Math.floor(sizes.length * CUT)] ?? 1) / LARGEST_WEIGHT;
  const steps = new Map<Key, number>();
  for (const [name, weight] of weights) {
    const step = Math.max(-LARGEST_WEIGHT, Math.min(LARGEST_WEIGHT, Math.round(weight / scale)));
    if (step !== 0) steps.set(name, step);
  }
  return { scale, steps };
}

const LINE_CHARACTERS = 120;

/** Numbers as lines of source, as full as the formatter makes them. */
export function numberLines(numbers: readonly number[]): string {
  const lines: string[] = [];
  for (const number of numbers) {
    const last = lines.at(-1);
    const longer = `${last} ${number},`;
    if (last === undefined || longer.length > LINE_CHARACTERS) lines.push(`    ${number},`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}
