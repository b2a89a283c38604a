import { addMonths, DAY_MS, midnight, monthStart, nthWeekday, partsOf, type Wall, wallWeek } from "./calendar.ts";
import { dayAt } from "./day.ts";
import { addDuration, durationAt, isTimeUnit, singleUnit, unitAt } from "./duration.ts";
import { monthAt, monthOf } from "./month-day.ts";
import { fullYear, ordinal, year as yearAt } from "./numbers.ts";
import { anyPhraseAt, glued, type Input, numberAt, phraseAt, tokenAt, wordAt } from "./tokens.ts";
import { COUNTED, MODIFIERS, MONTHS, NEAREST, SEASONS, type Unit } from "./words.ts";

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
const MONTH_OF = [
  ["the", "month", "of"],
  ["month", "of"],
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
    modified(input, at, vouched) ??
    weekOf(input, at) ??
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
    const day = dayAt(input, wordAt(input, start + 2) === "the" ? start + 2 : start + 2);
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

/** "Q3", "Q1 2027", "first quarter of 2020", "FY19". */
function quarterAt(input: Input, at: number): Period | null {
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

function seasonAt(input: Input, at: number, vouched: boolean): Period | null {
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
function monthPeriod(input: Input, at: number, vouched: boolean): Period | null {
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
function yearPeriod(input: Input, at: number, vouched: boolean): Period | null {
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
