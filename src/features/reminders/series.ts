import { asc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isOneOf, selectRows } from "../../db/bulk.ts";
import { events } from "../../db/schema/calendar.ts";
import { reminderState, reminders, seriesReminders } from "../../db/schema/reminders.ts";
import type { Interval } from "../../lib/intervals.ts";
import { letOthersIn } from "../../lib/let-others-in.ts";
import { type Budget, expand } from "../../lib/recurrence.ts";
import { DAY_MS, dateOf, type Instant, MINUTE_MS, toWall } from "../../lib/time-zone.ts";
import { type EventRow, isSeries, type SeriesRow, seriesOf } from "../calendar/events/event.ts";
import { newBudget } from "../calendar/series/expansion.ts";
import { deliveryTime, LATE_MS, momentsOf, type Window } from "./moments.ts";
import type { Person } from "./people.ts";

/** Series that are looked at together. */
const SERIES_AT_ONCE = 50;
/** Other requests wait while series are expanded: these steps take some hundredths of a second. */
const STEPS_AT_ONCE = 5000;
/** How far ahead of an occurrence its reminder may be, without counting the minutes: an all-day event has a morning. */
const MARGIN_MS = 2 * DAY_MS;
/** If a series has no occurrence within this time, it is looked at again after half of it. */
const HORIZON_MS = 400 * DAY_MS;
const OCCURRENCES_AHEAD = 3;
const NEVER = Date.UTC(9999, 0, 1);

type Row = typeof reminders.$inferInsert;

/**
 * Fires what is due of the occurrences of series, and notes for each series when its next reminder is due. Edited
 * occurrences are single events. `isDone` is false if it was asked to stop before all were looked at.
 */
export async function fireSeries(ctx: Context, people: readonly Person[], window: Window) {
  let fired = 0;
  let steps = 0;
  while (!ctx.signal?.aborted) {
    const due = await ctx.db
      .select({ event: events })
      .from(seriesReminders)
      .innerJoin(events, eq(events.id, seriesReminders.eventId))
      .where(lte(seriesReminders.lookAt, window.until))
      .orderBy(asc(seriesReminders.lookAt))
      .limit(SERIES_AT_ONCE);
    if (due.length === 0) return { fired, isDone: true };
    const found: ({ event: EventRow } & ReturnType<typeof lookAt>)[] = [];
    for (const { event } of due) {
      const budget = newBudget();
      const { left } = budget;
      found.push({ event, ...lookAt(event, people, window, budget) });
      steps += left - budget.left;
      if (steps < STEPS_AT_ONCE) continue;
      await letOthersIn();
      steps = 0;
    }
    const rows = found.flatMap(({ due: rowsOfOne }) => rowsOfOne);
    const looks = JSON.stringify(found.map(({ event, next }) => ({ id: event.id, version: event.version, next })));
    const [inserted] = await ctx.db.batch([
      ctx.db
        .insert(reminders)
        .select(selectRows(reminders, rows))
        .onConflictDoNothing()
        .returning({ id: reminders.id }),
      // A series that was changed meanwhile is looked at again.
      ctx.db
        .update(seriesReminders)
        .set({ lookAt: sql`(SELECT value ->> 'next' FROM json_each(${looks}) WHERE value ->> 'id' = event_id)` })
        .where(
          sql`event_id IN (SELECT value ->> 'id' FROM json_each(${looks}) JOIN events
            ON events.id = value ->> 'id' AND events.version = value ->> 'version')`,
        ),
    ]);
    fired += inserted.length;
  }
  return { fired, isDone: false };
}

/** The reminders of a series that are due now, for everyone, and when the next one is. */
function lookAt(
  series: EventRow,
  people: readonly Person[],
  { from, until }: Window,
  budget: Budget,
): { due: Row[]; next: Instant } {
  if (!isSeries(series) || series.awaitsAnswer || people.length === 0) return { due: [], next: NEVER };
  const due: Row[] = [];
  let next = NEVER;
  const ahead = longestAhead(series, people);
  const near = { start: from - MARGIN_MS, end: until + ahead + MARGIN_MS };
  const far = { start: near.end, end: near.end + HORIZON_MS };
  // The reminder of an occurrence may come before that of an earlier one, but not by more than the margin.
  const occurrences = [
    ...occurrencesIn(series, near, { budget }),
    ...occurrencesIn(series, far, { budget, limit: OCCURRENCES_AHEAD }),
  ];
  for (const { start } of occurrences) {
    const date = series.startDate === null ? null : dateOf(toWall(series.timeZone, start));
    for (const person of people) {
      const record = { kind: "event", recordAt: start, date, reminders: series.reminders } as const;
      for (const { at, channel, isNamed } of momentsOf(record, person)) {
        if (at > until) next = Math.min(next, at);
        else if (at > from) due.push(rowOf(series, person, { at, channel, start, isNamed }, until));
      }
    }
  }
  const isOver = series.seriesUntil !== null && series.seriesUntil.getTime() < until;
  return { due, next: isOver ? next : Math.min(next, until + HORIZON_MS / 2) };
}

function occurrencesIn(series: SeriesRow, window: Interval, options: { budget: Budget; limit?: number }): Interval[] {
  return expand(seriesOf(series), window, { notBefore: window.start, ...options });
}

function longestAhead({ reminders: own }: EventRow, people: readonly Person[]): number {
  const minutes = own?.map((each) => each.minutesBefore ?? 0) ?? people.map(({ eventReminder }) => eventReminder ?? 0);
  return Math.max(0, ...minutes) * MINUTE_MS;
}

function rowOf(
  series: SeriesRow,
  person: Person,
  { at, channel, start, isNamed }: { at: Instant; channel: Row["channel"]; start: Instant; isNamed: boolean },
  now: Instant,
): Row {
  return {
    userId: person.id,
    kind: "event",
    recordId: series.id,
    recordAt: new Date(start),
    at: new Date(at),
    channel,
    state: "fired",
    firedAt: new Date(now),
    late: at < now - LATE_MS,
    deliverAt: new Date(deliveryTime(person, { isNamed, recordAt: start }, now)),
    rounds: 0,
    deliveries: [],
    roundFrom: 0,
    version: 1,
  };
}

/** Has the series after this id looked at again, since a default has changed: a part of them, until all are. */
export async function recheckSeries({ db }: Context, after: number): Promise<void> {
  const page = await db
    .select({ id: seriesReminders.eventId })
    .from(seriesReminders)
    .where(gt(seriesReminders.eventId, after))
    .orderBy(asc(seriesReminders.eventId))
    .limit(RECHECKED_AT_ONCE);
  const ids = page.map(({ id }) => id);
  const last = ids.length < RECHECKED_AT_ONCE ? null : ids.at(-1);
  await db.batch([
    db.update(seriesReminders).set({ lookAt: 0 }).where(isOneOf(seriesReminders.eventId, ids)),
    // If a default has changed again, it begins again.
    db
      .update(reminderState)
      .set({ recheckAfter: last ?? null })
      .where(eq(reminderState.recheckAfter, after)),
  ]);
}

const RECHECKED_AT_ONCE = 500;

/** The first time in the window at which a series is to be looked at, as an SQL expression. */
export function nextLook({ from, until }: Window): SQL {
  return sql`(SELECT min(look_at) FROM series_reminders WHERE look_at > ${from} AND look_at <= ${until})`;
}
