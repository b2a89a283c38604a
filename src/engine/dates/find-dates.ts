import type { DateHabits, TimeReading } from "../../lib/date-habits.ts";
import type { Language } from "../../lib/languages.ts";
import { toWall, wallDay } from "../../lib/time-zone.ts";
import { wordSet } from "../../lib/words.ts";
import { languageOf } from "../languages/language.ts";
import { translate } from "../languages/translate.ts";
import { addMonths, DAY_MS, midnight, partsOf } from "./calendar.ts";
import { dayMonthAt, yearAfter } from "./days/month-day.ts";
import { canStart } from "./first-words.ts";
import { type FoundDate, onDayOf, toFound } from "./found-date.ts";
import { impossibleAt } from "./impossible.ts";
import { type Moment, momentAt } from "./moment.ts";
import { dayNumber } from "./numbers.ts";
import { durationAt, isTimeUnit, minutesOf } from "./periods/duration.ts";
import { yearPeriod } from "./periods/named-period.ts";
import { periodAt } from "./periods/period.ts";
import { periodRangeAt } from "./periods/period-range.ts";
import { recurrenceAt } from "./periods/recurrence.ts";
import { type Reading, readBetween, reading, readMoment } from "./resolve.ts";
import { rangeLink } from "./times/clock-range.ts";
import { clockAt } from "./times/clock-time.ts";
import { type Input, skip, tokenAt, tokenize, wordAt } from "./tokens.ts";
import { converter } from "./zone.ts";

export type { FoundDate } from "./found-date.ts";

/** The current time, and how words about time are read. */
export interface FindOptions extends Pick<TimeReading, "timeZone"> {
  reference: Date;
  habits?: DateHabits;
  /** Where it is known; otherwise the text shows it. */
  language?: Language | null;
}

interface FoundDates {
  dates: FoundDate[];
  /** The language that was read; null if the text is in one the engine does not know. */
  language: Language | null;
  /** Set when only the first part of the text was read. */
  note: string | null;
}

/** Longer texts are cut. What matters in an email is at its beginning. */
export const MAX_SCANNED = 50_000;
/** How many tokens the rules are tried at. Only tables of numbers have more. */
const MAX_TRIES = 4000;
/** No real email has more; text made to be slow does. */
const MAX_DATES = 500;

export function findDates(text: string, options: FindOptions): FoundDates {
  const isCut = text.length > MAX_SCANNED;
  const scanned = isCut ? text.slice(0, MAX_SCANNED) : text;
  const now = toWall(options.timeZone, options.reference.getTime());
  const instant = converter(options.timeZone);
  const plain = tokenize(scanned);
  const language = options.language ?? languageOf(plain);
  const isEnglish = language === "en" || language === null;
  const input: Input = {
    tokens: isEnglish ? plain : translate(plain, language),
    now: Math.floor(now / 1000) * 1000,
    today: wallDay(now),
    habits: {
      halfBefore: language === "de" || SAYS_HALF_BEFORE.test(options.timeZone),
      ...(!isEnglish && { dayFirst: true, clock24: true }),
      ...options.habits,
      ...orderIn(scanned, options.habits?.dayFirst),
    },
    hasPassed: (wall, zone) => instant(wall, zone) <= options.reference.getTime(),
    results: new Map(),
  };
  const dates: FoundDate[] = [];
  let at = 0;
  let tries = 0;
  while (at < input.tokens.length && dates.length < MAX_DATES && tries < MAX_TRIES) {
    const isStart = canStart(input, at) && !isInCode(input, at);
    if (isStart) tries += 1;
    const found = isStart ? readAt(input, at) : null;
    if (!found || found.end <= at) at += 1;
    else if (!isInReach(found)) at = found.end;
    else {
      const last = dates.at(-1);
      if (last && found.doubt && found.type === "time" && isBeside(input, at, last)) {
        // "tomorrow at 25:00": the day alone is not what was meant.
        const { end } = tokenAt(input, found.end - 1);
        const whole = { ...last, text: text.slice(last.start, end), end, from: null, to: null, doubt: found.doubt };
        dates.splice(-1, 1, { ...whole, wall: { from: null, to: null } });
        at = found.end;
        continue;
      }
      if (last?.doubt && last.type === "time" && found.type === "date" && isBeside(input, at, last)) {
        // "at 25:00 tomorrow"
        const { end } = tokenAt(input, found.end - 1);
        dates.splice(-1, 1, { ...last, text: text.slice(last.start, end), end });
        at = found.end;
        continue;
      }
      if (last && isAlternative(input, at, last, found)) dates.splice(-1, 1, onDayOf(last, found, instant));
      dates.push(toFound(text, input, at, found, instant));
      at = found.end;
      for (let next = continuedDay(input, at, found); next; next = continuedDay(input, at, next.reading)) {
        dates.push(toFound(text, input, next.at, next.reading, instant));
        at = next.reading.end;
      }
    }
  }
  return { dates, language, note: noteOn(text.length, dates.length, tries) };
}

/** Longer than any code. */
const MAX_CODE = 40;

/** Whether the token is part of a code with hyphens, such as an id: "217a" of "0fb49c53-217a-4b16" is no time. */
function isInCode({ tokens }: Input, at: number): boolean {
  const isPart = (index: number) => {
    const token = tokens[index];
    return token !== undefined && (token.kind !== "mark" || token.lower === "-" || token.lower === "_");
  };
  let start = at;
  while (at - start < MAX_CODE && !tokens[start]?.gap && isPart(start - 1)) start -= 1;
  let hasHyphen = false;
  let most = 0;
  for (let index = start, run = 0; index < start + MAX_CODE && isPart(index); index += 1) {
    if (index > start && tokens[index]?.gap) break;
    const isHyphen = tokens[index]?.kind === "mark";
    hasHyphen ||= isHyphen;
    run = isHyphen ? 0 : run + 1;
    most = Math.max(most, run);
  }
  return hasHyphen && most >= 4;
}

/** Whether a time stands directly behind a date: "tomorrow at …". */
function isBeside(input: Input, at: number, last: FoundDate): boolean {
  return tokenAt(input, at - 1).end === last.end || tokenAt(input, at - 2).end === last.end;
}

/** "3pm or 4pm on Friday": a time without a day takes the day of the time that follows it. */
function isAlternative(input: Input, at: number, last: FoundDate, found: Reading): boolean {
  const isLone = last.type === "time" || last.type === "timerange";
  if (!isLone || !found.type.startsWith("datetime") || found.from === null) return false;
  const start = TIME_BEFORE.has(wordAt(input, at - 1)) ? at - 1 : at;
  return (
    (LIST_LINKS.has(wordAt(input, start - 1)) || wordAt(input, start - 1) === "/") &&
    tokenAt(input, start - 2).end === last.end
  );
}

function noteOn(length: number, found: number, tries: number): string | null {
  if (tries >= MAX_TRIES) return "The text holds so many numbers that only its first part was searched for dates.";
  if (found >= MAX_DATES) return `Only the first ${MAX_DATES} dates were read.`;
  return length > MAX_SCANNED ? `Only the first ${MAX_SCANNED} of ${length} characters were searched for dates.` : null;
}

/** Where "half four" is half an hour before four. */
const SAYS_HALF_BEFORE =
  /^Europe\/(?:Amsterdam|Berlin|Bratislava|Budapest|Busingen|Copenhagen|Helsinki|Ljubljana|Luxembourg|Moscow|Oslo|Prague|Riga|Stockholm|Tallinn|Vaduz|Vienna|Vilnius|Warsaw|Zagreb|Zurich)$/;

/** One week inside the four-digit years, so that adding a zone offset or a week stays inside. */
const FIRST_WALL = Date.UTC(1000, 0, 8);
const LAST_WALL = Date.UTC(9999, 11, 24);

/** "in 99999 centuries" is a phrase about time, but JavaScript has no such date. */
function isInReach({ from, to }: Reading): boolean {
  return [from, to].every((wall) => wall === null || (wall >= FIRST_WALL && wall <= LAST_WALL));
}

/** Tries the rules at one token, from the most specific; the longest match of a date and a period wins. */
function readAt(input: Input, at: number): Reading | null {
  const impossible = impossibleReadingAt(input, at);
  if (impossible) return impossible;
  const range = periodRangeAt(input, at);
  if (range) return range;
  if (LEADS.has(wordAt(input, at))) return isMoved(input, at) ? null : expressionAt(input, at);
  const set = recurrenceAt(input, at);
  if (set) return set;
  const expression = expressionAt(input, at);
  const period = periodAt(input, at);
  if (period && (!expression || period.end > expression.end)) {
    const { end, from, to, grain, vague, edge } = period;
    const type = isTimeUnit(grain) ? "datetimerange" : "daterange";
    return { ...reading(end, type, from, to, grain, { ambiguous: vague }), ...(edge && { edge }) };
  }
  return expression ?? lengthAt(input, at);
}

/** "Feb 30 at 10", "31 June", "25:00": the words name a day or time that does not exist. */
function impossibleReadingAt(input: Input, at: number): Reading | null {
  const found = impossibleAt(input, at);
  if (!found) return null;
  const { end, type, doubt } = found;
  const link = TIME_BEFORE.has(wordAt(input, end)) ? end + 1 : end;
  const clock = type === "date" ? clockAt(input, link, { bare: link > end }) : null;
  return { ...reading(clock?.end ?? end, type, null, null, "day", { ambiguous: true }), doubt };
}

function lengthAt(input: Input, at: number): Reading | null {
  const start = skip(input, at, "for");
  const isFor = start > at;
  const duration = durationAt(input, start);
  // "for a quarter past noon" is a time.
  if (!duration || (isFor && clockAt(input, start))) return null;
  const first = wordAt(input, start);
  // "a second look", "a day": an article counts only after "for", or before minutes and hours.
  const isArticle = first === "a" || first === "an";
  if (isArticle && !isFor && !(isTimeUnit(duration.unit) && duration.unit !== "second")) return null;
  // "Just a minute!", "One day you will see."
  if (isArticle && wordAt(input, at - 1) === "just") return null;
  if (first === "one" && wordAt(input, start + 1) === "day" && SUBJECTS.has(wordAt(input, duration.end))) return null;
  const isDetail =
    first === "a" && wordAt(input, start + 1) === "minute" && tokenAt(input, duration.end).kind === "word";
  if (wordAt(input, duration.end) === "old" || (isDetail && !isFor && !AFTER_TIME.has(wordAt(input, duration.end))))
    return null;
  const { end, unit, vague } = duration;
  return reading(end, "duration", null, null, unit, { ambiguous: vague, minutes: minutesOf(duration) });
}

const SUBJECTS = wordSet("i you we he she it they this that when");
const LIST_LINKS = wordSet("and & , or");

/** "Nov 23rd, 24th and 25th": more days of the month just named. */
function continuedDay(input: Input, at: number, last: Reading): { at: number; reading: Reading } | null {
  if (last.grain === "year" && LIST_LINKS.has(wordAt(input, at))) {
    const period = yearPeriod(input, at + 1, true);
    const isPlain = period && tokenAt(input, at + 1).kind === "number" && period.end === at + 2;
    return isPlain ? { at: at + 1, reading: { ...last, end: period.end, from: period.from, to: period.to } } : null;
  }
  if (last.type !== "date" || last.from === null || !LIST_LINKS.has(wordAt(input, at))) return null;
  const start = LIST_LINKS.has(wordAt(input, at + 1)) ? at + 2 : at + 1;
  const number = dayNumber(input, start);
  const { year, month, day } = partsOf(last.from);
  if (!number || number.value <= day) return null;
  // "Dec 1, 8 and 15": after a comma, only a list that goes on with "and".
  const isList = LIST_LINKS.has(wordAt(input, number.end)) && dayNumber(input, number.end + 1) !== null;
  const isOpen = wordAt(input, at) === "," && start === at + 1 && !isList;
  if (!number.ordinal && (isOpen || tokenAt(input, start).kind !== "number")) return null;
  // "Monday and 3" is not a list of days.
  if (tokenAt(input, at - 1).kind === "word" && !MONTH_DAY_END.test(wordAt(input, at - 1))) return null;
  const next = tokenAt(input, number.end);
  const isClosed =
    next.kind === "mark"
      ? !/^[-:/%]$/.test(next.lower)
      : AFTER_TIME.has(next.lower) || LIST_LINKS.has(next.lower) || next.lower === "at";
  const from = isClosed ? midnight(year, month, number.value) : Number.NaN;
  if (Number.isNaN(from)) return null;
  return { at: start, reading: { ...last, end: number.end, from, to: from + DAY_MS } };
}

/** The possible last words of a month and day. */
const MONTH_DAY_END = /^(?:st|nd|rd|th|\d+)$/;

const LEADS = wordSet("from between btw");
const TIME_BEFORE = wordSet("at @ around by until till about approximately approx circa ca ~");

const MOVES = wordSet("moved move moving rescheduled postponed pushed shifted changed");

/** "moved from 2 December to 9 December": two dates, and not the days between them. */
const isMoved = (input: Input, at: number) => wordAt(input, at) === "from" && MOVES.has(wordAt(input, at - 1));

function expressionAt(input: Input, at: number): Reading | null {
  const lead = wordAt(input, at);
  if (LEADS.has(lead)) {
    const whole = momentAt(input, at, false);
    const wholeReading = whole && isSound(input, at, whole) ? readMoment(input, whole) : null;
    const pair = lead === "from" ? dayPair(input, at + 1) : null;
    if (pair) return pair;
    const first = momentAt(input, at + 1, true);
    const between = first && (secondHalf(input, first, lead !== "from") ?? null);
    if (between && between.end > (wholeReading?.end ?? 0)) return between;
    if (!wholeReading && first?.clock && first.length) return readMoment(input, first);
    return wholeReading;
  }
  const isOrigin = isMoved(input, at - 1);
  const days = isOrigin ? null : dayPair(input, at);
  if (days) return days;
  const before = wordAt(input, at - 1);
  const moment = momentAt(input, at, TIME_BEFORE.has(before));
  if (!moment) return null;
  const between = isOrigin ? null : secondHalf(input, moment, false);
  if (between) return between;
  return isSound(input, at, moment) ? readMoment(input, moment) : null;
}

/** The end of a range after "to": a second moment, or only a day's number ("May 5-9"). */
function secondHalf(input: Input, first: Moment, between: boolean): Reading | null {
  if (first.range) return null;
  const link = rangeLink(input, first.end, between);
  if (link < 0 || tokenAt(input, link).line) return null;
  const second = momentAt(input, link, first.clock !== undefined || first.now !== undefined);
  const both = second && readBetween(input, first, second);
  if (both) return both;
  if (!first.day || first.clock || first.day.kind !== "date" || second?.clock) return null;
  const number = dayNumber(input, link);
  const { year, month, day } = partsOf(first.day.wall);
  if (!number || number.value <= day) return null;
  // "December 3-5, 2027"
  const named = first.day.hasYear ? null : yearAfter(input, number.end, number.ordinal);
  const from = named ? midnight(named.value, month, day) : first.day.wall;
  const to = midnight(named?.value ?? year, month, number.value);
  if (Number.isNaN(to) || Number.isNaN(from)) return null;
  return reading(named?.end ?? number.end, "daterange", from, to + DAY_MS, "day");
}

/** "5-9 May", "5th to 9th of May" */
function dayPair(input: Input, at: number): Reading | null {
  const first = dayNumber(input, skip(input, at, "the"));
  const link = first ? rangeLink(input, first.end, false) : -1;
  if (!first || link < 0) return null;
  const second = dayMonthAt(input, skip(input, link, "the"));
  if (!second) return null;
  const { year, month, day } = partsOf(second.wall);
  const before = partsOf(addMonths(midnight(year, month, 1), -1));
  const from =
    first.value < day ? midnight(year, month, first.value) : midnight(before.year, before.month, first.value);
  if (Number.isNaN(from) || first.value === day) return null;
  return reading(second.end, "daterange", from, second.wall + DAY_MS, "day");
}

const AFTER_TIME = wordSet(
  "for on in every each daily and or if to with work works is as so but then because please today tomorrow this next sharp until till that when would will does ok okay instead",
);

const HOUR_BEFORE = wordSet("at @ until till by around approximately approx circa ca ~");

/** An hour alone must end its clause: "at 3?" is a time, "at 5 Main Street" an address. */
function isSound(input: Input, at: number, moment: Moment): boolean {
  const next = tokenAt(input, moment.end);
  const endsClause = next.kind === "mark" ? !/^[-/%$€£#+*=]$/.test(next.lower) : AFTER_TIME.has(next.lower);
  if (moment.day || moment.zone) return true;
  if (moment.range?.bare && !moment.part)
    return moment.range.isSaid || (moment.range.led && endsClause && moment.range.to - moment.range.from <= 6 * 3600);
  if (moment.clock?.bare && !moment.length && !moment.part) {
    const isHour = moment.clock.open || moment.clock.grain === "minute";
    return endsClause && isHour && HOUR_BEFORE.has(wordAt(input, at - 1));
  }
  return true;
}

const SLASHED = /(?<![\d/.,$€£-])(\d{1,2})\/(\d{1,2})(\/(?:\d{4}|\d{2}))?(?![\d/.%]{0,40}\d)/g;

/**
 * The order of day and month that the dates of a text prove: 25/12 has the day first. Dates with a year outweigh the
 * person's own habit, because somebody else may have written the text.
 */
function orderIn(text: string, habit: boolean | undefined): Pick<DateHabits, "dayFirst"> {
  if (!text.includes("/")) return {};
  const votes = new Set<boolean>();
  for (const [, a = "", b = "", year] of text.matchAll(SLASHED)) {
    const [first, second] = [Number(a), Number(b)];
    const isFraction = first === 24 && second === 7;
    if (isFraction || (!year && habit !== undefined) || first < 1 || second < 1 || first > 31 || second > 31) continue;
    if (first > 12 !== second > 12) votes.add(first > 12);
  }
  const [dayFirst] = votes;
  return votes.size === 1 && dayFirst !== undefined ? { dayFirst } : {};
}
