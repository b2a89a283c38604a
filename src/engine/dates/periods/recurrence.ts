import { DAY_MS, nextWeekday, type Wall, weekdayOf } from "../calendar.ts";
import { wordNumber } from "../numbers.ts";
import type { Reading } from "../resolve.ts";
import { clockRangeAt } from "../times/clock-range.ts";
import { businessHours, clockAt } from "../times/clock-time.ts";
import { type Input, numberAt, skip, wordAt } from "../tokens.ts";
import { DAY_PARTS, table, UNITS, type Unit, WEEKDAYS } from "../vocabulary.ts";
import { zoneAt } from "../zone-phrase.ts";

const ADVERBS: ReadonlyMap<string, Unit> = table<Unit>([
  ["day", "daily"],
  ["week", "weekly biweekly fortnightly"],
  ["month", "monthly"],
  ["quarter", "quarterly"],
  ["year", "yearly annually"],
]);
const isPlural = (word: string) => word.endsWith("days");

interface Repeated {
  end: number;
  unit: Unit;
  weekdays: number[];
}

/** The next occurrence of "every Monday at 10", "every two weeks", "Tuesdays and Thursdays", "daily at 9am". */
export function recurrenceAt(input: Input, at: number): Reading | null {
  const word = wordAt(input, at);
  const isEvery = word === "every" || word === "each";
  const repeated = isEvery ? afterEvery(input, at + 1) : adverbOrPlural(input, at);
  if (!repeated) return null;
  const { end } = repeated;
  const link = skip(input, end, ",");
  const time = skip(input, link, "at", "@");
  const range = clockRangeAt(input, time);
  const clock = range ? null : clockAt(input, time, { bare: time > link, dotted: time > link });
  // "daily" alone is an adjective ("the daily report"); with a time it means a recurring event.
  if (ADVERBS.has(word) && !range && !clock) return null;
  const shared = { type: "set", grain: repeated.unit, ambiguous: true, minutes: null } as const;
  const first = firstDay(input.today, repeated);
  const timeEnd = range?.end ?? clock?.end;
  if (timeEnd === undefined) return { ...shared, end: repeated.end, zone: null, from: first, to: first + DAY_MS };
  const zone = zoneAt(input, timeEnd);
  const seconds = range?.from ?? (clock ? businessHours(clock) : 0);
  const hasPassed = input.hasPassed(first + (range?.to ?? seconds) * 1000, zone?.zone ?? null);
  const day = hasPassed ? firstDay(input.today + DAY_MS, repeated) : first;
  return {
    ...shared,
    end: zone?.end ?? timeEnd,
    zone: zone?.zone ?? null,
    from: day + seconds * 1000,
    to: range ? day + range.to * 1000 : null,
  };
}

function afterEvery(input: Input, at: number): Repeated | null {
  const word = wordAt(input, at);
  const isCounted = word === "other" || word === "single" || word === "second" || numberAt(input, at) > 0;
  const next = isCounted ? at + 1 : (wordNumber(input, at)?.end ?? at);
  const weekdays = weekdayList(input, next);
  if (weekdays) return weekdays;
  if (wordAt(input, next) === "weekday" || wordAt(input, next) === "workday")
    return { end: next + 1, unit: "day", weekdays: [1, 2, 3, 4, 5] };
  const unit = UNITS.get(wordAt(input, next));
  if (unit) return { end: next + 1, unit, weekdays: [] };
  return DAY_PARTS.has(wordAt(input, next)) ? { end: next + 1, unit: "day", weekdays: [] } : null;
}

function adverbOrPlural(input: Input, at: number): Repeated | null {
  const word = wordAt(input, at);
  const unit = ADVERBS.get(word);
  if (unit) return { end: at + 1, unit, weekdays: [] };
  if (word === "weekdays") return { end: at + 1, unit: "day", weekdays: [1, 2, 3, 4, 5] };
  return WEEKDAYS.has(word) && isPlural(word) ? weekdayList(input, at) : null;
}

function weekdayList(input: Input, at: number): Repeated | null {
  const weekdays: number[] = [];
  let next = at;
  let end = -1;
  while (weekdays.length < 7) {
    const weekday = WEEKDAYS.get(wordAt(input, next));
    if (!weekday || (weekdays.length > 0 && isPlural(wordAt(input, at)) !== isPlural(wordAt(input, next)))) break;
    weekdays.push(weekday);
    end = next + 1;
    const link = wordAt(input, end);
    if (link !== "and" && link !== "," && link !== "&" && link !== "or") break;
    next = wordAt(input, end + 1) === "and" ? end + 2 : end + 1;
  }
  return end < 0 ? null : { end, unit: "week", weekdays };
}

function firstDay(today: Wall, { weekdays }: Repeated): Wall {
  if (weekdays.length === 0 || weekdays.includes(weekdayOf(today))) return today;
  return Math.min(...weekdays.map((weekday) => nextWeekday(today, weekday)));
}
