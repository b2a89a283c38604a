import { type Context, timeZoneOf } from "../../../context.ts";
import { calendarState } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";
import { EVENT_SOURCES, EVENT_STATUSES } from "../../../lib/event-kinds.ts";
import { clip, type Interval, merge, totalLength } from "../../../lib/intervals.ts";
import { DAY_MS, dateOf, HOUR_MS, startOfDate, toInstant, toWall, wallDay, wallWeek } from "../../../lib/time-zone.ts";
import type { Source, Status } from "../events/event.ts";
import { type Entry, entriesWithin } from "./entries.ts";
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
