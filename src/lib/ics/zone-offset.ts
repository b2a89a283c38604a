import ICAL from "ical.js";
import { DAY_MS, type Instant, type Wall, wallTime } from "../time-zone.ts";

type Component = InstanceType<typeof ICAL.Component>;
type Recur = InstanceType<typeof ICAL.Recur>;

/** The zones of the world have had fewer changes. */
const MAX_OBSERVANCES = 100;
const MAX_DATES = 1000;
/** No zone changes its clocks more often in a year. */
const MAX_CHANGES = 4;
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** A time from which on a zone has an offset. */
interface Onset {
  at: Instant;
  before: number;
  offset: number;
}

/** The offsets of a zone in one year. */
interface YearOfClocks {
  /** When they change, the first few times. */
  changes: readonly Instant[];
  /** In milliseconds; null if nothing is defined. */
  offsetAt(at: Instant): number | null;
}

/**
 * The clocks that a VTIMEZONE defines for a year. Of a rule only the years around are looked at: an iterator would go
 * through every occurrence from its start on, and somebody else wrote how many these are.
 */
export function definedClocks(zone: Component, year: number): YearOfClocks {
  const onsets = zone
    .getAllSubcomponents()
    .slice(0, MAX_OBSERVANCES)
    .flatMap((observance) => onsetsOf(observance, year));
  const changes = onsets.map(({ at }) => at).filter((at) => new Date(at).getUTCFullYear() === year);
  return { changes: changes.slice(0, MAX_CHANGES), offsetAt: (at) => offsetAmong(onsets, at) };
}

/** That of the latest onset until then, or else what was before the first one. */
function offsetAmong(onsets: readonly Onset[], at: Instant): number | null {
  let latest: Onset | null = null;
  let first: Onset | null = null;
  for (const onset of onsets) {
    if (onset.at <= at && onset.at >= (latest?.at ?? Number.NEGATIVE_INFINITY)) latest = onset;
    if (onset.at < (first?.at ?? Number.POSITIVE_INFINITY)) first = onset;
  }
  return latest?.offset ?? first?.before ?? null;
}

function onsetsOf(observance: Component, year: number): Onset[] {
  const offset = offsetOf(observance, "tzoffsetto");
  const before = offsetOf(observance, "tzoffsetfrom");
  const start = wallOf(observance.getFirstPropertyValue("dtstart"));
  if (offset === null || before === null || start === null) return [];
  const dates = observance
    .getAllProperties("rdate")
    .slice(0, MAX_DATES)
    .flatMap((property) => property.getValues().slice(0, MAX_DATES).map(wallOf));
  const rule = observance.getFirstPropertyValue("rrule");
  const byRule = rule instanceof ICAL.Recur ? [year - 1, year].flatMap((each) => wallsIn(rule, start, each)) : [];
  return [start, ...dates, ...byRule].flatMap((wall) => (wall === null ? [] : { at: wall - before, before, offset }));
}

function offsetOf(observance: Component, name: string): number | null {
  const value = observance.getFirstPropertyValue(name);
  return value instanceof ICAL.UtcOffset ? value.toSeconds() * 1000 : null;
}

function wallOf(value: unknown): Wall | null {
  if (!(value instanceof ICAL.Time)) return null;
  const wall = wallTime(value.year, value.month, value.day, value.hour, value.minute, value.second);
  return Number.isNaN(wall) ? null : wall;
}

/** When a yearly rule applies in a year, by its months, days and weekdays. Programs write no other rules for zones. */
function wallsIn({ freq, parts, until }: Recur, start: Wall, year: number): Wall[] {
  if (freq !== "YEARLY") return [];
  const end = wallOf(until) ?? Number.POSITIVE_INFINITY;
  const first = new Date(start);
  const months = new Set((parts.BYMONTH ?? [first.getUTCMonth() + 1]).map(Number));
  const fits = dayFilter(parts, first.getUTCDate());
  const timeOfDay = start - Math.floor(start / DAY_MS) * DAY_MS;
  const walls: Wall[] = [];
  for (let month = 1; month <= 12; month++) {
    if (!months.has(month)) continue;
    const begin = Date.UTC(year, month - 1, 1);
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const weekday = new Date(begin).getUTCDay();
    for (let date = 1; date <= length; date++) {
      const wall = begin + (date - 1) * DAY_MS + timeOfDay;
      if (wall > start && wall <= end && fits(date, length - date, (weekday + date - 1) % 7)) walls.push(wall);
    }
  }
  return walls;
}

/** Looks a day up, by its date, how many days the month has after it, and its weekday: a rule may list thousands. */
function dayFilter({ BYDAY, BYMONTHDAY }: Recur["parts"], usual: number) {
  const weekdays = BYDAY && new Set(BYDAY.map((each) => String(each).replace("+", "")));
  const days = BYMONTHDAY ? new Set(BYMONTHDAY.map(Number)) : weekdays ? null : new Set([usual]);
  return (date: number, left: number, weekday: number): boolean => {
    if (days && !days.has(date) && !days.has(-left - 1)) return false;
    if (!weekdays) return true;
    const name = WEEKDAYS[weekday] ?? "";
    // "SU", "2SU" or "-1SU": any, the second, or the last Sunday of the month.
    return (
      weekdays.has(name) ||
      weekdays.has(`${Math.ceil(date / 7)}${name}`) ||
      weekdays.has(`-${Math.floor(left / 7) + 1}${name}`)
    );
  };
}
