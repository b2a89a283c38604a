const QUARTER_MS = 15 * 60_000;

/** Counts are stored by quarters of an hour, those of two days (UTC) in one row: a write reads and writes all of it. */
export const QUARTERS = 2 * 24 * 4;

const ROW_MS = QUARTERS * QUARTER_MS;

/** The row that has the counts of this time. */
export function rowOf(time: number): number {
  return Math.floor(time / ROW_MS);
}

/** The start of the quarter of an hour that this time is in. */
export function quarterOf(time: number): number {
  return time - (time % QUARTER_MS);
}

interface Row {
  id: number;
}

/** The sums of all rows before the row `until`. */
interface Before {
  until: number;
  sum: number;
}

const NOTHING: Before = { until: 0, sum: 0 };

/**
 * Returns a function that counts what lies before the start of a quarter. The rows must be all those between that time
 * and `before.until`, whichever comes first. Without `before`, only the difference of two such counts has a meaning.
 */
export function countBefore<R extends Row>(
  rows: readonly R[],
  countsIn: (row: R) => readonly number[],
  before: Before = NOTHING,
): (time: number) => number {
  const known = rows.map((row) => {
    const counts = countsIn(row);
    return { id: row.id, counts, total: sumOf(counts) };
  });
  return (time) => {
    const at = rowOf(time);
    let sum = before.sum;
    for (const { id, counts, total } of known) {
      if (id >= before.until && id < at) sum += total;
      if (id < before.until && id >= at) sum -= total;
      if (id === at) sum += sumOf(counts, Math.floor((time - at * ROW_MS) / QUARTER_MS));
    }
    return sum;
  };
}

/** The counts between each time and the next. */
export function countBetween(times: readonly number[], before: (time: number) => number): number[] {
  const counts = times.map(before);
  return counts.slice(1).map((count, index) => count - (counts[index] ?? 0));
}

/** A plain loop: the dashboard adds up some twenty thousand numbers. */
function sumOf(counts: readonly number[], end = counts.length): number {
  let sum = 0;
  for (let index = 0; index < end; index += 1) sum += counts[index] ?? 0;
  return sum;
}
