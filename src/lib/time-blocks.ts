const MINUTE_MS = 60_000;

/** Counts are kept in blocks of these two sizes; small ones are read only where a day begins inside a block. */
export const BLOCK_MINUTES = 180;
export const QUARTER_MINUTES = 15;

const BLOCK_MS = BLOCK_MINUTES * MINUTE_MS;

export interface BlockPlan {
  /** The blocks to read: from this one, up to but without that one. */
  from: number;
  until: number;
  /** Blocks in which a boundary lies: read by their quarters instead. */
  split: number[];
}

/** Which counts to read so that every span between two boundaries can be summed. */
export function planBlocks(boundaries: readonly number[]): BlockPlan {
  const first = boundaries[0] ?? 0;
  const last = boundaries.at(-1) ?? 0;
  const split = boundaries.filter((time) => time % BLOCK_MS !== 0).map((time) => time - (time % BLOCK_MS));
  return { from: first - (first % BLOCK_MS), until: last, split: [...new Set(split)] };
}

interface Counted {
  span: number;
  start: number;
}

/** Sums what lies between each boundary and the next. */
export function sumBetween<Row extends Counted>(
  boundaries: readonly number[],
  { split }: BlockPlan,
  rows: readonly Row[],
  countIn: (row: Row) => number,
): number[] {
  const isSplit = new Set(split);
  const sums = new Array<number>(Math.max(0, boundaries.length - 1)).fill(0);
  for (const row of rows) {
    if (row.span === BLOCK_MINUTES && isSplit.has(row.start)) continue;
    const index = boundaries.findLastIndex((boundary) => boundary <= row.start);
    if (index >= 0 && index < sums.length) sums[index] = (sums[index] ?? 0) + countIn(row);
  }
  return sums;
}
