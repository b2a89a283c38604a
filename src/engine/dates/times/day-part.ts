import { wordSet } from "../../../lib/words.ts";
import { DAY_MS } from "../calendar.ts";
import { dayAt } from "../days/day.ts";
import { type Day, relativeDay } from "../days/day-result.ts";
import { anyPhraseAt, type Input, isSentenceStart, phrases, tokenAt, wordAt } from "../tokens.ts";
import { DAY_PARTS, WEEKDAYS } from "../vocabulary.ts";
import { clockAt } from "./clock-time.ts";

/** Hours that a part of the day stands for. */
export interface DayPart {
  hours: readonly [number, number];
  night: boolean;
}

interface FoundPart {
  end: number;
  part: DayPart;
  day?: Day;
}

const NOW_PHRASES = phrases(
  "right now|just now|at the moment|at the minute|at present|at the present time|at the present|at this time|at this moment|at the current time|as of now",
);
const NOW_WORDS: ReadonlySet<string> = new Set(["now", ...NOW_PHRASES.map(([first = ""]) => first)]);
const AFTER_NOW: ReadonlySet<string> = new Set(["", "\n\n", ...wordSet(". , ? ! ; ) : and or to until -")]);
const BEFORE_NOW = wordSet("by for until till is are am was has have up even since");

/** "now", "at the moment": the index after it, otherwise -1. */
export function nowAt(input: Input, at: number): number {
  if (!NOW_WORDS.has(wordAt(input, at))) return -1;
  const phrase = anyPhraseAt(input, at, NOW_PHRASES);
  if (phrase > 0) {
    // "at this time of year", "at the moment of truth"
    return wordAt(input, phrase) === "of" || wordAt(input, phrase) === "when" ? -1 : phrase;
  }
  if (wordAt(input, at) !== "now") return -1;
  const before = wordAt(input, at - 1);
  const startsSentence = isSentenceStart(before);
  const next = wordAt(input, at + 1);
  if (before === "between") return at + 1;
  if (startsSentence || BEFORE_NOW.has(before) || !AFTER_NOW.has(next)) return -1;
  // "now and then"
  return next === "and" && wordAt(input, at + 2) === "then" ? -1 : at + 1;
}

const direct = (word: string) => DAY_PARTS.has(word) && word.length > 2;

/** "this morning", "tonight", "in the evening": the part of the day, and the day if the phrase names one. */
export function partAt(input: Input, at: number, hasClock: boolean, hasDay: boolean): FoundPart | null {
  if (tokenAt(input, at).kind !== "word") return null;
  const word = wordAt(input, at);
  if (word === "tonight" || word === "tonite") {
    return { end: at + 1, part: { hours: [20, 24], night: true }, day: relativeDay(at + 1, input.today) };
  }
  const next = wordAt(input, at + 1);
  const isMid = (index: number) => wordAt(input, index) === "mid" && wordAt(input, index + 1) === "-";
  const named = (index: number) => {
    const hours = DAY_PARTS.get(wordAt(input, index));
    const isShort = wordAt(input, index).length === 2;
    return hours && !isShort ? { hours, night: wordAt(input, index).startsWith("night") } : null;
  };
  const behind = named(at + 1);
  const half = halfOfPart(input, at, hasClock || hasDay);
  if (half) return half;
  if (word === "first" && next === "thing") {
    const inTheMorning = wordAt(input, at + 2) === "in" && wordAt(input, at + 4) === "morning" ? at + 5 : at + 2;
    const day =
      dayAt(input, inTheMorning) ?? (wordAt(input, inTheMorning) === "on" ? dayAt(input, inTheMorning + 1) : null);
    const isLed = hasDay || day !== null || inTheMorning > at + 2;
    return isLed ? { end: inTheMorning, part: { hours: [8, 10], night: false } } : null;
  }
  if (word === "at" && next === "lunch") return { end: at + 2, part: { hours: LUNCH, night: false } };
  if (behind && word === "next") return { end: at + 2, part: behind, day: relativeDay(at + 2, input.today + DAY_MS) };
  if (behind && word === "this") return { end: at + 2, part: behind, day: relativeDay(at + 2, input.today) };
  if (behind && word === "last" && behind.night)
    return { end: at + 2, part: behind, day: relativeDay(at + 2, input.today - DAY_MS) };
  if (behind && word === "yesterday") return null;
  const later = named(at + 2);
  const isLed = (end: number) =>
    (wordAt(input, end) === "at" || wordAt(input, end) === "by") && clockAt(input, end + 1, { bare: true }) !== null;
  if (word === "in" && behind && hasClock) return { end: at + 2, part: behind };
  const isLunch = word === "lunchtime" && tokenAt(input, at + 1).kind === "word";
  if (direct(word) && (next === "of" || next === "on" || isLunch) && !hasDay) {
    const index = next === "of" || next === "on" ? at + 2 : at + 1;
    const day = dayAt(input, index) ?? dayAt(input, index + (wordAt(input, index) === "the" ? 1 : 0));
    const part = named(at);
    if (day && part) return { end: day.end, part, day };
  }
  if (word === "in" && next === "the" && later && (isLed(at + 3) || !hasClock)) return { end: at + 3, part: later };
  if (isMid(at) && hasDay && later) return { end: at + 3, part: later };
  if (word === "in" && next === "the" && later && (hasClock || hasDay)) return { end: at + 3, part: later };
  if (word === "at" && behind?.night && (hasClock || hasDay)) return { end: at + 2, part: behind };
  if (!hasDay) return null;
  const own = named(at);
  if (own) return { end: at + 1, part: own };
  if (word === "lunch") return { end: at + 1, part: { hours: LUNCH, night: false } };
  const short = word === "am" || word === "pm" ? DAY_PARTS.get(word) : undefined;
  if (short && !hasClock) return { end: at + 1, part: { hours: short, night: false } };
  return word === "mid" && behind ? { end: at + 2, part: behind } : null;
}

const LUNCH = [11, 13] as const;
const HALVES = new Map<string, number>([...wordSet("early earlier")].map((word) => [word, 0]));
for (const word of wordSet("late later")) HALVES.set(word, 1);
const PART_LEADS = wordSet("in by until till from since the during");

/** "early morning", "late in the afternoon", "later this evening": half of a part of the day. */
function halfOfPart(input: Input, at: number, isVouched: boolean): FoundPart | null {
  const half = HALVES.get(wordAt(input, at));
  if (half === undefined) return null;
  const inThe = wordAt(input, at + 1) === "in" && wordAt(input, at + 2) === "the" ? at + 3 : at + 1;
  const isToday = wordAt(input, inThe) === "this";
  const index = isToday ? inThe + 1 : inThe;
  if (wordAt(input, inThe) === "last" && wordAt(input, inThe + 1) === "night") {
    const part: DayPart = { hours: half === 0 ? [20, 22] : [22, 24], night: true };
    return { end: inThe + 2, part, day: relativeDay(inThe + 2, input.today - DAY_MS) };
  }
  const isNamed = wordAt(input, inThe) === "tomorrow" || WEEKDAYS.has(wordAt(input, inThe));
  const name = isNamed ? inThe + 1 : index;
  const hours = wordAt(input, name).length > 2 ? DAY_PARTS.get(wordAt(input, name)) : undefined;
  if (!hours) return null;
  const next = tokenAt(input, name + 1);
  // "an early morning flight" is no time.
  const isPlain =
    PART_LEADS.has(wordAt(input, at - 1)) ||
    (at === 0 && next.kind === "mark") ||
    next.lower === "@" ||
    next.lower === "at";
  if (!isVouched && inThe === at + 1 && !isToday && !isNamed && !isPlain) return null;
  const middle = (hours[0] + hours[1]) / 2;
  const part: DayPart = {
    hours: half === 0 ? [hours[0], middle] : [middle, hours[1]],
    night: wordAt(input, name).startsWith("night"),
  };
  const end = name + 1;
  if (isToday) return { end, part, day: relativeDay(end, input.today) };
  const day = isNamed ? dayAt(input, inThe) : null;
  return day ? { end, part, day: { ...day, end } } : { end, part };
}
