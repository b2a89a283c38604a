import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Given } from "../../../db/compiled-query.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { HOUR_MS } from "../../../lib/time-zone.ts";

/**
 * An event overlaps a window when it starts before the window's end and ends after its start. No index
 * bounds both at once; but among events of at most an hour, those that overlap start at most an hour
 * before the window. So events are classed by length, and every class is a range on the start. Five classes,
 * because D1 allows five SELECTs in a UNION; the bounds lie close where most events are.
 */
const LONGEST_HOURS = [1, 8, 64, 1024, 65_536] as const;
const CLASSES = LONGEST_HOURS.map((hours, span) => ({ span, longest: hours * HOUR_MS }));

export const LONGEST_EVENT_MS = 5 * 366 * 24 * HOUR_MS;

export function spanOf({ start, end }: Interval): number {
  const fitting = CLASSES.find(({ longest }) => end - start <= longest);
  if (!fitting) throw new Error("an event is longer than any class of lengths");
  return fitting.span;
}

// Written into the text of the statement: the bounds of every class would take much of D1's 100 parameters.
function number(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("a bound is not a whole number");
  return sql.raw(String(value));
}

/** A moment; Infinity stands for no bound. */
export type Bound = Given;

export interface Window {
  start: Bound;
  end: Bound;
}

export function isBound(bound: Bound): boolean {
  return typeof bound !== "number" || Number.isFinite(bound);
}

function written(bound: Bound): SQL {
  return typeof bound === "number" ? number(bound) : sql`${bound}`;
}

/** The classes as a table `spans (span, longest)`, to join windows with the index on span and start. */
export const SPANS: SQL = sql.raw(
  `(SELECT column1 AS span, column2 AS longest FROM (VALUES ${CLASSES.map(({ span, longest }) => `(${span}, ${longest})`).join(", ")})) AS spans`,
);

/** Single events that overlap the window, of `events` joined with `SPANS`: one indexed range for each class. */
export function overlapping({ start, end }: { start: Bound | SQL; end: Bound | SQL }): SQL {
  return sql`events.span = spans.span AND start_at > ${start} - spans.longest AND start_at < ${end} AND end_at > ${start}`;
}

/**
 * The id and start of the first `limit` rows that overlap the window and pass `filter`, none that starts
 * before `notBefore`. Each class is read in the index's own order and SQLite merges them, so this reads
 * little more than the limit.
 */
export function firstOverlapping(window: Window, filter: SQL | undefined, notBefore: Bound, limit: Given): SQL {
  const arms = CLASSES.map(({ span, longest }) => {
    const bounds = [sql`span = ${number(span)}`];
    const earliest = [
      ...(isBound(window.start) ? [sql`${written(window.start)} - ${number(longest)}`] : []),
      ...(isBound(notBefore) ? [written(notBefore)] : []),
    ];
    // As one value, because SQLite starts to read an index at one bound and checks any other row by row.
    if (earliest.length === 1) bounds.push(sql`start_at >= ${earliest[0]}`);
    if (earliest.length === 2) bounds.push(sql`start_at >= max(${earliest[0]}, ${earliest[1]})`);
    if (isBound(window.end)) bounds.push(sql`start_at < ${written(window.end)}`);
    if (isBound(window.start)) bounds.push(sql`end_at > ${written(window.start)}`);
    if (filter) bounds.push(filter);
    return sql`SELECT id, start_at FROM events WHERE ${sql.join(bounds, sql` AND `)}`;
  });
  return sql`${sql.join(arms, sql` UNION ALL `)} ORDER BY start_at, id LIMIT ${written(limit)}`;
}
