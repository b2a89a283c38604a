import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { calendarState } from "../../../db/schema/calendar.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { expand } from "../../../lib/recurrence.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { activeSeries, BUSY, newBudget, occurrences } from "../series/expansion.ts";
import { type EventRow, intervalOf, isSeries, seriesOf, type TimesOfEvent } from "./event.ts";
import { broken } from "./event-times.ts";
import { overlapping, SPANS } from "./overlap.ts";
import { BRIEF, selectFrom, WHOLE } from "./select.ts";

/** Of a series, as much is compared with the rest of the calendar. */
const AHEAD_MS = 366 * DAY_MS;
const MAX_OCCURRENCES = 366;
const MAX_SHOWN = 20;

export interface Conflict {
  id: number;
  title: string;
  start: string;
  end: string;
}

type Subject = TimesOfEvent & Pick<EventRow, "status" | "busy" | "icalUid" | "bookingId" | "originalStart">;

/** The times at which an event can be in the way of others. */
function occupied(ctx: Context, event: Subject): Interval[] {
  if (!event.busy || event.status === "cancelled") return [];
  if (!isSeries(event)) return [intervalOf(event)];
  const start = Math.max(event.startAt.getTime(), ctx.now.getTime());
  return expand(seriesOf(event), { start, end: start + AHEAD_MS }, { limit: MAX_OCCURRENCES });
}

const WANTED = {
  start: sql`json_extract(wanted.value, '$.start')`,
  end: sql`json_extract(wanted.value, '$.end')`,
};

/** Single events, and edited occurrences, that overlap any of the intervals. */
function overlappingSingles(columns: SQL, event: Subject, intervals: readonly Interval[]): SQL {
  return sql`SELECT ${columns} FROM json_each(${JSON.stringify(intervals)}) AS wanted CROSS JOIN ${SPANS} CROSS JOIN events
    WHERE ${overlapping(WANTED)} AND ${BUSY} AND NOT (${isItself(event)})`;
}

/** Its own row, under whatever UID its booking has by now; and for a series, the rows of its occurrences too. */
function isItself({ icalUid, bookingId, originalStart }: Subject): SQL {
  const isOwn = sql`ical_uid = ${icalUid}`;
  if (originalStart) return sql`${isOwn} AND original_start IS ${originalStart.getTime()}`;
  return bookingId === null ? isOwn : sql`${isOwn} OR booking_id IS ${bookingId}`;
}

/** The statements that find what an event conflicts with, for the batch that writes it, and how to read them. */
export function conflictStatements(ctx: Context, event: Subject) {
  const intervals = occupied(ctx, event);
  const hull = {
    start: Math.min(...intervals.map(({ start }) => start)),
    end: Math.max(...intervals.map(({ end }) => end)),
  };
  const singles = sql`SELECT DISTINCT id, title, start_at, end_at FROM
    (${overlappingSingles(sql`events.id, title, start_at, end_at`, event, intervals)}) ORDER BY start_at, id LIMIT ${MAX_SHOWN}`;
  const isOwnSeries = event.originalStart ? sql`0` : isItself(event);
  const series = sql`SELECT * FROM events WHERE ${intervals.length > 0 ? activeSeries(hull) : sql`0`}
    AND ${BUSY} AND NOT (${isOwnSeries})`;
  return {
    statements: [selectFrom(ctx, BRIEF, singles), selectFrom(ctx, WHOLE, series)] as const,
    read(singleRows: readonly SingleConflict[], seriesRows: readonly EventRow[], budget = newBudget()): Conflict[] {
      const fromSeries = occurrences(seriesRows, hull, budget, MAX_OCCURRENCES)
        .filter((found) => intervals.some(({ start, end }) => found.start < end && found.end > start))
        // The occurrence that is being edited stands where its series would have it.
        .filter(
          ({ series: { icalUid }, start }) => icalUid !== event.icalUid || start !== event.originalStart?.getTime(),
        )
        .map(({ series: { id, title }, start, end }) => ({ id, title, start, end }));
      return [...singleRows.map((row) => ({ ...row, ...intervalOf(row) })), ...fromSeries]
        .sort((a, b) => a.start - b.start || a.id - b.id)
        .slice(0, MAX_SHOWN)
        .map(({ id, title, start, end }) => ({
          id,
          title,
          start: new Date(start).toISOString(),
          end: new Date(end).toISOString(),
        }));
    },
  };
}

type SingleConflict = Pick<EventRow, "id" | "title" | "startAt" | "endAt">;

/**
 * Refuses an event that conflicts, and returns what must hold at the moment of the write for that to stay
 * true: no single event in the way, and no series changed since. SQL sees the first, only we can see into
 * a series.
 */
export async function refuseConflicts(ctx: Context, event: Subject): Promise<SQL> {
  const { statements, read } = conflictStatements(ctx, event);
  const [singles, series, [state]] = await ctx.db.batch([
    ...statements,
    ctx.db.select({ seriesRevision: calendarState.seriesRevision }).from(calendarState),
  ]);
  const budget = newBudget();
  const conflicts = read(singles, series, budget);
  if (conflicts.length > 0) throw timeConflict(conflicts);
  if (budget.left < 0) throw broken("onConflict", "there are more occurrences than can be compared");
  return sql`NOT EXISTS (${overlappingSingles(sql`1`, event, occupied(ctx, event))})
    AND (SELECT series_revision FROM calendar_state) = ${state?.seriesRevision ?? 0}`;
}

function timeConflict(conflicts: readonly Conflict[]): AppError {
  const titles = conflicts.map(({ title }) => `“${title}”`).join(", ");
  return new AppError("time_conflict", `The time is taken by ${titles}. Nothing was written.`, {
    details: { conflicts },
  });
}
