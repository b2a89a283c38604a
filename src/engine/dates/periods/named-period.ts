import { addMonths, midnight, partsOf, type Wall } from "../calendar.ts";
import { monthAt, monthOf } from "../days/month-day.ts";
import { fullYear, ordinal, year as yearAt } from "../numbers.ts";
import { anyPhraseAt, glued, type Input, numberAt, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, MODIFIERS, MONTHS, NEAREST, SEASONS, type Unit } from "../vocabulary.ts";

/** A stretch of days, or of clock time; `to` is the first moment behind it. */
export interface Period {
  end: number;
  from: Wall;
  to: Wall;
  grain: Unit;
  vague: boolean;
}

const PREPOSITIONS: ReadonlySet<string> = new Set(
  "in of by since until till during through from to for between before after throughout early mid late end".split(" "),
);
const MONTH_OF = [
  ["the", "month", "of"],
  ["month", "of"],
];

/** "Q3", "Q1 2027", "first quarter of 2020", "FY19". */
export function quarterAt(input: Input, at: number): Period | null {
  const start = wordAt(input, at) === "the" ? at + 1 : at;
  const word = wordAt(input, start);
  let number = 0;
  let end = start;
  if (word === "q" && glued(input, start + 1)) {
    number = numberAt(input, start + 1);
    end = start + 2;
  } else if (word === "fy" || (word === "fiscal" && wordAt(input, start + 1) === "year")) {
    const at4 = word === "fy" ? start + 1 : start + 2;
    const value = numberAt(input, at4);
    const full =
      value >= 1900 && value < 2200
        ? value
        : value >= 0 && value < 100 && tokenAt(input, at4).text.length === 2
          ? fullYear(value)
          : 0;
    return full
      ? { end: at4 + 1, from: midnight(full, 1, 1), to: midnight(full + 1, 1, 1), grain: "year", vague: true }
      : null;
  } else {
    const nth = ordinal(input, start);
    if (!nth || wordAt(input, nth.end) !== "quarter") return null;
    number = nth.value;
    end = nth.end + 1;
  }
  if (number < 1 || number > 4) return null;
  let next = wordAt(input, end) === "of" || wordAt(input, end) === "," || wordAt(input, end) === "in" ? end + 1 : end;
  if (wordAt(input, next) === "fy") next += 1;
  const said = yearAt(input, next);
  const shift = MODIFIERS.get(wordAt(input, next));
  const { year } = partsOf(input.today);
  let asked = said?.value ?? year;
  if (said) end = said.end;
  else if (shift !== undefined && wordAt(input, next + 1) === "year") {
    asked = year + shift;
    end = next + 2;
  } else if (word !== "q" && end === start) return null;
  const from = midnight(asked, number * 3 - 2, 1);
  return { end, from, to: addMonths(from, 3), grain: "quarter", vague: false };
}

export function seasonAt(input: Input, at: number, vouched: boolean): Period | null {
  const shift = MODIFIERS.get(wordAt(input, at)) ?? NEAREST.get(wordAt(input, at));
  const start = shift === undefined && wordAt(input, at) !== "the" ? at : at + 1;
  const month = SEASONS.get(wordAt(input, start));
  if (!month) return null;
  const of = wordAt(input, start + 1) === "of" ? start + 2 : start + 1;
  const said = yearAt(input, of);
  const isThe = start > at && shift === undefined && wordAt(input, at - 1) === "in";
  if (shift === undefined && !said && !vouched && !isThe) return null;
  const year = said?.value ?? partsOf(input.today).year + (shift ?? 0);
  const from = midnight(year, month, 1);
  return { end: said?.end ?? start + 1, from, to: addMonths(from, 3), grain: "quarter", vague: true };
}

/** "in May", "March 2027", "next June". A lone name without a preposition may be a person's. */
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
  const the = wordAt(input, at) === "the" ? at + 1 : at;
  const value = numberAt(input, the);
  if (wordAt(input, the + 1) === "s" && glued(input, the + 1) && value % 10 === 0) {
    const { length } = tokenAt(input, the).text;
    const from = length === 4 && value >= 1500 && value < 2200 ? value : length === 2 && the > at ? fullYear(value) : 0;
    return from
      ? { end: the + 2, from: midnight(from, 1, 1), to: midnight(from + 10, 1, 1), grain: "decade", vague: false }
      : null;
  }
  const said = wordAt(input, the) === "year" || wordAt(input, the) === "yr";
  const year = yearAt(input, said ? the + 1 : the);
  const isLed = said || vouched || (the === at && PREPOSITIONS.has(wordAt(input, at - 1)));
  if (!year || !isLed || (tokenAt(input, the).kind === "word" && !said)) return null;
  const next = tokenAt(input, year.end);
  if (
    COUNTED.has(next.lower) ||
    (!next.gap &&
      /^[-/:%$.,]$/.test(next.lower) &&
      glued(input, year.end + 1) &&
      tokenAt(input, year.end + 1).kind === "number")
  )
    return null;
  return {
    end: year.end,
    from: midnight(year.value, 1, 1),
    to: midnight(year.value + 1, 1, 1),
    grain: "year",
    vague: false,
  };
}
