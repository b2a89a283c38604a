import type { DateHabits } from "../lib/date-habits.ts";
import { collapseSpace } from "../lib/text.ts";
import { DAY_MS, dateOf, HOUR_MS, toWall, type Wall, wallDay, wallWeek, weekdayOf } from "../lib/time-zone.ts";
import { type FindOptions, type FoundDate, findDates } from "./dates/find-dates.ts";
import type { Edge } from "./dates/periods/named-period.ts";
import { workOn } from "./dates/times/working-day.ts";
import { instantOf } from "./dates/zone.ts";

const MAX_SCANNED = 200;

/** The due date that a text such as "next friday 5pm" means; null if it names none, or `whyNoDate` says why not. */
export function parseDueText(text: string, options: FindOptions): Date | null {
  const dates = read(text, options);
  // "Feb 30 at 10": what else the text says must not hide that there is no such day.
  if (dates.some(({ doubt }) => doubt)) return null;
  const found = dates.find(({ from }) => from !== null);
  return found ? dueOf(found, options) : null;
}

/** Why the date that a text names cannot be used: "There is no 30 February." Null if nothing is wrong with it. */
export function whyNoDate(text: string, options: FindOptions): string | null {
  return read(text, options).find(({ doubt }) => doubt)?.doubt ?? null;
}

const read = (text: string, options: FindOptions) => chosen(text, findDates(text.slice(0, MAX_SCANNED), options).dates);

const OR = /^(?:\s*,)?\s*(?:or|oder|ou|o|not)\s+(?:(?:maybe|perhaps|even|on|at|the|am|um|le|à|el)\s+)*$/i;

/** "Friday or Saturday": nobody can know which of them is meant, so both are in doubt. */
export function chosen(text: string, dates: FoundDate[]): FoundDate[] {
  const isMoment = ({ from, type }: FoundDate) => from !== null && type !== "set";
  const isPair = (first?: FoundDate, second?: FoundDate) =>
    first && second && isMoment(first) && isMoment(second) && OR.test(text.slice(first.end, second.start));
  return dates.map((date, at) => {
    const [before, after] = [dates[at - 1], dates[at + 1]];
    const other = isPair(before, date) ? before : isPair(date, after) ? after : undefined;
    if (!other || date.doubt) return date;
    const phrase = text.slice(Math.min(date.start, other.start), Math.max(date.end, other.end));
    return { ...date, doubt: `“${collapseSpace(phrase)}” names two dates. Name one.` };
  });
}

/** When something is due: a time at that time, a day at its end, a week with its last working day. */
export function dueOf(found: FoundDate, options: FindOptions): Date | null {
  const { from, to, type, grain, wall } = found;
  const { reference, timeZone } = options;
  const at = (time: Wall) => new Date(instantOf(time, found.zone, timeZone));
  const part = hourOfPart(found, options.habits);
  if (part !== null) return at(part);
  if (/time/.test(type) || to === null || wall.from === null || wall.to === null) return from;
  const day = found.edge && edgeDay(found.edge, wall.from, wall.to);
  if (day) return new Date(at(day).getTime() - 1);
  if (type === "daterange" && grain === "week") {
    const last = lastWorkingMoment(wallWeek(wall.to - 1), options.habits);
    const due = at(last);
    // On a weekend, "this week" means the next one.
    const isOver = due < reference && to > reference;
    return isOver ? at(last + 7 * DAY_MS) : due;
  }
  return new Date(to.getTime() - 1);
}

function lastWorkingMoment(monday: Wall, habits: DateHabits | undefined): Wall {
  const days = [5, 4, 3, 2, 1].map((weekday) => [weekday, workOn(habits, weekday)] as const);
  const [weekday, work] = days.find(([, hours]) => hours.works) ?? [5, workOn(undefined, 5)];
  return monday + (weekday - 1) * DAY_MS + work.end * 1000;
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
  [/\blunch/i, 12],
  [/\bafternoon|\barvo\b/i, 15],
  [/\bevening/i, 19],
  [/\bnight|\btonight|\btonite/i, 20],
];
const AT_START_OF_WORK = /\bfirst thing\b|\bmorning/i;

/** "this evening" means 19:00, and not when the evening begins; null if the phrase says a time. */
export function hourOfPart(
  { type, wall, durationMinutes, words, ambiguous }: FoundDate,
  habits?: DateHabits,
): Wall | null {
  const isPart = (type === "datetimerange" || type === "timerange") && durationMinutes === null && ambiguous;
  if (!isPart || wall.from === null || wall.to === null) return null;
  const day = wallDay(wall.from);
  const start = workOn(habits, weekdayOf(day)).start / 3600;
  const isMorning = AT_START_OF_WORK.test(words);
  const hour = isMorning ? start : HOURS.find(([word]) => word.test(words))?.[1];
  if (hour === undefined) return null;
  const time = day + hour * HOUR_MS;
  if (isMorning && time < wall.from && hour >= 5) return time;
  return time >= wall.from && time <= wall.to ? time : wall.from;
}

/** A phrase with its date: "Friday (2026-11-20)". */
export function dated(phrase: string, moment: Date | null, zone: string): string {
  const plain = collapseSpace(phrase);
  const needsDay = moment && !/\d{4}-\d{2}-\d{2}/.test(plain);
  return needsDay ? `${plain} (${dateOf(toWall(zone, moment.getTime()))})` : plain;
}
