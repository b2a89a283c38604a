import { asc, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { events } from "../../db/schema/calendar.ts";
import { reminderTimes } from "../../db/schema/reminders.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { MAX_DEFAULT_MINUTES, type StoredReminder } from "../../lib/reminder-kinds.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "../../lib/time-zone.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { eventsWithin } from "../calendar/events/list.ts";
import { selectTasksDue } from "../tasks/list.ts";
import { deliveryTime, momentsOf, type Remindable, type Window } from "./moments.ts";
import { type Person, selectPeople } from "./people.ts";
import type { UpcomingReminderQuery } from "./schemas.ts";
import { reminded, subjectOf } from "./service.ts";

/** More records than a page shows of each kind. */
const RECORDS = 300;
/** A default is at most a day before, and a day without a time has a morning. */
const AHEAD_MS = MAX_DEFAULT_MINUTES * MINUTE_MS + DAY_MS;

interface Upcoming extends Remindable {
  id: number;
  title: string;
}

/** The caller's reminders of the next days, as far as is known now. */
export async function upcomingReminders(ctx: Context, { days, limit }: UpcomingReminderQuery) {
  const now = ctx.now.getTime();
  const window = { from: now, until: now + days * DAY_MS };
  const people = selectPeople(ctx);
  const calendar = eventsWithin(ctx, { start: now, end: window.until + AHEAD_MS }, RECORDS);
  const [[caller], due, ownTasks, ownEvents, singles, series, ...persons] = await ctx.db.batch([
    ctx.db.select({ id: sql<number | null>`${reminded(ctx)}`.as("id") }).from(sql`(SELECT 1)`),
    selectTasksDue(ctx, { from: now, before: window.until + AHEAD_MS, limit: RECORDS }),
    selectOwn(ctx, "task", window),
    selectOwn(ctx, "event", window),
    ...calendar.statements,
    ...people.statements,
  ]);
  const person = people.read(...persons).find(({ id }) => id === caller?.id);
  if (!person) return { data: [] };
  const records: Upcoming[] = [
    ...due.map(ofTask),
    ...ownTasks.map((task) => ofTask({ ...task, dueAt: task.recordAt, dueDate: task.date })),
    ...calendar
      .read(singles, series)
      .filter(({ awaitsAnswer }) => !awaitsAnswer)
      .map(ofEvent),
    ...ownEvents.flatMap(({ recordAt, date, ...event }) =>
      recordAt ? [{ ...event, kind: "event" as const, recordAt: recordAt.getTime(), date }] : [],
    ),
  ];
  const found = records.flatMap((record) => toUpcoming(ctx, record, person, window));
  const unique = new Map(found.map((each) => [JSON.stringify(each), each]));
  return { data: [...unique.values()].sort((a, b) => (a.at < b.at ? -1 : 1)).slice(0, limit) };
}

function toUpcoming(ctx: Context, record: Upcoming, person: Person, { from, until }: Window) {
  const { kind, id, title, recordAt } = record;
  return momentsOf(record, person)
    .filter(({ at }) => at > from && at <= until)
    .map(({ at, channel, isNamed }) => ({
      recordType: kind,
      recordId: id,
      ...subjectOf(ctx, kind, { title, recordAt: recordAt === null ? null : iso(recordAt) }),
      at: iso(at),
      channel,
      deliverAt: iso(deliveryTime(person, { isNamed, recordAt }, at)),
    }));
}

const iso = (instant: Instant) => new Date(instant).toISOString();

interface DueTask {
  id: number;
  title: string;
  dueAt: Date | null;
  dueDate: string | null;
  reminders: StoredReminder[] | null;
}

function ofTask({ id, title, dueAt, dueDate, reminders }: DueTask): Upcoming {
  return { kind: "task", id, title, recordAt: dueAt?.getTime() ?? null, date: dueDate, reminders };
}

function ofEvent({ id, title, start, startDate, reminders }: CalendarEvent): Upcoming {
  const stored = reminders?.map(
    ({ at, minutesBefore, channel }): StoredReminder =>
      at === null ? { minutesBefore: minutesBefore ?? 0, channel } : { at: Date.parse(at), channel },
  );
  return { kind: "event", id, title, recordAt: Date.parse(start), date: startDate, reminders: stored ?? null };
}

/** The records whose own reminders are in the window: the statement for a batch. */
function selectOwn(ctx: Context, kind: "task" | "event", { from, until }: Window) {
  const isTask = kind === "task";
  const table = isTask ? tasks : events;
  return ctx.db
    .select({
      id: table.id,
      title: table.title,
      recordAt: isTask ? tasks.dueAt : events.startAt,
      date: isTask ? tasks.dueDate : events.startDate,
      reminders: table.reminders,
    })
    .from(reminderTimes)
    .innerJoin(table, eq(table.id, sql`${reminderTimes.id} / 32`))
    .where(sql`${reminderTimes.at} > ${from} AND ${reminderTimes.at} <= ${until}
      AND (${reminderTimes.id} % 32 < 8) = ${isTask ? 1 : 0}`)
    .orderBy(asc(reminderTimes.at))
    .limit(RECORDS);
}
