import { type SQL, sql } from "drizzle-orm";
import type { Given } from "../../../db/compiled-query.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { HOUR_MS } from "../../../lib/time-zone.ts";

/**
 * Finding the events that overlap a window takes two bounds: start before the window's end, end after its start. An
 * index serves only one of them. But an event of at most an hour that overlaps the window starts at most an hour before
 * it. So events are classed by length (`events.span`), and each class is one range on `start_at`. There are five
 * classes, because D1 allows five SELECTs in a UNION, with narrow bounds where most events are.
 */
const LONGEST_HOURS = [1, 8, 64, 1024, 65_536] as const;
const CLASSES = LONGEST_HOURS.map((hours, span) => ({ span, longest: hours * HOUR_MS }));

export const LONGEST_EVENT_MS = 5 * 366 * 24 * HOUR_MS;

export function lengthClassOf({ start, end }: Interval): number {
  const fitting = CLASSES.find(({ longest }) => end - start <= longest);
  if (!fitting) throw new Error("an event is longer than any class of lengths");
  return fitting.span;
}

// Written into the statement, because the bounds of every class would use up many of D1's 100 parameters.
function literal(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("a bound is not a whole number");
  return sql.raw(String(value));
}

/** Infinity stands for no bound. */
export type Bound = Given;

export interface Window {
  start: Bound;
  end: Bound;
}

export function isBound(bound: Bound | SQL): boolean {
  return typeof bound !== "number" || Number.isFinite(bound);
}

function toSql(bound: Bound): SQL {
  return typeof bound === "number" ? literal(bound) : sql`${bound}`;
}

/** The classes as a table `spans (span, longest)`, to join with the index on span and start. */
export const LENGTH_CLASSES: SQL = sql.raw(
  `(SELECT column1 AS span, column2 AS longest FROM (VALUES ${CLASSES.map(({ span, longest }) => `(${span}, ${longest})`).join(", ")})) AS spans`,
);

/** Whether a single event overlaps the window. For `events` joined with `LENGTH_CLASSES`: one index range per class. */
export function overlapping({ start, end }: { start: Bound | SQL; end: Bound | SQL }): SQL {
  return sql`events.span = spans.span AND start_at > ${start} - spans.longest AND start_at < ${end} AND end_at > ${start}`;
}

/**
 * The id and start of the first `limit` events that overlap the window, match `filter` and do not start before
 * `notBefore`. Each class is read in index order and SQLite merges them, so this reads little more than `limit` rows.
 */
export function firstOverlapping(window: Window, filter: SQL | undefined, notBefore: Bound, limit: Given): SQL {
  const classes = CLASSES.map(({ span, longest }) => {
    const conditions = [sql`span = ${literal(span)}`];
    const earliest = [
      ...(isBound(window.start) ? [sql`${toSql(window.start)} - ${literal(longest)}`] : []),
      ...(isBound(notBefore) ? [toSql(notBefore)] : []),
    ];
    // One value: SQLite enters the index at one bound and checks any other bound row by row.
    if (earliest.length === 1) conditions.push(sql`start_at >= ${earliest[0]}`);
    if (earliest.length === 2) conditions.push(sql`start_at >= max(${earliest[0]}, ${earliest[1]})`);
    if (isBound(window.end)) conditions.push(sql`start_at < ${toSql(window.end)}`);
    if (isBound(window.start)) conditions.push(sql`end_at > ${toSql(window.start)}`);
    if (filter) conditions.push(filter);
    return sql`SELECT id, start_at FROM events WHERE ${sql.join(conditions, sql` AND `)}`;
  });
  return sql`${sql.join(classes, sql` UNION ALL `)} ORDER BY start_at, id LIMIT ${toSql(limit)}`;
}

/** `firstOverlapping` for the few events that wait for a response: they have an index of their own. */
export function firstAwaiting(window: Window, filter: SQL | undefined, notBefore: Bound, limit: Given): SQL {
  const conditions = [
    sql`awaits_answer = 1 AND span IS NOT NULL`,
    ...(isBound(notBefore) ? [sql`start_at >= ${toSql(notBefore)}`] : []),
    ...(isBound(window.end) ? [sql`start_at < ${toSql(window.end)}`] : []),
    ...(isBound(window.start) ? [sql`end_at > ${toSql(window.start)}`] : []),
    ...(filter ? [filter] : []),
  ];
  const where = sql.join(conditions, sql` AND `);
  return sql`SELECT id, start_at FROM events INDEXED BY events_awaits_answer WHERE ${where} ORDER BY start_at, id LIMIT ${toSql(limit)}`;
}
