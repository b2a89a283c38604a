import { assertType } from "./cast.ts";
import type { WorkingHours } from "./working-hours.ts";

/** How a person writes dates and times, by the settings of their profile. */
export interface DateHabits {
  /** 03/12 is 3 December. Unknown: the month comes first, and the reading is marked as ambiguous. */
  dayFirst?: boolean;
  /** "6:45" is in the morning: the afternoon would be 18:45. */
  clock24?: boolean;
  /** The ISO weekday on which a week begins. Default: 1, Monday. */
  weekStart?: 1 | 6 | 7;
  /** "half 4" is 3:30, as in German: people there carry "halb vier" over into English. */
  halfBefore?: boolean;
  /** When the person works: what "first thing" and "end of the day" mean. */
  hours?: WorkingHours;
}

/** The context for reading words about time, besides the current time. */
export interface TimeReading {
  timeZone: string;
  habits: DateHabits;
}

/** Locale, time format, week start and working hours of a profile, as the session check reads them. */
export type StoredHabits = [string, "24h" | "12h", "monday" | "saturday" | "sunday", WorkingHours | null];

/** The locale of a profile nobody has changed. It says nothing about how its person writes. */
const DEFAULT_LOCALE = "en";
const WEEK_STARTS = { monday: 1, saturday: 6, sunday: 7 } as const;

const known = new Map<string, DateHabits>();
const MAX_KNOWN = 200;

/** The habits that a profile's settings, stored as JSON, stand for. */
export function habitsFrom(json: string | null): DateHabits {
  if (json === null) return {};
  const found = known.get(json);
  if (found) return found;
  const [locale, timeFormat, weekStart, hours] = assertType<StoredHabits>(JSON.parse(json));
  const isOwn = locale !== DEFAULT_LOCALE;
  const dayFirst = isOwn ? isDayFirst(locale) : undefined;
  const habits: DateHabits = {
    ...(dayFirst !== undefined && { dayFirst }),
    ...(isOwn && { clock24: timeFormat === "24h" }),
    weekStart: WEEK_STARTS[weekStart],
    ...(hours && { hours }),
  };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(json, habits);
  return habits;
}

/** English alone does not say which country's English it is. */
function isDayFirst(locale: string): boolean | undefined {
  const { language, region } = new Intl.Locale(locale);
  if (language === "en" && !region) return undefined;
  const parts = new Intl.DateTimeFormat(locale, { month: "numeric", day: "numeric", calendar: "gregory" });
  return parts.formatToParts(0).find(({ type }) => type !== "literal")?.type === "day";
}
