import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { type EventRow, intervalOf } from "./event.ts";
import { BRIEF, selectFrom, WHOLE } from "./rows.ts";
import { activeSeries, newBudget, occurrences } from "./series.ts";
import { firstOverlapping, SPANS } from "./spans.ts";

/** How far ahead a series is asked for its next occurrence. */
const AHEAD_MS = 366 * DAY_MS;
const TAKES_PLACE = sql`status <> 'cancelled'`;

type Brief = Pick<EventRow, "id" | "title" | "startAt" | "endAt">;

/**
 * The calendar's part of the dashboard: events on each of the days between the boundaries, those from now until
 * `aheadUntil`, and the next to start. Three statements for the dashboard's batch, and how to read them.
 */
export function dashboardEvents(ctx: Context, boundaries: readonly number[], aheadUntil: number) {
  const now = ctx.now.getTime();
  const window = { start: boundaries[0] ?? now, end: Math.max(aheadUntil, boundaries.at(-1) ?? now) };
  const singles = sql`SELECT events.id, title, start_at, end_at FROM ${SPANS} CROSS JOIN events
    WHERE events.span = spans.span AND start_at > ${window.start} - spans.longest AND start_at < ${window.end}
      AND end_at > ${window.start} AND ${TAKES_PLACE}`;
  const series = sql`SELECT * FROM events WHERE ${activeSeries({ start: window.start, end: now + AHEAD_MS })} AND ${TAKES_PLACE}`;
  const next = firstOverlapping({ start: now, end: Infinity }, TAKES_PLACE, now, 1);
  const nextSingle = sql`SELECT id, title, start_at, end_at FROM events
    WHERE id IN (SELECT id FROM (${next}))`;
  return {
    statements: [
      selectFrom(ctx, BRIEF, singles),
      selectFrom(ctx, WHOLE, series),
      selectFrom(ctx, BRIEF, nextSingle),
    ] as const,
    read(singleRows: readonly Brief[], seriesRows: readonly EventRow[], nextRows: readonly Brief[]) {
      const recurring = (from: number, until: number, limit?: number) =>
        occurrences(seriesRows, { start: from, end: until }, newBudget(), limit).map(
          ({ start, end, series: { id, title } }) => ({
            id,
            title,
            start,
            end,
          }),
        );
      const all = [
        ...singleRows.map((row) => ({ ...row, ...intervalOf(row) })),
        ...recurring(window.start, window.end),
      ];
      const overlapping = (start: number, end: number) =>
        all.filter((event) => event.start < end && event.end > start).length;
      const upcoming = [
        ...nextRows.map((row) => ({ ...row, ...intervalOf(row) })),
        ...recurring(now, now + AHEAD_MS, 2).filter(({ start }) => start >= now),
      ].sort((a, b) => a.start - b.start || a.id - b.id);
      return {
        perDay: boundaries.slice(0, -1).map((start, index) => overlapping(start, boundaries[index + 1] ?? start)),
        ahead: overlapping(now, aheadUntil),
        next: upcoming[0] ? brief(upcoming[0]) : null,
      };
    },
  };
}

function brief({ id, title, start, end }: { id: number; title: string; start: number; end: number }) {
  return { id, title, start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}
