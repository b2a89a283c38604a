import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { compiledSelect, compiledTogether } from "../../db/compiled-query.ts";
import { quarters, quartersBefore } from "../../db/schema/stats.ts";
import { assertType } from "../../lib/cast.ts";
import { URGENCIES } from "../../lib/email-kinds.ts";
import { countBefore, countBetween, quarterOf, rowOf } from "../../lib/quarters.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { DAY_MS, dateOf, toInstant, toWall, wallDay } from "../../lib/time-zone.ts";
import { latestUsageValues, selectLatestUsage, toLatestUsage } from "../ai-models/tokens/usage.ts";
import { selectLastRun, toRun } from "../bookings/runs.ts";
import { dashboardValues, selectDashboardEvents, toDashboard } from "../calendar/statistics/dashboard.ts";
import { selectEmailTotals } from "../emails/boxes.ts";
import { selectTopTags } from "../emails/list.ts";
import { selectStreamState, stateOf } from "../stream/status.ts";
import { countOpenTasks, selectTaskTotals } from "../tasks/list.ts";
import type { Stats } from "./schemas.ts";

const DAYS = 14;
const WEEK = 7;
const TAGS = 10;

/** One round trip that reads stored counts, so that it costs the same at any size. */
export async function readStats(ctx: Context, timeZone = timeZoneOf(ctx)): Promise<Stats> {
  const now = ctx.now.getTime();
  const { dates, times, aheadUntil } = fortnightOf(timeZone, wallDay(toWall(timeZone, now)));
  const [start = now, today = now, tomorrow = now] = [times[0], times.at(-2), times.at(-1)];
  const calendarTimes = { now, boundaries: times, aheadUntil };
  const values = {
    ...dashboardValues(calendarTimes),
    quarter: quarterOf(now),
    ...latestUsageValues(now),
    firstRow: rowOf(start),
    lastRow: rowOf(aheadUntil),
  };
  const [short, series] = await ctx.db.batch([selectShort(ctx.db, values), selectSeries(ctx.db, values)]);
  const rows = { ...short, series };
  const { tags } = rows;
  const [[counts], [byStatus], [dueThisQuarter]] = [rows.emails, rows.tasks, rows.dueThisQuarter];
  const [[before], [lastRun]] = [rows.before, rows.lastRuns];
  const until = before?.until ?? 0;
  const dueBefore = countBefore(rows.quarters, (row) => row.tasksDue, { until, sum: before?.tasksDue ?? 0 });
  const emails = countBetween(
    times,
    countBefore(rows.quarters, (row) => row.emails),
  );
  const tasksDone = countBetween(
    times,
    countBefore(rows.quarters, (row) => row.tasksDone),
  );
  const events = toDashboard(rows, calendarTimes, {
    startedBefore: countBefore(rows.quarters, (row) => row.eventStarts, { until, sum: before?.eventStarts ?? 0 }),
    endedBy: countBefore(rows.quarters, (row) => row.eventEnds, { until, sum: before?.eventEnds ?? 0 }),
  });
  return {
    totalEmails: counts ? counts.inbox + counts.archived : 0,
    unreadEmails: counts ? counts.inboxUnread + counts.archivedUnread : 0,
    emailsByTag: Object.fromEntries(tags.map((row) => [row.tag, row.count])),
    emailsByUrgency: counted(URGENCIES, (level) => counts?.[level] ?? 0),
    tasksByStatus: counted(TASK_STATUSES, (status) => byStatus?.[status] ?? 0),
    overdueTasks: dueBefore(quarterOf(now)) + (dueThisQuarter?.count ?? 0),
    tasksDueToday: dueBefore(tomorrow) - dueBefore(today),
    tasksDoneLast7Days: tasksDone.slice(-WEEK).reduce((sum, value) => sum + value, 0),
    eventsToday: events.perDay.at(-1) ?? 0,
    eventsNext7Days: events.ahead,
    nextEvent: events.next,
    ai: toLatestUsage(rows, now),
    lastSync: lastRun ? toRun(lastRun) : null,
    stream: { state: stateOf(rows.streams[0]) },
    series: dates.map((date, index) => ({
      date,
      emails: emails[index] ?? 0,
      tasksDone: tasksDone[index] ?? 0,
      events: events.perDay[index] ?? 0,
    })),
  };
}

interface Fortnight {
  dates: string[];
  /** The starts of its days, and the end of the last one. */
  times: number[];
  aheadUntil: number;
}

const MAX_FORTNIGHTS = 100;
const fortnights = new Map<string, Fortnight>();

/** Cached: computing the days of a time zone takes longer than the database query. */
function fortnightOf(timeZone: string, today: number): Fortnight {
  const name = `${timeZone} ${today}`;
  let fortnight = fortnights.get(name);
  if (!fortnight) {
    const days = Array.from({ length: DAYS }, (_, index) => today + (index - DAYS + 1) * DAY_MS);
    fortnight = {
      dates: days.map(dateOf),
      times: [...days, today + DAY_MS].map((day) => toInstant(timeZone, day)),
      aheadUntil: toInstant(timeZone, today + WEEK * DAY_MS),
    };
    if (fortnights.size >= MAX_FORTNIGHTS) fortnights.clear();
    fortnights.set(name, fortnight);
  }
  return fortnight;
}

const selectShort = compiledTogether((ctx) => ({
  emails: selectEmailTotals(ctx),
  tags: selectTopTags(ctx, TAGS),
  tasks: selectTaskTotals(ctx),
  dueThisQuarter: countOpenTasks(ctx, { from: sql.placeholder("quarter"), before: sql.placeholder("now") }),
  before: ctx.db.select().from(quartersBefore),
  quarters: ctx.db
    .select()
    .from(quarters)
    .where(sql`${quarters.id} BETWEEN
    min(${sql.placeholder("firstRow")}, (SELECT until FROM quarters_before))
    AND max(${sql.placeholder("lastRow")}, (SELECT until FROM quarters_before))`),
  lastRuns: selectLastRun(ctx),
  ...selectLatestUsage(ctx),
  streams: selectStreamState(ctx),
  nextEvents: selectDashboardEvents(ctx).nextEvents,
}));
const selectSeries = compiledSelect((ctx) => selectDashboardEvents(ctx).series);

/**
 * Keeps one row with the sums of all days up to two weeks ago, so that the dashboard need not read them. Runs nightly.
 */
export async function sumPastQuarters({ db, now }: Context): Promise<number> {
  const until = sql`${rowOf(now.getTime() - PAST_MS)}`;
  const sumOf = (column: string) =>
    sql.raw(`coalesce((SELECT sum(value) FROM quarters, json_each(quarters.${column}) WHERE quarters.id < `);
  const { meta } = await db.update(quartersBefore).set({
    until,
    tasksDue: sql`${sumOf("tasks_due")}${until}), 0)`,
    eventStarts: sql`${sumOf("event_starts")}${until}), 0)`,
    eventEnds: sql`${sumOf("event_ends")}${until}), 0)`,
  });
  return meta.changes;
}

/** The dashboard begins later, in every time zone. */
const PAST_MS = 15 * DAY_MS;

function counted<const Names extends readonly string[]>(
  names: Names,
  countOf: (name: Names[number]) => number,
): Record<Names[number], number> {
  return assertType<Record<Names[number], number>>(Object.fromEntries(names.map((name) => [name, countOf(name)])));
}
