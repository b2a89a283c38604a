import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { calendarState } from "../../../db/schema/calendar.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { type Interval, toIso } from "../../../lib/intervals.ts";
import { type Budget, expand } from "../../../lib/recurrence.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { activeSeries, BUSY, expandSeries, newBudget } from "../series/expansion.ts";
import { type EventRow, intervalOf, isSeries, seriesOf, type TimesOfEvent } from "./event.ts";
import { LENGTH_CLASSES, overlapping } from "./overlap.ts";
import type { Conflict } from "./schemas.ts";
import { ALL_COLUMNS, CONFLICT_COLUMNS, selectFrom } from "./select.ts";

/** How much of a series is compared with the rest of the calendar. */
const AHEAD_MS = 366 * DAY_MS;
const MAX_OCCURRENCES = 366;
const MAX_SHOWN = 20;

type Subject = TimesOfEvent & Pick<EventRow, "status" | "busy" | "icalUid" | "bookingId" | "originalStart">;

/** The times that an event blocks. */
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

/** Single events, and edited occurrences, that overlap any of the intervals, which are JSON. */
function overlappingSingles(columns: SQL, isOwn: SQL, intervals: SQL): SQL {
  return sql`SELECT ${columns} FROM json_each(${intervals}) AS wanted CROSS JOIN ${LENGTH_CLASSES} CROSS JOIN events
    WHERE ${overlapping(WANTED)} AND ${BUSY} AND NOT (${isOwn})`;
}

const asJson = (intervals: readonly Interval[]) => sql`${JSON.stringify(intervals)}`;

/** The event's own row, also under a UID that its booking has changed; for a series, also its edited occurrences. */
function isItself({ icalUid, bookingId, originalStart }: Subject): SQL {
  const isOwn = sql`ical_uid = ${icalUid}`;
  if (originalStart) return sql`${isOwn} AND original_start IS ${originalStart.getTime()}`;
  return bookingId === null ? isOwn : sql`${isOwn} OR booking_id IS ${bookingId}`;
}

function hullOf(intervals: readonly Interval[]): Interval {
  return {
    start: Math.min(...intervals.map(({ start }) => start)),
    end: Math.max(...intervals.map(({ end }) => end)),
  };
}

/** Statements that find the conflicts of an event, to run in the batch that writes it, and a reader of their rows. */
export function conflictStatements(ctx: Context, event: Subject) {
  const intervals = occupied(ctx, event);
  const isActive = intervals.length > 0 ? activeSeries(hullOf(intervals)) : sql`0`;
  const isOwnSeries = event.originalStart ? sql`0` : isItself(event);
  return {
    statements: selectConflicts(ctx, isItself(event), asJson(intervals), sql`${isActive} AND NOT (${isOwnSeries})`),
    read: (singles: readonly SingleConflict[], series: readonly EventRow[], budget = newBudget()) =>
      readConflicts(ctx, event, singles, series, budget),
  };
}

/** The same for a single event that the batch has just written, of which only the id is known. */
export function storedConflictStatements(ctx: Context, id: number) {
  const stored = (column: string) => sql`(SELECT own.${sql.raw(column)} FROM events AS own WHERE own.id = ${id})`;
  const isOwn = sql`ical_uid = ${stored("ical_uid")}`;
  const intervals = sql`(SELECT json_array(json_object('start', own.start_at, 'end', own.end_at)) FROM events AS own
    WHERE own.id = ${id} AND own.busy = 1 AND own.status <> 'cancelled')`;
  const isActive = activeSeries({ start: stored("start_at"), end: stored("end_at") });
  return {
    statements: selectConflicts(ctx, isOwn, intervals, sql`${isActive} AND NOT (${isOwn})`),
    read: (row: EventRow, singles: readonly SingleConflict[], series: readonly EventRow[]) =>
      readConflicts(ctx, row, singles, series, newBudget()),
  };
}

function selectConflicts(ctx: Context, isOwn: SQL, intervals: SQL, isActive: SQL) {
  const singles = sql`SELECT DISTINCT id, title, start_at, end_at, outside FROM
    (${overlappingSingles(sql`events.id, title, start_at, end_at, outside`, isOwn, intervals)}) ORDER BY start_at, id LIMIT ${MAX_SHOWN}`;
  const series = sql`SELECT * FROM events WHERE ${isActive} AND ${BUSY}`;
  return [selectFrom(ctx, CONFLICT_COLUMNS, singles), selectFrom(ctx, ALL_COLUMNS, series)] as const;
}

function readConflicts(
  ctx: Context,
  event: Subject,
  singles: readonly SingleConflict[],
  series: readonly EventRow[],
  budget: Budget,
): Conflict[] {
  const intervals = occupied(ctx, event);
  const fromSeries = expandSeries(intervals.length > 0 ? series : [], hullOf(intervals), budget, MAX_OCCURRENCES)
    .filter((found) => intervals.some(({ start, end }) => found.start < end && found.end > start))
    // An edited occurrence replaces the one its series has at that start.
    .filter(({ series: { icalUid }, start }) => icalUid !== event.icalUid || start !== event.originalStart?.getTime())
    .map(({ series: { id, title, outside }, start, end }) => ({ id, title, outside, start, end }));
  return [...singles.map((row) => ({ ...row, ...intervalOf(row) })), ...fromSeries]
    .sort((a, b) => a.start - b.start || a.id - b.id)
    .slice(0, MAX_SHOWN)
    .map(({ id, title, outside, ...interval }) => ({ id, title, outside, ...toIso(interval) }));
}

type SingleConflict = Pick<EventRow, "id" | "title" | "startAt" | "endAt" | "outside">;

/**
 * Rejects an event that conflicts with another. Returns the condition under which that is still true when the event is
 * written: no single event overlaps, and no series has changed since, because SQL cannot expand a series.
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
  if (budget.left < 0) {
    throw validationFailed({ path: "onConflict", message: "cannot be used: the series have too many occurrences" });
  }
  return sql`NOT EXISTS (${overlappingSingles(sql`1`, isItself(event), asJson(occupied(ctx, event)))})
    AND (SELECT series_revision FROM calendar_state) = ${state?.seriesRevision ?? 0}`;
}

function timeConflict(conflicts: readonly Conflict[]): AppError {
  const titles = conflicts.map(({ title }) => `“${title}”`).join(", ");
  return new AppError("time_conflict", `The event overlaps with ${titles}. Nothing was saved.`, {
    details: { conflicts },
  });
}
