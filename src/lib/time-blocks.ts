const MINUTE_MS = 60_000;

/** Counts are stored for blocks of these two lengths. The short ones are only read where a day starts within a long one. */
export const BLOCK_MINUTES = 180;
export const QUARTER_MINUTES = 15;

const BLOCK_MS = BLOCK_MINUTES * MINUTE_MS;

/** `until` is not included. */
export interface Range {
  from: number;
  until: number;
}

/** The counts to read in order to sum between every two boundaries. */
export function planBlocks(boundaries: readonly number[]): { blocks: Range; quarters: Range[] } {
  const blockOf = (time: number) => time - (time % BLOCK_MS);
  return {
    blocks: { from: blockOf(boundaries[0] ?? 0), until: boundaries.at(-1) ?? 0 },
    quarters: boundaries
      .map((boundary) => ({ from: blockOf(boundary), until: boundary }))
      .filter(({ from, until }) => from < until),
  };
}

interface Counted {
  span: number;
  start: number;
}

/**
 * The sums between each boundary and the next. A block counts for the day it ends in; the quarters of it before that
 * day are then moved to the previous day.
 */
export function sumBetween<Row extends Counted>(
  boundaries: readonly number[],
  rows: readonly Row[],
  countIn: (row: Row) => number,
): number[] {
  const sums = new Array<number>(Math.max(0, boundaries.length - 1)).fill(0);
  const add = (index: number, count: number) => {
    if (index >= 0 && index < sums.length) sums[index] = (sums[index] ?? 0) + count;
  };
  const dayOf = (time: number) => boundaries.findLastIndex((boundary) => boundary <= time);
  for (const row of rows) {
    const count = countIn(row);
    if (row.span === BLOCK_MINUTES) add(dayOf(row.start + BLOCK_MS - 1), count);
    else {
      add(dayOf(row.start), count);
      add(dayOf(row.start) + 1, -count);
    }
  }
  return sums;
}
