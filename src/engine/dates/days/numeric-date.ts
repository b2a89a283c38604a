import { wordSet } from "../../../lib/words.ts";
import { midnight, partsOf, type Wall } from "../calendar.ts";
import { fullYear } from "../numbers.ts";
import { glued, type Input, numberAt, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, MONTHS, NUMBERING } from "../vocabulary.ts";

interface NumericDay {
  end: number;
  wall: Wall;
  ambiguous: boolean;
  /** The day if the groups are in the other order. */
  other?: Wall;
  /** The year is part of the text. */
  hasYear: boolean;
  month: number;
  day: number;
}

const SEPARATORS = wordSet("/ - . –");

/** The next date with this month and day, today included; for 29 February the next leap year. */
export function nextOccurrence(today: Wall, month: number, day: number): Wall {
  const { year } = partsOf(today);
  for (let offset = 0; offset <= 8; offset += 1) {
    const wall = midnight(year + offset, month, day);
    if (wall >= today) return wall;
  }
  return Number.NaN;
}

interface Group {
  index: number;
  value: number;
  length: number;
  month: boolean;
}

/** Dates made of groups and separators: "2018-09-23", "5/3/18", "23.04.2022", "20161016", "2019/aug/01", "22/04". */
export function numericDayAt(input: Input, at: number, trusted: boolean): NumericDay | null {
  const first = groupAt(input, at);
  if (!first) return null;
  if (first.length === 8 && !first.month) return compact(input, at);
  if (isPartOfNumber(input, at)) return null;
  const mark = wordAt(input, at + 1);
  const isSpaced = !SEPARATORS.has(mark);
  if (isSpaced) return spaced(input, at);
  const isJoined = glued(input, at + 1) && glued(input, at + 2);
  // "2 / 15" as the whole text
  const isWhole = at === 0 && tokenAt(input, 3).text === "" && (mark === "/" || mark === "-");
  if (!isJoined && !isWhole) return null;
  const second = groupAt(input, at + 2);
  if (!second) return null;
  const third =
    wordAt(input, at + 3) === mark && glued(input, at + 3) && glued(input, at + 4) ? groupAt(input, at + 4) : null;
  if (third) return threeGroups(input, [first, second, third], mark);
  return twoGroups(input, first, second, mark, trusted);
}

function groupAt(input: Input, index: number): Group | null {
  const token = tokenAt(input, index);
  if (token.kind === "number") {
    const value = numberAt(input, index);
    return value < 0 ? null : { index, value, length: token.text.length, month: false };
  }
  const month = token.kind === "word" ? MONTHS.get(token.lower) : undefined;
  return month ? { index, value: month, length: 0, month: true } : null;
}

/** "$5/10", "1.2.3.4", "v2.10": what comes before shows that it is not a date. */
function isPartOfNumber(input: Input, at: number): boolean {
  const before = wordAt(input, at - 1);
  if (before === "$" || before === "€" || before === "£" || before === "#") return true;
  if (!glued(input, at)) return false;
  return (
    before === "." ||
    before === "/" ||
    before === "," ||
    before === ":" ||
    (tokenAt(input, at - 1).kind === "word" && before.length < 3)
  );
}

function compact(input: Input, at: number): NumericDay | null {
  const { text } = tokenAt(input, at);
  const wall = midnight(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)));
  const year = Number(text.slice(0, 4));
  if (Number.isNaN(wall) || year < 1900 || year > 2100 || isPartOfNumber(input, at)) return null;
  if (NUMBERING.has(wordAt(input, at - 1))) return null;
  return { end: at + 1, wall, ambiguous: false, hasYear: true, ...monthAndDay(wall) };
}

function monthAndDay(wall: Wall): { month: number; day: number } {
  const { month, day } = partsOf(wall);
  return { month, day };
}

/** "2016 10 16" */
function spaced(input: Input, at: number): NumericDay | null {
  const groups = [groupAt(input, at), groupAt(input, at + 1), groupAt(input, at + 2)] as const;
  const [year, month, day] = groups;
  if (!year || !month || !day || year.length !== 4 || month.length !== 2 || day.length !== 2) return null;
  if (
    tokenAt(input, at + 3).kind === "number" ||
    tokenAt(input, at - 1).kind === "number" ||
    wordAt(input, at - 1) === ")"
  )
    return null;
  const wall = year.value >= 1900 && year.value <= 2100 ? midnight(year.value, month.value, day.value) : Number.NaN;
  return Number.isNaN(wall) ? null : { end: at + 3, wall, ambiguous: false, hasYear: true, ...monthAndDay(wall) };
}

function threeGroups(input: Input, groups: readonly [Group, Group, Group], mark: string): NumericDay | null {
  const [a, b, c] = groups;
  const end = c.index + 1;
  const next = wordAt(input, end);
  const goesOn =
    (next === mark || next === ".") &&
    glued(input, end) &&
    glued(input, end + 1) &&
    tokenAt(input, end + 1).kind === "number";
  if (goesOn) return null;
  const named = groups.find((group) => group.month);
  const made = named ? withMonthName(groups, named) : digitsOnly(a, b, c, mark, input.habits.dayFirst);
  if (!made) return null;
  const { year, month, day, ambiguous } = made;
  const wall = midnight(year, month, day);
  if (Number.isNaN(wall)) return null;
  return { end, wall, ambiguous, ...(ambiguous && { other: midnight(year, day, month) }), hasYear: true, month, day };
}

interface Made {
  year: number;
  month: number;
  day: number;
  ambiguous: boolean;
}

/** If the month is a name, the year is the group of four digits, or else the last group. */
function withMonthName(groups: readonly Group[], named: Group): Made | null {
  const rest = groups.filter((group) => group !== named);
  if (rest.length !== 2 || rest.some((group) => group.month)) return null;
  const [x, y] = rest;
  if (!x || !y) return null;
  const year = x.length === 4 ? x : y;
  const day = year === x ? y : x;
  if (day.length > 2 || (year.length !== 4 && year.length !== 2)) return null;
  return {
    year: year.length === 4 ? year.value : fullYear(year.value),
    month: named.value,
    day: day.value,
    ambiguous: false,
  };
}

function digitsOnly(a: Group, b: Group, c: Group, mark: string, habit: boolean | undefined): Made | null {
  if (a.length === 4) {
    if (b.length > 2 || c.length > 2 || a.value < 1500 || a.value > 2199) return null;
    // 2026-13-03 is written as ISO dates are, and there is no such month.
    if (b.value > 12 && mark === "-") return null;
    return b.value <= 12
      ? { year: a.value, month: b.value, day: c.value, ambiguous: false }
      : { year: a.value, month: c.value, day: b.value, ambiguous: false };
  }
  if (a.length > 2 || b.length > 2) return null;
  if (c.length !== 4 && c.length !== 2) return null;
  // Version numbers look alike, so a dotted date needs two digits in each part.
  if (c.length === 2 && mark === "." && (a.length < 2 || b.length < 2)) return null;
  if (c.length === 4 && (c.value < 1500 || c.value > 2199)) return null;
  const year = c.length === 4 ? c.value : fullYear(c.value);
  // Countries that use dots write the day first; otherwise the first group is the month if it can be.
  const dayFirst = a.value > 12 || ((mark === "." || habit === true) && b.value <= 12);
  const isOpen = a.value <= 12 && b.value <= 12 && a.value !== b.value;
  const ambiguous = isOpen && habit === undefined && mark !== ".";
  return dayFirst
    ? { year, month: b.value, day: a.value, ambiguous }
    : { year, month: a.value, day: b.value, ambiguous };
}

/** "11/23", "22/04", "Oct/2", "2-Oct"; "7.6" and "7-6" only after a weekday or "on". */
function twoGroups(input: Input, a: Group, b: Group, mark: string, trusted: boolean): NumericDay | null {
  const end = b.index + 1;
  if (a.length > 2 || b.length > 2 || a.value === 0 || b.value === 0) return null;
  if (glued(input, end) && (tokenAt(input, end).kind !== "mark" || /^[/$%€]$/.test(wordAt(input, end)))) return null;
  if (a.month || b.month) {
    if (a.month && b.month) return null;
    const [month, day] = a.month ? [a.value, b.value] : [b.value, a.value];
    return occurrence(input, month, day, end, false);
  }
  if (mark === ".") return dotted(input, a, b, end, trusted);
  const isWhole = a.index === 0 && tokenAt(input, end).text === "";
  if (mark !== "/" && !trusted && !isWhole) return null;
  if (!trusted && !isPlainDate(input, a, b, end)) return null;
  const year = commaYear(input, end);
  const { dayFirst } = input.habits;
  const monthFirst = a.value <= 12 && !(dayFirst && b.value <= 12);
  const [month, day] = monthFirst ? [a.value, b.value] : [b.value, a.value];
  const ambiguous = dayFirst === undefined && a.value <= 12 && b.value <= 12 && a.value !== b.value;
  if (!year) return occurrence(input, month, day, end, ambiguous);
  const wall = midnight(year, month, day);
  const other = ambiguous && { other: midnight(year, day, month) };
  return Number.isNaN(wall) ? null : { end: end + 2, wall, ambiguous, ...other, hasYear: true, month, day };
}

/** ", 2027" after "5/7". */
function commaYear(input: Input, at: number): number {
  const year = wordAt(input, at) === "," && tokenAt(input, at + 1).text.length === 4 ? numberAt(input, at + 1) : 0;
  return year >= 1990 && year < 2100 && !COUNTED.has(wordAt(input, at + 2)) ? year : 0;
}

/** "3.12.", "24.12": the day comes first. Without a word that announces a date it may be a version or a price. */
function dotted(input: Input, a: Group, b: Group, end: number, trusted: boolean): NumericDay | null {
  const hasDot = wordAt(input, end) === "." && glued(input, end);
  const close = hasDot ? end + 1 : end;
  const next = tokenAt(input, close);
  // "24.12" alone is no time of day, "17.10" may be one.
  const isWhole = a.index === 0 && next.text === "" && (hasDot || a.value >= 24);
  const isTimed =
    isClockBehind(input, close) || (hasDot && (next.lower === "at" || next.lower === "um" || next.lower === "from"));
  const isDate = trusted || isWhole || isTimed || (hasDot && isDottedDate(input, a.index, close));
  if (!isDate || b.value > 12) return null;
  // The last full stop of a sentence is not part of the date, but does no harm.
  return occurrence(input, b.value, a.value, hasDot && next.text !== "" && !next.line ? close : end, false);
}

/** Words before a price, a version or a measure: "to 3.12." */
const BEFORE_AMOUNT = wordSet(
  "to than is was are were be version v about use uses used using cost costs at of for total sum score scored rated by plus minus",
);

/** "from 21.12. to 2.1. inclusive", "call mum 3.12.": two full stops, where no price or version stands. */
export function isDottedDate(input: Input, at: number, close: number): boolean {
  const before = tokenAt(input, at - 1);
  const next = tokenAt(input, close);
  // "13.7. - 15.7."
  const isInRange =
    before.lower === "from" ||
    (/^(?:to|until|[-–])$/.test(before.lower) && wordAt(input, at - 2) === ".") ||
    (/^[-–]$/.test(next.lower) && wordAt(input, close + 2) === "." && wordAt(input, close + 4) === ".");
  if (next.kind === "word" && next.text === next.lower && !next.line)
    return isInRange || (!NUMBERING.has(before.lower) && !COUNTED.has(next.lower) && before.kind !== "mark");
  const isName = before.kind === "word" && before.text !== before.lower && at > 1;
  const isClosed = next.text === "" || next.lower === "," || next.lower === ")" || next.line;
  const isLone = isClosed && input.habits.dayFirst === true && before.kind === "word";
  return isInRange || (isLone && !isName && !NUMBERING.has(before.lower) && !BEFORE_AMOUNT.has(before.lower));
}

/** "24.12. 18:00", "24.12., 18:00" */
function isClockBehind(input: Input, at: number): boolean {
  const start = wordAt(input, at) === "," ? at + 1 : at;
  const isJoined = wordAt(input, start + 1) === ":" && glued(input, start + 1) && glued(input, start + 2);
  return tokenAt(input, start).gap && numberAt(input, start) >= 0 && isJoined;
}

function occurrence(input: Input, month: number, day: number, end: number, ambiguous: boolean): NumericDay | null {
  const wall = nextOccurrence(input.today, month, day);
  const other = ambiguous && { other: nextOccurrence(input.today, day, month) };
  return Number.isNaN(wall) ? null : { end, wall, ambiguous, ...other, hasYear: false, month, day };
}

const FRACTION_NOUNS = wordSet(
  "off cup cups way full inch inches scale done complete star split price rating rd th teaspoon tablespoon mile hour support coverage access",
);

const SCORES = wordSet("score scored scores mark marks grade rate rated rating give gave got review");

/** "I give it 8/10", "The pass mark is 6/10." */
function isScore(input: Input, at: number, outOf: number): boolean {
  if (outOf !== 5 && outOf !== 10) return false;
  return [1, 2, 3, 4].some((back) => SCORES.has(wordAt(input, at - back)));
}

/** Keeps fractions, scores and "24/7" out. */
function isPlainDate(input: Input, a: Group, b: Group, end: number): boolean {
  const before = wordAt(input, a.index - 1);
  const next = wordAt(input, end);
  if (a.value === 24 && b.value === 7) return false;
  if (
    NUMBERING.has(before) ||
    isScore(input, a.index, b.value) ||
    before === "a" ||
    before === "an" ||
    (before === "about" && !/^(?:how|what)$/.test(wordAt(input, a.index - 2))) ||
    tokenAt(input, a.index - 1).kind === "number"
  )
    return false;
  if (COUNTED.has(next) || FRACTION_NOUNS.has(next)) return false;
  return !(
    a.value === 1 &&
    b.value <= 4 &&
    tokenAt(input, end).kind === "word" &&
    next !== "at" &&
    next !== "from" &&
    next !== "between" &&
    before !== "on" &&
    before !== "by"
  );
}
