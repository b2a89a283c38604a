const FIXED: Record<string, number> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const MONTHS: Record<string, number> = { month: 1, quarter: 3, year: 12 };
/** 1 January 1970 was a Thursday; weeks start on Monday. */
const FIRST_MONDAY = 4 * 86_400_000;

/** The start of the unit that holds this time. */
export function floorTo(time: number, unit: string): number {
  const months = MONTHS[unit];
  if (months !== undefined) {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % months), 1);
  }
  const origin = unit === "week" ? FIRST_MONDAY : 0;
  const length = FIXED[unit] ?? 1;
  return Math.floor((time - origin) / length) * length + origin;
}

/** The same time some units later, or earlier. */
export function stepBy(time: number, unit: string, count: number): number {
  const months = MONTHS[unit];
  if (months === undefined) return time + count * (FIXED[unit] ?? 0);
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * months, date.getUTCDate());
}
