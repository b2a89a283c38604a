import type { Context } from "../../context.ts";
import type { Interval } from "../../lib/intervals.ts";
import { DEFAULT_STYLE, type TimeStyle } from "../../lib/spoken-time.ts";
import { DAY_MS, dateOf, endOfDate, startOfDate, toWall, wallDay } from "../../lib/time-zone.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { eventsWithin, selectWaitingCount } from "../calendar/events/list.ts";
import { freeSlots } from "../calendar/free-time/service.ts";
import { urgentUnread } from "../emails/urgent-unread.ts";
import { selectTasksDue } from "../tasks/list.ts";
import { toTask } from "../tasks/record.ts";
import type { Brief, BriefEvent, DueTasks } from "./brief.ts";
import { briefBlocks, briefText } from "./text.ts";

const MAX_EVENTS = 50;
const MAX_TASKS = 10;
const MAX_EMAILS = 5;
const EMAIL_DAYS = 30;
const SLOT_MINUTES = 30;

/** The brief of the day, for the person who asks or the one given. Makes two parallel round trips to the database. */
export async function dailyBrief(
  ctx: Context,
  { timeZone, userId, ...style }: { timeZone: string; userId?: number } & Partial<TimeStyle>,
): Promise<Brief> {
  const now = ctx.now.getTime();
  const date = dateOf(wallDay(toWall(timeZone, now)));
  const today: Interval = { start: startOfDate(timeZone, date), end: endOfDate(timeZone, date) };
  const calendar = eventsWithin(ctx, today, MAX_EVENTS);
  const emails = urgentUnread(ctx, new Date(now - EMAIL_DAYS * DAY_MS));
  const [[singles, series, waiting, overdue, dueToday, known, unjudged], free] = await Promise.all([
    ctx.db.batch([
      ...calendar.statements,
      selectWaitingCount(ctx),
      selectTasksDue(ctx, { before: now, limit: MAX_TASKS }),
      selectTasksDue(ctx, { from: now, before: today.end, limit: MAX_TASKS }),
      ...emails.statements,
    ]),
    freeSlots(ctx, { durationMinutes: SLOT_MINUTES, timeZone, userId }),
  ]);
  const urgent = emails.read(known, unjudged);
  const brief = {
    date,
    events: withConflicts(calendar.read(singles, series)),
    invitationsWaiting: waiting[0]?.count ?? 0,
    tasksDueToday: toDueTasks(dueToday),
    overdueTasks: toDueTasks(overdue),
    urgentEmails: { count: urgent.count, emails: urgent.emails.slice(0, MAX_EMAILS) },
    nextFreeSlot: free.slots[0] ?? null,
  };
  const reader = { ...DEFAULT_STYLE, ...style, timeZone };
  const blocks = briefBlocks(brief, reader, ctx.now);
  return { ...brief, blocks, text: briefText(brief, blocks, reader) };
}

function toDueTasks(rows: Awaited<ReturnType<typeof selectTasksDue>>): DueTasks {
  return { count: rows[0]?.total ?? 0, first: rows.map(({ total: _, ...row }) => toTask(row)) };
}

const isBusy = ({ busy, allDay }: CalendarEvent) => busy && !allDay;

function withConflicts(events: readonly CalendarEvent[]): BriefEvent[] {
  const overlaps = (a: CalendarEvent, b: CalendarEvent) => a.start < b.end && b.start < a.end;
  return events.map((event) => ({
    ...event,
    conflictsWith: isBusy(event)
      ? events.filter((other) => other !== event && isBusy(other) && overlaps(event, other)).map(({ title }) => title)
      : [],
  }));
}
