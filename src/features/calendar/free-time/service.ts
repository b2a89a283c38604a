import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { compiledQuery } from "../../../db/compiled-query.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { clip, gaps, type Interval, merge, toIso } from "../../../lib/intervals.ts";
import { expand, type Series } from "../../../lib/recurrence.ts";
import { DAY_MS, HOUR_MS, lowerBound, MINUTE_MS, toWall, upperBound } from "../../../lib/time-zone.ts";
import { workingIntervals } from "../../../lib/working-hours.ts";
import { LENGTH_CLASSES, overlapping } from "../events/overlap.ts";
import { activeSeries, BUSY, newBudget, refuseOverBudget } from "../series/expansion.ts";
import { workingHoursOf } from "../working-hours/service.ts";
import type { RangeQuery, SlotQuery } from "./schemas.ts";

const MAX_BUSY_DAYS = 366;
const MAX_SLOT_DAYS = 31;
const SLOT_DAYS = 7;
/** Slots start on a quarter of an hour. */
const GRID_MS = 15 * MINUTE_MS;

function windowOf({ start, end }: { start: Date; end: Date }, maxDays: number): Interval {
  const window = { start: start.getTime(), end: end.getTime() };
  if (end <= start) throw validationFailed({ path: "end", message: "must be after start" });
  // An hour more, for a range of whole days with a clock change in it.
  if (window.end - window.start > maxDays * DAY_MS + HOUR_MS) {
    throw validationFailed({ path: "end", message: `must be within ${maxDays} days of start` });
  }
  return window;
}

/** Busy times, as intervals that do not touch each other. One statement reads single events and the series to expand. */
export async function busyIntervals(ctx: Context, window: Interval): Promise<Interval[]> {
  const rows = await selectBusy(ctx.db, "", busyTimes, { ...window });
  const budget = newBudget();
  const taken = rows.flatMap(({ starts, ends, series }) =>
    series === null ? pairs(starts, ends) : expand(toSeries(starts, ends, series), window, { budget }),
  );
  refuseOverBudget(budget);
  return clip(merge(taken), window);
}

function pairs(starts: string, ends: string): Interval[] {
  const last: number[] = JSON.parse(ends);
  return JSON.parse(starts).map((start: number, index: number) => ({ start, end: last[index] }));
}

/** What the expansion of a series needs, as JSON in one column, so that single events are read from the index alone. */
interface PackedSeries {
  zone: string;
  allDay: 0 | 1;
  rrule: string;
  until: number | null;
  exdates: number[];
  overrides: number[];
}

const PACKED = sql`json_object('zone', time_zone, 'allDay', start_date IS NOT NULL, 'rrule', rrule,
  'until', series_until, 'exdates', json(exdates), 'overrides', json(overrides))`;

function toSeries(start: number, end: number, packed: string): Series {
  const { zone, allDay, rrule, until, exdates, overrides }: PackedSeries = JSON.parse(packed);
  return { start, end, zone, allDay: allDay === 1, rrule, until, except: [...exdates, ...overrides] };
}

/**
 * A row for each series, and one for all single events, whose times are JSON arrays: rows cost more than numbers. A cell
 * of D1 may have 2 MB, which is enough for 140,000 events; to group them would count each as read twice.
 */
type BusyRow = { starts: string; ends: string; series: null } | { starts: number; ends: number; series: string };

const busyColumns = {
  starts: sql<BusyRow["starts"]>`starts`.as("starts"),
  ends: sql<BusyRow["ends"]>`ends`.as("ends"),
  series: sql<string | null>`series`.as("series"),
};

const selectBusy = compiledQuery<BusyRow>();

function busyTimes({ db }: Pick<Context, "db">) {
  const start = sql.placeholder("start");
  const end = sql.placeholder("end");
  const singles = sql`SELECT json_group_array(start_at) AS starts, json_group_array(end_at) AS ends, NULL AS series
    FROM ${LENGTH_CLASSES} CROSS JOIN events WHERE ${overlapping({ start, end })} AND ${BUSY}`;
  const series = sql`SELECT start_at, end_at, ${PACKED} FROM events WHERE ${activeSeries({ start, end })} AND ${BUSY}`;
  return db.select(busyColumns).from(sql`(${singles} UNION ALL ${series})`);
}

export async function freeBusy(ctx: Context, { start, end }: RangeQuery) {
  const zone = timeZoneOf(ctx);
  const window = windowOf({ start: lowerBound(zone, start), end: upperBound(zone, end) }, MAX_BUSY_DAYS);
  const busy = await busyIntervals(ctx, window);
  return { ...toIso(window), busy: busy.map(toIso) };
}

/**
 * Free times within working hours, from now on, each starting on a quarter of an hour. The working hours are those of
 * `userId`. Default: the signed-in person, otherwise the owner.
 */
export async function freeSlots(ctx: Context, query: SlotQuery & { userId?: number }) {
  const { durationMinutes, timeZone = timeZoneOf(ctx), userId, ...range } = query;
  const start = lowerBound(timeZone, range.start ?? ctx.now);
  const end = upperBound(timeZone, range.end) ?? new Date(start.getTime() + SLOT_DAYS * DAY_MS);
  const asked = windowOf({ start, end }, MAX_SLOT_DAYS);
  const window = { start: Math.max(asked.start, ctx.now.getTime()), end: asked.end };
  if (window.start >= window.end) return { timeZone, durationMinutes, slots: [] };
  const [hours, busy] = await Promise.all([workingHoursOf(ctx, timeZone, userId), busyIntervals(ctx, window)]);
  const slots: Interval[] = [];
  for (const work of clip(workingIntervals(hours.days, hours.timeZone, window), window)) {
    for (const gap of gaps(work, busy)) slots.push(...slotsIn(gap, durationMinutes * MINUTE_MS, timeZone));
  }
  return { timeZone, durationMinutes, slots: slots.map(toIso) };
}

function slotsIn(gap: Interval, length: number, zone: string): Interval[] {
  const found: Interval[] = [];
  let start = onGrid(gap.start, zone);
  while (start + length <= gap.end) {
    found.push({ start, end: start + length });
    start = onGrid(start + length, zone);
  }
  return found;
}

/** The next quarter of an hour in local time. */
function onGrid(instant: number, zone: string): number {
  const past = ((toWall(zone, instant) % GRID_MS) + GRID_MS) % GRID_MS;
  return past === 0 ? instant : instant + GRID_MS - past;
}
