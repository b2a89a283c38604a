import ICAL from "ical.js";
import { assertType } from "./cast.ts";
import type { Interval } from "./intervals.ts";
import { reachOf, type RuleTime as Time, timeOf, utcTime, wallOf } from "./rule-times.ts";
import { DAY_MS, HOUR_MS, type Instant, offsetAt, toInstant, toWall, type Wall, wallOfDate } from "./time-zone.ts";

type Rule = InstanceType<typeof ICAL.Recur>;

/** The input for expanding a series. */
export interface Series extends Interval {
  zone: string;
  allDay: boolean;
  rrule: string;
  /** The start of the last occurrence, from `parseRule`; null for an endless series. */
  until: Instant | null;
  /** Starts of occurrences to leave out. */
  except: readonly Instant[];
}

/** The rule is not supported; the message says why and is shown to the client. */
export class RuleError extends Error {}

const MAX_COUNT = 1000;
const MAX_INTERVAL = 1000;
/** RFC 5545 has four digits for a year. */
const END_OF_TIME: Wall = Date.UTC(9999, 11, 31);
const MAX_A_DAY = 24;
/** A rule ends after this many steps without an occurrence: it never matches again, or too rarely. */
const MAX_MISSES = 2000;
/** ical.js walks from day to day: this many days take as long as a step of the rule. */
const DAYS_A_STEP = 20;
/** The budget for finding the last of COUNT occurrences: enough for a thousand that are not rare. */
const COUNT_STEPS = 20_000;
/** Programs write less than two hundred. Every step looks at all that a rule lists. */
const MAX_CHARACTERS = 2000;
/** The measured cost of an occurrence, in steps of the rule, beyond the step that finds it. */
const OCCURRENCE_STEPS = 9;

/** Limits the expansion of all series of a request together. Used up when negative. */
export interface Budget {
  left: number;
}

/** Enough for this many occurrences of a simple rule, or fewer of one that rarely matches. */
export function budgetFor(occurrences: number): Budget {
  return { left: occurrences * (1 + OCCURRENCE_STEPS) };
}

interface ExpandOptions {
  limit?: number;
  notBefore?: Instant;
  budget?: Budget;
}

/**
 * Reads a rule and finds the end of its series. COUNT and UNTIL both become the start of the last occurrence, so that a
 * window can be expanded without starting at the first one. `movedUntil` replaces UNTIL when the series has moved.
 */
export function parseRule(
  text: string,
  series: Omit<Series, "rrule" | "until" | "except">,
  movedUntil?: Instant,
): { rrule: string; until: Instant | null } {
  const rule = readRule(text);
  const given = rule.until && (movedUntil ?? untilOf(rule.until, series));
  if (given !== null) {
    if (given < series.start) throw new RuleError("must not have UNTIL before the start of the event");
    rule.until = utcTime(given, series);
  }
  const rrule = rule.toString();
  // Also a rule that ends at once has to match after the start: one that never does would be looked for in every list.
  const wanted = Math.max(rule.count ?? 0, 2);
  const ever = { start: series.start, end: Number.POSITIVE_INFINITY };
  const budget = { left: COUNT_STEPS };
  let starts: Interval[];
  try {
    starts = expand({ ...series, rrule, until: null, except: [] }, ever, { limit: wanted, budget });
  } catch (error) {
    // ical.js throws if the parts of a rule contradict each other.
    throw new RuleError(`is not a valid RRULE${error instanceof Error ? `: ${error.message}` : ""}`);
  }
  if (budget.left < 0) throw new RuleError("must have a smaller COUNT: its occurrences are too rare");
  if (starts.length < wanted) throw new RuleError("must match again: it never does, or too rarely");
  return { rrule, until: given ?? (rule.count && (starts[rule.count - 1]?.start ?? null)) };
}

function readRule(text: string): Rule {
  const rule = parse(text);
  const parts = rule.parts;
  if (rule.freq === "SECONDLY" || rule.freq === "MINUTELY") throw new RuleError(`must not have FREQ=${rule.freq}`);
  if (parts.BYWEEKNO) throw new RuleError("must not have BYWEEKNO, which is not supported");
  const hasPosition = parts.BYSETPOS || parts.BYDAY?.some((day) => /\d/.test(day));
  if (rule.freq === "MONTHLY" && parts.BYDAY && parts.BYMONTHDAY && hasPosition) {
    throw new RuleError(
      "must not combine BYMONTHDAY with BYSETPOS or with a numbered BYDAY such as 2FR, which is not supported",
    );
  }
  if (rule.count !== null && (rule.count < 1 || rule.count > MAX_COUNT)) {
    throw new RuleError(`must have COUNT from 1 to ${MAX_COUNT}`);
  }
  if (rule.interval > MAX_INTERVAL) throw new RuleError(`must have INTERVAL up to ${MAX_INTERVAL}`);
  if (rule.count !== null && rule.until !== null) throw new RuleError("must not have both COUNT and UNTIL");
  if (perDay(rule) > MAX_A_DAY) throw new RuleError(`must not repeat more than ${MAX_A_DAY} times a day`);
  return rule;
}

/** Whether it is a rule as `parseRule` returns them: for any series, or for the one that is given. */
export function isSupportedRule(text: string, series?: Omit<Series, "rrule">): boolean {
  try {
    if (series) parseRule(text, series, series.until ?? undefined);
    else readRule(text);
    return true;
  } catch {
    return false;
  }
}

/** The highest number of occurrences on one day. */
export function occurrencesPerDay(rrule: string): number {
  return perDay(parse(rrule));
}

function perDay({ parts, freq }: Rule): number {
  const times = [parts.BYHOUR, parts.BYMINUTE, parts.BYSECOND].map((part) => part?.length ?? 1);
  return times.reduce((product, length) => product * length, 1) * (freq === "HOURLY" ? MAX_A_DAY : 1);
}

function parse(text: string): Rule {
  if (text.length > MAX_CHARACTERS) throw new RuleError(`must have at most ${MAX_CHARACTERS} characters`);
  let rule: Rule;
  try {
    rule = ICAL.Recur.fromString(
      text
        .trim()
        .replace(/^RRULE:/i, "")
        .toUpperCase(),
    );
  } catch (error) {
    throw new RuleError(`is not a valid RRULE${error instanceof Error ? `: ${error.message}` : ""}`);
  }
  if (!rule.freq) throw new RuleError("must have FREQ");
  return rule;
}

/** UNTIL may be a date, a local time or UTC; a date includes its whole day. */
function untilOf(until: Time, { zone, allDay }: { zone: string; allDay: boolean }): Instant {
  const day = wallOfDate(`${pad(until.year, 4)}-${pad(until.month, 2)}-${pad(until.day, 2)}`);
  if (Number.isNaN(day)) throw new RuleError("must have a date or time as UNTIL");
  if (allDay) return toInstant(zone, day);
  if (until.isDate) return toInstant(zone, day + DAY_MS) - 1;
  const wall = day + until.hour * HOUR_MS + until.minute * 60_000 + until.second * 1000;
  return until.zone?.tzid === "UTC" ? wall : toInstant(zone, wall);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

/**
 * The occurrences that overlap the window and do not start before `notBefore`, in order, at most `limit`. The first
 * occurrence is always the start of the series, even if the rule does not match it. Computed in wall time, so that nine
 * o'clock stays nine o'clock across a clock change.
 */
export function expand(series: Series, window: Interval, options: ExpandOptions = {}): Interval[] {
  const { limit = Number.POSITIVE_INFINITY, notBefore = Number.NEGATIVE_INFINITY } = options;
  const { budget = { left: Number.POSITIVE_INFINITY } } = options;
  const { zone, allDay, until } = series;
  const firstWall = toWall(zone, series.start);
  const wallLength = allDay ? toWall(zone, series.end) - firstWall : 0;
  const startAt = instants(zone);
  const endAt = instants(zone);
  const except = new Set(series.except);
  const found: Interval[] = [];
  const add = (wall: Wall): boolean => {
    budget.left -= OCCURRENCE_STEPS;
    const start = wall === firstWall ? series.start : startAt(wall);
    if (start >= window.end || (until !== null && start > until)) return false;
    const end = allDay ? endAt(wall + wallLength) : start + (series.end - series.start);
    // A time that a clock change skips moves to a later one, which may be an occurrence too.
    const isRepeated = found.at(-1)?.start === start;
    const isInside = end > window.start && start >= notBefore;
    if (isInside && end > start && !except.has(start) && !isRepeated) found.push({ start, end });
    return found.length < limit && budget.left >= 0;
  };
  if (limit <= 0 || budget.left < 0 || !add(firstWall)) return found;
  const length = Math.max(series.end - series.start, wallLength);
  const earliest = Math.max(window.start - length, notBefore);
  const near = Math.max(firstWall, Number.isFinite(earliest) ? toWall(zone, earliest) : firstWall);
  const latest = Math.min(window.end, until ?? window.end);
  const far = Number.isFinite(latest) ? toWall(zone, latest) : END_OF_TIME;
  for (const wall of walls(series.rrule, firstWall, { near, far }, budget)) if (!add(wall)) break;
  return found;
}

const WEEK_MS = 7 * DAY_MS;

/** `toInstant` for many close readings: looks the zone up once a week, unless its clocks change in that week. */
function instants(zone: string): (wall: Wall) => Instant {
  let week = Number.NaN;
  let offset: number | null = null;
  return (wall) => {
    const current = Math.floor(wall / WEEK_MS) * WEEK_MS;
    if (current !== week) {
      week = current;
      const before = offsetAt(zone, week - DAY_MS);
      offset = before === offsetAt(zone, week + WEEK_MS + DAY_MS) ? before : null;
    }
    return offset === null ? toInstant(zone, wall) : wall - offset;
  };
}

/** Whether an occurrence of the series starts at exactly this moment. */
export function occursAt(series: Series, start: Instant): Interval | undefined {
  return expand(series, { start, end: start + 1 }, { notBefore: start })[0];
}

/** The wall times of the rule after `first`, from about `near` until about `far`. */
function* walls(rrule: string, first: Wall, { near, far }: { near: Wall; far: Wall }, budget: Budget): Generator<Wall> {
  const rule = parse(rrule);
  // `series.until` replaces both; ical.js would compare them with wall times.
  rule.until = null;
  rule.count = null;
  const fits = makeExplicit(rule, first);
  const iterator = rule.iterator(timeOf(jump(rule, first, near)));
  // ical.js never stops on a rule that never matches. It calls one method at every step, and one for the days between.
  const guarded = assertType<{
    last: Time;
    check_contracting_rules(): boolean;
    increment_monthday(days: number): void;
  }>(iterator);
  const end = Math.min(far + reachOf(rule), END_OF_TIME);
  const check = guarded.check_contracting_rules.bind(iterator);
  const walk = guarded.increment_monthday.bind(iterator);
  let misses = 0;
  const spend = (steps: number) => {
    misses += steps;
    budget.left -= steps;
    if (misses > MAX_MISSES || budget.left < 0) throw new Exhausted();
  };
  guarded.check_contracting_rules = () => {
    spend(1);
    const isMatch = check();
    // Nothing that it passes over from here on can be wanted, so a short window costs little for a rule that rarely matches.
    if (wallOf(guarded.last) > end) throw new Exhausted();
    return isMatch;
  };
  guarded.increment_monthday = (days) => {
    spend(days / DAYS_A_STEP);
    walk(days);
  };
  try {
    for (let time = iterator.next(); time; time = iterator.next()) {
      const wall = wallOf(time);
      if (wall > end) return;
      if (wall > first && fits(time)) {
        misses = 0;
        yield wall;
      }
    }
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
  }
}

class Exhausted extends Error {}

/**
 * Adds the parts that a rule takes from its start, so that it can be expanded from another start. Returns a check for
 * days that do not exist: RFC 5545 skips them, but ical.js moves some of them into the next month.
 */
function makeExplicit(rule: Rule, first: Wall): (time: Time) => boolean {
  const { parts } = rule;
  const start = new Date(first);
  const hasDay = parts.BYDAY || parts.BYMONTHDAY || parts.BYYEARDAY;
  if (!hasDay && (rule.freq === "MONTHLY" || rule.freq === "YEARLY")) {
    if (rule.freq === "YEARLY" && !parts.BYMONTH) rule.setComponent("BYMONTH", [start.getUTCMonth() + 1]);
    rule.setComponent("BYMONTHDAY", [start.getUTCDate()]);
  }
  if (rule.freq === "YEARLY" && parts.BYMONTHDAY && !rule.parts.BYMONTH) {
    rule.setComponent("BYMONTH", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  }
  // Looking for a month in which both match, ical.js gives up and throws. So days of the month are found, and then weekdays.
  const weekdays =
    rule.freq === "MONTHLY" && parts.BYMONTHDAY
      ? parts.BYDAY?.map((day) => ICAL.Recur.icalDayToNumericDay(day))
      : undefined;
  if (weekdays) delete parts.BYDAY;
  const months = rule.parts.BYMONTH;
  const days = rule.parts.BYMONTHDAY?.every((day) => day > 0) ? rule.parts.BYMONTHDAY : undefined;
  return (time) =>
    (months?.includes(time.month) ?? true) &&
    (days?.includes(time.day) ?? true) &&
    (weekdays?.includes(time.dayOfWeek()) ?? true);
}

/**
 * A start that is in step with the series, one period before the wanted time: ical.js iterates from the start it is
 * given, and its first results do not always match the rule.
 */
function jump(rule: Rule, first: Wall, near: Wall): Wall {
  const interval = rule.interval || 1;
  if (rule.freq === "MONTHLY" || rule.freq === "YEARLY") {
    const start = new Date(first);
    const target = new Date(near);
    const months = rule.freq === "YEARLY" ? interval * 12 : interval;
    const away = (target.getUTCFullYear() - start.getUTCFullYear()) * 12 + target.getUTCMonth() - start.getUTCMonth();
    const steps = Math.floor(away / months) - 1;
    const month = rule.freq === "YEARLY" ? 0 : start.getUTCMonth();
    return Date.UTC(start.getUTCFullYear(), month + steps * months, 1) + (first - Math.floor(first / DAY_MS) * DAY_MS);
  }
  const unit = { HOURLY: HOUR_MS, DAILY: DAY_MS, WEEKLY: 7 * DAY_MS }[
    assertType<"HOURLY" | "DAILY" | "WEEKLY">(rule.freq)
  ];
  const period = unit * interval;
  return first + (Math.floor((near - first) / period) - 1) * period;
}
