import { WEEKDAYS } from "./lexicon.ts";

/** An RFC 5545 rule in parts. */
export interface Rule {
  frequency: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  interval: number;
  months: number[];
  /** Days of the month; -1 is the last. */
  monthDays: number[];
  /** "MO", "1MO", "-1FR" */
  weekdays: string[];
  position: number | null;
}

/** "2 weeks": how often, if a rule says no more. */
export interface Frequency {
  unit: string;
  count: number;
}

/** What one phrase says. Phrases that stand side by side are put together: "mondays" and "every two weeks". */
export interface Piece {
  end: number;
  /** Whether the phrase by itself says that something repeats. */
  repeats: boolean;
  frequency?: Frequency;
  weekdays?: string[];
  monthDays?: number[];
  /** "of may and november" */
  months?: number[];
  /** "the next 5 mondays" */
  occurrences?: number;
  /** "first monday": the number of each weekday in its month. */
  counted?: { nth: number; day: string }[];
  /** "3 may", "1st of january and july" */
  date?: { months: number[]; day: number };
  part?: "am" | "pm";
  /** "twice a month": which days must be said. */
  often?: number;
}

export const YEARLY: Frequency = { unit: "year", count: 1 };

/** "week*2" twice is every four weeks. */
export function times(unit: string, count: number): Frequency {
  const [name = unit, factor = "1"] = unit.split("*");
  return { unit: name, count: Number(factor) * count };
}

const DAYS: readonly string[] = WEEKDAYS;

export function between(from: string, to: string): string[] {
  const [first, last] = [DAYS.indexOf(from), DAYS.indexOf(to)];
  const length = (last - first + 7) % 7;
  return Array.from({ length }, (_, index) => DAYS[(first + index + 1) % 7] ?? to);
}

const WORKING = ["MO", "TU", "WE", "TH", "FR"];
const LASTS = [3, 6, 9, 12];
const FIRSTS = [1, 4, 7, 10];

/** The rule that the phrases say together; null if they contradict each other or say no rule. */
export function ruleOf(pieces: readonly Piece[]): Rule | null {
  const frequencies = pieces.flatMap(({ frequency }) => frequency ?? []);
  // "monthly on the 15th of every month" says it twice; "weekly every month" is no rule.
  const [frequency = { unit: "week", count: 1 }, ...others] = frequencies;
  const weekdays = pieces.flatMap((piece) => piece.weekdays ?? []);
  const monthDays = pieces.flatMap((piece) => piece.monthDays ?? []);
  const counted = pieces.flatMap((piece) => piece.counted ?? []);
  const said = pieces.flatMap((piece) => piece.date ?? []);
  const [first] = said;
  if (first && said.some(({ day }) => day !== first.day)) return null;
  const date = first && { day: first.day, months: said.flatMap((each) => each.months) };
  const months = pieces.flatMap((piece) => piece.months ?? []);
  const often = pieces.find((piece) => piece.often)?.often ?? 1;
  if (often > 1 && weekdays.length + monthDays.length + counted.length + (date?.months.length ?? 0) !== often)
    return null;
  const rule: Rule = {
    frequency: "DAILY",
    interval: frequency.count,
    months: [],
    monthDays: [],
    weekdays: [],
    position: null,
  };
  const most = others.find(({ count }) => count > 1) ?? frequency;
  if (others.some(({ unit }) => unit !== frequency.unit)) {
    // "every day on mondays", "mondays every month"
    return null;
  }
  if (others.length > 0) rule.interval = most.count;
  switch (frequency.unit) {
    case "day":
      if (monthDays.length + counted.length > 0 || date) return null;
      if (weekdays.length === 0) return rule;
      return rule.interval === 1 ? { ...rule, frequency: "WEEKLY", weekdays } : null;
    case "weekday":
    case "weekend":
      if (weekdays.length + monthDays.length + counted.length > 0 || date) return null;
      return { ...rule, frequency: "WEEKLY", weekdays: frequency.unit === "weekday" ? WORKING : ["SA", "SU"] };
    case "week":
      if (monthDays.length + counted.length > 0 || date) return null;
      return { ...rule, frequency: "WEEKLY", weekdays };
    case "month":
      return monthly(rule, { weekdays, monthDays, counted, date });
    case "year":
      if (weekdays.length > 0) return null;
      if (months.length > 0) {
        return {
          ...rule,
          frequency: "YEARLY",
          months,
          monthDays,
          weekdays: counted.map(({ nth, day }) => `${nth}${day}`),
        };
      }
      if (counted.length > 0) return null;
      if (date) return { ...rule, frequency: "YEARLY", months: date.months, monthDays: [date.day] };
      if (monthDays.length === 0) return { ...rule, frequency: "YEARLY" };
      return { ...rule, frequency: "YEARLY", months: monthDays.map((day) => (day === -1 ? 12 : 1)), monthDays };
    default:
      return null;
  }
}

type Details = { weekdays: string[]; date: Piece["date"] } & Required<Pick<Piece, "monthDays" | "counted">>;

function monthly(rule: Rule, { weekdays, monthDays, counted, date }: Details): Rule | null {
  const isQuarterly = rule.interval === 3;
  if (weekdays.length > 0 || date) return null;
  if (counted.length > 0) {
    if (monthDays.length > 0) return null;
    if (counted.every(({ day }) => day === "*")) {
      return { ...rule, frequency: "MONTHLY", weekdays: WORKING, position: counted[0]?.nth ?? 1 };
    }
    return { ...rule, frequency: "MONTHLY", weekdays: counted.map(({ nth, day }) => `${nth}${day}`) };
  }
  // "the last day of every quarter", "the first day of every quarter"
  if (isQuarterly && monthDays.length === 1 && Math.abs(monthDays[0] ?? 0) === 1) {
    const months = monthDays[0] === -1 ? LASTS : FIRSTS;
    return { ...rule, frequency: "MONTHLY", interval: 1, months, monthDays };
  }
  // The 31st is the last day of shorter months, too.
  const days = monthDays.map((day) => (day === 31 ? -1 : day));
  return { ...rule, frequency: "MONTHLY", monthDays: [...new Set(days)] };
}
