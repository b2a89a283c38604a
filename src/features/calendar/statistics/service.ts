import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { eventTotals } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";
import { EVENT_SOURCES, EVENT_STATUSES } from "../../../lib/event-kinds.ts";
import { clip, type Interval, merge, totalLength } from "../../../lib/intervals.ts";
import { DAY_MS, dateOf, HOUR_MS, startOfDate, toInstant, toWall, wallDay, wallWeek } from "../../../lib/time-zone.ts";
import { type EventRow, intervalOf, isSeries } from "../events/event.ts";
import { LENGTH_CLASSES, overlapping } from "../events/overlap.ts";
import { ALL_COLUMNS, selectFrom } from "../events/select.ts";
import { activeSeries, expandSeries, NOT_CANCELLED, newBudget } from "../series/expansion.ts";
import type { Day } from "./schemas.ts";

const UPCOMING_DAYS = 30;
const DAYS_SHOWN = 14;
const WEEK_MS = 7 * DAY_MS;

type Entry = Interval & Pick<EventRow, "startDate" | "busy">;

/** The statement that reads the number of events by status and source. */
export function selectEventTotals(ctx: Context) {
  return ctx.db.select().from(eventTotals);
}

/** Cancelled events only count in the totals. */
export async function calendarStatistics(ctx: Context, timeZone = timeZoneOf(ctx)) {
  const now = ctx.now.getTime();
  const today = wallDay(toWall(timeZone, now));
  const week = wallWeek(today);
  const at = (wall: number) => toInstant(timeZone, wall);
  const window = { start: at(week), end: Math.max(at(week + 3 * WEEK_MS), now + UPCOMING_DAYS * DAY_MS) };
  const [totals, rows] = await ctx.db.batch([
    selectEventTotals(ctx),
    selectFrom(
      ctx,
      ALL_COLUMNS,
      sql`SELECT events.* FROM ${LENGTH_CLASSES} CROSS JOIN events
        WHERE ${overlapping(window)} AND ${NOT_CANCELLED}
        UNION ALL SELECT * FROM events WHERE ${activeSeries(window)} AND ${NOT_CANCELLED}`,
    ),
  ]);
  const entries = entriesOf(rows, window);
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) => dayOf(entries, timeZone, today + index * DAY_MS));
  const hoursIn = (start: number, end: number) => bookedHours(entries, { start: at(start), end: at(end) });
  return {
    timeZone,
    total: totals.reduce((sum, { count }) => sum + count, 0),
    upcoming: entries.filter(({ start, end }) => end > now && start < now + UPCOMING_DAYS * DAY_MS).length,
    byStatus: sumsOf(EVENT_STATUSES, (status) => totals.filter((total) => total.status === status)),
    bySource: sumsOf(EVENT_SOURCES, (source) => totals.filter((total) => total.source === source)),
    hoursBooked: { thisWeek: hoursIn(week, week + WEEK_MS), nextWeek: hoursIn(week + WEEK_MS, week + 2 * WEEK_MS) },
    perDay: days,
    busiestDay: busiest(days),
  };
}

function entriesOf(rows: readonly EventRow[], window: Interval): Entry[] {
  const entry = ({ startDate, busy }: EventRow, { start, end }: Interval) => ({ start, end, startDate, busy });
  const singles = rows.filter((row) => !isSeries(row)).map((row) => entry(row, intervalOf(row)));
  const occurrences = expandSeries(rows, window, newBudget());
  return [...singles, ...occurrences.map((found) => entry(found.series, found))];
}

function dayOf(entries: readonly Entry[], timeZone: string, wall: number): Day {
  const date = dateOf(wall);
  const day = { start: startOfDate(timeZone, date), end: toInstant(timeZone, wall + DAY_MS) };
  const events = entries.filter(({ start, end }) => start < day.end && end > day.start).length;
  return { date, events, hours: bookedHours(entries, day) };
}

/** Overlapping time counts once; all-day events do not count. */
function bookedHours(entries: readonly Entry[], window: Interval): number {
  const counted = entries.filter(({ startDate, busy }) => busy && startDate === null);
  return Math.round((totalLength(merge(clip(counted, window))) / HOUR_MS) * 100) / 100;
}

function busiest(days: readonly Day[]): Day | null {
  const [first] = [...days].sort((a, b) => b.hours - a.hours || b.events - a.events);
  return first && first.events > 0 ? first : null;
}

function sumsOf<Name extends string>(names: readonly Name[], of: (name: Name) => readonly { count: number }[]) {
  const sums = names.map((name) => [name, of(name).reduce((sum, { count }) => sum + count, 0)]);
  return assertType<Record<Name, number>>(Object.fromEntries(sums));
}
