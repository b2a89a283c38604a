import { type FindOptions, findDates } from "../../../engine/dates/find-dates.ts";
import { toInstant, wallOfDate } from "../../../lib/time-zone.ts";

const DIGITS = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/;
const MAX_SCANNED = 100;
const MINUTE_MS = 60_000;

interface Range {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/**
 * The time that a search calls a date: 2026-11-01, 2026/11/1, 2026-11, 2026, or words such as "last monday". A day
 * without a year or a week is the last one, since emails are of the past. Null if it is no date.
 */
export function readSearchDate(text: string, options: FindOptions): Range | null {
  const [, year, month, day] = DIGITS.exec(text) ?? [];
  if (year !== undefined) return rangeOf(Number(year), month && Number(month), day && Number(day), options.timeZone);
  const { reference } = options;
  const found = rangeIn(text, options);
  if (!found || found.from <= reference) return found;
  const last = rangeIn(`last ${text}`, options);
  return last && last.from <= reference ? last : found;
}

function rangeOf(
  year: number,
  month: number | "" | undefined,
  day: number | "" | undefined,
  zone: string,
): Range | null {
  const first = new Date(Date.UTC(year, (month || 1) - 1, day || 1));
  const isReal = first.getUTCMonth() === (month || 1) - 1 && first.getUTCDate() === (day || 1) && year >= 1000;
  if (!isReal) return null;
  const next = new Date(first);
  if (day) next.setUTCDate(next.getUTCDate() + 1);
  else if (month) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  const instant = (date: Date) => new Date(toInstant(zone, wallOfDate(date.toISOString().slice(0, 10))));
  return { from: instant(first), to: instant(next) };
}

/** Only if the whole text is one date. */
function rangeIn(text: string, options: FindOptions): Range | null {
  if (text.length > MAX_SCANNED) return null;
  const [found, ...more] = findDates(text, options).dates;
  const isWhole = found && more.length === 0 && found.start === 0 && found.end === text.length;
  if (!isWhole || found.doubt || !found.from) return null;
  // Of a moment such as "yesterday 5pm", its minute.
  const { from, to } = found;
  return { from, to: to && to > from ? to : new Date(from.getTime() + MINUTE_MS) };
}
