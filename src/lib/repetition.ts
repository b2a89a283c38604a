import type { Due } from "./due.ts";
import { expand, parseRule, type Series } from "./recurrence.ts";
import type { RepeatFrom } from "./task-kinds.ts";
import { DAY_MS, dateOf, type Instant, toInstant, toWall, wallDay, wallOfDate } from "./time-zone.ts";

/** How a task repeats. The open occurrence has it; those that are done keep it for information. */
export interface Repetition {
  /** RFC 5545. */
  rrule: string;
  /** `due`: the next one by the rule. `done`: one period after this one was completed. */
  from: RepeatFrom;
  /** By whose clocks the rule is read, so that nine o'clock stays nine o'clock across a clock change. */
  zone: string;
  /** Where the rule puts this occurrence, whether or not a person has moved it: a date, or a time in UTC. */
  at: string;
  /** The last occurrence; null for an endless series. */
  until: Instant | null;
  /** Values of the columns that were changed for this occurrence alone: the next one has these. */
  template?: Record<string, unknown>;
  /** The id of the next occurrence, once it exists. */
  next?: number;
}

const isDate = (at: string) => at.length === 10;

/** The occurrence, and what an expansion of its rule starts from. */
function seriesFrom({ rrule, zone, until }: Repetition, at: string): Series {
  const start = isDate(at) ? toInstant(zone, wallOfDate(at)) : Date.parse(at);
  const end = isDate(at) ? toInstant(zone, wallOfDate(at) + DAY_MS) : start + 1;
  return { start, end, zone, allDay: isDate(at), rrule, until, except: [] };
}

function dueFrom(zone: string, start: Instant, isDay: boolean): Due {
  if (!isDay) return { dueAt: new Date(start), dueDate: null };
  const day = wallDay(toWall(zone, start));
  return { dueAt: new Date(toInstant(zone, day + DAY_MS) - 1), dueDate: dateOf(day) };
}

/**
 * The repetition of a task that is first due then. Throws a `RuleError` if the rule is not supported. A series that is
 * counted from completion cannot have COUNT: nobody knows when its occurrences will be.
 */
export function startRepetition(rrule: string, from: RepeatFrom, zone: string, { dueAt, dueDate }: Due): Repetition {
  const at = dueDate ?? dueAt.toISOString();
  const first = { rrule, from, zone, at, until: null };
  return { ...first, ...parseRule(rrule, seriesFrom(first, at)) };
}

const SAYS_DAY = /\bBY(?:DAY|MONTHDAY|YEARDAY|MONTH)=/i;

/** The first day from today on that the rule matches, for a task that repeats but has no due date. */
export function firstDay(rrule: string, zone: string, now: Date): Due {
  const today = wallDay(toWall(zone, now.getTime()));
  const start = toInstant(zone, today);
  if (!SAYS_DAY.test(rrule)) return dueFrom(zone, start, true);
  // A rule always matches the start of its series, so that begins a day earlier; each of its periods counts.
  const first = { rrule: rrule.replace(/;?INTERVAL=\d+/i, ""), from: "due" as const, zone, at: "", until: null };
  const series = seriesFrom(first, dateOf(today - DAY_MS));
  const [found] = expand(series, { start, end: Number.POSITIVE_INFINITY }, { limit: 1, notBefore: start });
  return dueFrom(zone, found?.start ?? start, true);
}

/**
 * When the occurrence after this one is due; null after the last. By the rule it is one that is still ahead: those that
 * were missed meanwhile are passed over.
 */
export function nextDue(repetition: Repetition, now: Date): Due | null {
  const { zone, at, from } = repetition;
  const isDay = isDate(at);
  const today = wallDay(toWall(zone, now.getTime()));
  const series = seriesFrom(repetition, from === "done" ? onDay(zone, today, at) : at);
  const reached =
    from === "done" ? series.start : Math.max(series.start, isDay ? toInstant(zone, today) : now.getTime());
  const window = { start: reached + 1, end: Number.POSITIVE_INFINITY };
  const [found] = expand(series, window, { limit: 1, notBefore: window.start });
  return found ? dueFrom(zone, found.start, isDay) : null;
}

/** The time of day of an occurrence on another day. */
function onDay(zone: string, day: number, at: string): string {
  if (isDate(at)) return dateOf(day);
  const wall = toWall(zone, Date.parse(at));
  return new Date(toInstant(zone, day + (wall - wallDay(wall)))).toISOString();
}
