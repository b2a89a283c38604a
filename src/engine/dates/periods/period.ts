import { addMonths, DAY_MS, midnight, monthStart, nthWeekday, partsOf, type Wall, wallWeek } from "../calendar.ts";
import { dayAt } from "../days/day.ts";
import { monthOf } from "../days/month-day.ts";
import { ordinal } from "../numbers.ts";
import { anyPhraseAt, type Input, numberAt, phraseAt, tokenAt, wordAt } from "../tokens.ts";
import { MODIFIERS, NEAREST, type Unit } from "../vocabulary.ts";
import { addDuration, durationAt, isTimeUnit, singleUnit, unitAt } from "./duration.ts";
import { monthPeriod, type Period, quarterAt, seasonAt, yearPeriod } from "./named-period.ts";

const EDGES: readonly (readonly [readonly string[], number, number])[] = [
  [["early", "in"], 0, 0.5],
  [["early"], 0, 0.5],
  [["beginning", "of"], 0, 0.5],
  [["start", "of"], 0, 0.5],
  [["first", "half", "of"], 0, 0.5],
  [["middle", "of"], 0.25, 0.75],
  [["mid", "-"], 0.25, 0.75],
  [["mid"], 0.25, 0.75],
  [["late", "in"], 0.5, 1],
  [["later", "in"], 0.5, 1],
  [["later"], 0.5, 1],
  [["late"], 0.5, 1],
  [["second", "half", "of"], 0.5, 1],
  [["end", "of"], 0.5, 1],
];

const EDGE_WORDS: ReadonlySet<string> = new Set(EDGES.map(([phrase]) => phrase[0] ?? ""));
/** "by EOW": what is short for the end of the week, month, quarter, year. */
const ENDS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ["eow", "week"],
  ["eom", "month"],
  ["eoq", "quarter"],
  ["eoy", "year"],
]);
const REST = [
  ["rest", "of"],
  ["remainder", "of"],
];

/** "early next week", "the end of the month", "mid-November", "rest of the week". */
export function periodAt(input: Input, at: number): Period | null {
  if (tokenAt(input, at).kind === "number") return wholeAt(input, at);
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  const rest = anyPhraseAt(input, start, REST);
  if (rest > 0) {
    const whole = wholeAt(input, rest, true);
    return whole && { ...whole, from: Math.max(whole.from, whole.grain === "day" ? input.now : input.today) };
  }
  const ending = ENDS.get(wordAt(input, start));
  const span = ending && calendarUnit(input.today, ending, 0);
  if (ending && span) return { ...span, end: start + 1, grain: ending, vague: true };
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
  switch (unit) {
    case "day":
      return { from: wall + shift * DAY_MS, to: wall + (shift + 1) * DAY_MS };
    case "week": {
      const from = wallWeek(wall) + shift * 7 * DAY_MS;
      return { from, to: from + 7 * DAY_MS };
    }
    case "fortnight": {
      const from = wallWeek(wall) + shift * 14 * DAY_MS;
      return { from, to: from + 14 * DAY_MS };
    }
    case "weekend": {
      const from = wallWeek(wall) + (5 + shift * 7) * DAY_MS;
      return { from, to: from + 2 * DAY_MS };
    }
    case "month": {
      const from = addMonths(monthStart(wall), shift);
      return { from, to: addMonths(from, 1) };
    }
    case "quarter": {
      const from = midnight(year, Math.floor((month - 1) / 3) * 3 + 1, 1);
      return { from: addMonths(from, shift * 3), to: addMonths(from, shift * 3 + 3) };
    }
    case "year":
      return { from: midnight(year + shift, 1, 1), to: midnight(year + shift + 1, 1, 1) };
    case "decade": {
      const from = Math.floor(year / 10) * 10 + shift * 10;
      return { from: midnight(from, 1, 1), to: midnight(from + 10, 1, 1) };
    }
    default:
      return null;
  }
}

/** "next week", "this weekend", "the month", "last year", "next hour". */
function modified(input: Input, at: number, vouched: boolean): Period | null {
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  const word = wordAt(input, start);
  const nearest = word === "this" ? NEAREST.get(wordAt(input, start + 1)) : undefined;
  const shift = nearest ?? MODIFIERS.get(word) ?? NEAREST.get(word);
  if (shift === undefined) {
    const unit = start > at || vouched ? unitAt(input, start) : null;
    const isPlain = unit && (vouched || unit.unit === "weekend") && wordAt(input, unit.end) !== "of";
    if (word === "week" && wordAt(input, start + 1) === "after" && wordAt(input, start + 2) === "next") {
      const span = calendarUnit(input.today, "week", 2);
      return span && { ...span, end: start + 3, grain: "week", vague: false };
    }
    const span = isPlain ? calendarUnit(input.today, unit.unit, 0) : null;
    return span && unit ? { ...span, end: unit.end, grain: unit.unit, vague: false } : null;
  }
  const behind = nearest === undefined ? start + 1 : start + 2;
  const found = unitAt(input, behind);
  if (!found || wordAt(input, behind).endsWith("s")) return null;
  if (isTimeUnit(found.unit)) return clockUnit(input, behind, shift, start > at);
  // "next day" is a date, "this day" too.
  if (found.unit === "day" || found.unit === "businessday") return null;
  const span = calendarUnit(
    input.today,
    found.unit,
    nearest === undefined || found.unit === "week" ? shift : shift > 0 ? shift : -1,
  );
  return span && { ...span, end: found.end, grain: found.unit, vague: false };
}

const NOUN_FOLLOWS: ReadonlySet<string> = new Set(
  "and or but so when if to for by before after because as in on at with that".split(" "),
);

/** "next hour", "last minute"; a "last minute change" is none. */
function clockUnit(input: Input, at: number, shift: number, hasThe: boolean): Period | null {
  if (shift === 0) return null;
  const length = singleUnit(input, at);
  if (!length) return null;
  const next = tokenAt(input, length.end);
  const isNoun = next.kind === "word" && !NOUN_FOLLOWS.has(next.lower);
  if (isNoun || (hasThe && shift < 0 && length.unit !== "hour")) return null;
  const other = addDuration(input.now, length, shift > 0 ? 1 : -1);
  return {
    end: length.end,
    from: Math.min(input.now, other),
    to: Math.max(input.now, other),
    grain: length.unit,
    vague: false,
  };
}

/** "next 3 days", "the past two weeks", "13 last minutes", "5 coming minutes". */
function numbered(input: Input, at: number): Period | null {
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  const lead = shiftOf(wordAt(input, start));
  if (lead) {
    const duration = durationAt(input, start + 1);
    const isArticle = /^an?$/.test(wordAt(input, start + 1));
    return duration && !isArticle ? spread(input, duration, lead) : null;
  }
  const count = numberAt(input, start);
  const words = count >= 0 ? { end: start + 1 } : null;
  const inner = words ? shiftOf(wordAt(input, words.end)) : 0;
  const found = words && inner ? unitAt(input, words.end + 1) : null;
  const isPlural = found !== null && wordAt(input, found.end - 1).endsWith("s");
  if (!found || count > 9999 || (count !== 1 && !isPlural)) return null;
  const one = singleUnit(input, (words?.end ?? start) + 1);
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

type Length = NonNullable<ReturnType<typeof durationAt>>;

function spread(input: Input, duration: Length, direction: 1 | -1 | 0): Period {
  if (isTimeUnit(duration.unit)) {
    const other = addDuration(input.now, duration, direction < 0 ? -1 : 1);
    return {
      end: duration.end,
      from: Math.min(input.now, other),
      to: Math.max(input.now, other),
      grain: duration.unit,
      vague: duration.vague,
    };
  }
  // What is coming begins tomorrow; what is past ends with yesterday.
  const from = direction < 0 ? addDuration(input.today, duration, -1) : input.today + DAY_MS;
  const to = direction < 0 ? input.today : addDuration(from, duration, 1);
  return { end: duration.end, from, to, grain: duration.unit, vague: duration.vague };
}

/** "within 5 minutes", "within the next day and 5 hours", "over the next two weeks". */
function within(input: Input, at: number): Period | null {
  if (wordAt(input, at) !== "within") return null;
  let start = at + 1;
  if (wordAt(input, start) === "the") start += 1;
  if (wordAt(input, start) === "next" || wordAt(input, start) === "coming") start += 1;
  const duration = durationAt(input, start) ?? (start > at + 1 ? singleUnit(input, start) : null);
  if (!duration) return null;
  const next = wordAt(input, duration.end);
  if (next === "of" || next === "after") return null;
  const isTimed = isTimeUnit(duration.unit);
  const from = isTimed ? input.now : input.today;
  return { end: duration.end, from, to: addDuration(from, duration, 1), grain: duration.unit, vague: duration.vague };
}

/** "the week of November 14", "first week of October". */
function weekOf(input: Input, at: number): Period | null {
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  if (
    wordAt(input, start) === "week" &&
    (wordAt(input, start + 1) === "of" || wordAt(input, start + 1) === "commencing")
  ) {
    const day = dayAt(input, start + 2);
    if (!day) return null;
    const from = wallWeek(day.wall);
    return { end: day.end, from, to: from + 7 * DAY_MS, grain: "week", vague: false };
  }
  const last = wordAt(input, start) === "last";
  const nth = last ? { end: start + 1, value: -1 } : ordinal(input, start);
  if (!nth || wordAt(input, nth.end) !== "week" || wordAt(input, nth.end + 1) !== "of") return null;
  const month = monthOf(input, nth.end + 2);
  if (!month) return null;
  const { year, month: number } = partsOf(month.wall);
  // The week that holds the nth Thursday, as ISO counts weeks.
  const from = wallWeek(nthWeekday(year, number, 4, nth.value));
  return Number.isNaN(from) ? null : { end: month.end, from, to: from + 7 * DAY_MS, grain: "week", vague: false };
}
