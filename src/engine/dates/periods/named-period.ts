import { wordSet } from "../../../lib/words.ts";
import { addMonths, midnight, partsOf, type Wall } from "../calendar.ts";
import { monthAt, monthOf } from "../days/month-day.ts";
import { fullYear, ordinal, year as yearAt } from "../numbers.ts";
import { anyPhraseAt, glued, type Input, numberAt, phrases, skip, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, MODIFIERS, MONTHS, NEAREST, NUMBERING, SEASONS, TENS, UNITS, type Unit } from "../vocabulary.ts";
import { durationAt } from "./duration.ts";

/** The part of a period that a phrase means: its first day, its beginning, its middle or its end. */
export type Edge = "start" | "early" | "middle" | "end";

/** A range of days or of clock time; `to` is exclusive. */
export interface Period {
  end: number;
  from: Wall;
  to: Wall;
  grain: Unit;
  vague: boolean;
  /** The words decide the year: "May 2027", "next month". False for "May", whose year is the next one to come. */
  hasYear: boolean;
  edge?: Edge;
}

const PREPOSITIONS = wordSet(
  "in of by since until till during through from to for between before after throughout early mid late end than",
);
const MONTH_OF = phrases("the month of|month of");

const years = (end: number, first: number, count: number, grain: Unit, vague = false): Period => ({
  end,
  from: midnight(first, 1, 1),
  to: midnight(first + count, 1, 1),
  grain,
  vague,
  hasYear: true,
});

/** "H1 2027": half a year. */
export function halfYearAt(input: Input, at: number): Period | null {
  const half = glued(input, at + 1) ? numberAt(input, at + 1) : 0;
  const year = yearAt(input, skip(input, at + 2, "of", ",", "in"));
  if (wordAt(input, at) !== "h" || (half !== 1 && half !== 2) || !year) return null;
  const from = midnight(year.value, half * 6 - 5, 1);
  return { end: year.end, from, to: addMonths(from, 6), grain: "quarter", vague: false, hasYear: true };
}

/** "Q3", "Q1 2027", "first quarter of 2020". A fiscal year is not read: it begins in any month. */
export function quarterAt(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const word = wordAt(input, start);
  let number = 0;
  let end = start;
  if (word === "q" && glued(input, start + 1)) {
    number = numberAt(input, start + 1);
    end = start + 2;
  } else {
    // "the last quarter of 2027"
    const isLast = /^(?:last|final)$/.test(word) && wordAt(input, start + 2) === "of" && yearAt(input, start + 3);
    const nth = isLast ? { end: start + 1, value: 4 } : ordinal(input, start);
    if (!nth || UNITS.get(wordAt(input, nth.end)) !== "quarter") return null;
    number = nth.value;
    end = nth.end + 1;
  }
  if (number < 1 || number > 4) return null;
  const next = skip(input, skip(input, end, "of", ",", "in"), "fy");
  const named = yearAt(input, next);
  const shift = MODIFIERS.get(wordAt(input, next));
  let year = named?.value ?? partsOf(input.today).year;
  if (named) end = named.end;
  else if (shift !== undefined && wordAt(input, next + 1) === "year") {
    year += shift;
    end = next + 2;
  }
  const hasYear = named !== null || end > next;
  // A quarter that is over means next year's.
  if (!hasYear && addMonths(midnight(year, number * 3 - 2, 1), 3) <= input.today) year += 1;
  const from = midnight(year, number * 3 - 2, 1);
  return { end, from, to: addMonths(from, 3), grain: "quarter", vague: false, hasYear };
}

/** "2027 Q1", "2017-q1", "2017 april", "2015-3", "12-2015", "Dec/2018": a year beside a quarter or month. */
export function yearAndPart(input: Input, at: number): Period | null {
  const glueYear = wordAt(input, at + 1) === "q" && glued(input, at + 1) ? yearOf(tokenAt(input, at).text) : 0;
  const gluedQuarter = glueYear ? quarterAt(input, at + 1) : null;
  if (gluedQuarter && !gluedQuarter.hasYear) return inYear(gluedQuarter, glueYear);
  const year = yearAt(input, at);
  if (year && tokenAt(input, at).kind === "number") {
    const isJoined = /^[-/]$/.test(wordAt(input, year.end)) && glued(input, year.end) && glued(input, year.end + 1);
    const next = isJoined ? year.end + 1 : year.end;
    if (tokenAt(input, next).line) return null;
    const quarter = wordAt(input, next) === "q" ? quarterAt(input, next) : null;
    if (quarter && !quarter.hasYear) return inYear(quarter, year.value);
    const month = monthAt(input, next, true) || (isJoined ? monthNumber(input, next) : 0);
    const isDay =
      tokenAt(input, next + 1).kind === "number" ||
      (isJoined && /^[-/.]$/.test(wordAt(input, next + 1)) && glued(input, next + 1));
    return month && !isDay ? monthOfYear(next + 1, year.value, month) : null;
  }
  const month = monthNumber(input, at) || monthAt(input, at, true);
  const isNumber = tokenAt(input, at).kind === "number";
  const mark = wordAt(input, at + 1);
  const isJoined = (mark === "/" || (mark === "-" && isNumber)) && glued(input, at + 1) && glued(input, at + 2);
  if (!month || !isJoined || /^[-/.]$/.test(wordAt(input, at - 1)) || NUMBERING.has(wordAt(input, at - 1))) return null;
  const behind = yearAt(input, at + 2);
  const isLonger =
    behind &&
    /^[-/.]$/.test(wordAt(input, behind.end)) &&
    glued(input, behind.end) &&
    numberAt(input, behind.end + 1) >= 0;
  return behind && !isLonger ? monthOfYear(behind.end, behind.value, month) : null;
}

/** "2018" or "18" before "q4". */
function yearOf(digits: string): number {
  if (digits.length === 2) return fullYear(Number(digits));
  return digits.length === 4 && Number(digits) >= 1900 && Number(digits) < 2100 ? Number(digits) : 0;
}

function monthNumber(input: Input, at: number): number {
  const value = numberAt(input, at);
  return value >= 1 && value <= 12 && tokenAt(input, at).text.length <= 2 ? value : 0;
}

function monthOfYear(end: number, year: number, month: number): Period {
  const from = midnight(year, month, 1);
  return { end, from, to: addMonths(from, 1), grain: "month", vague: false, hasYear: true };
}

/** The same period in another year. */
export function inYear(period: Period, year: number): Period {
  const months = (year - partsOf(period.from).year) * 12;
  return { ...period, from: addMonths(period.from, months), to: addMonths(period.to, months), hasYear: true };
}

export function seasonAt(input: Input, at: number, vouched: boolean): Period | null {
  const shift = MODIFIERS.get(wordAt(input, at)) ?? NEAREST.get(wordAt(input, at));
  const start = shift === undefined && wordAt(input, at) !== "the" ? at : at + 1;
  const month = SEASONS.get(wordAt(input, start));
  if (!month) return null;
  const named = yearAt(input, skip(input, start + 1, "of"));
  const isThe = start > at && shift === undefined && wordAt(input, at - 1) === "in";
  if (shift === undefined && !named && !vouched && !isThe) return null;
  const year = named?.value ?? partsOf(input.today).year + (shift ?? 0);
  const from = midnight(year, month, 1);
  return { end: named?.end ?? start + 1, from, to: addMonths(from, 3), grain: "quarter", vague: true, hasYear: true };
}

/** "in May", "March 2027", "next June". Without a preposition, a name such as "April" may be a person. */
export function monthPeriod(input: Input, at: number, vouched: boolean): Period | null {
  const theMonth = anyPhraseAt(input, at, MONTH_OF);
  const start = theMonth > 0 ? theMonth : at;
  const shift = MODIFIERS.get(wordAt(input, start));
  const nameAt = shift === undefined ? start : start + 1;
  if (!MONTHS.has(wordAt(input, nameAt))) return null;
  const before = wordAt(input, at - 1);
  const isNamed =
    monthAt(input, nameAt, false) > 0 || before === "in" || before === "of" || shift !== undefined || vouched;
  const month = monthOf(input, start);
  if (!month || !isNamed) return null;
  const hasYear = month.end > nameAt + 1;
  const isAfterNext = wordAt(input, month.end) === "after" && wordAt(input, month.end + 1) === "next";
  const later = wordAt(input, month.end) === "in" ? durationAt(input, month.end + 1) : null;
  const isLed =
    vouched ||
    theMonth > 0 ||
    shift !== undefined ||
    hasYear ||
    PREPOSITIONS.has(before) ||
    isAfterNext ||
    later?.unit === "year";
  const next = tokenAt(input, month.end);
  if (!isLed || (!hasYear && (next.kind === "number" || next.lower === "'s"))) return null;
  if (!hasYear && shift === undefined && isAfterNext) {
    const from = addMonths(month.wall, 12);
    return { end: month.end + 2, from, to: addMonths(from, 1), grain: "month", vague: false, hasYear: true };
  }
  // "March in a year"
  if (later?.unit === "year" && !hasYear) {
    const from = midnight(partsOf(input.today).year + Math.round(later.months / 12), partsOf(month.wall).month, 1);
    return { end: later.end, from, to: addMonths(from, 1), grain: "month", vague: false, hasYear: true };
  }
  const isDated = hasYear || shift !== undefined;
  return {
    end: month.end,
    from: month.wall,
    to: addMonths(month.wall, 1),
    grain: "month",
    vague: false,
    hasYear: isDated,
  };
}

/** A school or fiscal year is not the calendar's, and nobody knows whose it is. */
const WHOSE_YEAR = wordSet("fiscal school academic financial tax model");
const SPOKEN_AFTER = wordSet("in since during of until by");
const DECADES = new Map([...TENS].map(([word, value]) => [word.replace(/y$/, "ies"), value] as const));

/** "the 15th century", "the nineties". */
export function eraAt(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const nth = ordinal(input, start);
  if (nth && wordAt(input, nth.end) === "century" && nth.value > 10) {
    return years(nth.end + 1, (nth.value - 1) * 100, 100, "century");
  }
  const decade = DECADES.get(wordAt(input, start));
  const isLed = start > at || wordAt(input, at - 1) === "in";
  return decade && isLed ? years(start + 1, fullYear(decade), 10, "decade") : null;
}

/** "in 2011", "the year 2011", "the 1990s", "the 90s". */
export function yearPeriod(input: Input, at: number, vouched: boolean): Period | null {
  const the = skip(input, at, "the");
  const value = numberAt(input, the);
  if (wordAt(input, the + 1) === "s" && glued(input, the + 1) && value % 10 === 0) {
    const { length } = tokenAt(input, the).text;
    const from = length === 4 && value >= 1500 && value < 2200 ? value : length === 2 && the > at ? fullYear(value) : 0;
    return from ? years(the + 2, from, 10, "decade") : null;
  }
  const before = wordAt(input, at - 1);
  const hasWord = skip(input, the, "year", "yr") > the && !WHOSE_YEAR.has(before);
  const year = yearAt(input, hasWord ? the + 1 : the);
  const isLed = hasWord || vouched || (the === at && PREPOSITIONS.has(before));
  // "in two thousand and twenty"; a single word such as "twenty" is a number.
  const isSpoken = tokenAt(input, the).kind === "word" && !hasWord;
  if (!year || !isLed || (isSpoken && !(SPOKEN_AFTER.has(before) && year.end > the + 1))) return null;
  const next = tokenAt(input, year.end);
  if (
    COUNTED.has(next.lower) ||
    (!next.gap &&
      /^[-/:%$.,]$/.test(next.lower) &&
      glued(input, year.end + 1) &&
      tokenAt(input, year.end + 1).kind === "number")
  )
    return null;
  return years(year.end, year.value, 1, "year");
}
