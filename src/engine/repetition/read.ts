import type { Language } from "../../lib/languages.ts";
import { expand } from "../../lib/recurrence.ts";
import type { RepeatFrom } from "../../lib/task-kinds.ts";
import { DAY_MS, dateOf, toInstant, toWall, type Wall, wallDay, weekdayOf } from "../../lib/time-zone.ts";
import { pairs, words } from "../../lib/words.ts";
import type { FoundDate } from "../dates/find-dates.ts";
import { tokenize } from "../dates/tokens.ts";
import { dueOf } from "../due-date.ts";
import { languageOf } from "../languages/language.ts";
import { type Clock, datesIn, isMoment } from "../notes/message-time.ts";
import { type FoundRule, findRule } from "./grammar.ts";
import { type Lexeme, lexemesOf, WEEKDAYS } from "./lexicon.ts";
import type { Rule } from "./rule.ts";

/** A phrase of a text: `slice(start, end)`. */
interface Phrase {
  start: number;
  end: number;
}

interface RepeatedWords {
  rrule: string;
  from: RepeatFrom;
  /** When the first one is due; the last millisecond of a day for one without a time. */
  due: Date;
  /** What says how it repeats. */
  phrases: Phrase[];
  /** What says when: a time, the first day. */
  times: Phrase[];
}

/** How something repeats and when it is first due, from a text that says so; null if it does not. */
export function readRepetition(text: string, clock: Clock): RepeatedWords | null {
  const done = AFTER_DONE.map((form) => form.exec(text)).find((match) => match !== null);
  if (done) return afterDone(done, datesIn(text, clock).filter(isMoment), clock);
  const read = languagesOf(text).map((language) => readIn(text, language, clock));
  return read.find((found) => found !== null) ?? null;
}

/** The rule alone: "every other monday"; null if the words say none. */
export function ruleOfWords(text: string): string | null {
  for (const language of languagesOf(text)) {
    const lexemes = lexemesOf(text, language);
    // A number with a word that says nothing here is a time: "at 9am".
    const isUnknown = (at: number) => lexemes[at]?.meanings.every(({ kind }) => kind === "at") ?? false;
    const isOther = (at: number) => isUnknown(at) || (isNumber(lexemes[at]) && isUnknown(at + 1));
    const found = findRule(lexemes, { isOther });
    if (found) return textOf(found.rule);
  }
  return null;
}

const isNumber = (lexeme: Lexeme | undefined) => lexeme?.meanings.some(({ kind }) => kind === "number") ?? false;

const LANGUAGES: readonly Language[] = ["en", "de", "fr", "es"];

/** The language of the text first. A line is short, so what says that something repeats may be in another. */
function languagesOf(text: string): Language[] {
  const likely = languageOf(tokenize(text)) ?? "en";
  return [likely, ...LANGUAGES.filter((language) => language !== likely)];
}

/** Kinds of words that hardly stand in a text of another language, unlike "so" and "die". */
const CLEAR = new Set(["every", "adverb", "adjective", "once", "habit", "alternate"]);

function readIn(text: string, language: Language, clock: Clock): RepeatedWords | null {
  const lexemes = lexemesOf(text, language);
  const local = { ...clock, language };
  const ahead = boundsIn(text, lexemes, local);
  const saysDay = datesIn(text, local).some(({ type, text: said }) => /date/.test(type) && !isWeekday(said, language));
  const known = { saysDay, isBounded: ahead.until !== null || ahead.count !== null || ahead.length !== null };
  const first = findRule(lexemes, known);
  if (!first) return null;
  // "mondays at 7 every two weeks": with the time known, what stands behind it belongs to the rule, too.
  const times = datesIn(without(text, phrasesOf(lexemes, first)), local).filter(({ type }) => /^time/.test(type));
  const isOther = (index: number) => {
    const { start = 0, end = 0 } = lexemes[index] ?? {};
    return times.some((time) => start < time.end && end > time.start);
  };
  const found = findRule(lexemes, { ...known, isOther }) ?? first;
  const inRule = (index: number) => found.spans.some(({ from, to }) => index >= from && index < to);
  const ruled = lexemes.filter((_, index) => inRule(index));
  const isForeign = language !== languagesOf(text)[0];
  const spoken = ruled.filter(({ meanings, token }) => meanings.length > 0 && token.kind === "word");
  const isClear =
    spoken.length > 3 ||
    spoken.some(({ meanings, token }) => token.text.length > 4 || meanings.some(({ kind }) => CLEAR.has(kind)));
  if (isForeign && !isClear && found.rule.weekdays.length < 2) return null;
  const phrases = phrasesOf(lexemes, found);
  const plain = without(text, phrases);
  const bounds = boundsIn(
    plain,
    lexemes.filter((_, index) => !inRule(index)),
    local,
  );
  const rest = without(plain, bounds.phrases);
  const rule = withoutDays(found.rule, bounds.except);
  const said = timesIn(rest, local);
  const isEarly = ({ type, from }: FoundDate) =>
    !/date/.test(type) || bounds.until === null || (from && dayOf(from, clock) <= bounds.until);
  // "Christmas savings every friday until 18 december": a day behind the end is none of the rule's.
  const start = firstDue(rule, bounds, said.filter(isEarly), found.part, local);
  if (!rule || !start) return null;
  const until = bounds.length ? start.day + bounds.length(start.day) - DAY_MS : bounds.until;
  if (until !== null && until < start.day) return null;
  const count = bounds.count ?? found.occurrences;
  const end = count ? `;COUNT=${count}` : until === null ? "" : `;UNTIL=${dateOf(until).replaceAll("-", "")}`;
  return {
    rrule: textOf(isOneDay(rule) ? { ...rule, months: [], monthDays: [] } : rule) + end,
    from: "due",
    due: start.due,
    phrases: [...phrases, ...bounds.phrases],
    times: start.phrases,
  };
}

const dates = (text: string, clock: Clock) =>
  datesIn(text, clock).filter((found) => isMoment(found) && found.type !== "set");

/** "Friday", but not "next Friday" and not "Friday the 20th". */
const isWeekday = (text: string, language: Language) =>
  lexemesOf(text, language).every(({ meanings }) => meanings.some(({ kind }) => /^(?:weekday|filler)$/.test(kind)));

/** Dates and times; "9h" beside a rule is a time of day where it is not English. */
function timesIn(text: string, clock: Clock): FoundDate[] {
  const found = dates(text, clock);
  if (clock.language === "en" || found.some(({ type }) => /time/.test(type))) return found;
  const hour = BARE_HOUR.exec(text);
  const [time] = hour ? dates(`${hour[1]}:00`, clock) : [];
  return hour && time ? [...found, { ...time, start: hour.index, end: hour.index + hour[0].length }] : found;
}

const BARE_HOUR = /(?<![\p{L}\d])([6-9]|1\d|2[0-3]) ?h(?![\p{L}\d])/u;

/** The places of a rule in the text, with the small words before it: "on", "am", "le". */
function phrasesOf(lexemes: readonly Lexeme[], { spans }: FoundRule): Phrase[] {
  return spans.map(({ from, to }) => {
    let first = from;
    while (lexemes[first - 1]?.meanings.some(({ kind }) => kind === "filler") && first > from - 2) first -= 1;
    const last = lexemes[to]?.token.lower === ")" ? to : to - 1;
    return { start: lexemes[first]?.start ?? 0, end: lexemes[last]?.end ?? 0 };
  });
}

/** The text with spaces in place of these phrases, so that all others keep their places. */
const without = (text: string, phrases: readonly Phrase[]) =>
  phrases.reduce((rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end), text);

interface Bounds {
  start: Wall | null;
  /** "from 25 nov 8:30am" */
  time: FoundDate | null;
  until: Wall | null;
  count: number | null;
  /** "for 6 weeks": how long it goes on from a day. */
  length: ((from: Wall) => number) | null;
  except: string[];
  phrases: Phrase[];
}

/** "starting monday", "until 18 december", "for 6 weeks", "10 times", "except fridays" */
function boundsIn(text: string, lexemes: readonly Lexeme[], clock: Clock): Bounds {
  const bounds: Bounds = { start: null, time: null, until: null, count: null, length: null, except: [], phrases: [] };
  const value = (at: number, kind: string) => lexemes[at]?.meanings.find((meaning) => meaning.kind === kind)?.value;
  const is = (at: number, kind: string) => value(at, kind) !== undefined;
  const take = (from: number, to: number) => bounds.phrases.push({ start: lexemes[from]?.start ?? 0, end: to });
  for (let at = 0; at < lexemes.length; at += 1) {
    const lexeme = lexemes[at];
    if (!lexeme) break;
    const date = is(at, "starting") || is(at, "until") ? dateBehind(text, lexeme.end, clock) : null;
    if (date?.from && is(at, "starting") && bounds.start === null && !/^time/.test(date.type)) {
      bounds.start = dayOf(date.from, clock);
      if (/time/.test(date.type)) bounds.time = date;
      take(at, date.end);
    } else if (date?.from && is(at, "until") && bounds.until === null && !/time/.test(date.type)) {
      bounds.until = lastDay(date, clock);
      take(at, date.end);
    } else if (is(at, "number")) {
      const from = is(at - 1, "for") ? at - 1 : at;
      const [unit = "", factor = "1"] = (value(at + 1, "unit") ?? "").split("*");
      const count = Number(value(at, "number")) * Number(factor);
      const last = is(at + 2, "for") ? at + 2 : at + 1;
      const end = lexemes[last]?.end ?? lexeme.end;
      if (value(at - 1, "times") && lexemes[at - 1]?.end === lexeme.start && count > 1) {
        // "x8"
        bounds.count = count;
        take(at - 1, lexeme.end);
      } else if (is(at + 1, "times") && count > 1) {
        bounds.count = count;
        take(from, lexemes[at + 1]?.end ?? end);
      } else if (/^(?:day|week|month|year)$/.test(unit) && (from < at || last > at + 1)) {
        bounds.length = (day) => lengthOf(day, unit, count);
        take(from, end);
      }
    } else if (is(at, "except")) {
      let next = at + 1;
      const days: string[] = [];
      for (; is(next, "weekday") || is(next, "filler") || is(next, "and"); next += 1) {
        const day = value(next, "weekday");
        if (day) days.push(day);
      }
      if (days.length === 0) continue;
      bounds.except.push(...days);
      take(at, lexemes[next - 1]?.end ?? lexeme.end);
    }
  }
  return bounds;
}

const MAX_DATE = 60;

/** The date that follows, with nothing but an article between. */
function dateBehind(text: string, end: number, clock: Clock): FoundDate | null {
  // No date has more characters: without an end, a line of bounds would be read once for each of them.
  const rest = text.slice(end, end + MAX_DATE);
  const [found] = dates(rest, clock);
  const month = monthBehind(rest, clock);
  if (month && (!found || found.start >= month.end))
    return { ...month, start: end + month.start, end: end + month.end };
  if (!found || !/^\s*(?:\p{L}{1,3}\s+)?$/u.test(rest.slice(0, found.start))) return null;
  return { ...found, start: end + found.start, end: end + found.end };
}

/** "jan", which alone is a name for the reader of dates. */
function monthBehind(text: string, clock: Clock): FoundDate | null {
  const [lexeme] = lexemesOf(text, clock.language ?? "en");
  const month = Number(lexeme?.meanings.find(({ kind }) => kind === "month")?.value ?? 0);
  if (!lexeme || !month || /\d/.test(text.slice(lexeme.end, lexeme.end + 4))) return null;
  const [found] = dates(`in ${MONTHS[month - 1]}`, { ...clock, language: "en" });
  return found ? { ...found, start: lexeme.start, end: lexeme.end } : null;
}

const MONTHS = words("January February March April May June July August September October November December");

const dayOf = (moment: Date, { timeZone }: Clock): Wall => wallDay(toWall(timeZone, moment.getTime()));

/** "until december" is before it; "until the end of march" and "until friday" are with it. */
function lastDay(date: FoundDate, clock: Clock): Wall {
  const isPeriod = date.type === "daterange" && date.grain === "month" && !date.edge;
  const from = dayOf(date.from ?? clock.reference, clock);
  if (isPeriod) return from - DAY_MS;
  return date.to ? dayOf(new Date(date.to.getTime() - 1), clock) : from;
}

function lengthOf(day: Wall, unit: string, count: number): number {
  if (unit === "day" || unit === "week") return count * (unit === "week" ? 7 : 1) * DAY_MS;
  const end = new Date(day);
  if (unit === "month") end.setUTCMonth(end.getUTCMonth() + count);
  else end.setUTCFullYear(end.getUTCFullYear() + count);
  return end.getTime() - day;
}

/** "every day except sunday"; null if no day is left. */
function withoutDays(rule: Rule, except: readonly string[]): Rule | null {
  if (except.length === 0) return rule;
  const isDaily = rule.frequency === "DAILY" && rule.interval === 1;
  if (!isDaily && (rule.frequency !== "WEEKLY" || rule.weekdays.length === 0)) return null;
  const weekdays = (isDaily ? WEEKDAYS : rule.weekdays).filter((day) => !except.includes(day));
  return weekdays.length > 0 ? { ...rule, frequency: "WEEKLY", weekdays: [...weekdays] } : null;
}

function textOf({ frequency, interval, months, monthDays, weekdays, position }: Rule): string {
  const part = (name: string, values: readonly (string | number)[]) =>
    values.length > 0 ? `;${name}=${values.join(",")}` : "";
  return `FREQ=${frequency}${interval > 1 ? `;INTERVAL=${interval}` : ""}${part("BYMONTH", months)}${part("BYMONTHDAY", monthDays)}${part("BYDAY", weekdays)}${part("BYSETPOS", position === null ? [] : [position])}`;
}

/** The first occurrence: of the days that the rule names the next one, or else the day that is said, or today. */
function firstDue(
  rule: Rule | null,
  { start, time: startTime }: Bounds,
  found: readonly FoundDate[],
  part: "am" | "pm" | null,
  clock: Clock,
): { day: Wall; due: Date; phrases: Phrase[] } | null {
  if (!rule) return null;
  const { timeZone, reference } = clock;
  const date = found.find(({ type }) => /date/.test(type));
  const time = found.find(({ type }) => /time/.test(type)) ?? startTime ?? undefined;
  const saysDays = rule.weekdays.length + rule.monthDays.length + rule.months.length > 0;
  const dated = date && (dueOf(date, clock) ?? date.from);
  const said = start ?? (dated ? dayOf(dated, clock) : null);
  const today = dayOf(reference, clock);
  const clockTime = time?.from ? timeOfDay(time, part, clock) : null;
  const isOver = (day: Wall) => clockTime !== null && toInstant(timeZone, day + clockTime) < reference.getTime();
  const from = said ?? today;
  const matches = (day: Wall) => (saysDays ? firstMatch(rule, day, timeZone) : day);
  let day = matches(from);
  if (day !== null && isOver(day)) day = matches(day + DAY_MS);
  if (day === null) return null;
  // A day that the rule does not name says something else.
  const isFirst = date !== undefined && start === null && (!saysDays || day === said || !/time/.test(date.type));
  if (date && start === null && saysDays && day !== said) {
    const next = matches(today);
    if (next === null) return null;
    day = isOver(next) ? (matches(next + DAY_MS) ?? next) : next;
  }
  const isUsed = isFirst && (!saysDays || day === said);
  return {
    day,
    due: new Date(clockTime === null ? toInstant(timeZone, day + DAY_MS) - 1 : toInstant(timeZone, day + clockTime)),
    phrases: [...new Set([...(date && isUsed ? [date] : []), ...(time && (time !== date || isUsed) ? [time] : [])])],
  };
}

const NOON = 12 * 3_600_000;

function timeOfDay(time: FoundDate, part: "am" | "pm" | null, clock: Clock): number {
  const moment = dueOf(time, clock) ?? time.from ?? clock.reference;
  const wall = toWall(clock.timeZone, moment.getTime());
  const sinceMidnight = wall - wallDay(wall);
  return part === "pm" && time.ambiguous && sinceMidnight < NOON ? sinceMidnight + NOON : sinceMidnight;
}

/** "every year on 3 may": its first day says it. */
const isOneDay = ({ frequency, months, monthDays, weekdays }: Rule) =>
  frequency === "YEARLY" && months.length === 1 && monthDays.length === 1 && weekdays.length === 0;

const DAYS: readonly string[] = WEEKDAYS;

/** The first day from this one on that the rule names. */
function firstMatch(rule: Rule, from: Wall, zone: string): Wall | null {
  if (rule.frequency === "WEEKLY") {
    const days = rule.weekdays.map((day) => DAYS.indexOf(day) + 1);
    for (let day = from; day < from + 7 * DAY_MS; day += DAY_MS) if (days.includes(weekdayOf(day))) return day;
    return null;
  }
  // A rule always matches the start of its series, so that begins a day earlier; each of its periods counts.
  const before = toInstant(zone, from - DAY_MS);
  const rrule = textOf({ ...rule, interval: 1 });
  const series = { start: before, end: toInstant(zone, from), zone, allDay: true, rrule, until: null, except: [] };
  const start = toInstant(zone, from);
  const [found] = expand(series, { start, end: Number.POSITIVE_INFINITY }, { limit: 1, notBefore: start });
  return found ? wallDay(toWall(zone, found.start)) : null;
}

const COUNT = String.raw`(?<count>\d{1,3}|an?|one|two|three|four|five|six|seven|ten|other)`;
const UNIT = "(?<unit>days?|weeks?|fortnights?|months?|years?)";
/** "3 days after it is done", "every! 2 weeks", as other task managers write it. */
const AFTER_DONE = [
  new RegExp(
    String.raw`\b(?:(?:repeat(?:s|ing)?|again) )?(?:every )?(?:${COUNT} )?${UNIT} after (?:(?:it|that|this|the last one)(?:'s| is| was| has been)? |i(?:'ve| have)? |last )?(?:done|did it|do it|complet(?:ed|ion|ing)(?: it)?|finish(?:ed|ing)?(?: it)?|completing it)\b`,
    "i",
  ),
  new RegExp(String.raw`\bevery! ?(?:${COUNT} )?${UNIT}(?![\w-])`, "i"),
];
const NUMBERS = pairs("a: 1, an: 1, one: 1, two: 2, other: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, ten: 10");

function afterDone(match: RegExpExecArray, found: readonly FoundDate[], clock: Clock): RepeatedWords {
  const { count = "1", unit = "day" } = match.groups ?? {};
  const phrase = { start: match.index, end: match.index + match[0].length };
  const isApart = ({ start, end }: Phrase) => end <= phrase.start || start >= phrase.end;
  const first = found.find((date) => date.type !== "set" && isApart(date));
  const today = wallDay(toWall(clock.timeZone, clock.reference.getTime()));
  const due = first && dueOf(first, clock);
  const number = Number(NUMBERS.get(count.toLowerCase()) ?? count) * (/^fortnight/i.test(unit) ? 2 : 1);
  const frequency = { d: "DAILY", w: "WEEKLY", f: "WEEKLY", m: "MONTHLY", y: "YEARLY" }[unit[0]?.toLowerCase() ?? "d"];
  return {
    rrule: `FREQ=${frequency}${number > 1 ? `;INTERVAL=${number}` : ""}`,
    from: "done",
    due: due ?? new Date(toInstant(clock.timeZone, today + DAY_MS) - 1),
    phrases: [phrase],
    times: first && due ? [first] : [],
  };
}
