import { type SQL, sql } from "drizzle-orm";
import type { Interval } from "../../../lib/intervals.ts";
import { type Budget, budgetFor, expand } from "../../../lib/recurrence.ts";
import {
  type EventRow,
  isSeries,
  occurrenceRow,
  type SeriesRow,
  seriesOf,
  type TimesOfEvent,
} from "../events/event.ts";
import { broken } from "../events/event-times.ts";
import { isBound, type Window } from "../events/overlap.ts";

/** Series of which an occurrence may overlap the window: begun before its end, and not over before its start. */
export function activeSeries(window: Window): SQL {
  const conditions = [
    // Compared even when the window has no start, because this is what finds series by their index.
    sql`series_end > ${isBound(window.start) ? window.start : Number.MIN_SAFE_INTEGER}`,
    ...(isBound(window.end) ? [sql`start_at < ${window.end}`] : []),
  ];
  return sql.join(conditions, sql` AND `);
}

export const TAKES_PLACE: SQL = sql`status <> 'cancelled'`;

/** What takes up the person's time. */
export const BUSY: SQL = sql`busy = 1 AND ${TAKES_PLACE}`;

/** A short rule gives thousands of occurrences a year: one request follows so many of all series together. */
const MAX_OCCURRENCES = 10_000;

export const newBudget = (): Budget => budgetFor(MAX_OCCURRENCES);

/** For an answer that would be wrong if it were not whole. */
export function refuseOverdrawn({ left }: Budget): void {
  if (left < 0)
    throw broken("end", `there are more than ${MAX_OCCURRENCES} occurrences to go through; ask for less time`);
}

/** Every occurrence of these series that overlaps the window, in no order, as far as the budget goes. */
export function occurrences<Row extends TimesOfEvent>(
  rows: Iterable<Row>,
  window: Interval,
  budget: Budget,
  limitEach?: number,
): (Interval & { series: Row })[] {
  const found: (Interval & { series: Row })[] = [];
  for (const series of rows) {
    if (!isSeries(series)) continue;
    for (const interval of expand(seriesOf(series), window, { limit: limitEach, budget })) {
      found.push({ ...interval, series });
    }
  }
  return found;
}

/**
 * Puts the occurrences of series among single events, in order of start and id, and keeps the first `limit`
 * that come after `after`. `singles` are already after it, and complete up to their last.
 */
export function mergeInOrder(
  singles: readonly EventRow[],
  series: readonly SeriesRow[],
  window: Interval,
  limit: number,
  after: { start: number; id: number } | undefined,
): EventRow[] {
  const budget = newBudget();
  let merged = [...singles].sort(byStart);
  for (const row of series) {
    const last = merged.length >= limit ? merged[limit - 1] : undefined;
    // Nothing after the last one shown is needed, which keeps a page from expanding years of every series.
    const end = Math.min(window.end, last ? last.startAt.getTime() + 1 : window.end);
    const options = { limit: limit + 1, notBefore: after?.start, budget };
    const found = expand(seriesOf(row), { start: window.start, end }, options)
      .filter(({ start }) => !after || start > after.start || row.id > after.id)
      .map((interval) => occurrenceRow(row, interval));
    if (found.length > 0) merged = [...merged, ...found].sort(byStart).slice(0, limit);
  }
  refuseOverdrawn(budget);
  return merged;
}

export function byStart(a: EventRow, b: EventRow): number {
  return a.startAt.getTime() - b.startAt.getTime() || a.id - b.id;
}
