import { and, asc, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectColumns } from "../../db/bulk.ts";
import { reminderState, reminders } from "../../db/schema/reminders.ts";
import { assertType } from "../../lib/cast.ts";
import { DAY_MS, type Instant, MINUTE_MS, wallOfDate } from "../../lib/time-zone.ts";
import { deliverReminders } from "./deliver.ts";
import { LATE_MS, type Morning, morningsWithin, quietAt, type Window } from "./moments.ts";
import { type Person, selectPeople } from "./people.ts";
import { fireSeries, nextLook, recheckSeries } from "./series.ts";

/**
 * What is due is looked for again from a little earlier: a record that was being written while the last run read may
 * have come after it. A reminder that has fired does not fire again.
 */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 1000;
/** From one run of the cron to the next. */
const AHEAD_MS = MINUTE_MS;

/** For the cron: fires what is due, and has the queue do the same at each time within the next minute. */
export function fireEveryMinute(ctx: Context) {
  return fireDue(ctx, { until: Date.now() + AHEAD_MS });
}

/**
 * Fires every reminder that is due and has not fired, and hands the deliveries to the queue. Whoever runs this, and
 * however often, each reminder fires once: its row is unique. If it is cut off, the next run begins where the last
 * complete one stopped. `until`: up to when to come back for a reminder at its time.
 */
export async function fireDue(ctx: Context, { until }: { until: number }) {
  const now = Date.now();
  const people = selectPeople(ctx);
  const [[state], ...rows] = await ctx.db.batch([ctx.db.select().from(reminderState), ...people.statements]);
  if (!state) throw new Error("the state of reminders has no row");
  const reminded = people.read(...rows);
  const window = { from: state.checkedUntil - OVERLAP_MS, until: now };
  let fired = 0;
  for (const statement of dueStatements(ctx, reminded, window)) {
    let count: number;
    do {
      if (ctx.signal?.aborted) return { fired, owed: await enqueueOwed(ctx) };
      count = (await statement()).length;
      fired += count;
    } while (count === ROWS_AT_ONCE);
  }
  if (state.recheckAfter !== null) await recheckSeries(ctx, state.recheckAfter);
  const series = await fireSeries(ctx, reminded, window);
  fired += series.fired;
  if (series.isDone) {
    await ctx.db.update(reminderState).set({ checkedUntil: sql`max(checked_until, ${now})` });
  }
  const owed = await enqueueOwed(ctx);
  const next = await nextMoment(ctx, reminded, { from: now, until });
  if (next !== null) {
    // One such message at a time: the run that it starts sends the next one.
    ctx.enqueue([{ kind: "reminder.fire", until }], { delaySeconds: (next - Date.now()) / 1000 });
  }
  return { fired, owed };
}

type Insert = () => PromiseLike<{ id: number }[]>;

/** The statements that fire what SQL can find, each to be repeated until it inserts nothing more. */
function dueStatements(ctx: Context, people: readonly Person[], window: Window): Insert[] {
  if (people.length === 0) return [];
  const groups = (minutesOf: (person: Person) => number | null) =>
    minutesIn(people, minutesOf).map((minutes) => ({
      minutes,
      group: people.filter((person) => minutesOf(person) === minutes),
    }));
  return [
    ...groups(({ taskReminder }) => taskReminder).map(
      ({ minutes, group }) =>
        () =>
          insert(ctx, window, group, tasksDue(window, minutes)),
    ),
    ...groups(({ eventReminder }) => eventReminder).map(
      ({ minutes, group }) =>
        () =>
          insert(ctx, window, group, eventsStarting(window, minutes)),
    ),
    ...people.flatMap((person) =>
      morningsWithin(person, window.from, window.until).flatMap((morning) => [
        ...(person.taskReminder === null ? [] : [() => insert(ctx, window, [person], tasksOfDay(morning))]),
        ...(person.eventReminder === null ? [] : [() => insert(ctx, window, [person], eventsOfDay(morning))]),
      ]),
    ),
    () => insert(ctx, window, people, ownTasks(window)),
    () => insert(ctx, window, people, ownEvents(window)),
  ];
}

function minutesIn(people: readonly Person[], minutesOf: (person: Person) => number | null): number[] {
  return [...new Set(people.map(minutesOf))].filter((minutes) => minutes !== null);
}

/** Records that are due, as a SELECT of: kind, record_id, record_at, at, channel, is_named. */
type Due = SQL;

function insert(ctx: Context, { until: now }: Window, people: readonly Person[], due: Due) {
  const list = people.map((person) => {
    const quiet = quietAt(person, now);
    return { id: person.id, quietFrom: quiet?.start ?? null, quietUntil: quiet?.end ?? null };
  });
  const userId = sql`person.value ->> 'id'`;
  // As `deliveryTime` in moments.ts.
  const deliverAt = sql`CASE
    WHEN person.value ->> 'quietUntil' IS NULL OR is_named THEN ${now}
    WHEN record_at >= person.value ->> 'quietFrom' AND record_at < person.value ->> 'quietUntil' THEN ${now}
    ELSE person.value ->> 'quietUntil' END`;
  const row = selectColumns(reminders, {
    userId,
    kind: sql`due.kind`,
    recordId: sql`due.record_id`,
    recordAt: sql`due.record_at`,
    at: sql`due.at`,
    channel: sql`due.channel`,
    state: sql`'fired'`,
    firedAt: sql`${now}`,
    late: sql`due.at < ${now - LATE_MS}`,
    deliverAt,
    rounds: sql`0`,
    deliveries: sql`'[]'`,
    roundFrom: sql`0`,
    version: sql`1`,
  });
  return ctx.db
    .insert(reminders)
    .select(
      sql`${row} FROM (${due}) AS due CROSS JOIN json_each(${JSON.stringify(list)}) AS person
        WHERE NOT EXISTS (SELECT 1 FROM reminders AS fired WHERE fired.user_id = ${userId} AND fired.kind = due.kind
          AND fired.record_id = due.record_id AND fired.at = due.at AND fired.channel = due.channel)
        LIMIT ${ROWS_AT_ONCE}`,
    )
    .onConflictDoNothing()
    .returning({ id: reminders.id });
}

const OPEN = sql.raw("status IN ('todo', 'in_progress', 'waiting')");
/** A series is not one of them: it has no length class. An invitation that nobody has accepted does not remind. */
const HAPPENS = sql.raw(
  "span IN (0, 1, 2, 3, 4) AND status <> 'cancelled' AND awaits_answer = 0 AND deleted_at IS NULL",
);

/** Whether a task is due after `from`, up to `until`: a range of the index. */
function dueWithin(from: Instant, until: Instant): SQL {
  return sql`place >= ${Math.max(0, from + 1)} << 18 AND place < ${Math.max(0, until + 1)} << 18`;
}

function tasksDue({ from, until }: Window, minutes: number): Due {
  const ahead = minutes * MINUTE_MS;
  return sql`SELECT 'task' AS kind, id AS record_id, due_at AS record_at, due_at - ${ahead} AS at,
      'default' AS channel, 0 AS is_named
    FROM tasks WHERE ${OPEN} AND ${dueWithin(from + ahead, until + ahead)} AND reminders IS NULL AND due_date IS NULL`;
}

function eventsStarting({ from, until }: Window, minutes: number): Due {
  const ahead = minutes * MINUTE_MS;
  return sql`SELECT 'event' AS kind, id AS record_id, start_at AS record_at, start_at - ${ahead} AS at,
      'default' AS channel, 0 AS is_named
    FROM events WHERE ${HAPPENS} AND start_at > ${from + ahead} AND start_at <= ${until + ahead}
      AND reminders IS NULL AND start_date IS NULL`;
}

/** Due on a date, at the person's morning, which is the time of the reminder. */
function tasksOfDay({ date, at }: Morning): Due {
  // Wherever on earth the date ends.
  const end = wallOfDate(date) + DAY_MS;
  return sql`SELECT 'task' AS kind, id AS record_id, due_at AS record_at, ${at} AS at, 'default' AS channel, 0 AS is_named
    FROM tasks WHERE ${OPEN} AND ${dueWithin(end - DAY_MS, end + DAY_MS)} AND due_date = ${date} AND reminders IS NULL`;
}

function eventsOfDay({ date, at }: Morning): Due {
  // Wherever on earth the date begins.
  const day = wallOfDate(date);
  return sql`SELECT 'event' AS kind, id AS record_id, start_at AS record_at, ${at} AS at,
      'default' AS channel, 0 AS is_named
    FROM events WHERE ${HAPPENS} AND start_at > ${day - DAY_MS} AND start_at < ${day + DAY_MS}
      AND start_date = ${date} AND reminders IS NULL`;
}

/** Reminders that tasks have of their own: `reminder_times.id` says which one it is. */
function ownTasks({ from, until }: Window): Due {
  return sql`SELECT 'task' AS kind, tasks.id AS record_id, due_at AS record_at, due.at AS at,
      json_extract(reminders, '$[' || (due.id % 32) || '].channel') AS channel,
      json_extract(reminders, '$[' || (due.id % 32) || '].at') IS NOT NULL AS is_named
    FROM reminder_times AS due CROSS JOIN tasks ON tasks.id = due.id / 32
    WHERE due.at > ${from} AND due.at <= ${until} AND due.id % 32 < 8 AND ${OPEN}`;
}

function ownEvents({ from, until }: Window): Due {
  return sql`SELECT 'event' AS kind, events.id AS record_id, start_at AS record_at, due.at AS at,
      json_extract(reminders, '$[' || (due.id % 32 - 8) || '].channel') AS channel,
      json_extract(reminders, '$[' || (due.id % 32 - 8) || '].at') IS NOT NULL AS is_named
    FROM reminder_times AS due CROSS JOIN events ON events.id = due.id / 32
    WHERE due.at > ${from} AND due.at <= ${until} AND due.id % 32 >= 8 AND ${HAPPENS}`;
}

/** The first time in the window at which something may be due; null if there is none. */
async function nextMoment(ctx: Context, people: readonly Person[], { from, until }: Window): Promise<Instant | null> {
  if (until <= from || people.length === 0) return null;
  const aheads = (minutesOf: (person: Person) => number | null) =>
    minutesIn(people, minutesOf).map((minutes) => minutes * MINUTE_MS);
  const moments = [
    ...aheads(({ taskReminder }) => taskReminder).map(
      (ahead) => sql`(SELECT min(due_at) FROM tasks WHERE ${dueWithin(from + ahead, until + ahead)}) - ${ahead}`,
    ),
    ...aheads(({ eventReminder }) => eventReminder).map(
      (ahead) => sql`(SELECT min(start_at) FROM events WHERE span IN (0, 1, 2, 3, 4)
        AND start_at > ${from + ahead} AND start_at <= ${until + ahead}) - ${ahead}`,
    ),
    sql`(SELECT min(at) FROM reminder_times WHERE at > ${from} AND at <= ${until})`,
    nextDelivery({ from, until }),
    nextLook({ from, until }),
  ];
  const [row] = await ctx.db
    .select({ moments: sql<string>`json_array(${sql.join(moments, sql`, `)})`.as("moments") })
    .from(sql`(SELECT 1)`);
  const stored = assertType<(number | null)[]>(JSON.parse(row?.moments ?? "[]"));
  const mornings = people.flatMap((person) => morningsWithin(person, from, until).map(({ at }) => at));
  const all = [...stored, ...mornings].filter((each) => each !== null);
  return all.length === 0 ? null : Math.min(...all);
}

/** More than come due in a minute, and few enough to read at once. What is left waits for the next run. */
const MOST_OWED = 20_000;
/** A message with these fits into the statements that a message may use. */
const IDS_A_MESSAGE = 90;

/**
 * Hands every delivery that is due to the queue: of what has just fired, and of what waited for the end of quiet hours
 * or of a snooze, or was cut off. Without a queue it delivers as many as it can. Returns how many are due.
 */
async function enqueueOwed(ctx: Context): Promise<number> {
  const rows = await ctx.db
    .select({ id: reminders.id })
    .from(reminders)
    .where(and(sql`deliver_at IS NOT NULL`, lte(reminders.deliverAt, new Date())))
    .orderBy(asc(reminders.deliverAt))
    .limit(MOST_OWED);
  const messages = [];
  for (let at = 0; at < rows.length; at += IDS_A_MESSAGE) {
    const ids = rows.slice(at, at + IDS_A_MESSAGE).map(({ id }) => id);
    messages.push({ kind: "reminder.deliver" as const, ids });
  }
  if (messages.length === 0 || (await ctx.enqueue(messages))) return rows.length;
  for (const message of messages) {
    if (ctx.signal?.aborted) break;
    await deliverReminders(ctx, message);
  }
  return rows.length;
}

/** The first time in the window at which a delivery is due, as an SQL expression. */
function nextDelivery({ from, until }: Window): SQL {
  return sql`(SELECT min(deliver_at) FROM reminders
    WHERE deliver_at IS NOT NULL AND deliver_at > ${from} AND deliver_at <= ${until})`;
}
