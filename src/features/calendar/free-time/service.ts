import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { compiledQuery } from "../../../db/compiled-query.ts";
import { clip, gaps, type Interval, merge } from "../../../lib/intervals.ts";
import { expand, type Series } from "../../../lib/recurrence.ts";
import { DAY_MS, MINUTE_MS, toWall } from "../../../lib/time-zone.ts";
import { workingIntervals } from "../../../lib/working-hours.ts";
import { broken } from "../events/event-times.ts";
import { overlapping, SPANS } from "../events/overlap.ts";
import { activeSeries, BUSY, newBudget, refuseOverdrawn } from "../series/expansion.ts";
import { workingHoursOf } from "../working-hours/service.ts";

const MAX_BUSY_DAYS = 366;
const MAX_SLOT_DAYS = 31;
const SLOT_DAYS = 7;
/** People agree on times such as 10:15, not 10:07. */
const GRID_MS = 15 * MINUTE_MS;

interface Range {
  start: Date;
  end: Date;
}

function windowOf({ start, end }: Range, maxDays: number): Interval {
  if (end <= start) throw broken("end", "must be after start");
  if (end.getTime() - start.getTime() > maxDays * DAY_MS)
    throw broken("end", `must be within ${maxDays} days of start`);
  return { start: start.getTime(), end: end.getTime() };
}

/** When the person is taken, as intervals that do not touch. One statement: single events, and series to expand. */
export async function busyIntervals(ctx: Context, window: Interval): Promise<Interval[]> {
  const rows = await selectBusy(ctx.db, "", () => busyTimes(ctx), { ...window });
  const budget = newBudget();
  const taken = rows.flatMap((row) => (row.series ? expand(toSeries(row, row.series), window, { budget }) : row));
  refuseOverdrawn(budget);
  return clip(merge(taken), window);
}

/**
 * What expanding a series takes, packed in one column: most events are single, are many, and are read from the index
 * alone.
 */
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

function toSeries({ start, end }: Interval, packed: string): Series {
  const { zone, allDay, rrule, until, exdates, overrides }: PackedSeries = JSON.parse(packed);
  return { start, end, zone, allDay: allDay === 1, rrule, until, except: [...exdates, ...overrides] };
}

const busyColumns = {
  start: sql<number>`start_at`.as("start_at"),
  end: sql<number>`end_at`.as("end_at"),
  series: sql<string | null>`series`.as("series"),
};

const selectBusy = compiledQuery<Interval & { series: string | null }>();

function busyTimes(ctx: Context) {
  const start = sql.placeholder("start");
  const end = sql.placeholder("end");
  const singles = sql`SELECT start_at, end_at, NULL AS series FROM ${SPANS} CROSS JOIN events
    WHERE ${overlapping({ start, end })} AND ${BUSY}`;
  const series = sql`SELECT start_at, end_at, ${PACKED} FROM events WHERE ${activeSeries({ start, end })} AND ${BUSY}`;
  return ctx.db.select(busyColumns).from(sql`(${singles} UNION ALL ${series})`);
}

const toWire = ({ start, end }: Interval) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

export async function freeBusy(ctx: Context, range: Range) {
  const busy = await busyIntervals(ctx, windowOf(range, MAX_BUSY_DAYS));
  return { start: range.start.toISOString(), end: range.end.toISOString(), busy: busy.map(toWire) };
}

export interface SlotQuery extends Partial<Range> {
  durationMinutes: number;
  timeZone?: string;
  /** Whose working hours count, where nobody signed in asks. */
  userId?: number;
}

/** Free times to come within working hours, one after the other, each starting on a quarter of an hour. */
export async function freeSlots(ctx: Context, query: SlotQuery) {
  const { durationMinutes, timeZone = timeZoneOf(ctx), userId, ...range } = query;
  const start = range.start ?? ctx.now;
  const end = range.end ?? new Date(start.getTime() + SLOT_DAYS * DAY_MS);
  const asked = windowOf({ start, end }, MAX_SLOT_DAYS);
  const window = { start: Math.max(asked.start, ctx.now.getTime()), end: asked.end };
  if (window.start >= window.end) return { timeZone, durationMinutes, slots: [] };
  const [hours, busy] = await Promise.all([workingHoursOf(ctx, timeZone, userId), busyIntervals(ctx, window)]);
  const slots: Interval[] = [];
  for (const work of clip(workingIntervals(hours.days, hours.timeZone, window), window)) {
    for (const gap of gaps(work, busy)) slots.push(...slotsIn(gap, durationMinutes * MINUTE_MS, timeZone));
  }
  return { timeZone, durationMinutes, slots: slots.map(toWire) };
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

/** The next quarter of an hour by the clock on the wall; offsets such as +05:45 keep it on the UTC grid too. */
function onGrid(instant: number, zone: string): number {
  const past = ((toWall(zone, instant) % GRID_MS) + GRID_MS) % GRID_MS;
  return past === 0 ? instant : instant + GRID_MS - past;
}
