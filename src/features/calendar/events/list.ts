import { and, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { isOneOf } from "../../../db/bulk.ts";
import { compiledQuery } from "../../../db/compiled-query.ts";
import { keyset, type Page, type PageRequest } from "../../../db/page.ts";
import { events } from "../../../db/schema/calendar.ts";
import { decodeCursor } from "../../../lib/cursor.ts";
import { validationFailed } from "../../../lib/errors.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { DAY_MS, lowerBound, upperBound } from "../../../lib/time-zone.ts";
import { activeSeries, byStart, mergeInOrder, NOT_CANCELLED } from "../series/expansion.ts";
import { type CalendarEvent, type EventRow, isSeries, type Source, type Status, toEvent } from "./event.ts";
import { firstAwaiting, firstOverlapping, isBound, type Window } from "./overlap.ts";
import type { EventFilter } from "./schemas.ts";
import { ALL_COLUMNS, selectFrom } from "./select.ts";

const LIST = "calendar events";

type EventPage = Page<CalendarEvent> & { unexpanded?: number[] };

/**
 * Events that overlap the range, by start. With both bounds a series is returned as its occurrences; otherwise, because
 * they may be endless, as one record.
 */
export async function listEvents(ctx: Context, query: EventFilter): Promise<EventPage> {
  const { limit } = query;
  const start = lowerBound(() => timeZoneOf(ctx), query.start);
  const end = upperBound(() => timeZoneOf(ctx), query.end);
  if (start && end && end <= start) throw validationFailed({ path: "end", message: "must be after start" });
  const window = { start: start?.getTime() ?? -Infinity, end: end?.getTime() ?? Infinity };
  const isExpanded = start !== undefined && end !== undefined;
  const after = readCursor(ctx, query.cursor);
  const rows = await selectPage(ctx, window, query, after, isExpanded);
  const found = isExpanded
    ? mergeInOrder(
        rows.filter((row) => !isSeries(row)),
        rows.filter(isSeries),
        window,
        limit + 1,
        after,
      )
    : { rows: rows.sort(byStart), unexpanded: [] };
  const page = keyset(ctx, LIST, [], "asc").page(found.rows, query, (row) => [row.startAt.getTime(), row.id], toEvent);
  return { ...page, ...(found.unexpanded.length > 0 && { unexpanded: found.unexpanded }) };
}

/** Current and upcoming events. */
export function upcomingEvents(ctx: Context, { days, ...page }: PageRequest & { days: number }) {
  const end = new Date(ctx.now.getTime() + days * DAY_MS);
  return listEvents(ctx, { ...page, start: ctx.now, end, status: ["tentative", "confirmed"] });
}

/** The events with these ids that exist, in no order; a series as one record. */
export async function eventsByIds(ctx: Context, ids: readonly number[]): Promise<CalendarEvent[]> {
  const rows = await ctx.db
    .select()
    .from(events)
    .where(and(isOneOf(events.id, ids), isNull(events.deletedAt)));
  return rows.map(toEvent);
}

const NAMED_ROWS = 100;

/** Single events ahead that have one of the words in their title or among their people, by start. Reads every event. */
export async function eventsNamed(ctx: Context, words: readonly string[]): Promise<CalendarEvent[]> {
  if (words.length === 0) return [];
  const named = words.map((word) => sql`(title || attendees) LIKE ${`%${word.replace(/[%_]/g, "")}%`}`);
  const rows = await ctx.db
    .select()
    .from(events)
    .where(
      sql`end_at > ${ctx.now.getTime()} AND span IS NOT NULL AND ${NOT_CANCELLED} AND (${sql.join(named, sql` OR `)})`,
    )
    .orderBy(events.startAt)
    .limit(NAMED_ROWS);
  return rows.map(toEvent);
}

/** Events in a window that are not cancelled, at most `limit`: two statements for a batch, and a reader of their rows. */
export function eventsWithin(ctx: Context, window: Interval, limit: number, filter = NOT_CANCELLED) {
  const page = firstOverlapping(window, filter, Number.NEGATIVE_INFINITY, limit);
  const singles = sql`SELECT events.* FROM (${page}) AS page CROSS JOIN events ON events.id = page.id`;
  const series = sql`SELECT * FROM events WHERE ${activeSeries(window)} AND ${filter}`;
  return {
    statements: [selectFrom(ctx, ALL_COLUMNS, singles), selectFrom(ctx, ALL_COLUMNS, series)] as const,
    read: (singleRows: readonly EventRow[], seriesRows: readonly EventRow[]): CalendarEvent[] =>
      mergeInOrder(singleRows, seriesRows.filter(isSeries), window, limit, undefined).rows.map(toEvent),
  };
}

/** The number of invitations to present and future events that wait for a response: a statement for a batch. */
export function selectWaitingCount(ctx: Context) {
  const isAhead = sql`max(end_at, coalesce(series_end, 0)) > ${ctx.now.getTime()}`;
  return ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(events)
    .where(sql`awaits_answer = 1 AND recurring_event_id IS NULL AND ${isAhead}`);
}

type Key = { start: number; id: number };

function readCursor(ctx: Context, cursor: string | undefined): Key | undefined {
  if (cursor === undefined) return undefined;
  const [start, id] = decodeCursor(ctx.config.secrets("JWT_SECRET"), LIST, cursor);
  return { start: Number(start), id: Number(id) };
}

const selectEvents = compiledQuery<EventRow>(getTableColumns(events));

/** One statement: a page of single events, and the series that may have occurrences on it. */
function selectPage(
  ctx: Context,
  window: Interval,
  query: EventFilter,
  after: Key | undefined,
  isExpanded: boolean,
): PromiseLike<EventRow[]> {
  const { status, source, awaitsAnswer, limit } = query;
  const bounds: Window = {
    start: Number.isFinite(window.start) ? sql.placeholder("start") : window.start,
    end: Number.isFinite(window.end) ? sql.placeholder("end") : window.end,
  };
  const isLater = after !== undefined;
  const bound = [isBound(bounds.start), isBound(bounds.end)];
  const shape = [...bound, status, source, awaitsAnswer, isLater, isExpanded].join(" ");
  const build = (source: Pick<Context, "db">) =>
    selectFrom(source, ALL_COLUMNS, pageOf(bounds, query, isLater, isExpanded));
  return selectEvents(ctx.db, shape, build, {
    ...window,
    afterStart: after?.start,
    afterId: after?.id,
    rows: limit + 1,
  });
}

function pageOf(bounds: Window, query: EventFilter, isLater: boolean, isExpanded: boolean): SQL {
  const filter = filterOf(query);
  const afterStart = isLater ? sql.placeholder("afterStart") : Number.NEGATIVE_INFINITY;
  const unseen = isLater ? sql`(start_at, id) > (${afterStart}, ${sql.placeholder("afterId")})` : undefined;
  const where = both(filter, unseen);
  const limit = sql.placeholder("rows");
  const first = query.awaitsAnswer ? firstAwaiting : firstOverlapping;
  const singles = first(bounds, where, afterStart, limit);
  const whole = sql`SELECT id, start_at FROM events WHERE ${both(activeSeries(bounds), where)}`;
  const page = isExpanded
    ? singles
    : sql`SELECT id, start_at FROM (${singles}) UNION ALL ${whole} ORDER BY start_at, id LIMIT ${limit}`;
  const pageRows = sql`SELECT events.* FROM (${page}) AS page CROSS JOIN events ON events.id = page.id`;
  const series = sql`SELECT * FROM events WHERE ${both(activeSeries(bounds), filter)}`;
  return isExpanded ? sql`SELECT * FROM (${pageRows}) UNION ALL ${series}` : pageRows;
}

function both(a: SQL | undefined, b: SQL | undefined): SQL | undefined {
  return a && b ? sql`${a} AND ${b}` : (a ?? b);
}

function filterOf({ status, source, awaitsAnswer }: EventFilter): SQL | undefined {
  const awaits = awaitsAnswer === undefined ? undefined : sql.raw(`awaits_answer = ${awaitsAnswer ? 1 : 0}`);
  return both(both(status && oneOf("status", status), source && oneOf("source", source)), awaits);
}

// Literals, because the condition is repeated for every length class. Only for values of our own enums.
function oneOf(column: "status" | "source", names: readonly (Status | Source)[]): SQL {
  // For several values an index is not in order of the start. The plus makes SQLite keep to the index that is.
  return names.length === 1
    ? sql.raw(`${column} = '${names[0]}'`)
    : sql.raw(`+${column} IN (${names.map((name) => `'${name}'`).join(", ")})`);
}
