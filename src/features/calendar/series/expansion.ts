import { type SQL, sql } from "drizzle-orm";
import { validationFailed } from "../../../lib/errors.ts";
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
import { type Bound, isBound } from "../events/overlap.ts";

/** Series that may have an occurrence in the window: they start before its end and do not end before its start. */
export function activeSeries(window: { start: Bound | SQL; end: Bound | SQL }): SQL {
  const conditions = [
    // Without a start it compares with the smallest number, because only this condition makes SQLite use the index.
    sql`series_end > ${isBound(window.start) ? window.start : Number.MIN_SAFE_INTEGER}`,
    ...(isBound(window.end) ? [sql`start_at < ${window.end}`] : []),
  ];
  return sql.join(conditions, sql` AND `);
}

export const NOT_CANCELLED: SQL = sql`status <> 'cancelled'`;

export const BUSY: SQL = sql`busy = 1 AND ${NOT_CANCELLED}`;

/** A request expands at most this many occurrences of all series together. A short rule has thousands a year. */
const MAX_OCCURRENCES = 10_000;

/** The same for invitations of strangers, who choose how rarely a rule matches: they get no part of the person's own. */
const MAX_OF_STRANGERS = 1000;

/** Nobody has accepted it, and it takes up no time: only strangers' invitations are so. */
const isOfStranger = ({ awaitsAnswer, busy }: EventRow) => awaitsAnswer && !busy;

export const newBudget = (): Budget => budgetFor(MAX_OCCURRENCES);

/** For responses that must be complete to be correct. */
export function refuseOverBudget({ left }: Budget): void {
  if (left >= 0) return;
  const message = `must be closer to start: the range has more than ${MAX_OCCURRENCES} occurrences`;
  throw validationFailed({ path: "end", message });
}

/** The occurrences of these series that overlap the window, in no order, until the budget is used up. */
export function expandSeries<Row extends TimesOfEvent>(
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

interface MergedEvents {
  rows: EventRow[];
  /** Series of strangers of which occurrences may be missing. */
  unexpanded: number[];
}

/**
 * Merges single events and the occurrences of series, by start and id, and returns the first `limit` that come after
 * `after`. All of `singles` come after it, and none is missing up to their last.
 */
export function mergeInOrder(
  singles: readonly EventRow[],
  series: readonly SeriesRow[],
  window: Interval,
  limit: number,
  after: { start: number; id: number } | undefined,
): MergedEvents {
  const own = newBudget();
  const strangers = budgetFor(MAX_OF_STRANGERS);
  const unexpanded: number[] = [];
  let merged = [...singles].sort(byStart);
  for (const row of series) {
    const budget = isOfStranger(row) ? strangers : own;
    const last = merged.length >= limit ? merged[limit - 1] : undefined;
    // Stopping at the page's last event avoids expanding years of every series for one page.
    const end = Math.min(window.end, last ? last.startAt.getTime() + 1 : window.end);
    const options = { limit: limit + 1, notBefore: after?.start, budget };
    const found = expand(seriesOf(row), { start: window.start, end }, options)
      .filter(({ start }) => !after || start > after.start || row.id > after.id)
      .map((interval) => occurrenceRow(row, interval));
    if (found.length > 0) merged = [...merged, ...found].sort(byStart).slice(0, limit);
    if (strangers.left < 0 && budget === strangers) unexpanded.push(row.id);
  }
  refuseOverBudget(own);
  return { rows: merged, unexpanded };
}

export function byStart(a: EventRow, b: EventRow): number {
  return a.startAt.getTime() - b.startAt.getTime() || a.id - b.id;
}
