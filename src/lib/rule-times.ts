import ICAL from "ical.js";
import { assertType } from "./cast.ts";
import { DAY_MS, type Instant, toWall, type Wall, wallTime } from "./time-zone.ts";

/* Times as ical.js has them in a rule, and as the service does. */

export type RuleTime = InstanceType<typeof ICAL.Time>;

/** UNTIL as RFC 5545 requires it: a date for an all-day series, UTC for any other. */
export function utcTime(until: Instant, { zone, allDay }: { zone: string; allDay: boolean }): RuleTime {
  const time = timeOf(allDay ? toWall(zone, until) : until, allDay);
  if (!allDay) time.zone = ICAL.Timezone.utcTimezone;
  return time;
}

export function timeOf(wall: Wall, isDate = false): RuleTime {
  const at = new Date(wall);
  return ICAL.Time.fromData({
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    ...(!isDate && { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() }),
    isDate,
  });
}

export function wallOf({ year, month, day, hour, minute, second }: RuleTime): Wall {
  return wallTime(year, month, day, hour, minute, second);
}

/** How far ical.js may be ahead of a time it still comes to: it goes through a period in an order of its own. */
export function reachOf({ freq }: { freq: string }): number {
  const days = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7 }[assertType<"YEARLY" | "MONTHLY" | "WEEKLY">(freq)] ?? 0;
  // The clocks may change meanwhile.
  return (days + 2) * DAY_MS;
}
