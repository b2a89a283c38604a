import { DAY_MS, type Instant, MINUTE_MS, offsetAt, type Wall, wallDay, weekdayOf } from "../time-zone.ts";
import { line, localTime } from "./write.ts";

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const YEARS_AHEAD = 6;
/** Changes become a rule if this many of the latest years in a row follow it. */
const YEARS_OF_PROOF = 3;

interface Change {
  /** The wall time at which the clocks change. */
  wall: Wall;
  from: number;
  to: number;
}

/**
 * A VTIMEZONE with the zone's clock changes from `since` on, for programs that do not know its name. Future years follow
 * a rule if the zone has one; otherwise the known changes are listed.
 */
export function timeZoneComponent(zone: string, since: Instant, now: Instant): string {
  const start = wallDay(since - 366 * DAY_MS);
  const end = Date.UTC(new Date(Math.max(since, now)).getUTCFullYear() + YEARS_AHEAD, 0, 1);
  const offset = offsetAt(zone, start);
  return [
    line("BEGIN", "VTIMEZONE"),
    line("TZID", zone),
    observance({ wall: start + offset, from: offset, to: offset }, null),
    ...groupsOf(changes(zone, start, end)).flatMap((group) => observances(group, new Date(end).getUTCFullYear() - 1)),
    line("END", "VTIMEZONE"),
  ].join("");
}

function changes(zone: string, start: Instant, end: Instant): Change[] {
  const found: Change[] = [];
  for (let week = start; week < end; week += 7 * DAY_MS) {
    const from = offsetAt(zone, week);
    const to = offsetAt(zone, week + 7 * DAY_MS);
    if (from !== to) found.push({ wall: momentOfChange(zone, week, week + 7 * DAY_MS) + from, from, to });
  }
  return found;
}

function momentOfChange(zone: string, before: Instant, after: Instant): Instant {
  const old = offsetAt(zone, before);
  let low = before;
  let high = after;
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(zone, middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

/** Changes that could follow one rule: the same offsets, month, weekday and time of day. */
function groupsOf(all: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>();
  for (const change of all) {
    const month = new Date(change.wall).getUTCMonth();
    const key = [change.from, change.to, month, weekdayOf(change.wall), change.wall - wallDay(change.wall)].join();
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

/** One observance with a rule, or one for each change, because not every program supports RDATE. */
function observances(group: readonly Change[], lastYear: number): string[] {
  const rule = yearlyRule(group, lastYear);
  return (rule ? group.slice(0, 1) : group).map((change) => observance(change, rule));
}

function yearlyRule(group: readonly Change[], lastYear: number): string | null {
  const days = group.map(({ wall }) => new Date(wall));
  const [first] = days;
  const isEveryYear = days.every((day, index) => day.getUTCFullYear() === lastYear - (days.length - 1 - index));
  if (!first || days.length < YEARS_OF_PROOF || !isEveryYear) return null;
  const weekday = WEEKDAYS[weekdayOf(first.getTime()) - 1];
  const isLast = days.every((day) => new Date(day.getTime() + 7 * DAY_MS).getUTCMonth() !== day.getUTCMonth());
  const [ordinal, ...others] = new Set(days.map((day) => Math.ceil(day.getUTCDate() / 7)));
  if (!isLast && others.length > 0) return null;
  return `FREQ=YEARLY;BYMONTH=${first.getUTCMonth() + 1};BYDAY=${isLast ? -1 : ordinal}${weekday}`;
}

function observance({ wall, from, to }: Change, rule: string | null): string {
  const kind = to > from ? "DAYLIGHT" : "STANDARD";
  return [
    line("BEGIN", kind),
    line("DTSTART", localTime(wall)),
    line("TZOFFSETFROM", offsetText(from)),
    line("TZOFFSETTO", offsetText(to)),
    ...(rule ? [line("RRULE", rule)] : []),
    line("END", kind),
  ].join("");
}

/** "+0530" */
function offsetText(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, ...(seconds % 60 ? [seconds % 60] : [])];
  return (offset < 0 ? "-" : "+") + parts.map((part) => String(part).padStart(2, "0")).join("");
}
