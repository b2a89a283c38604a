import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { compiledQueries } from "../../db/compiled-query.ts";
import { clip, gaps, type Interval, merge } from "../../lib/intervals.ts";
import { DAY_MS, MINUTE_MS, toWall } from "../../lib/time-zone.ts";
import { workingIntervals } from "../../lib/working-hours.ts";
import { intervalOf, isSeries, type TimesOfEvent } from "./event.ts";
import { broken } from "./placement.ts";
import { selectFrom, TIME_COLUMNS, TIMES } from "./rows.ts";
import { activeSeries, BUSY, newBudget, occurrences, refuseOverdrawn } from "./series.ts";
import { SPANS } from "./spans.ts";
import { workingHoursOf } from "./working-hours.ts";

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
  const rows = await selectTimes(ctx.db, "busy", () => busyTimes(ctx), { ...window });
  const single = rows.filter((row) => !isSeries(row)).map(intervalOf);
  const budget = newBudget();
  const recurring = occurrences(rows, window, budget);
  refuseOverdrawn(budget);
  return clip(merge([...single, ...recurring]), window);
}

const selectTimes = compiledQueries<TimesOfEvent>(TIME_COLUMNS);

function busyTimes(ctx: Context) {
  const start = sql.placeholder("start");
  const end = sql.placeholder("end");
  const singles = sql`SELECT start_at, end_at, ${NO_SERIES} FROM ${SPANS} CROSS JOIN events
    WHERE events.span = spans.span AND start_at > ${start} - spans.longest AND start_at < ${end}
      AND end_at > ${start} AND ${BUSY}`;
  const series = sql`SELECT start_at, end_at, ${SERIES} FROM events WHERE ${activeSeries({ start, end })} AND ${BUSY}`;
  return selectFrom(ctx, TIMES, sql`${singles} UNION ALL ${series}`);
}

/** What expanding a series takes; a single event is read from the index alone. */
const SERIES_COLUMNS = ["rrule", "time_zone", "start_date", "exdates", "overrides", "series_until"];
const SERIES = sql.raw(SERIES_COLUMNS.join(", "));
const NO_SERIES = sql.raw(SERIES_COLUMNS.map((name) => `NULL AS ${name}`).join(", "));

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
}

/** Free times to come within working hours, one after the other, each starting on a quarter of an hour. */
export async function freeSlots(ctx: Context, { durationMinutes, timeZone = timeZoneOf(ctx), ...range }: SlotQuery) {
  const start = range.start ?? ctx.now;
  const end = range.end ?? new Date(start.getTime() + SLOT_DAYS * DAY_MS);
  const asked = windowOf({ start, end }, MAX_SLOT_DAYS);
  const window = { start: Math.max(asked.start, ctx.now.getTime()), end: asked.end };
  if (window.start >= window.end) return { timeZone, durationMinutes, slots: [] };
  const [hours, busy] = await Promise.all([workingHoursOf(ctx, timeZone), busyIntervals(ctx, window)]);
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
