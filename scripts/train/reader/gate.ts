import { changeBy, groupOf, isAlike, isSure } from "../../../src/features/chat/reader/sure.ts";
import { wouldWrite } from "./complete.ts";
import type { HeldOut } from "./held-out.ts";

/** How sure the reader has to be before something is changed, by messages in voices that it has not heard. */
export interface Gate {
  /** What each sign weighs. */
  weights: number[];
  /** The least probability of a wanted change. */
  least: number;
}

interface Sample {
  signs: readonly number[];
  isWanted: boolean;
  weight: number;
}

const ROUNDS = 12;
/** Keeps weights small that little speaks for. */
const PULL = 3;
/** A change that nobody wanted is worse than a question too many. */
const QUIET_WEIGHT = 5;
/**
 * The share of quiet messages that may be taken for a wish. The promise is that 0.5 % change something. About half of
 * those that pass still change nothing, because no record has their name: `test/ai/quiet.rare.test.ts` measures that.
 */
const MAY_BE_WRONG = 0.006;

export const isQuiet = ({ message }: HeldOut) => message.parts.every(({ act }) => act === "quiet");

/** The wishes of a quiet message that would change something, were they sure. */
const wrongWishes = ({ message, wishes }: HeldOut) =>
  wishes.filter((wish) => groupOf(wish.act) !== null && wouldWrite(message, wish));

function samplesOf(reading: HeldOut): Sample[] {
  if (isQuiet(reading))
    return wrongWishes(reading).map(({ signs }) => ({ signs, isWanted: false, weight: QUIET_WEIGHT }));
  return reading.inParts.flatMap(({ act, signs }, at) => {
    const wanted = reading.message.parts[at]?.act;
    return groupOf(act) && wanted ? [{ signs, isWanted: groupOf(wanted) !== null, weight: 1 }] : [];
  });
}

/** Solves a system of equations by elimination. The diagonal is never zero here. */
function solve(rows: number[][], right: number[]): number[] {
  const size = right.length;
  const all = rows.map((row, at) => [...row, right[at] ?? 0]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const own = all[pivot] as number[];
    for (const [at, row] of all.entries()) {
      if (at === pivot) continue;
      const factor = (row[pivot] as number) / (own[pivot] as number);
      for (let column = pivot; column <= size; column += 1)
        row[column] = (row[column] as number) - factor * (own[column] as number);
    }
  }
  return all.map((row, at) => (row[size] as number) / (row[at] as number));
}

/** Logistic regression by Newton's method. */
function regress(samples: readonly Sample[]): number[] {
  const size = samples[0]?.signs.length ?? 0;
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : PULL * weight));
    const bend = weights.map((_, at) => weights.map((__, other) => (at === other ? PULL : 0)));
    for (const { signs, isWanted, weight } of samples) {
      const change = changeBy(signs, weights);
      const error = weight * (change - (isWanted ? 1 : 0));
      const curve = weight * change * (1 - change);
      for (const [at, sign] of signs.entries()) {
        slope[at] = (slope[at] ?? 0) + error * sign;
        const row = bend[at] as number[];
        for (const [other, by] of signs.entries()) row[other] = (row[other] ?? 0) + curve * sign * by;
      }
    }
    const step = solve(bend, slope);
    weights = weights.map((weight, at) => weight - (step[at] ?? 0));
  }
  return weights.map((weight) => Math.round(weight * 1000) / 1000);
}

/** The weights, and the lowest probability at which few enough quiet messages pass. */
export function fitGate(readings: readonly HeldOut[]): Gate {
  const weights = regress(readings.flatMap(samplesOf));
  const quiet = readings.filter(isQuiet);
  const surest = quiet
    .map((reading) =>
      Math.max(
        0,
        ...wrongWishes(reading)
          .filter((wish) => passes(wish, { weights, least: 0 }))
          .map(({ signs }) => changeBy(signs, weights)),
      ),
    )
    .sort((a, b) => b - a);
  const next = surest[Math.floor(quiet.length * MAY_BE_WRONG)] ?? 0;
  return { weights, least: Math.ceil(next * 1000 + 1) / 1000 };
}

const passes = (wish: HeldOut["wishes"][number], { weights, least }: Gate) =>
  isSure({ ...wish, change: changeBy(wish.signs, weights) }, least);

export interface GateFigures {
  quiet: number;
  /** Quiet messages after which something would be changed. */
  wrong: number;
  wishes: number;
  /** Wishes for a change that pass without a question, and how many of them with the right act. */
  sure: number;
  right: number;
}

export function gateFigures(readings: readonly HeldOut[], gate: Gate): GateFigures {
  const figures = { quiet: 0, wrong: 0, wishes: 0, sure: 0, right: 0 };
  for (const reading of readings) {
    if (isQuiet(reading)) {
      figures.quiet += 1;
      if (wrongWishes(reading).some((wish) => passes(wish, gate))) figures.wrong += 1;
      continue;
    }
    for (const [at, { act }] of reading.message.parts.entries()) {
      const wish = reading.inParts[at];
      if (!wish || groupOf(act) === null) continue;
      figures.wishes += 1;
      if (groupOf(wish.act) === null || !passes(wish, gate)) continue;
      figures.sure += 1;
      if (isAlike(wish.act, act)) figures.right += 1;
    }
  }
  return figures;
}
