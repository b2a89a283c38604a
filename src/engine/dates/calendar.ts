import { DAY_MS, type Wall, wallDay, weekdayOf } from "../../lib/time-zone.ts";

export { DAY_MS, HOUR_MS, MINUTE_MS, type Wall, wallDay, wallWeek, weekdayOf } from "../../lib/time-zone.ts";

interface DateParts {
  year: number;
  month: number;
  day: number;
}

export function partsOf(wall: Wall): DateParts {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Midnight of a date, or NaN when the calendar has no such day. */
export function midnight(year: number, month: number, day: number): Wall {
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1000 || year > 9999) return Number.NaN;
  return day > daysIn(year, month) ? Number.NaN : Date.UTC(year, month - 1, day);
}

/** Moves by months; the 31st becomes the last day of a shorter month. */
export function addMonths(wall: Wall, months: number): Wall {
  const { year, month, day } = partsOf(wall);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = daysIn(first.getUTCFullYear(), first.getUTCMonth() + 1);
  return first.getTime() + (Math.min(day, last) - 1) * DAY_MS + (wall - wallDay(wall));
}

export function monthStart(wall: Wall): Wall {
  const { year, month } = partsOf(wall);
  return Date.UTC(year, month - 1, 1);
}

/** The nth such weekday of a month, counted from its end when `nth` is negative; NaN when there is none. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): Wall {
  if (nth > 0) {
    const first = Date.UTC(year, month - 1, 1);
    const day = 1 + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
    return midnight(year, month, day);
  }
  const last = Date.UTC(year, month, 0);
  return last - ((weekdayOf(last) - weekday + 7) % 7) * DAY_MS + (nth + 1) * 7 * DAY_MS;
}

/** The first day of the week of `wall`, which starts on the weekday `first`. */
export function weekFrom(wall: Wall, first: number): Wall {
  return wallDay(wall) - ((weekdayOf(wall) - first + 7) % 7) * DAY_MS;
}

/** The weekday in the week of `wall`, which starts on the weekday `first`, moved by whole weeks. */
export function weekdayInWeek(wall: Wall, weekday: number, weeks: number, first: number): Wall {
  return weekFrom(wall, first) + (((weekday - first + 7) % 7) + weeks * 7) * DAY_MS;
}

/** The first such weekday from `day` on, `day` included. */
export function nextWeekday(day: Wall, weekday: number): Wall {
  return day + ((weekday - weekdayOf(day) + 7) % 7) * DAY_MS;
}

export function addBusinessDays(day: Wall, count: number): Wall {
  const step = count < 0 ? -1 : 1;
  let left = Math.min(Math.abs(count), 1000);
  let current = day;
  while (left > 0) {
    current += step * DAY_MS;
    if (weekdayOf(current) <= 5) left -= 1;
  }
  return current;
}

/** Easter Sunday of the western churches (Gauss, as Meeus gives it). */
export function easter(year: number): Wall {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const d =
    (19 * a + century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) + 15) %
    30;
  const e = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - d - (rest % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1);
}
