import { wordSet } from "../../../lib/words.ts";
import { addMonths, DAY_MS, midnight, monthStart, nthWeekday, partsOf, type Wall, wallWeek } from "../calendar.ts";
import { dayAt } from "../days/day.ts";
import { monthOf } from "../days/month-day.ts";
import { ordinal } from "../numbers.ts";
import { anyPhraseAt, type Input, numberAt, phraseAt, phrases, skip, tokenAt, wordAt } from "../tokens.ts";
import { MODIFIERS, NEAREST, type Unit } from "../vocabulary.ts";
import { addDuration, type Duration, durationAt, isTimeUnit, singleUnit, unitAt } from "./duration.ts";
import { monthPeriod, type Period, quarterAt, seasonAt, yearPeriod } from "./named-period.ts";

/** Phrases for a part of a period: where the part starts and ends, as a share of the whole. */
const EDGES: readonly (readonly [readonly string[], number, number])[] = [
  ...phrases("early in|early|beginning of|start of|first half of").map((phrase) => [phrase, 0, 0.5] as const),
  ...phrases("middle of|mid -|mid").map((phrase) => [phrase, 0.25, 0.75] as const),
  ...phrases("late in|later in|later|late|second half of|end of").map((phrase) => [phrase, 0.5, 1] as const),
];
const EDGE_WORDS: ReadonlySet<string> = new Set(EDGES.map(([phrase]) => phrase[0] ?? ""));
/** "by EOW": abbreviations for the end of the week, month, quarter and year. */
const ENDS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ["eow", "week"],
  ["eom", "month"],
  ["eoq", "quarter"],
  ["eoy", "year"],
]);
const REST = phrases("rest of|remainder of");

/** "early next week", "the end of the month", "mid-November", "rest of the week". */
export function periodAt(input: Input, at: number): Period | null {
  if (tokenAt(input, at).kind === "number") return wholeAt(input, at);
  const start = skip(input, at, "the");
  const rest = anyPhraseAt(input, start, REST);
  if (rest > 0) {
    const whole = wholeAt(input, rest, true);
    return whole && { ...whole, from: Math.max(whole.from, whole.grain === "day" ? input.now : input.today) };
  }
  const ending = ENDS.get(wordAt(input, start));
  const current = ending && calendarUnit(input.today, ending, 0);
  if (ending && current) return { ...current, end: start + 1, grain: ending, vague: true };
  for (const [phrase, from, to] of EDGE_WORDS.has(wordAt(input, start)) ? EDGES : []) {
    const behind = phraseAt(input, start, phrase);
    if (behind < 0) continue;
    const whole = wholeAt(input, behind, true);
    if (!whole) continue;
    const days = Math.round((whole.to - whole.from) / DAY_MS);
    return {
      ...whole,
      from: whole.from + Math.floor(days * from) * DAY_MS,
      to: whole.from + Math.ceil(days * to) * DAY_MS,
      vague: true,
    };
  }
  return wholeAt(input, at);
}

function wholeAt(input: Input, at: number, vouched = false): Period | null {
  if (tokenAt(input, at).kind === "number") {
    return numbered(input, at) ?? weekOf(input, at) ?? quarterAt(input, at) ?? yearPeriod(input, at, vouched);
  }
  return (
    within(input, at) ??
    numbered(input, at) ??
    weekOf(input, at) ??
    modified(input, at, vouched) ??
    quarterAt(input, at) ??
    seasonAt(input, at, vouched) ??
    monthPeriod(input, at, vouched) ??
    yearPeriod(input, at, vouched)
  );
}

/** The calendar unit that holds `wall`, moved by `shift` of them. */
function calendarUnit(wall: Wall, unit: Unit, shift: number): { from: Wall; to: Wall } | null {
  const { year, month } = partsOf(wall);
  const days = (from: Wall, count: number) => ({ from, to: from + count * DAY_MS });
  const months = (from: Wall, count: number) => ({ from, to: addMonths(from, count) });
  switch (unit) {
    case "day":
      return days(wall + shift * DAY_MS, 1);
    case "week":
      return days(wallWeek(wall) + shift * 7 * DAY_MS, 7);
    case "fortnight":
      return days(wallWeek(wall) + shift * 14 * DAY_MS, 14);
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
    default:
      return null;
  }
}

/** "next week", "this weekend", "the month", "last year", "next hour". */
function modified(input: Input, at: number, vouched: boolean): Period | null {
  const start = skip(input, at, "the");
  const word = wordAt(input, start);
  const nearest = word === "this" ? NEAREST.get(wordAt(input, start + 1)) : undefined;
  const shift = nearest ?? MODIFIERS.get(word) ?? NEAREST.get(word);
  if (shift === undefined) {
    const unit = start > at || vouched ? unitAt(input, start) : null;
    const isPlain = unit && (vouched || unit.unit === "weekend") && wordAt(input, unit.end) !== "of";
    if (word === "week" && wordAt(input, start + 1) === "after" && wordAt(input, start + 2) === "next") {
      const later = calendarUnit(input.today, "week", 2);
      return later && { ...later, end: start + 3, grain: "week", vague: false };
    }
    const current = isPlain ? calendarUnit(input.today, unit.unit, 0) : null;
    return current && unit ? { ...current, end: unit.end, grain: unit.unit, vague: false } : null;
  }
  const behind = nearest === undefined ? start + 1 : start + 2;
  const found = unitAt(input, behind);
  if (!found || wordAt(input, behind).endsWith("s")) return null;
  if (isTimeUnit(found.unit)) return clockUnit(input, behind, shift, start > at);
  // "next day" is a date, "this day" too.
  if (found.unit === "day" || found.unit === "businessday") return null;
  const by = nearest === undefined || found.unit === "week" ? shift : shift > 0 ? shift : -1;
  const moved = calendarUnit(input.today, found.unit, by);
  return moved && { ...moved, end: found.end, grain: found.unit, vague: false };
}

const NOUN_FOLLOWS = wordSet("and or but so when if to for by before after because as in on at with that");

/** "next hour", "last minute"; a "last minute change" is none. */
function clockUnit(input: Input, at: number, shift: number, hasThe: boolean): Period | null {
  if (shift === 0) return null;
  const length = singleUnit(input, at);
  if (!length) return null;
  const next = tokenAt(input, length.end);
  const isNoun = next.kind === "word" && !NOUN_FOLLOWS.has(next.lower);
  if (isNoun || (hasThe && shift < 0 && length.unit !== "hour")) return null;
  return { ...aroundNow(input, length, shift), vague: false };
}

/** The length of clock time that ends or begins now. */
function aroundNow(input: Input, duration: Duration, direction: number): Period {
  const other = addDuration(input.now, duration, direction < 0 ? -1 : 1);
  return {
    end: duration.end,
    from: Math.min(input.now, other),
    to: Math.max(input.now, other),
    grain: duration.unit,
    vague: duration.vague,
  };
}

/** "next 3 days", "the past two weeks", "13 last minutes", "5 coming minutes". */
function numbered(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const lead = shiftOf(wordAt(input, start));
  if (lead) {
    const duration = durationAt(input, start + 1);
    const isArticle = /^an?$/.test(wordAt(input, start + 1));
    return duration && !isArticle ? spread(input, duration, lead) : null;
  }
  const count = numberAt(input, start);
  const inner = count >= 0 ? shiftOf(wordAt(input, start + 1)) : 0;
  const found = inner ? unitAt(input, start + 2) : null;
  const isPlural = found !== null && wordAt(input, found.end - 1).endsWith("s");
  if (!found || count > 9999 || (count !== 1 && !isPlural)) return null;
  const one = singleUnit(input, start + 2);
  if (!one) return null;
  return spread(
    input,
    {
      ...one,
      end: found.end,
      months: one.months * count,
      milliseconds: one.milliseconds * count,
      businessDays: one.businessDays * count,
    },
    inner,
  );
}

function shiftOf(word: string): 1 | -1 | 0 {
  if (word === "next" || word === "coming" || word === "following" || word === "upcoming") return 1;
  return word === "last" || word === "past" || word === "previous" ? -1 : 0;
}

function spread(input: Input, duration: Duration, direction: 1 | -1 | 0): Period {
  if (isTimeUnit(duration.unit)) return aroundNow(input, duration, direction);
  // "next 3 days" begin tomorrow; "last 3 days" end with yesterday.
  const from = direction < 0 ? addDuration(input.today, duration, -1) : input.today + DAY_MS;
  const to = direction < 0 ? input.today : addDuration(from, duration, 1);
  return { end: duration.end, from, to, grain: duration.unit, vague: duration.vague };
}

/** "within 5 minutes", "within the next day and 5 hours", "over the next two weeks". */
function within(input: Input, at: number): Period | null {
  if (wordAt(input, at) !== "within") return null;
  const start = skip(input, skip(input, at + 1, "the"), "next", "coming");
  const duration = durationAt(input, start) ?? (start > at + 1 ? singleUnit(input, start) : null);
  if (!duration) return null;
  const next = wordAt(input, duration.end);
  if (next === "of" || next === "after") return null;
  const isTimed = isTimeUnit(duration.unit);
  const from = isTimed ? input.now : input.today;
  return { end: duration.end, from, to: addDuration(from, duration, 1), grain: duration.unit, vague: duration.vague };
}

const WEEK_OF = phrases("week of|week commencing");

/** "the week of November 14", "first week of October". */
function weekOf(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const starting = anyPhraseAt(input, start, WEEK_OF);
  if (starting > 0) {
    const day = dayAt(input, starting);
    if (!day) return null;
    const from = wallWeek(day.wall);
    return { end: day.end, from, to: from + 7 * DAY_MS, grain: "week", vague: false };
  }
  const nth = wordAt(input, start) === "last" ? { end: start + 1, value: -1 } : ordinal(input, start);
  if (!nth || wordAt(input, nth.end) !== "week" || wordAt(input, nth.end + 1) !== "of") return null;
  const month = monthOf(input, nth.end + 2);
  if (!month) return null;
  const { year, month: number } = partsOf(month.wall);
  // The week that holds the nth Thursday, as ISO counts weeks.
  const from = wallWeek(nthWeekday(year, number, 4, nth.value));
  return Number.isNaN(from) ? null : { end: month.end, from, to: from + 7 * DAY_MS, grain: "week", vague: false };
}
