import { addMonths, DAY_MS, midnight, monthStart, partsOf, type Wall, wallWeek, weekFrom } from "../calendar.ts";
import { type Input, weekStartOf } from "../tokens.ts";
import type { Unit } from "../vocabulary.ts";

/** The calendar unit that holds today, moved by `shift` of them. */
export function calendarUnit(input: Input, unit: Unit, shift: number): { from: Wall; to: Wall } | null {
  const wall = input.today;
  const { year, month } = partsOf(wall);
  const days = (from: Wall, count: number) => ({ from, to: from + count * DAY_MS });
  const months = (from: Wall, count: number) => ({ from, to: addMonths(from, count) });
  switch (unit) {
    case "day":
      return days(wall + shift * DAY_MS, 1);
    case "week":
      return days(weekFrom(wall, weekStartOf(input)) + shift * 7 * DAY_MS, 7);
    case "fortnight":
      return days(weekFrom(wall, weekStartOf(input)) + shift * 14 * DAY_MS, 14);
    case "weekend":
      return days(wallWeek(wall) + (5 + shift * 7) * DAY_MS, 2);
    case "month":
      return months(addMonths(monthStart(wall), shift), 1);
    case "quarter":
      return months(addMonths(midnight(year, Math.floor((month - 1) / 3) * 3 + 1, 1), shift * 3), 3);
    case "year":
      return months(midnight(year + shift, 1, 1), 12);
    case "decade":
      return months(midnight(Math.floor(year / 10) * 10 + shift * 10, 1, 1), 120);
    case "century":
      return months(midnight(Math.floor(year / 100) * 100 + shift * 100, 1, 1), 1200);
    default:
      return null;
  }
}
