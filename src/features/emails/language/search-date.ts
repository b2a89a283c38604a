import { type FindOptions, findDates } from "../../../engine/dates/find-dates.ts";
import { toInstant, wallOfDate } from "../../../lib/time-zone.ts";

const DIGITS = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/;
const MAX_SCANNED = 100;

/**
 * The first moment of what a search calls a date: 2026-11-01, 2026/11/1, 2026-11, 2026, or words such as "last monday".
 * A day without a year or a week is the last one, since emails are of the past. Null if it is no date.
 */
export function readSearchDate(text: string, options: FindOptions): Date | null {
  const [, year, month = "1", day = "1"] = DIGITS.exec(text) ?? [];
  if (year !== undefined) return dateOf(Number(year), Number(month), Number(day), options.timeZone);
  const { reference } = options;
  const found = startOf(text, options);
  if (!found || found <= reference) return found;
  const last = startOf(`last ${text}`, options);
  return last && last <= reference ? last : found;
}

function dateOf(year: number, month: number, day: number, zone: string): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000;
  return isReal ? new Date(toInstant(zone, wallOfDate(date.toISOString().slice(0, 10)))) : null;
}

/** Only if the whole text is one date. */
function startOf(text: string, options: FindOptions): Date | null {
  if (text.length > MAX_SCANNED) return null;
  const [found, ...more] = findDates(text, options).dates;
  const isWhole = found && more.length === 0 && found.start === 0 && found.end === text.length;
  return isWhole && !found.doubt ? found.from : null;
}
