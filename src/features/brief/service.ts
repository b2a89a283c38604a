import type { Context } from "../../context.ts";
import type { Interval } from "../../lib/intervals.ts";
import { endOfDay } from "../../lib/spoken-time.ts";
import { DAY_MS, dateOf, startOfDate, toWall, wallDay } from "../../lib/time-zone.ts";
import { eventsWithin } from "../calendar/events/day.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { freeSlots } from "../calendar/free-time/service.ts";
import { type UrgentUnread, urgentUnread } from "../emails/urgent-unread.ts";
import { selectTasksDue } from "../tasks/list.ts";
import { toTask } from "../tasks/record.ts";
import type { Brief, BriefEvent, DueTasks, UrgentMail } from "./brief.ts";
import { briefText } from "./text.ts";

const MAX_EVENTS = 50;
const MAX_TASKS = 10;
const MAX_MAIL = 5;
const MAIL_DAYS = 30;
const SLOT_MINUTES = 30;

/**
 * What the day holds, for whoever asks or for the person named. One round trip to the database, beside the one for
 * free time that runs with it.
 */
export async function dailyBrief(
  ctx: Context,
  { timeZone, userId }: { timeZone: string; userId?: number },
): Promise<Brief> {
  const now = ctx.now.getTime();
  const date = dateOf(wallDay(toWall(timeZone, now)));
  const today: Interval = { start: startOfDate(timeZone, date), end: endOfDay(timeZone, now) };
  const calendar = eventsWithin(ctx, today, MAX_EVENTS);
  const mail = urgentUnread(ctx, new Date(now - MAIL_DAYS * DAY_MS));
  const [[singles, series, overdue, dueToday, known, unjudged], free] = await Promise.all([
    ctx.db.batch([
      ...calendar.statements,
      selectTasksDue(ctx, { before: now, limit: MAX_TASKS }),
      selectTasksDue(ctx, { from: now, before: today.end, limit: MAX_TASKS }),
      ...mail.statements,
    ]),
    freeSlots(ctx, { durationMinutes: SLOT_MINUTES, timeZone, userId }),
  ]);
  const urgent = mail.read(known, unjudged);
  const brief = {
    date,
    events: withConflicts(calendar.read(singles, series)),
    tasksDueToday: toDueTasks(dueToday),
    overdueTasks: toDueTasks(overdue),
    urgentMail: { count: urgent.count, top: urgent.mails.slice(0, MAX_MAIL).map(toUrgentMail) },
    nextFreeSlot: free.slots[0] ?? null,
  };
  return { ...brief, text: briefText(brief, timeZone, ctx.now) };
}

function toDueTasks(rows: Awaited<ReturnType<typeof selectTasksDue>>): DueTasks {
  return { count: rows[0]?.total ?? 0, first: rows.map(toTask) };
}

function toUrgentMail({ id, subject, from, urgency, receivedAt }: UrgentUnread["mails"][number]): UrgentMail {
  return { id, subject, from: from.name || from.email, urgency, receivedAt };
}

const takesTime = ({ busy, allDay }: CalendarEvent) => busy && !allDay;

function withConflicts(events: readonly CalendarEvent[]): BriefEvent[] {
  const overlaps = (a: CalendarEvent, b: CalendarEvent) => a.start < b.end && b.start < a.end;
  return events.map((event) => ({
    ...event,
    conflictsWith: takesTime(event)
      ? events
          .filter((other) => other !== event && takesTime(other) && overlaps(event, other))
          .map(({ title }) => title)
      : [],
  }));
}
