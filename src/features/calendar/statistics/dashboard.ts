import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { toIso } from "../../../lib/intervals.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { type EventRow, intervalOf, type TimesOfEvent } from "../events/event.ts";
import { firstOverlapping } from "../events/overlap.ts";
import { SERIES_COLUMNS, selectFrom, TITLE_COLUMNS } from "../events/select.ts";
import { activeSeries, expandSeries, NOT_CANCELLED, newBudget } from "../series/expansion.ts";

/** How far ahead to look for the next occurrence of a series. */
const AHEAD_MS = 366 * DAY_MS;

type Brief = Pick<EventRow, "id" | "title" | "startAt" | "endAt">;

/** The days of the dashboard, by their boundaries, and how far ahead it counts events. */
interface DashboardTimes {
  now: number;
  boundaries: readonly number[];
  aheadUntil: number;
}

/** The values of the placeholders in the calendar's part of the dashboard. */
export function dashboardValues({ now, boundaries }: DashboardTimes) {
  return { now, start: boundaries[0] ?? now, seriesUntil: now + AHEAD_MS };
}

/** The calendar's statements in the dashboard's batch. */
export function selectDashboardEvents(ctx: Pick<Context, "db">) {
  const now = sql.placeholder("now");
  const start = sql.placeholder("start");
  const isActive = activeSeries({ start, end: sql.placeholder("seriesUntil") });
  const next = firstOverlapping({ start: now, end: Infinity }, NOT_CANCELLED, now, 1);
  return {
    series: selectFrom(ctx, SERIES_COLUMNS, sql`SELECT * FROM events WHERE ${isActive} AND ${NOT_CANCELLED}`),
    nextEvents: selectFrom(
      ctx,
      TITLE_COLUMNS,
      sql`SELECT id, title, start_at, end_at FROM events WHERE id IN (SELECT id FROM (${next}))`,
    ),
  };
}

interface DashboardRows {
  series: readonly (Brief & TimesOfEvent)[];
  nextEvents: readonly Brief[];
}

/** Counts of single events that are not cancelled, by the starts of quarters of an hour. */
interface StoredCounts {
  startedBefore(time: number): number;
  endedBy(time: number): number;
}

/** The number of events on each day, and today and in the days ahead; and the next event. */
export function toDashboard(rows: DashboardRows, times: DashboardTimes, singles: StoredCounts) {
  const { now, boundaries, aheadUntil } = times;
  const recurring = (start: number, end: number, limit?: number) =>
    expandSeries(rows.series, { start, end }, newBudget(), limit).map(({ series: { id, title }, ...interval }) => ({
      id,
      title,
      ...interval,
    }));
  const all = recurring(boundaries[0] ?? now, Math.max(aheadUntil, boundaries.at(-1) ?? now));
  const countIn = (start: number, end: number) =>
    singles.startedBefore(end) -
    singles.endedBy(start) +
    all.filter((event) => event.start < end && event.end > start).length;
  const [next] = [
    ...rows.nextEvents.map(timed),
    ...recurring(now, now + AHEAD_MS, 2).filter(({ start }) => start >= now),
  ].sort((a, b) => a.start - b.start || a.id - b.id);
  return {
    perDay: boundaries.slice(0, -1).map((start, index) => countIn(start, boundaries[index + 1] ?? start)),
    ahead: countIn(boundaries.at(-2) ?? now, aheadUntil),
    next: next ? { id: next.id, title: next.title, ...toIso(next) } : null,
  };
}

function timed(row: Brief) {
  return { id: row.id, title: row.title, ...intervalOf(row) };
}
