import { and, eq, gte, lt, or, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { compiledBatch } from "../../db/compiled-query.ts";
import { activity, counters } from "../../db/schema/stats.ts";
import { assertType } from "../../lib/cast.ts";
import { EMAIL_STATUSES, URGENCIES } from "../../lib/email-kinds.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { BLOCK_MINUTES, planBlocks, QUARTER_MINUTES, type Range, sumBetween } from "../../lib/time-blocks.ts";
import { DAY_MS, dateOf, toInstant, toWall, wallDay } from "../../lib/time-zone.ts";
import { selectUsageSince } from "../ai-models/tokens/usage.ts";
import { selectLastRun, toRun } from "../bookingsvc/runs.ts";
import { dashboardValues, selectDashboardEvents, toDashboard } from "../calendar/statistics/dashboard.ts";
import { selectTopTags } from "../emails/list.ts";
import { selectStreamState, toStreamState } from "../stream/status.ts";
import { countOpenTasks } from "../tasks/list.ts";
import type { Stats } from "./schemas.ts";

const DAYS = 14;
const WEEK = 7;
const TAGS = 100;

/** One batch that reads stored counts, so that it costs the same at any size. */
export async function readStats(ctx: Context, timeZone = timeZoneOf(ctx)): Promise<Stats> {
  const now = ctx.now.getTime();
  const { dates, times, aheadUntil, values, shape } = fortnightOf(timeZone, wallDay(toWall(timeZone, now)));
  const calendarTimes = { now, boundaries: times, aheadUntil };
  const given = { ...values, ...dashboardValues(calendarTimes), yesterday: now - DAY_MS };
  const rows = await selectDashboard(ctx.db, given, shape);
  const { totals, tags, moments, usage } = rows;
  const [[overdue], [dueToday], [lastRun]] = [rows.overdue, rows.dueToday, rows.lastRuns];
  const count = (area: string, key: string) =>
    totals.find((total) => total.key === key && total.area === area)?.value ?? 0;
  const emails = sumBetween(times, moments, (row) => row.emails);
  const events = toDashboard(rows, calendarTimes);
  const tasksDone = sumBetween(times, moments, (row) => row.tasksDone);
  return {
    totalEmails: EMAIL_STATUSES.reduce((sum, status) => sum + count("emails_by_status", status), 0),
    unreadEmails: count("emails", "unread"),
    emailsByTag: Object.fromEntries(tags.map((row) => [row.tag, row.count])),
    emailsByUrgency: counted(URGENCIES, (level) => count("emails_by_urgency", level)),
    tasksByStatus: counted(TASK_STATUSES, (status) => count("tasks_by_status", status)),
    overdueTasks: overdue?.count ?? 0,
    tasksDueToday: dueToday?.count ?? 0,
    tasksDoneLast7Days: tasksDone.slice(-WEEK).reduce((sum, value) => sum + value, 0),
    eventsToday: events.perDay.at(-1) ?? 0,
    eventsNext7Days: events.ahead,
    nextEvent: events.next,
    ai: {
      calls: usage.reduce((sum, row) => sum + row.calls, 0),
      fallbacks: usage.reduce((sum, row) => sum + row.fallbacks, 0),
      byModel: Object.fromEntries(usage.map((row) => [row.model, row.calls])),
    },
    lastSync: lastRun ? toRun(lastRun) : null,
    stream: { state: toStreamState(rows.streams) },
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
  values: Record<string, number | undefined>;
  shape: string;
}

const MAX_FORTNIGHTS = 100;
const fortnights = new Map<string, Fortnight>();

/** Cached: computing the days of a time zone takes longer than the database query. */
function fortnightOf(timeZone: string, today: number): Fortnight {
  const name = `${timeZone} ${today}`;
  let fortnight = fortnights.get(name);
  if (!fortnight) {
    const days = Array.from({ length: DAYS }, (_, index) => today + (index - DAYS + 1) * DAY_MS);
    const times = [...days, today + DAY_MS].map((day) => toInstant(timeZone, day));
    const { blocks, quarters } = planBlocks(times);
    const ranges = quarters.map((range, index) => rangeValues(`quarter${index}`, range));
    fortnight = {
      dates: days.map(dateOf),
      times,
      aheadUntil: toInstant(timeZone, today + WEEK * DAY_MS),
      values: Object.assign({ today: times.at(-2), tomorrow: times.at(-1) }, rangeValues("block", blocks), ...ranges),
      shape: String(quarters.length),
    };
    if (fortnights.size >= MAX_FORTNIGHTS) fortnights.clear();
    fortnights.set(name, fortnight);
  }
  return fortnight;
}

/** Its shape is the number of days that begin inside a block of counts. */
const selectDashboard = compiledBatch((ctx, quarters) => ({
  totals: ctx.db.select().from(counters),
  tags: selectTopTags(ctx, TAGS),
  overdue: countOpenTasks(ctx, { before: sql.placeholder("now") }),
  dueToday: countOpenTasks(ctx, { from: sql.placeholder("today"), before: sql.placeholder("tomorrow") }),
  moments: selectActivity(ctx, Number(quarters)),
  lastRuns: selectLastRun(ctx),
  usage: selectUsageSince(ctx, sql.placeholder("yesterday")),
  streams: selectStreamState(ctx),
  ...selectDashboardEvents(ctx),
}));

/** The blocks of the range, and the quarters of each block in which a day begins, up to its start. */
function selectActivity(ctx: Pick<Context, "db">, quarters: number) {
  const within = (span: number, name: string) =>
    and(
      eq(activity.span, span),
      gte(activity.start, sql.placeholder(`${name}From`)),
      lt(activity.start, sql.placeholder(`${name}Until`)),
    );
  const ofDays = Array.from({ length: quarters }, (_, index) => within(QUARTER_MINUTES, `quarter${index}`));
  return ctx.db
    .select()
    .from(activity)
    .where(or(within(BLOCK_MINUTES, "block"), ...ofDays));
}

function rangeValues(name: string, { from, until }: Range): Record<string, number> {
  return { [`${name}From`]: from, [`${name}Until`]: until };
}

function counted<const Names extends readonly string[]>(
  names: Names,
  countOf: (name: string) => number,
): Record<Names[number], number> {
  return assertType<Record<Names[number], number>>(Object.fromEntries(names.map((name) => [name, countOf(name)])));
}
