import { wordSet } from "../../../lib/words.ts";
import { addMonths, DAY_MS, type Wall, wallWeek, weekdayInWeek } from "../calendar.ts";
import { anyPhraseAt, type Input, numberAt, phraseAt, phrases, skip, tokenAt, weekStartOf, wordAt } from "../tokens.ts";
import { MODIFIERS, NEAREST, UNITS, type Unit } from "../vocabulary.ts";
import { calendarUnit } from "./calendar-unit.ts";
import { addDuration, type Duration, durationAt, isTimeUnit, singleUnit, unitAt } from "./duration.ts";
import {
  type Edge,
  eraAt,
  halfYearAt,
  monthPeriod,
  type Period,
  quarterAt,
  seasonAt,
  yearAndPart,
  yearPeriod,
} from "./named-period.ts";
import { partOfSpan, weekAt } from "./weeks.ts";

/** Phrases for a part of a period: where the part starts and ends, as a share of the whole. */
const EDGES: readonly (readonly [readonly string[], number, number])[] = [
  ...phrases(
    "earlier in|earlier|early in|early on in|early part of|early|beginning of|begining of|start of|first half of|1 st half of|first part of",
  ).map((phrase) => [phrase, 0, 0.5] as const),
  ...phrases("middle of|mid -|mid").map((phrase) => [phrase, 0.25, 0.75] as const),
  ...phrases(
    "late in|later in|later on in|later|late|latter half of|latter part of|second half of|2 nd half of|last part of|end of|close of",
  ).map((phrase) => [phrase, 0.5, 1] as const),
];
const EDGE_WORDS: ReadonlySet<string> = new Set(EDGES.map(([phrase]) => phrase[0] ?? ""));
/** "by EOW": abbreviations for the end of the week, month, quarter and year. */
const ENDS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ["eow", "week"],
  ["eom", "month"],
  ["eoq", "quarter"],
  ["eoy", "year"],
]);
const REST = phrases("rest of|remainder of|remaining of|remaining part of|balance of|remaining");
const ALL = phrases("all the|all");
const ALL_UNITS: ReadonlySet<Unit> = new Set<Unit>(["week", "month", "quarter", "year", "weekend"]);

/** "early next week", "the end of the month", "mid-November", "rest of the week". */
export function periodAt(input: Input, at: number): Period | null {
  if (tokenAt(input, at).kind === "number" && wordAt(input, at + 2) !== "half") return wholeAt(input, at);
  const start = skip(input, at, "the");
  const rest = anyPhraseAt(input, start, REST);
  if (rest > 0) {
    const whole = wholeAt(input, rest, true);
    return whole && { ...whole, from: Math.max(whole.from, whole.grain === "day" ? input.now : input.today) };
  }
  const ending = ENDS.get(wordAt(input, start));
  const current = ending && calendarUnit(input, ending, 0);
  if (ending && current)
    return partOf({ ...current, end: start + 1, grain: ending, vague: true, hasYear: true }, 0.5, 1);
  const closing = unitEnd(input, start);
  if (closing) return closing;
  const all = anyPhraseAt(input, start, ALL);
  const entire = all > 0 ? unitAt(input, all) : null;
  if (entire && ALL_UNITS.has(entire.unit) && !wordAt(input, entire.end - 1).endsWith("s")) {
    const whole = calendarUnit(input, entire.unit, 0);
    return whole && { ...whole, end: entire.end, grain: entire.unit, vague: false, hasYear: true };
  }
  for (const [phrase, from, to] of EDGE_WORDS.has(wordAt(input, start)) ? EDGES : []) {
    const behind = phraseAt(input, start, phrase);
    if (behind < 0) continue;
    const whole = wholeAt(input, behind, true);
    if (!whole) continue;
    const word = phrase[0] ?? "";
    const edge: Edge = from > 0.4 ? "end" : from > 0 ? "middle" : word.startsWith("early") ? "early" : "start";
    return aroundToday(input, whole, word) ?? { ...partOf(whole, from, to), edge };
  }
  return wholeAt(input, at);
}

const BEFORE_END = wordSet("by before until till at the this for");
const ENDING_UNITS: ReadonlySet<Unit> = new Set<Unit>(["month", "quarter", "year"]);

/** "by year end", "at month-end"; "the year-end report" is none. */
function unitEnd(input: Input, at: number): Period | null {
  const unit = UNITS.get(wordAt(input, at));
  if (!unit || !ENDING_UNITS.has(unit) || !BEFORE_END.has(wordAt(input, at - 1))) return null;
  const end = skip(input, at + 1, "-");
  const next = tokenAt(input, end + 1);
  if (wordAt(input, end) !== "end" || (next.kind === "word" && !NOUN_FOLLOWS.has(next.lower))) return null;
  const whole = calendarUnit(input, unit, 0);
  return (
    whole && { ...partOf({ ...whole, end: end + 1, grain: unit, vague: true, hasYear: true }, 0.5, 1), edge: "end" }
  );
}

/** A part of a period, in whole days: half a week is three days. */
function partOf(whole: Period, from: number, to: number): Period {
  if (whole.grain === "year")
    return { ...whole, from: addMonths(whole.from, 12 * from), to: addMonths(whole.from, 12 * to), vague: true };
  const days = Math.round((whole.to - whole.from) / DAY_MS);
  const last = to < 0.6 ? Math.floor(days * to) : Math.ceil(days * to);
  return { ...whole, from: whole.from + Math.floor(days * from) * DAY_MS, to: whole.from + last * DAY_MS, vague: true };
}

const SINGLE_EDGES = [
  [phrases("the end of|end of"), 1],
  [phrases("the beginning of|beginning of|the start of|start of"), 0],
  [phrases("the middle of|middle of|mid -|mid"), 0.5],
] as const;

/** "the end of June", "mid March" as one edge of a range: the month's end, the 16th. */
export function edgeAt(input: Input, at: number): { end: number; wall: Wall } | null {
  for (const [names, share] of SINGLE_EDGES) {
    const behind = anyPhraseAt(input, at, names);
    const whole = behind > 0 ? wholeAt(input, behind, true) : null;
    if (!whole || isTimeUnit(whole.grain)) continue;
    const days = Math.round((whole.to - whole.from) / DAY_MS);
    return { end: whole.end, wall: whole.from + Math.floor(days * share) * DAY_MS };
  }
  return null;
}

/** "earlier this month" ends today, "later this month" begins today. */
function aroundToday({ today }: Input, whole: Period, word: string): Period | null {
  if (today <= whole.from || today >= whole.to) return null;
  if (word === "earlier") return { ...whole, to: today, vague: true };
  return word === "later" ? { ...whole, from: today, vague: true } : null;
}

/** A whole period. `vouched`: what stands before it says that a period follows. */
export function wholeAt(input: Input, at: number, vouched = false): Period | null {
  if (tokenAt(input, at).kind === "number") {
    return (
      numbered(input, at) ??
      weekAt(input, at) ??
      quarterAt(input, at) ??
      eraAt(input, at) ??
      yearAndPart(input, at) ??
      yearPeriod(input, at, vouched)
    );
  }
  return (
    within(input, at) ??
    numbered(input, at) ??
    weekAt(input, at) ??
    modified(input, at, vouched) ??
    quarterAt(input, at) ??
    halfYearAt(input, at) ??
    seasonAt(input, at, vouched) ??
    eraAt(input, at) ??
    yearAndPart(input, at) ??
    monthPeriod(input, at, vouched) ??
    yearPeriod(input, at, vouched)
  );
}

/** "for the month": the period that we are in. */
const DURING = wordSet("for during throughout");
const WORKING_WEEK = phrases("working week|work week|workweek|business week");

/** "next week", "this weekend", "the month", "last year", "next hour". */
function modified(input: Input, at: number, vouched: boolean): Period | null {
  const start = skip(input, at, "the");
  const word = wordAt(input, start);
  const nearest = word === "this" ? NEAREST.get(wordAt(input, start + 1)) : undefined;
  const shift = nearest ?? MODIFIERS.get(word) ?? NEAREST.get(word);
  if (shift === undefined) {
    const unit = start > at || vouched || start === 0 ? unitAt(input, start) : null;
    const isWhole = start === 0 && unit !== null && tokenAt(input, unit.end).text === "";
    const isLed = isWhole || vouched || DURING.has(wordAt(input, at - 1)) || unit?.unit === "weekend";
    const isPlain = unit && isLed && unit.unit !== "day" && !/^(?:of|before|after)$/.test(wordAt(input, unit.end));
    // "the week after next", "the month before last"
    const link = `${wordAt(input, start + 1)} ${wordAt(input, start + 2)}`;
    const away = link === "after next" ? 2 : link === "before last" ? -2 : 0;
    const unitAfter = away ? UNITS.get(word) : undefined;
    const later = unitAfter && !isTimeUnit(unitAfter) ? calendarUnit(input, unitAfter, away) : null;
    if (later && unitAfter) return { ...later, end: start + 3, grain: unitAfter, vague: false, hasYear: true };
    const current = isPlain ? calendarUnit(input, unit.unit, 0) : null;
    return current && unit ? { ...current, end: unit.end, grain: unit.unit, vague: false, hasYear: true } : null;
  }
  const behind = nearest === undefined ? start + 1 : start + 2;
  const working = anyPhraseAt(input, behind, WORKING_WEEK);
  if (working > 0) {
    const monday = weekdayInWeek(input.today, 1, shift, weekStartOf(input));
    return {
      end: working,
      from: monday,
      to: monday + 5 * DAY_MS,
      grain: "week",
      vague: false,
      hasYear: true,
    };
  }
  const found = unitAt(input, behind);
  if (!found) return null;
  const quarter = found.unit === "year" && wordAt(input, behind).endsWith("'s") ? quarterAt(input, found.end) : null;
  if (quarter) return { ...quarter, from: addMonths(quarter.from, 12 * shift), to: addMonths(quarter.to, 12 * shift) };
  const isNamed =
    found.unit === "quarter" && wordAt(input, found.end) === "of" && numberAt(input, found.end + 1) > 1900;
  if (isNamed || wordAt(input, behind).endsWith("s")) return null;
  if (isTimeUnit(found.unit)) return clockUnit(input, behind, shift, start > at);
  // "next day" is a date, "this day" too.
  if (found.unit === "day" || found.unit === "businessday") return null;
  // On a weekday the coming weekend is this week's.
  const isAhead = found.unit === "weekend" && shift > 0 && NEAREST.has(wordAt(input, behind - 1));
  const by = isAhead && input.today < wallWeek(input.today) + 5 * DAY_MS ? 0 : shift;
  const moved = calendarUnit(input, found.unit, by);
  return moved && { ...moved, end: found.end, grain: found.unit, vague: false, hasYear: true };
}

const NOUN_FOLLOWS = wordSet(
  "and or but so when if to for by before after because as in on at with that the we you i it they he she our your",
);

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
    hasYear: true,
  };
}

/** "next 3 days", "the past two weeks", "13 last minutes", "5 coming minutes". */
function numbered(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const lead = shiftOf(wordAt(input, start));
  const isFirst = wordAt(input, start) === "first";
  if (lead || isFirst || wordAt(input, start) === "final") {
    const duration = durationAt(input, start + 1);
    const isArticle = /^an?$/.test(wordAt(input, start + 1));
    if (!duration || isArticle) return null;
    return partOfSpan(input, duration.end, isFirst, duration) ?? (lead ? spread(input, duration, lead) : null);
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

/** Units that people count as blocks of the calendar: "the last two quarters" end with the last full one. */
const BLOCKS: ReadonlySet<Unit> = new Set<Unit>(["quarter", "decade", "century"]);

function spread(input: Input, duration: Duration, direction: 1 | -1 | 0): Period {
  if (isTimeUnit(duration.unit)) return aroundNow(input, duration, direction);
  const unit = BLOCKS.has(duration.unit) ? calendarUnit(input, duration.unit, 0) : null;
  if (unit) {
    const from = direction < 0 ? addDuration(unit.from, duration, -1) : unit.to;
    return { ...whole(duration), from, to: direction < 0 ? unit.from : addDuration(from, duration, 1) };
  }
  if (duration.unit === "weekend") {
    const count = Math.round(duration.milliseconds / (2 * DAY_MS));
    const first = direction < 0 ? -count : 0;
    const weekends = [first, first + count - 1].map((shift) => calendarUnit(input, "weekend", shift));
    const [from, to] = [weekends[0]?.from ?? 0, weekends[1]?.to ?? 0];
    return { ...whole(duration), from, to };
  }
  // "next 3 days" begin tomorrow; "last 3 days" end with yesterday.
  const from = direction < 0 ? addDuration(input.today, duration, -1) : input.today + DAY_MS;
  const to = direction < 0 ? input.today : addDuration(from, duration, 1);
  return { ...whole(duration), from, to };
}

const whole = ({ end, unit, vague }: Duration) => ({ end, grain: unit, vague, hasYear: true });

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
  const to = addDuration(from, duration, 1);
  return { end: duration.end, from, to, grain: duration.unit, vague: duration.vague, hasYear: true };
}
