import ICAL from "ical.js";
import { type Instant, toWall, type Wall } from "./time-zone.ts";

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
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
