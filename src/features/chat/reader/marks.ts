import { hashOf, unpackWeights } from "../../../engine/packed-weights.ts";

/** What words of a message stand for: an existing record, a new title, a place, a person, a list, a tag, the text of an email. */
export const SLOTS = ["t", "n", "p", "g", "l", "tag", "m"] as const;
export type Slot = (typeof SLOTS)[number];

/** Outside of all slots, then the beginning and the inside of each. */
export const MARKS = 1 + 2 * SLOTS.length;
export const slotOf = (mark: number): Slot | null => SLOTS[Math.ceil(mark / 2) - 1] ?? null;
export const isInside = (mark: number) => mark > 0 && mark % 2 === 0;

/** A weight belongs to a mark and a feature. The mark before is a feature, too. */
const PLACES = 16;
export const MARK_GAP_BITS = 10;
export const placeOf = (feature: string, mark: number) => hashOf(feature) * PLACES + mark;
export const stepFeature = (before: number) => `> ${before}`;

/** A mark can only go on with a slot that has begun. */
const mayFollow = (before: number, mark: number) => !isInside(mark) || before === mark - 1 || before === mark;

/**
 * The likeliest marks of all words together (Viterbi).
 * @param scores of each word, a score for each mark
 * @param steps a score for each mark after each other one
 */
export function bestMarks(scores: readonly ArrayLike<number>[], steps: ArrayLike<number>): number[] {
  let sums = new Float64Array(MARKS).fill(Number.NEGATIVE_INFINITY);
  sums[0] = 0;
  const from: Uint8Array[] = [];
  for (const own of scores) {
    const came = new Uint8Array(MARKS);
    const next = new Float64Array(MARKS).fill(Number.NEGATIVE_INFINITY);
    for (let mark = 0; mark < MARKS; mark += 1) {
      for (let before = 0; before < MARKS; before += 1) {
        if (!mayFollow(before, mark)) continue;
        const sum = (sums[before] ?? 0) + (steps[before * MARKS + mark] ?? 0) + (own[mark] ?? 0);
        if (sum > (next[mark] ?? 0)) {
          next[mark] = sum;
          came[mark] = before;
        }
      }
    }
    sums = next;
    from.push(came);
  }
  let mark = sums.indexOf(Math.max(...sums));
  const marks: number[] = [];
  for (const came of from.reverse()) {
    marks.push(mark);
    mark = came[mark] ?? 0;
  }
  return marks.reverse();
}

/** The inside of the text of an email, which may quote something. */
const INSIDE_TEXT = MARKS - 1;

/** @returns the marks of words, by the features of each; a word that `isWhole` fills a slot alone */
export function loadMarks(packed: string) {
  const rows = new Map<number, Int8Array>();
  for (const [place, weight] of unpackWeights(packed, MARK_GAP_BITS)) {
    const hash = Math.floor(place / PLACES);
    const row = rows.get(hash) ?? new Int8Array(MARKS);
    rows.set(hash, row);
    row[place % PLACES] = weight;
  }
  const steps = new Float64Array(MARKS * MARKS);
  for (let before = 0; before < MARKS; before += 1) {
    steps.set(rows.get(hashOf(stepFeature(before))) ?? [], before * MARKS);
  }
  return (features: readonly (readonly string[])[], isWhole: (at: number) => boolean): number[] => {
    const scores = features.map((named, at) => {
      const own = new Float64Array(MARKS);
      for (const feature of named) {
        const row = rows.get(hashOf(feature));
        for (let mark = 0; row && mark < MARKS; mark += 1) own[mark] = (own[mark] ?? 0) + (row[mark] ?? 0);
      }
      if (isWhole(at)) own[0] = Number.NEGATIVE_INFINITY;
      if (isWhole(at) || isWhole(at - 1)) {
        for (let mark = 1; mark < INSIDE_TEXT; mark += 1) if (isInside(mark)) own[mark] = Number.NEGATIVE_INFINITY;
      }
      return own;
    });
    return bestMarks(scores, steps);
  };
}
