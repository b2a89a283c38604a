import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { activeSeries, mergeInOrder, TAKES_PLACE } from "../series/expansion.ts";
import { type CalendarEvent, type EventRow, isSeries, toEvent } from "./event.ts";
import { firstOverlapping } from "./overlap.ts";
import { selectFrom, WHOLE } from "./select.ts";

/** The events of a time that take place, at most `limit`: two statements for another verb's batch, and how to read them. */
export function eventsWithin(ctx: Context, window: Interval, limit: number) {
  const page = firstOverlapping(window, TAKES_PLACE, Number.NEGATIVE_INFINITY, limit);
  const singles = sql`SELECT events.* FROM (${page}) AS page CROSS JOIN events ON events.id = page.id`;
  const series = sql`SELECT * FROM events WHERE ${activeSeries(window)} AND ${TAKES_PLACE}`;
  return {
    statements: [selectFrom(ctx, WHOLE, singles), selectFrom(ctx, WHOLE, series)] as const,
    read: (singleRows: readonly EventRow[], seriesRows: readonly EventRow[]): CalendarEvent[] =>
      mergeInOrder(singleRows, seriesRows.filter(isSeries), window, limit, undefined).map(toEvent),
  };
}
