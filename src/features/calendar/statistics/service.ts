import { and, gt, lt, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { calendarState, eventDays } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";
import { EVENT_SOURCES, EVENT_STATUSES } from "../../../lib/event-kinds.ts";
import { clip, type Interval, merge, totalLength } from "../../../lib/intervals.ts";
import { DAY_MS, dateOf, HOUR_MS, startOfDate, toInstant, toWall, wallDay, wallWeek } from "../../../lib/time-zone.ts";
import { type EventRow, intervalOf, type Source, type Status, type TimesOfEvent } from "../events/event.ts";
import { LENGTH_CLASSES, overlapping } from "../events/overlap.ts";
import { ENTRY_COLUMNS, selectFrom } from "../events/select.ts";
import { activeSeries, expandSeries, NOT_CANCELLED, newBudget } from "../series/expansion.ts";
import type { Day } from "./schemas.ts";

const UPCOMING_DAYS = 30;
const DAYS_SHOWN = 14;
const WEEK_MS = 7 * DAY_MS;

/** The statement that reads the number of events by status and source. */
export function selectEventTotals(ctx: Context) {
  return ctx.db.select({ totals: calendarState.totals }).from(calendarState);
}

/** The sum of the totals whose name, such as "confirmed manual", has this status or source; without one, of all. */
export function eventTotal(rows: readonly { totals: Record<string, number> }[], kind?: Status | Source): number {
  return Object.entries(rows[0]?.totals ?? {})
    .filter(([name]) => kind === undefined || name.split(" ").includes(kind))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Cancelled events only count in the totals. */
export async function calendarStatistics(ctx: Context, timeZone = timeZoneOf(ctx)) {
  const now = ctx.now.getTime();
  const today = wallDay(toWall(timeZone, now));
  const week = wallWeek(today);
  const at = (wall: number) => toInstant(timeZone, wall);
  const window = { start: at(week), end: Math.max(at(week + 3 * WEEK_MS), now + UPCOMING_DAYS * DAY_MS) };
  const { statements, read } = entriesWithin(ctx, window);
  const [totals, ...rows] = await ctx.db.batch([selectEventTotals(ctx), ...statements]);
  const entries = read(...rows);
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) => dayOf(entries, timeZone, today + index * DAY_MS));
  const hoursIn = (start: number, end: number) => bookedHours(entries, { start: at(start), end: at(end) });
  return {
    timeZone,
    total: eventTotal(totals),
    upcoming: entries.filter(({ start, end }) => end > now && start < now + UPCOMING_DAYS * DAY_MS).length,
    byStatus: countsBy(EVENT_STATUSES, (status) => eventTotal(totals, status)),
    bySource: countsBy(EVENT_SOURCES, (source) => eventTotal(totals, source)),
    hoursBooked: { thisWeek: hoursIn(week, week + WEEK_MS), nextWeek: hoursIn(week + WEEK_MS, week + 2 * WEEK_MS) },
    perDay: days,
    busiestDay: busiest(days),
  };
}

function dayOf(entries: readonly Entry[], timeZone: string, wall: number): Day {
  const date = dateOf(wall);
  const day = { start: startOfDate(timeZone, date), end: toInstant(timeZone, wall + DAY_MS) };
  const events = entries.filter(({ start, end }) => start < day.end && end > day.start).length;
  return { date, events, hours: bookedHours(entries, day) };
}

/** Overlapping time counts once; all-day events do not count. */
function bookedHours(entries: readonly Entry[], window: Interval): number {
  const counted = entries.filter(({ busy, allDay }) => busy && !allDay);
  return Math.round((totalLength(merge(clip(counted, window))) / HOUR_MS) * 100) / 100;
}

function busiest(days: readonly Day[]): Day | null {
  const [first] = [...days].sort((a, b) => b.hours - a.hours || b.events - a.events);
  return first && first.events > 0 ? first : null;
}

function countsBy<Name extends string>(names: readonly Name[], countOf: (name: Name) => number) {
  return assertType<Record<Name, number>>(Object.fromEntries(names.map((name) => [name, countOf(name)])));
}

/** What statistics need of an event or an occurrence. */
interface Entry extends Interval {
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
function entriesWithin(ctx: Context, window: Interval) {
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
