import { collapseSpace } from "../lib/text.ts";
import { DAY_MS, dateOf, HOUR_MS, toWall, wallWeek } from "../lib/time-zone.ts";
import { type FoundDate, findDates } from "./dates/find-dates.ts";
import { instantOf } from "./dates/zone.ts";

const MAX_SCANNED = 200;
const FRIDAY_EVENING = 4 * DAY_MS + 17 * HOUR_MS;

/** What the text means as a date, read at `now` in the zone; null when it names none. */
export function parseDueText(text: string, now: Date, zone: string): Date | null {
  const { dates } = findDates(text.slice(0, MAX_SCANNED), { reference: now, timeZone: zone });
  const found = dates.find(({ from }) => from !== null);
  return found ? dueOf(found, now, zone) : null;
}

/** When something said for then is due: a time when it comes, a day when it is over, a week on its Friday. */
export function dueOf(found: FoundDate, now: Date, zone: string): Date | null {
  const { from, to, type, grain, wall } = found;
  const isClock = type === "time" || type === "datetime" || type === "timerange" || type === "datetimerange";
  if (isClock || to === null || wall.from === null || wall.to === null) return from;
  if (type === "daterange" && grain === "week") {
    const friday = wallWeek(wall.to - 1) + FRIDAY_EVENING;
    const due = new Date(instantOf(friday, found.zone, zone));
    // On a weekend, the end of the week is that of the next.
    const isOver = due < now && to > now;
    return isOver ? new Date(instantOf(friday + 7 * DAY_MS, found.zone, zone)) : due;
  }
  return new Date(to.getTime() - 1);
}

/** A phrase beside its day on the reader's calendar: "Friday (2026-11-20)". */
export function dated(said: string, moment: Date | null, zone: string): string {
  const plain = collapseSpace(said);
  const needsDay = moment && !/\d{4}-\d{2}-\d{2}/.test(plain);
  return needsDay ? `${plain} (${dateOf(toWall(zone, moment.getTime()))})` : plain;
}
