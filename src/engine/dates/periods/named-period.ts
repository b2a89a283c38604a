import { wordSet } from "../../../lib/words.ts";
import { addMonths, midnight, partsOf, type Wall } from "../calendar.ts";
import { monthAt, monthOf } from "../days/month-day.ts";
import { fullYear, ordinal, year as yearAt } from "../numbers.ts";
import { anyPhraseAt, glued, type Input, numberAt, phrases, skip, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, MODIFIERS, MONTHS, NEAREST, SEASONS, type Unit } from "../vocabulary.ts";

/** A range of days or of clock time; `to` is exclusive. */
export interface Period {
  end: number;
  from: Wall;
  to: Wall;
  grain: Unit;
  vague: boolean;
}

const PREPOSITIONS = wordSet(
  "in of by since until till during through from to for between before after throughout early mid late end",
);
const MONTH_OF = phrases("the month of|month of");

const years = (end: number, first: number, count: number, grain: Unit, vague = false): Period => ({
  end,
  from: midnight(first, 1, 1),
  to: midnight(first + count, 1, 1),
  grain,
  vague,
});

/** "Q3", "Q1 2027", "first quarter of 2020", "FY19". */
export function quarterAt(input: Input, at: number): Period | null {
  const start = skip(input, at, "the");
  const word = wordAt(input, start);
  let number = 0;
  let end = start;
  if (word === "q" && glued(input, start + 1)) {
    number = numberAt(input, start + 1);
    end = start + 2;
  } else if (word === "fy" || (word === "fiscal" && wordAt(input, start + 1) === "year")) {
    const digits = word === "fy" ? start + 1 : start + 2;
    const value = numberAt(input, digits);
    const isShort = value >= 0 && value < 100 && tokenAt(input, digits).text.length === 2;
    const full = value >= 1900 && value < 2200 ? value : isShort ? fullYear(value) : 0;
    return full ? years(digits + 1, full, 1, "year", true) : null;
  } else {
    const nth = ordinal(input, start);
    if (!nth || wordAt(input, nth.end) !== "quarter") return null;
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
  const from = midnight(year, number * 3 - 2, 1);
  return { end, from, to: addMonths(from, 3), grain: "quarter", vague: false };
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
  return { end: named?.end ?? start + 1, from, to: addMonths(from, 3), grain: "quarter", vague: true };
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
  const isLed = vouched || theMonth > 0 || shift !== undefined || hasYear || PREPOSITIONS.has(before);
  const next = tokenAt(input, month.end);
  if (!isLed || (!hasYear && (next.kind === "number" || next.lower === "'s"))) return null;
  return { end: month.end, from: month.wall, to: addMonths(month.wall, 1), grain: "month", vague: false };
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
  const hasWord = skip(input, the, "year", "yr") > the;
  const year = yearAt(input, hasWord ? the + 1 : the);
  const isLed = hasWord || vouched || (the === at && PREPOSITIONS.has(wordAt(input, at - 1)));
  if (!year || !isLed || (tokenAt(input, the).kind === "word" && !hasWord)) return null;
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
