import { collapseSpace } from "../lib/text.ts";
import { DAY_MS, dateOf, HOUR_MS, toWall, wallDay, wallWeek } from "../lib/time-zone.ts";
import { type FoundDate, findDates } from "./dates/find-dates.ts";
import type { Edge } from "./dates/periods/named-period.ts";
import type { DateHabits } from "./dates/tokens.ts";
import { instantOf } from "./dates/zone.ts";

const MAX_SCANNED = 200;
const FRIDAY_EVENING = 4 * DAY_MS + 17 * HOUR_MS;

/** The due date that a text such as "next friday 5pm" means; null if it names no date. */
export function parseDueText(text: string, now: Date, zone: string, habits?: DateHabits): Date | null {
  const options = { reference: now, timeZone: zone, ...(habits && { habits }) };
  const { dates } = findDates(text.slice(0, MAX_SCANNED), options);
  // "Feb 30 at 10": what else the text says must not hide that there is no such day.
  if (dates.some(({ type, from }) => type === "date" && from === null)) return null;
  const found = dates.find(({ from }) => from !== null);
  return found ? dueOf(found, now, zone) : null;
}

/** When something is due: a time at that time, a day at its end, a week on its Friday evening. */
export function dueOf(found: FoundDate, now: Date, zone: string): Date | null {
  const { from, to, type, grain, wall } = found;
  const part = partOfDay(found);
  if (part !== null) return new Date(instantOf(part, found.zone, zone));
  if (/time/.test(type) || to === null || wall.from === null || wall.to === null) return from;
  const day = found.edge && edgeDay(found.edge, wall.from, wall.to);
  if (day) return new Date(instantOf(day, found.zone, zone) - 1);
  if (type === "daterange" && grain === "week") {
    const friday = wallWeek(wall.to - 1) + FRIDAY_EVENING;
    const due = new Date(instantOf(friday, found.zone, zone));
    // On a weekend, "this week" means the next one.
    const isOver = due < now && to > now;
    return isOver ? new Date(instantOf(friday + 7 * DAY_MS, found.zone, zone)) : due;
  }
  return new Date(to.getTime() - 1);
}

const EARLY_DAYS = 5;

/** The end of the day that people mean by "early May" or "mid May"; null for the end of a period, which is its last day. */
function edgeDay(edge: Edge, from: number, to: number): number | null {
  if (edge === "end") return null;
  if (edge === "start") return wallDay(from) + DAY_MS;
  const days = Math.round((to - from) / DAY_MS);
  const ahead = edge === "middle" ? Math.floor(days / 2) : Math.min(EARLY_DAYS, Math.ceil(days / 2)) - 1;
  return wallDay(from) + (ahead + 1) * DAY_MS;
}

/** The hour people mean by a part of the day: the middle of the morning is too late for "in the morning". */
const HOURS: readonly (readonly [RegExp, number])[] = [
  [/\bfirst thing\b/i, 9],
  [/\bmorning/i, 9],
  [/\blunch/i, 12],
  [/\bafternoon|\barvo\b/i, 15],
  [/\bevening/i, 19],
  [/\bnight|\btonight|\btonite/i, 20],
];

/** "this evening" is due at 19:00, and not when the evening begins; null if the phrase says a time. */
function partOfDay({ type, wall, durationMinutes, text, ambiguous }: FoundDate): number | null {
  const isPart = (type === "datetimerange" || type === "timerange") && durationMinutes === null && ambiguous;
  const hour = isPart ? HOURS.find(([word]) => word.test(text))?.[1] : undefined;
  if (hour === undefined || wall.from === null || wall.to === null) return null;
  const time = wallDay(wall.from) + hour * HOUR_MS;
  return time >= wall.from && time <= wall.to ? time : wall.from;
}

/** A phrase with its date: "Friday (2026-11-20)". */
export function dated(phrase: string, moment: Date | null, zone: string): string {
  const plain = collapseSpace(phrase);
  const needsDay = moment && !/\d{4}-\d{2}-\d{2}/.test(plain);
  return needsDay ? `${plain} (${dateOf(toWall(zone, moment.getTime()))})` : plain;
}
