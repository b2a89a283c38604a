import { wordSet } from "../../lib/words.ts";
import { daysIn } from "./calendar.ts";
import { behindDot, isTimeOrCount, monthAt, yearAfter } from "./days/month-day.ts";
import { isDottedDate } from "./days/numeric-date.ts";
import { fullYear, ordinal, wordNumber } from "./numbers.ts";
import { MONTH_NAMES } from "./spelled.ts";
import { meridiem } from "./times/clock.ts";
import { isBeforeDay } from "./times/clock-context.ts";
import { glued, type Input, numberAt, skip, tokenAt, wordAt } from "./tokens.ts";
import { NUMBERING, WEEKDAYS } from "./vocabulary.ts";

/** Words that name a day or a time which does not exist. It is not guessed which one is meant. */
interface Impossible {
  end: number;
  /** "There is no 30 February." */
  doubt: string;
  type: "date" | "time";
}

const LEADS = wordSet("on by until till before after since from to for at @ between around due");

export function impossibleAt(input: Input, at: number): Impossible | null {
  const { kind } = tokenAt(input, at);
  if (kind === "word") return inMonth(input, at) ?? dayFirst(input, at);
  if (kind !== "number") return null;
  return dayFirst(input, at) ?? numeric(input, at) ?? clock(input, at);
}

/** "Feb 30", "February 29, 2027", "on December 32". */
function inMonth(input: Input, at: number): Impossible | null {
  const month = monthAt(input, at, true);
  if (!month) return null;
  const next = skip(input, behindDot(input, at + 1), "the");
  const day = numberOf(input, next);
  if (!day || isTimeOrCount(input, next, day)) return null;
  if (day.value > 31 && !day.ordinal && !isDate(input, at, day.value, day.end)) return null;
  return judge(input, day.value, month, day.end, day.ordinal);
}

/** "31 June", "the 30th of February", "29 February 2027". */
function dayFirst(input: Input, at: number): Impossible | null {
  const start = skip(input, at, "the");
  const day = numberOf(input, start);
  if (!day) return null;
  const of = skip(input, day.end, "of");
  const month = monthAt(input, of, of > day.end || day.ordinal);
  if (!month || (day.value > 31 && !day.ordinal && !isDate(input, at, day.value, of + 1))) return null;
  return judge(input, day.value, month, of + 1, day.ordinal);
}

/** "32 December" is a slip of the pen, "45 May roses" a number of things. */
function isDate(input: Input, at: number, day: number, end: number): boolean {
  if (LEADS.has(wordAt(input, at - 1))) return true;
  const next = tokenAt(input, end);
  return day < 40 && (next.kind === "mark" ? !/^[-%$€£]$/.test(next.lower) : LEADS.has(next.lower));
}

function numberOf(input: Input, at: number): { end: number; value: number; ordinal: boolean } | null {
  const nth = ordinal(input, at);
  if (nth) return { ...nth, ordinal: true };
  const token = tokenAt(input, at);
  if (token.kind === "number") {
    const isAlone = !glued(input, at + 1) || tokenAt(input, at + 1).kind === "mark";
    return token.text.length === 2 && isAlone ? { end: at + 1, value: token.value, ordinal: false } : null;
  }
  const words = wordNumber(input, at);
  return words && { ...words, ordinal: false };
}

/** 2028 is a leap year, in which February is longest. */
const LEAP_YEAR = 2028;

function judge(input: Input, day: number, month: number, end: number, isOrdinal: boolean): Impossible | null {
  const year = day > 28 ? yearAfter(input, end, isOrdinal) : null;
  if (day <= daysIn(year?.value ?? LEAP_YEAR, month)) return null;
  const name = `${day} ${MONTH_NAMES[month - 1]}${year && day <= 29 ? ` ${year.value}` : ""}`;
  return { end: year?.end ?? end, doubt: `There is no ${name}.`, type: "date" };
}

const SEPARATORS = wordSet("/ - .");
const ANNOUNCES = wordSet("on by until till since before after date dated due");

/** "30/2" after a word that announces a date, "2027-02-30", "31.6.2027". */
function numeric(input: Input, at: number): Impossible | null {
  const mark = wordAt(input, at + 1);
  if (!SEPARATORS.has(mark) || !isJoined(input, at + 1) || glued(input, at)) return null;
  const third = wordAt(input, at + 3) === mark && isJoined(input, at + 3) ? at + 4 : -1;
  const end = third > 0 ? third + 1 : at + 3;
  if (isJoined(input, end) && /^[-/.:]$/.test(wordAt(input, end)) && tokenAt(input, end + 1).kind === "number")
    return null;
  const groups = [at, at + 2, ...(third > 0 ? [third] : [])].map((index) => tokenAt(input, index));
  if (groups.some(({ kind, value }) => kind !== "number" || value < 1)) return null;
  const [a = 0, b = 0, c = 0] = groups.map(({ value }) => value);
  const lengths = groups.map(({ text }) => text.length).join("");
  const isWhole = at === 0 && tokenAt(input, end).text === "";
  if (third < 0) {
    const isTrusted = ANNOUNCES.has(wordAt(input, at - 1)) || (isWhole && mark === "/");
    if (mark === "-" || !/^[12]{2}$/.test(lengths)) return null;
    // "31/11" is no fraction that people write.
    const isDay = a >= 30 && a <= 31 && b <= 12 && !NUMBERING.has(wordAt(input, at - 1));
    if (mark === "/") return isTrusted || isDay ? unless(input, at, end, orders(a, b, LEAP_YEAR)) : null;
    // "31.6." is a date, "2.30" a time.
    const hasDot = wordAt(input, end) === "." && glued(input, end);
    const isDate =
      hasDot && (isTrusted || (at === 0 && tokenAt(input, end + 1).text === "") || isDottedDate(input, at, end + 1));
    return isDate ? unless(input, at, end + 1, [[a, b, LEAP_YEAR]]) : null;
  }
  if (/^4[12]{2}$/.test(lengths))
    return a < 1900 || a > 2199 ? null : unless(input, at, end, mark === "-" ? [[c, b, a]] : orders(b, c, a));
  const isDated = /^[12]{2}4$/.test(lengths) ? c >= 1900 && c <= 2199 : /^[12]{2}2$/.test(lengths) && mark === "/";
  if (!isDated || a > 39 || b > 39) return null;
  const year = c < 100 ? fullYear(c) : c;
  return unless(input, at, end, orders(a, b, year));
}

const isJoined = (input: Input, at: number) => glued(input, at) && glued(input, at + 1);

type Ordered = [day: number, month: number, year: number];

const orders = (a: number, b: number, year: number): Ordered[] => [
  [a, b, year],
  [b, a, year],
];

/** Nothing, if one of the orders is a date. */
function unless(input: Input, at: number, end: number, readings: Ordered[]): Impossible | null {
  if (readings.some(([day, month, year]) => month <= 12 && day <= daysIn(year, month))) return null;
  const named = readings.find(([day, month]) => month <= 12 && day <= 31);
  const [day = 0, month = 0, year = 0] = named ?? [];
  const text = Array.from({ length: end - at }, (_, index) => tokenAt(input, at + index).text).join("");
  const spelled = `${day} ${MONTH_NAMES[month - 1]}${day === 29 && month === 2 ? ` ${year}` : ""}`;
  return { end, doubt: `There is no ${named ? spelled : text}.`, type: "date" };
}

const NEAR_DAYS = wordSet("today tomorrow tonight");

/** "at 25:00", "tomorrow at 10:75", "13am". */
function clock(input: Input, at: number): Impossible | null {
  const { text, value } = tokenAt(input, at);
  if (text.length > 2 || glued(input, at)) return null;
  const before = wordAt(input, at - 1);
  const isLed =
    LEADS.has(before) || WEEKDAYS.has(before) || NEAR_DAYS.has(before) || at === 0 || isBeforeDay(input, at + 3, at);
  const half = meridiem(input, at + 1, false);
  if (
    half &&
    half.value !== "either" &&
    wordAt(input, at + 1) !== "in" &&
    (value > 24 || (value > 12 && half.value === "am"))
  ) {
    return isLed || glued(input, at + 1)
      ? { end: half.end, doubt: `There is no ${value} ${half.value}.`, type: "time" }
      : null;
  }
  const minute = numberAt(input, at + 2);
  if (wordAt(input, at + 1) !== ":" || !isJoined(input, at + 1) || tokenAt(input, at + 2).text.length !== 2)
    return null;
  if (minute < 0 || (glued(input, at + 3) && /^[:.]$/.test(wordAt(input, at + 3)) && glued(input, at + 4))) return null;
  const isTime = value < 24 ? minute < 60 : value === 24 && minute === 0;
  if (isTime || !isLed) return null;
  return { end: at + 3, doubt: `There is no ${text}:${tokenAt(input, at + 2).text}.`, type: "time" };
}
