import { and, eq, gte, lt, or } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { activity, counters } from "../../db/schema/stats.ts";
import { assertType } from "../../lib/cast.ts";
import { URGENCIES } from "../../lib/email-kinds.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { BLOCK_MINUTES, planBlocks, QUARTER_MINUTES, type Range, sumBetween } from "../../lib/time-blocks.ts";
import { DAY_MS, dateOf, toInstant, toWall, wallDay } from "../../lib/time-zone.ts";
import { selectLastRun, toRun } from "../bookingsvc/runs.ts";
import { dashboardEvents } from "../calendar/dashboard.ts";
import { selectTopTags } from "../emails/list.ts";
import { selectUsageSince } from "../models/usage.ts";
import { countOpenTasks } from "../tasks/list.ts";
import type { Stats } from "./schemas.ts";

const DAYS = 14;
const WEEK = 7;
const TAGS = 100;

/** The dashboard in one batch. Everything is read from kept counts, so that it costs the same at any size. */
export async function readStats(ctx: Context, timeZone: string): Promise<Stats> {
  const today = wallDay(toWall(timeZone, ctx.now.getTime()));
  const days = Array.from({ length: DAYS }, (_, index) => today + (index - DAYS + 1) * DAY_MS);
  const times = [...days, today + DAY_MS].map((day) => toInstant(timeZone, day));
  const calendar = dashboardEvents(ctx, times, toInstant(timeZone, today + WEEK * DAY_MS));
  const [totals, tags, [overdue], [dueToday], moments, [lastRun], usage, ...calendarRows] = await ctx.db.batch([
    ctx.db.select().from(counters),
    selectTopTags(ctx, TAGS),
    countOpenTasks(ctx, { before: ctx.now }),
    countOpenTasks(ctx, { from: new Date(times.at(-2) ?? 0), before: new Date(times.at(-1) ?? 0) }),
    selectActivity(ctx, times),
    selectLastRun(ctx),
    selectUsageSince(ctx, new Date(ctx.now.getTime() - DAY_MS)),
    ...calendar.statements,
  ]);
  const count = (area: string, key: string) =>
    totals.find((total) => total.area === area && total.key === key)?.value ?? 0;
  const emails = sumBetween(times, moments, (row) => row.emails);
  const events = calendar.read(...calendarRows);
  const tasksDone = sumBetween(times, moments, (row) => row.tasksDone);
  return {
    totalEmails: count("emails", "total"),
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
    stream: { state: "offline" },
    series: days.map((day, index) => ({
      date: dateOf(day),
      emails: emails[index] ?? 0,
      tasksDone: tasksDone[index] ?? 0,
      events: events.perDay[index] ?? 0,
    })),
  };
}

/** The blocks of the range, and the quarters of those in which a day begins, up to its beginning. */
function selectActivity(ctx: Context, times: readonly number[]) {
  const { blocks, quarters } = planBlocks(times);
  const within = (span: number, { from, until }: Range) =>
    and(eq(activity.span, span), gte(activity.start, from), lt(activity.start, until));
  return ctx.db
    .select()
    .from(activity)
    .where(or(within(BLOCK_MINUTES, blocks), ...quarters.map((range) => within(QUARTER_MINUTES, range))));
}

function counted<const Names extends readonly string[]>(
  names: Names,
  countOf: (name: string) => number,
): Record<Names[number], number> {
  return assertType<Record<Names[number], number>>(Object.fromEntries(names.map((name) => [name, countOf(name)])));
}
