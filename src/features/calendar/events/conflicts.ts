import { type SQL, sql } from "drizzle-orm";
import { type Context, hasScope } from "../../../context.ts";
import { compiledQuery, compiledSelect, type Given } from "../../../db/compiled-query.ts";
import { calendarState, events } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { type Interval, toIso } from "../../../lib/intervals.ts";
import { type Budget, expand } from "../../../lib/recurrence.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { activeSeries, BUSY, expandSeries, newBudget } from "../series/expansion.ts";
import { type EventRow, intervalOf, isSeries, seriesOf, type TimesOfEvent } from "./event.ts";
import { LENGTH_CLASSES, overlapping } from "./overlap.ts";
import type { Conflict } from "./schemas.ts";
import { CONFLICT_COLUMNS, selectFrom } from "./select.ts";

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

/** Where the intervals come from: a table `wanted` with the columns `from_at` and `to_at`. */
const ONE = sql`(SELECT ${sql.placeholder("from")} AS from_at, ${sql.placeholder("to")} AS to_at) AS wanted`;
const many = (intervals: Given<string>) =>
  sql`(SELECT json_extract(value, '$.start') AS from_at, json_extract(value, '$.end') AS to_at
    FROM json_each(${intervals})) AS wanted`;
const MANY = many(sql.placeholder("intervals"));
/** The interval of an event that the statement before has changed. */
const CHANGED = sql`(SELECT start_at AS from_at, end_at AS to_at, ical_uid AS own_uid FROM events
  WHERE changes() > 0 AND id = ${sql.placeholder("id")} AND ${BUSY}) AS wanted`;

/** Single events, and edited occurrences, that overlap any of the intervals. */
function overlappingSingles(columns: SQL, isOwn: SQL, wanted: SQL): SQL {
  const window = { start: sql`wanted.from_at`, end: sql`wanted.to_at` };
  return sql`SELECT ${columns} FROM ${wanted} CROSS JOIN ${LENGTH_CLASSES} CROSS JOIN events
    WHERE ${overlapping(window)} AND ${BUSY} AND NOT (${isOwn})`;
}

/** Tells the event's own row, also under a UID that its booking has changed; for a series, also its edited occurrences. */
function isItself(event: Subject, value: (name: "icalUid" | "bookingId" | "originalStart") => unknown): SQL {
  const isOwn = sql`ical_uid = ${value("icalUid")}`;
  if (event.originalStart) return sql`${isOwn} AND original_start IS ${value("originalStart")}`;
  return event.bookingId === null ? isOwn : sql`${isOwn} OR booking_id IS ${value("bookingId")}`;
}

function hullOf(intervals: readonly Interval[]): Interval {
  return {
    start: Math.min(...intervals.map(({ start }) => start)),
    end: Math.max(...intervals.map(({ end }) => end)),
  };
}

const selectConflicts = compiledQuery<FoundRow>();
type FoundRow = Pick<EventRow, keyof typeof CONFLICT_COLUMNS>;

/**
 * A statement that finds the conflicts of an event, to run in the batch that writes it, and a reader of its rows. None
 * for an event that takes up no time.
 */
export function conflictsOf(ctx: Context, event: Subject) {
  const intervals = occupied(ctx, event);
  const isMany = intervals.length > 1;
  const shape = [isMany, event.originalStart !== null, event.bookingId !== null].join(" ");
  const build = (source: Pick<Context, "db">) => {
    const isOwn = isItself(event, sql.placeholder);
    const isActive = activeSeries({ start: sql.placeholder("from"), end: sql.placeholder("to") });
    const isOther = event.originalStart ? sql`1` : sql`NOT (${isOwn})`;
    const series = sql`SELECT ${COLUMNS} FROM events WHERE ${isActive} AND ${isOther} AND ${BUSY}`;
    return conflictQuery(source, isMany ? MANY : ONE, isOwn, series);
  };
  const { start: from, end: to } = hullOf(intervals);
  const values = { ...ownValues(event), from, to, intervals: isMany && JSON.stringify(intervals) };
  return {
    statements: intervals.length > 0 ? [selectConflicts(ctx.db, shape, build, values)] : [],
    read: (rows: readonly FoundRow[] = [], budget = newBudget()) => readConflicts(ctx, event, intervals, rows, budget),
  };
}

function ownValues({ icalUid, bookingId, originalStart }: Subject) {
  return { icalUid, bookingId, originalStart: originalStart?.getTime() };
}

const selectConflictsOfChanged = compiledSelect((source) => aroundStored(source, CHANGED));

/** The same for a single event, after the statement that changes it: a statement for the batch, and a reader of its rows. */
export function conflictsOfChanged(ctx: Context, id: number) {
  return {
    statement: selectConflictsOfChanged(ctx.db, { id }),
    read: (row: EventRow, found: readonly FoundRow[]) =>
      readConflicts(ctx, row, occupied(ctx, row), found, newBudget()),
  };
}

/** Events that overlap the interval of a stored event: `wanted` has its UID, too. */
function aroundStored(source: Pick<Context, "db">, wanted: SQL) {
  const isOwn = sql`ical_uid = wanted.own_uid`;
  const isActive = activeSeries({ start: sql`wanted.from_at`, end: sql`wanted.to_at` });
  const series = sql`SELECT ${COLUMNS} FROM ${wanted} CROSS JOIN events WHERE ${isActive} AND NOT (${isOwn}) AND ${BUSY}`;
  return conflictQuery(source, wanted, isOwn, series);
}

const COLUMNS = sql.raw(
  Object.keys(CONFLICT_COLUMNS)
    .map((name) => `events.${events[assertType<keyof FoundRow>(name)].name}`)
    .join(", "),
);

function conflictQuery(source: Pick<Context, "db">, wanted: SQL, isOwn: SQL, series: SQL) {
  // An event may overlap several intervals.
  const distinct = wanted === MANY ? sql`DISTINCT` : sql``;
  const singles = sql`SELECT ${distinct} * FROM (${overlappingSingles(COLUMNS, isOwn, wanted)})
    ORDER BY start_at, id LIMIT ${sql.raw(String(MAX_SHOWN))}`;
  return selectFrom(source, CONFLICT_COLUMNS, sql`SELECT * FROM (${singles}) UNION ALL ${series}`);
}

/** Callers without the scope `calendar:read` see the times of conflicts, but no titles. */
const UNREAD_TITLE = "Busy";
const mayRead = ({ actor }: Context) => hasScope(actor, ["calendar:read"]);

function readConflicts(
  ctx: Context,
  event: Pick<Subject, "icalUid" | "originalStart">,
  intervals: readonly Interval[],
  rows: readonly FoundRow[],
  budget: Budget,
): Conflict[] {
  const isInTheWay = ({ start, end }: Interval) => intervals.some((own) => start < own.end && end > own.start);
  const fromSeries = expandSeries(intervals.length > 0 ? rows : [], hullOf(intervals), budget, MAX_OCCURRENCES)
    .filter(isInTheWay)
    // An edited occurrence replaces the one its series has at that start.
    .filter(({ series: { icalUid }, start }) => icalUid !== event.icalUid || start !== event.originalStart?.getTime())
    .map(({ series: { id, title, outside }, start, end }) => ({ id, title, outside, start, end }));
  const singles = rows.filter((row) => !isSeries(row) && isInTheWay(intervalOf(row)));
  return [...singles.map((row) => ({ ...row, ...intervalOf(row) })), ...fromSeries]
    .sort((a, b) => a.start - b.start || a.id - b.id)
    .slice(0, MAX_SHOWN)
    .map(({ id, title, outside, start, end }) => ({
      id,
      title: mayRead(ctx) ? title : UNREAD_TITLE,
      outside,
      ...toIso({ start, end }),
    }));
}

/**
 * Rejects an event that conflicts with another. Returns the condition under which that is still true when the event is
 * written: no single event overlaps, and no series has changed since, because SQL cannot expand a series.
 */
export async function refuseConflicts(ctx: Context, event: Subject, known?: Surroundings): Promise<SQL> {
  const { statements, read } = conflictsOf(ctx, event);
  const { revision, rows } = known && covers(known, event, occupied(ctx, event)) ? known : await look(ctx, statements);
  const budget = newBudget();
  const conflicts = read(rows, budget);
  if (conflicts.length > 0) throw timeConflict(ctx, conflicts);
  if (budget.left < 0) {
    throw validationFailed({ path: "onConflict", message: "cannot be used: the series have too many occurrences" });
  }
  const own = ownValues(event);
  const wanted = many(JSON.stringify(occupied(ctx, event)));
  return sql`NOT EXISTS (${overlappingSingles(
    sql`1`,
    isItself(event, (name) => own[name]),
    wanted,
  )})
    AND (SELECT series_revision FROM calendar_state) = ${revision}`;
}

async function look(ctx: Context, statements: ReturnType<typeof conflictsOf>["statements"]) {
  const [state, rows = []] = await ctx.db.batch([selectRevision(ctx), ...statements]);
  return { revision: revisionIn(state), rows };
}

function selectRevision({ db }: Context) {
  return db.select({ revision: calendarState.seriesRevision }).from(calendarState);
}

const revisionIn = ([state]: readonly { revision: number }[]) => state?.revision ?? 0;

/** Possible conflicts of a changed event, read together with the event. */
export interface Surroundings {
  revision: number;
  rows: readonly FoundRow[];
  /** All that is busy in this time is among the rows; of single events only the first, which the write checks again. */
  window: Interval;
}

/** The moments between which a changed event may lie, before it is read; null where its own have to be. */
export interface Reach {
  /** The earliest and the latest start. */
  from: number | null;
  until: number | null;
  end: number | null;
  length: number | null;
}

const given = (name: keyof Reach) => sql.placeholder(name);
const REACHED = sql`(SELECT coalesce(${given("from")}, start_at) AS from_at, ical_uid AS own_uid,
  coalesce(${given("end")}, coalesce(${given("until")}, start_at) + coalesce(${given("length")}, end_at - start_at)) AS to_at
  FROM events WHERE id = ${sql.placeholder("id")}) AS wanted`;
const selectSurroundings = compiledSelect((source) => aroundStored(source, REACHED));

/** For the batch that reads the event: the statements, and what makes the surroundings of their rows. */
export function surroundingsOf(ctx: Context, id: number, reach: Reach) {
  return {
    statements: [selectRevision(ctx), selectSurroundings(ctx.db, { ...reach, id })] as const,
    read(event: TimesOfEvent, state: readonly { revision: number }[], rows: readonly FoundRow[]): Surroundings {
      const { start, end } = intervalOf(event);
      const { from, until, length } = reach;
      const last = reach.end ?? (until ?? start) + (length ?? end - start);
      return { revision: revisionIn(state), rows, window: { start: from ?? start, end: last } };
    },
  };
}

function covers({ window }: Surroundings, event: Subject, intervals: readonly Interval[]): boolean {
  const hull = hullOf(intervals);
  return !isSeries(event) && !event.originalStart && hull.start >= window.start && hull.end <= window.end;
}

function timeConflict(ctx: Context, conflicts: readonly Conflict[]): AppError {
  if (!mayRead(ctx)) {
    const times = conflicts.map(({ start, end }) => ({ start, end }));
    const detail = "The time is taken. Nothing was saved.";
    return new AppError("time_conflict", detail, { details: { conflicts: times }, quotes: "own" });
  }
  const titles = conflicts.map(({ title }) => `“${title}”`).join(", ");
  return new AppError("time_conflict", `The event overlaps with ${titles}. Nothing was saved.`, {
    details: { conflicts },
    quotes: conflicts.some(({ outside }) => outside) ? "outside" : "own",
  });
}
