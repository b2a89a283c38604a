import { wordSet } from "../../../lib/words.ts";
import { addBusinessDays, addMonths, DAY_MS, HOUR_MS, MINUTE_MS, type Wall } from "../calendar.ts";
import { type Counted, wordNumber } from "../numbers.ts";
import { anyPhraseAt, glued, type Input, numberAt, once, phrases, skip, tokenAt, wordAt } from "../tokens.ts";
import { GLUED_UNITS, SMALL_NUMBERS, TENS, UNITS, type Unit } from "../vocabulary.ts";

/** A length of time. Months and working days have no fixed length, so they are kept apart from milliseconds. */
export interface Duration {
  end: number;
  months: number;
  businessDays: number;
  milliseconds: number;
  /** The smallest unit in the phrase. */
  unit: Unit;
  /** No exact number, as in "a few hours". */
  vague: boolean;
}

const LENGTHS: Record<Unit, { months?: number; milliseconds?: number; businessDays?: number }> = {
  second: { milliseconds: 1000 },
  minute: { milliseconds: MINUTE_MS },
  hour: { milliseconds: HOUR_MS },
  day: { milliseconds: DAY_MS },
  businessday: { businessDays: 1 },
  week: { milliseconds: 7 * DAY_MS },
  weekend: { milliseconds: 2 * DAY_MS },
  fortnight: { milliseconds: 14 * DAY_MS },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
  decade: { months: 120 },
  century: { months: 1200 },
};
/** From the largest unit to the smallest. */
const RANK = [...wordSet("century decade year quarter month fortnight week businessday day hour minute second")];
const TIME_UNITS: ReadonlySet<Unit> = new Set<Unit>(["second", "minute", "hour"]);

export function isTimeUnit(unit: Unit): boolean {
  return TIME_UNITS.has(unit);
}

export function addDuration(wall: Wall, duration: Duration, sign: 1 | -1): Wall {
  let moved = duration.months ? addMonths(wall, sign * Math.round(duration.months)) : wall;
  if (duration.businessDays) moved = addBusinessDays(moved, sign * duration.businessDays);
  return moved + sign * duration.milliseconds;
}

/** The length in minutes; null when it contains months or working days. */
export function minutesOf(duration: Duration): number | null {
  return duration.months || duration.businessDays ? null : Math.round(duration.milliseconds / MINUTE_MS);
}

interface Amount extends Counted {
  vague: boolean;
}

const AND_PART = [
  [phrases("and a half|and an half|and one half|& a half"), 0.5],
  [phrases("and a quarter of an|and a quarter"), 0.25],
  [phrases("and three quarters of an|and three quarters"), 0.75],
] as const;
const HALF = phrases("half a|half an|a half|half");
const COUPLE = phrases("a couple of|a couple|couple of|couple|a pair of|pair of");
const QUARTERS = [
  [phrases("three quarters of an|three - quarters of an|3 quarters of an|three quarters of a|three quarter"), 0.75],
  [phrases("a quarter of an|quarter of an|a quarter of a|one quarter of an"), 0.25],
] as const;
const OF_AN = phrases("of an|of a");
const FEW = phrases("a few|few|several");
const AMOUNT_WORDS: ReadonlySet<string> = new Set([
  ...wordSet("half a an couple pair few several quarter"),
  ...SMALL_NUMBERS.keys(),
  ...TENS.keys(),
]);

function amount(input: Input, at: number): Amount | null {
  const exact = (end: number, value: number): Amount => ({ end, value, vague: false });
  const value = numberAt(input, at);
  if (value >= 0) {
    if (tokenAt(input, at).text.length > 5) return null;
    const isFraction =
      wordAt(input, at + 1) === "." && glued(input, at + 1) && glued(input, at + 2) && numberAt(input, at + 2) >= 0;
    if (isFraction) return exact(at + 3, Number(`${value}.${tokenAt(input, at + 2).text.slice(0, 3)}`));
    const below =
      wordAt(input, at + 1) === "/" && glued(input, at + 1) && glued(input, at + 2) ? numberAt(input, at + 2) : 0;
    if (below === 2 || below === 4) {
      const of = anyPhraseAt(input, at + 3, OF_AN);
      return value < below ? exact(of > 0 ? of : at + 3, value / below) : null;
    }
    return andHalf(input, exact(at + 1, value));
  }
  if (!AMOUNT_WORDS.has(wordAt(input, at))) return null;
  for (const [names, share] of QUARTERS) {
    const end = anyPhraseAt(input, at, names);
    if (end > 0) return exact(end, share);
  }
  const half = anyPhraseAt(input, at, HALF);
  if (half > 0) return exact(half, 0.5);
  const couple = anyPhraseAt(input, at, COUPLE);
  if (couple > 0) return exact(couple, 2);
  const few = anyPhraseAt(input, at, FEW);
  if (few > 0) return { end: few, value: 3, vague: true };
  const word = wordAt(input, at);
  if (word === "a" || word === "an") return exact(at + 1, 1);
  const words = wordNumber(input, at);
  if (!words) return null;
  if (wordAt(input, words.end) === "hundred") return exact(words.end + 1, words.value * 100);
  return andHalf(input, exact(words.end, words.value));
}

/** "and a half", "and three quarters": the index after it, and how much it adds. */
function andPart(input: Input, at: number): Counted | null {
  for (const [names, value] of wordAt(input, at) === "and" || wordAt(input, at) === "&" ? AND_PART : []) {
    const end = anyPhraseAt(input, at, names);
    if (end > 0) return { end, value };
  }
  return null;
}

function andHalf(input: Input, before: Amount): Amount {
  const more = andPart(input, before.end);
  return more ? { ...before, end: more.end, value: before.value + more.value } : before;
}

/** "hours", "business days", and after a number without a space also "h". */
export function unitAt(input: Input, at: number, isGlued = false): { end: number; unit: Unit } | null {
  const word = wordAt(input, at);
  if (word === "business" || word === "working" || word === "work") {
    return UNITS.get(wordAt(input, at + 1)) === "day" ? { end: at + 2, unit: "businessday" } : null;
  }
  if (word === "week" && isWeekEnd(input, at))
    return { end: wordAt(input, at + 1) === "-" ? at + 3 : at + 2, unit: "weekend" };
  const unit = UNITS.get(word) ?? (isGlued ? GLUED_UNITS.get(word) : undefined);
  return unit ? { end: at + 1, unit } : null;
}

/** "week-end", "this week end"; "next week, end of day" is none. */
function isWeekEnd(input: Input, at: number): boolean {
  if (wordAt(input, at + 1) === "-")
    return glued(input, at + 1) && glued(input, at + 2) && wordAt(input, at + 2) === "end";
  return wordAt(input, at + 1) === "end" && wordAt(input, at + 2) !== "of";
}

/** "2 hours", "a day and 5 hours", "an hour and a half", "1h30", "2.5 hrs", "half an hour". */
export const durationAt = once("duration", readDuration);

function readDuration(input: Input, at: number): Duration | null {
  const first = part(input, at);
  if (!first) return null;
  let { end, unit } = first;
  let vague = first.vague;
  const total = { months: 0, businessDays: 0, milliseconds: 0 };
  const add = (value: number, of: Unit) => {
    total.months += value * (LENGTHS[of].months ?? 0);
    total.businessDays += Math.round(value * (LENGTHS[of].businessDays ?? 0));
    total.milliseconds += value * (LENGTHS[of].milliseconds ?? 0);
  };
  add(first.value, unit);
  const more = andPart(input, end);
  if (more) {
    add(more.value, unit);
    end = more.end;
  }
  // "1h30"
  const minutes = unit === "hour" && wordAt(input, end - 1) === "h" && glued(input, end) ? tokenAt(input, end) : null;
  if (minutes?.text.length === 2 && minutes.value >= 0 && minutes.value < 60 && !glued(input, end + 1)) {
    add(minutes.value, "minute");
    unit = "minute";
    end += 1;
  }
  // Each further part has a smaller unit, so the loop is short for any text.
  for (;;) {
    const next = part(input, skip(input, end, "and", ","));
    if (!next || RANK.indexOf(next.unit) <= RANK.indexOf(unit)) break;
    add(next.value, next.unit);
    ({ end, unit } = next);
    vague ||= next.vague;
  }
  return { end, unit, vague, ...total };
}

function part(input: Input, at: number): (Amount & { unit: Unit }) | null {
  const count = amount(input, at);
  if (!count) return null;
  const isNumber = tokenAt(input, at).kind === "number";
  let next = count.end;
  const hyphen = wordAt(input, next) === "-" && glued(input, next) && glued(input, next + 1);
  if (hyphen) next += 1;
  const more = skip(input, next, "more");
  const isFraction = count.end >= at + 3 && count.value < 1;
  const found = unitAt(input, more, isNumber && (glued(input, more) || isFraction)) ?? primeAt(input, at, next);
  return found ? { ...count, end: found.end, unit: found.unit } : null;
}

/** "in 5'" are minutes, "in 5\"" seconds. */
function primeAt(input: Input, at: number, next: number): { end: number; unit: Unit } | null {
  if (!/^(?:in|for)$/.test(wordAt(input, at - 1)) || !glued(input, next)) return null;
  const mark = wordAt(input, next);
  if (mark === "'" || mark === "′") return { end: next + 1, unit: "minute" };
  return mark === '"' || mark === "″" ? { end: next + 1, unit: "second" } : null;
}

/** A unit without a number, which counts as one ("within the day and 5 hours"). */
export function singleUnit(input: Input, at: number): Duration | null {
  const found = unitAt(input, at);
  if (!found) return null;
  const { months = 0, milliseconds = 0, businessDays = 0 } = LENGTHS[found.unit];
  const rest = wordAt(input, found.end) === "and" ? durationAt(input, found.end + 1) : null;
  if (rest && RANK.indexOf(rest.unit) > RANK.indexOf(found.unit)) {
    return { ...rest, months: rest.months + months, milliseconds: rest.milliseconds + milliseconds };
  }
  return { end: found.end, unit: found.unit, vague: false, months, businessDays, milliseconds };
}
