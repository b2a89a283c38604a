import { collapseSpace } from "../lib/text.ts";
import { DAY_MS, dateOf, HOUR_MS, toWall, wallWeek } from "../lib/time-zone.ts";
import { type FoundDate, findDates } from "./dates/find-dates.ts";
import { instantOf } from "./dates/zone.ts";

const MAX_SCANNED = 200;
const FRIDAY_EVENING = 4 * DAY_MS + 17 * HOUR_MS;

/** The due date that a text such as "next friday 5pm" means; null if it names no date. */
export function parseDueText(text: string, now: Date, zone: string): Date | null {
  const { dates } = findDates(text.slice(0, MAX_SCANNED), { reference: now, timeZone: zone });
  const found = dates.find(({ from }) => from !== null);
  return found ? dueOf(found, now, zone) : null;
}

/** When something is due: a time at that time, a day at its end, a week on its Friday evening. */
export function dueOf(found: FoundDate, now: Date, zone: string): Date | null {
  const { from, to, type, grain, wall } = found;
  if (/time/.test(type) || to === null || wall.from === null || wall.to === null) return from;
  if (type === "daterange" && grain === "week") {
    const friday = wallWeek(wall.to - 1) + FRIDAY_EVENING;
    const due = new Date(instantOf(friday, found.zone, zone));
    // On a weekend, "this week" means the next one.
    const isOver = due < now && to > now;
    return isOver ? new Date(instantOf(friday + 7 * DAY_MS, found.zone, zone)) : due;
  }
  return new Date(to.getTime() - 1);
}

/** A phrase with its date: "Friday (2026-11-20)". */
export function dated(phrase: string, moment: Date | null, zone: string): string {
  const plain = collapseSpace(phrase);
  const needsDay = moment && !/\d{4}-\d{2}-\d{2}/.test(plain);
  return needsDay ? `${plain} (${dateOf(toWall(zone, moment.getTime()))})` : plain;
}
