import { and, gt, lt, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { eventDays } from "../../../db/schema/calendar.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/time-zone.ts";
import { type EventRow, intervalOf, type TimesOfEvent } from "../events/event.ts";
import { LENGTH_CLASSES, overlapping } from "../events/overlap.ts";
import { ENTRY_COLUMNS, selectFrom } from "../events/select.ts";
import { activeSeries, expandSeries, NOT_CANCELLED, newBudget } from "../series/expansion.ts";

/** What statistics need of an event or an occurrence. */
export interface Entry extends Interval {
  busy: boolean;
  allDay: boolean;
}

/** Events of the length classes 0 to 2 are in `event_days`; this is the longest of them. */
const LONGEST_PACKED_MS = 64 * HOUR_MS;

type DayRow = Pick<typeof eventDays.$inferSelect, "day" | "events">;
type EntryRow = TimesOfEvent & Pick<EventRow, "busy">;

/**
 * Events and occurrences in a window that are not cancelled: three statements for a batch, and a reader of their rows.
 * They read a row for each day, each series and each event of several days, and every event only of days with
 * hundreds of them.
 */
export function entriesWithin(ctx: Context, window: Interval) {
  const isNear = and(gt(eventDays.day, window.start - LONGEST_PACKED_MS - DAY_MS), lt(eventDays.day, window.end));
  const days = ctx.db.select().from(eventDays).where(isNear);
  const long = sql`SELECT events.* FROM ${LENGTH_CLASSES} CROSS JOIN events
    WHERE spans.span > 2 AND ${overlapping(window)} AND ${NOT_CANCELLED}`;
  const unpacked = sql`SELECT events.* FROM event_days CROSS JOIN ${LENGTH_CLASSES} CROSS JOIN events
    WHERE ${isNear} AND event_days.events IS NULL AND spans.span <= 2 AND events.span = spans.span
      AND start_at >= event_days.day AND start_at < event_days.day + ${DAY_MS} AND ${NOT_CANCELLED}`;
  const series = sql`SELECT * FROM events WHERE ${activeSeries(window)} AND ${NOT_CANCELLED}`;
  return {
    statements: [
      days,
      selectFrom(ctx, ENTRY_COLUMNS, sql`${long} UNION ALL ${unpacked}`),
      selectFrom(ctx, ENTRY_COLUMNS, series),
    ] as const,
    read(dayRows: readonly DayRow[], singles: readonly EntryRow[], seriesRows: readonly EntryRow[]): Entry[] {
      const entry = ({ startDate, busy }: EntryRow, { start, end }: Interval) => ({
        start,
        end,
        busy,
        allDay: startDate !== null,
      });
      const packed = dayRows.flatMap(({ events }) => events ?? []);
      return [
        ...packed.map(([start, end, busy, allDay]) => ({ start, end, busy: busy === 1, allDay: allDay === 1 })),
        ...singles.map((row) => entry(row, intervalOf(row))),
        ...expandSeries(seriesRows, window, newBudget()).map((found) => entry(found.series, found)),
      ].filter(({ start, end }) => start < window.end && end > window.start);
    },
  };
}
