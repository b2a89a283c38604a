import type { ReminderChannel } from "../../lib/channels.ts";
import type { StoredReminder } from "../../lib/reminder-kinds.ts";
import {
  DAY_MS,
  dateOf,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  toInstant,
  toWall,
  wallDay,
  wallOfDate,
  weekdayOf,
} from "../../lib/time-zone.ts";
import type { Person } from "./people.ts";

/** The time that is looked at: after `from`, up to `until`. */
export interface Window {
  from: Instant;
  until: Instant;
}

/** A reminder that fires later than this after its time says so. */
export const LATE_MS = 2 * MINUTE_MS;
/** On a day without working hours. */
const MORNING = "09:00";

function clockMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** When a person is reminded of what is due on a date, or takes the whole day: when their working hours begin. */
function morningOf({ hours }: Pick<Person, "hours">, date: string): Instant {
  const day = wallOfDate(date);
  const start = hours.days[weekdayOf(day)][0]?.start ?? MORNING;
  return toInstant(hours.timeZone, day + clockMs(start));
}

export interface Morning {
  date: string;
  at: Instant;
}

/** The mornings after `from` and not after `until`. */
export function morningsWithin(person: Pick<Person, "hours">, from: Instant, until: Instant): Morning[] {
  const zone = person.hours.timeZone;
  const mornings: Morning[] = [];
  for (let day = wallDay(toWall(zone, from)); day <= toWall(zone, until); day += DAY_MS) {
    const date = dateOf(day);
    const at = morningOf(person, date);
    if (at > from && at <= until) mornings.push({ date, at });
  }
  return mornings;
}

/** The quiet hours that a moment lies in, by the clocks of the person; null if it lies in none. */
export function quietAt(
  { timeZone, quietHours }: Pick<Person, "timeZone" | "quietHours">,
  at: Instant,
): { start: Instant; end: Instant } | null {
  if (!quietHours) return null;
  const [start, end] = [clockMs(quietHours.start), clockMs(quietHours.end)];
  const today = wallDay(toWall(timeZone, at));
  for (const day of [today - DAY_MS, today]) {
    const from = toInstant(timeZone, day + start);
    const until = toInstant(timeZone, day + end + (end > start ? 0 : DAY_MS));
    if (at >= from && at < until) return { start: from, end: until };
  }
  return null;
}

/** A task or an occurrence of an event, as far as its reminders need it. */
export interface Remindable {
  kind: "task" | "event";
  /** When it is due or begins; null for a task without a due time. */
  recordAt: Instant | null;
  /** The date, if it is due on a day or takes whole days. */
  date: string | null;
  reminders: readonly StoredReminder[] | null;
}

interface Moment {
  at: Instant;
  channel: ReminderChannel;
  /** Whether the person named this very time. */
  isNamed: boolean;
}

/** When a record reminds a person. `triggers/reminders.sql` and `fire.ts` say the same in SQL. */
export function momentsOf({ kind, recordAt, date, reminders }: Remindable, person: Person): Moment[] {
  if (reminders === null) {
    const minutes = kind === "task" ? person.taskReminder : person.eventReminder;
    if (recordAt === null || minutes === null) return [];
    const at = date === null ? recordAt - minutes * MINUTE_MS : morningOf(person, date);
    return [{ at, channel: "default", isNamed: false }];
  }
  // A task that is due on a day has the last millisecond of that day.
  const start = kind === "task" && date !== null && recordAt !== null ? recordAt + 1 - DAY_MS : recordAt;
  return reminders.flatMap(({ at, minutesBefore, channel }): Moment[] => {
    if (at !== undefined) return [{ at, channel, isNamed: true }];
    return start === null ? [] : [{ at: start - minutesBefore * MINUTE_MS, channel, isNamed: false }];
  });
}

/**
 * When a reminder that fires now is delivered: at once, or when quiet hours are over. What is due or begins within these
 * quiet hours cannot wait for their end, and a time that the person named is what they want.
 */
export function deliveryTime(
  person: Person,
  { isNamed, recordAt }: { isNamed: boolean; recordAt: Instant | null },
  now: Instant,
): Instant {
  const quiet = quietAt(person, now);
  if (!quiet || isNamed) return now;
  const isWithin = recordAt !== null && recordAt >= quiet.start && recordAt < quiet.end;
  return isWithin ? now : quiet.end;
}
