import { wordSet } from "../../../lib/words.ts";
import { wordNumber } from "../numbers.ts";
import { glued, type Input, numberAt, phraseAt, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, NUMBERING, UNITS, WEEKDAYS } from "../vocabulary.ts";
import { type Clock, finish, fixed, HOUR, meridiem, oClock } from "./clock.ts";
import {
  AFTER_LENGTH,
  CLOCK_LINKS,
  HOURS_PASS,
  hasDayPart,
  isAfterDay,
  isBeforeDay,
  isFourDigitTime,
  isHourMark,
  isLoneLetter,
} from "./clock-context.ts";
import { endingAt } from "./end-of-day.ts";

interface ClockOptions {
  /** A lone number may be an hour. */
  bare?: boolean;
  /** "2.30" may be a time without am or pm. */
  dotted?: boolean;
  /** "150000", after the T of a date without separators. */
  compact?: boolean;
}

/** A time of day. */
export function clockAt(input: Input, at: number, options: ClockOptions = {}): Clock | null {
  const { kind, lower } = tokenAt(input, at);
  if (kind === "number") return digits(input, at, options);
  if (kind !== "word") return null;
  if (lower === "noon" || lower === "midday" || lower === "noonish") return fixed(at + 1, 12 * HOUR);
  if (lower === "midnight") return fixed(at + 1, 0);
  if (lower === "mid") {
    const next = wordAt(input, at + 1) === "-" ? at + 2 : at + 1;
    const word = wordAt(input, next);
    return word === "day" ? fixed(next + 1, 12 * HOUR) : word === "night" ? fixed(next + 1, 0) : null;
  }
  const ending = endingAt(input, at, lower);
  if (ending !== undefined) return ending;
  return pastOrTo(input, at) ?? words(input, at, options);
}

function digits(input: Input, at: number, options: ClockOptions): Clock | null {
  const token = tokenAt(input, at);
  const { length } = token.text;
  const hour = numberAt(input, at);
  if (options.compact && (length === 6 || length === 4)) {
    const [h = 0, m = 0, second = 0] = (token.text.match(/../g) ?? []).map(Number);
    return finish(h, m, second, "second", at + 1, true, null);
  }
  // "EC2A", "B4": part of a name.
  const isInName = glued(input, at) && tokenAt(input, at - 1).kind === "word" && wordAt(input, at - 1) !== "t";
  // "37.1 in the morning"
  const isDecimal =
    glued(input, at) && wordAt(input, at - 1) === "." && glued(input, at - 1) && numberAt(input, at - 2) >= 0;
  if (length > 4 || hour < 0 || isInName || isDecimal) return null;
  const is24 = token.text.startsWith("0") || hour > 12;
  if (length <= 2) {
    const colon = withMinutes(input, at, hour, is24, options);
    if (colon !== undefined) return colon;
    const past = pastOrTo(input, at);
    if (past) return past;
  }
  const half = meridiem(input, at + 1, true);
  if (half && (length > 2 || hour <= 23)) {
    const [h, m] = length > 2 ? [Math.floor(hour / 100), hour % 100] : [hour, 0];
    if (h > 12 && half.value === "am") return null;
    if (isLoneLetter(input, at, half.end)) return null;
    if (h === 0 && length <= 2 && half.value === "pm") return null;
    return finish(h, m, 0, m ? "minute" : "hour", half.end, false, half.value);
  }
  const next = wordAt(input, at + 1);
  if (length === 4 && (next === "hours" || next === "hrs" || next === "hr" || next === "h")) {
    return finish(Math.floor(hour / 100), hour % 100, 0, "minute", at + 2, true, null);
  }
  if (length <= 2 && hour < 24 && isHourMark(input, at, hour, options.bare === true)) {
    // "um 3 Uhr" is in the afternoon, as "at 3" is.
    const is24Hour = hour >= 7 || is24 || wordAt(input, at + 1) !== "uhr";
    return finish(hour, 0, 0, "hour", at + 2, is24Hour, null);
  }
  if (length <= 2 && hour <= 24) {
    const clock = oClock(input, at + 1, hour, is24);
    if (clock) return clock;
  }
  const isTimed = length === 4 && isFourDigitTime(input, at);
  const isHour = isTimed || options.bare || (hasDayPart(input, at + 1) && !NUMBERING.has(wordAt(input, at - 1)));
  return isHour ? bareHour(input, at, isTimed) : null;
}

/** "3:30", "8:00:31", "11.00am", "14h30": undefined if there is no such separator, null if it is not a time. */
function withMinutes(
  input: Input,
  at: number,
  hour: number,
  is24: boolean,
  options: ClockOptions,
): Clock | null | undefined {
  const mark = wordAt(input, at + 1);
  if ((mark !== ":" && mark !== "." && mark !== "h") || !glued(input, at + 1) || !glued(input, at + 2))
    return undefined;
  const minutes = tokenAt(input, at + 2);
  if (minutes.kind !== "number") return undefined;
  // "won 2:15", "the score was 21:19"
  if (mark === ":" && [1, 2].some((back) => CONTESTS.has(wordAt(input, at - back)))) return null;
  // "for 1h30"
  if (mark === "h" && HOURS_PASS.has(wordAt(input, at - 1))) return null;
  if (minutes.text.length !== 2) return null;
  const minute = numberAt(input, at + 2);
  let end = at + 3;
  let second = 0;
  let grain: Clock["grain"] = "minute";
  if (
    mark === ":" &&
    wordAt(input, end) === ":" &&
    glued(input, end) &&
    glued(input, end + 1) &&
    tokenAt(input, end + 1).text.length === 2 &&
    numberAt(input, end + 1) >= 0
  ) {
    second = numberAt(input, end + 1);
    grain = "second";
    end += 2;
    if (
      wordAt(input, end) === "." &&
      glued(input, end) &&
      glued(input, end + 1) &&
      tokenAt(input, end + 1).kind === "number"
    )
      end += 2;
  } else if (
    (wordAt(input, end) === ":" || wordAt(input, end) === ".") &&
    glued(input, end) &&
    glued(input, end + 1) &&
    tokenAt(input, end + 1).kind === "number"
  ) {
    return null;
  }
  const half = meridiem(input, end, true);
  // "by 3.12."
  const isDayFirst =
    mark === "." && input.habits.dayFirst && minute <= 12 && minute > 0 && wordAt(input, at - 1) !== "at";
  if (isDayFirst && !half && wordAt(input, end) === "." && glued(input, end)) return undefined;
  if (
    mark === "." &&
    !half &&
    !options.dotted &&
    !isBeforeDay(input, end, at) &&
    !(minute > 12 && isAfterDay(input, at))
  )
    return undefined;
  if (half) end = half.end;
  else if (wordAt(input, end) === "ish" && glued(input, end)) end += 1;
  else if (wordAt(input, end) === "o'clock") end += 1;
  else if (wordAt(input, end) === "%" || (mark === "h" && AFTER_LENGTH.has(wordAt(input, end)))) return null;
  const isLiteral = !is24 && input.habits.clock24 === true && mark === ":" && hour < 12;
  const clock = finish(hour, minute, second, grain, end, is24 || mark === "h" || isLiteral, half?.value ?? null);
  return clock && isLiteral && !half && hour < 5 ? { ...clock, isLiteral } : clock;
}

const CONTESTS = wordSet("score scores scored won lost beat ratio odds psalm psalms genesis exodus romans corinthians");

/** A lone number as an hour: "3", "15", "0730"; never a year or a count of something. */
function bareHour(input: Input, at: number, isTimed = false): Clock | null {
  const token = tokenAt(input, at);
  const value = numberAt(input, at);
  const { length } = token.text;
  const next = tokenAt(input, at + 1);
  if (next.kind === "word" && (!next.gap || COUNTED.has(next.lower) || UNITS.has(next.lower))) return null;
  if (next.lower === "%" || next.lower === "$" || next.lower === "/" || next.lower === "€") return null;
  if (
    !next.gap &&
    (next.lower === "." || next.lower === "," || next.lower === ":") &&
    glued(input, at + 2) &&
    tokenAt(input, at + 2).kind === "number"
  )
    return null;
  if (length <= 2) {
    const is24 = token.text.startsWith("0") || value > 12;
    // "at 3 15"
    const minute = numberAt(input, at + 1);
    const isPair = CLOCK_LINKS.has(wordAt(input, at - 1)) && next.text.length === 2 && minute >= 0 && minute < 60;
    if (isPair && tokenAt(input, at + 2).kind === "mark" && (tokenAt(input, at + 2).gap || !glued(input, at + 3))) {
      return finish(value, minute, 0, "minute", at + 2, is24, null);
    }
    const clock = finish(value, 0, 0, "hour", at + 1, is24, null);
    return clock && value <= 23 ? { ...clock, bare: true } : null;
  }
  const isYearLike = !isTimed && value >= 1900 && value < 2100;
  if (length !== 4 || isYearLike) return null;
  const clock = finish(Math.floor(value / 100), value % 100, 0, "minute", at + 1, true, null);
  return clock ? { ...clock, bare: !isTimed && !token.text.startsWith("0") } : null;
}

/** "half past 3", "quarter to five", "10 past 9", "thirty-six minutes past eight". */
function pastOrTo(input: Input, at: number): Clock | null {
  let minutes = 0;
  let next = at;
  const article = wordAt(input, at) === "a" ? at + 1 : at;
  if (wordAt(input, at) === "half") {
    minutes = 30;
    next = at + 1;
  } else if (wordAt(input, article) === "quarter") {
    minutes = 15;
    next = article + 1;
  } else {
    const value = numberAt(input, at);
    const count = value >= 1 && value <= 59 ? { end: at + 1, value } : wordNumber(input, at);
    if (!count || count.value > 59) return null;
    minutes = count.value;
    next = count.end;
  }
  const hasUnit = UNITS.get(wordAt(input, next)) === "minute";
  if (hasUnit) next += 1;
  // "a quarter 'til noon"
  if (wordAt(input, next) === "'" && wordAt(input, next + 1) === "til") next += 1;
  const link = wordAt(input, next);
  const isPast = link === "past" || (link === "after" && (hasUnit || minutes % 5 === 0));
  // "five to seven" is a range; "ten minutes to seven", "quarter to seven" and "at ten to seven" are times.
  const isPlainTo =
    (link === "to" || link === "till" || link === "til") &&
    minutes % 5 === 0 &&
    wordAt(input, at - 1) === "at" &&
    (tokenAt(input, at).kind === "word" || isFarApart(minutes, numberAt(input, next + 1)));
  const isTo =
    ((link === "to" || link === "till" || link === "til" || link === "of" || link === "before") &&
      (hasUnit || minutes === 15)) ||
    isPlainTo;
  if (!isPast && !isTo) return wordAt(input, at) === "half" ? halfHour(input, at) : null;
  if (link === "of" && wordAt(input, at) !== "quarter" && !hasUnit) return null;
  const hour = hourAt(input, next + 1);
  if (!hour || (hour.bare && (UNITS.has(wordAt(input, hour.end)) || COUNTED.has(wordAt(input, hour.end))))) return null;
  const base = isPast ? hour.seconds + minutes * 60 : hour.seconds - minutes * 60;
  // "quarter to one" stays on the twelve-hour dial.
  const seconds = hour.open && base < HOUR ? base + 12 * HOUR : (base + 24 * HOUR) % (24 * HOUR);
  return { ...hour, seconds, grain: "minute", bare: false };
}

/** "at 10 to 3" is ten minutes before three; "at 10 to 11" may be an hour from ten to eleven. */
const isFarApart = (minutes: number, hour: number) => hour > 0 && (minutes > 12 || (hour - minutes + 12) % 12 > 3);

/** "the first half 4 on Friday" */
const HALVED = wordSet("a the first second other last this that top bottom");

/** "half three": 3:30 as the British say it, 2:30 where people think in "halb drei". */
function halfHour(input: Input, at: number): Clock | null {
  const hour = hourAt(input, at + 1);
  if (!hour?.open || UNITS.has(wordAt(input, hour.end)) || COUNTED.has(wordAt(input, hour.end))) return null;
  const before = wordAt(input, wordAt(input, at - 1) === "," ? at - 2 : at - 1);
  const next = tokenAt(input, wordAt(input, hour.end) === "on" ? hour.end + 1 : hour.end);
  const isLed = CLOCK_LINKS.has(before) || WEEKDAYS.has(before) || before === "tomorrow" || before === "today";
  const isDay = WEEKDAYS.has(next.lower) || next.lower === "tomorrow";
  const isAlone = (before === "" || before === "say") && next.kind === "mark" ? true : isDay && !HALVED.has(before);
  if (!isLed && !isAlone) return null;
  const seconds = hour.seconds + (input.habits.halfBefore ? -HOUR / 2 : HOUR / 2);
  return { ...hour, seconds: seconds < HOUR ? seconds + 12 * HOUR : seconds, grain: "minute", bare: false };
}

function hourAt(input: Input, at: number): Clock | null {
  const clock = clockNoPast(input, at);
  return clock && clock.seconds % HOUR === 0 ? clock : null;
}

function clockNoPast(input: Input, at: number): Clock | null {
  const token = tokenAt(input, at);
  if (token.lower === "noon" || token.lower === "midday") return fixed(at + 1, 12 * HOUR);
  if (token.lower === "midnight") return fixed(at + 1, 0);
  if (token.kind === "number") {
    const hour = numberAt(input, at);
    if (token.text.length > 2 || hour > 24) return null;
    const half = meridiem(input, at + 1, true);
    if (half) return finish(hour, 0, 0, "hour", half.end, false, half.value);
    const isHours = wordAt(input, at + 1) === "h" && glued(input, at + 1);
    if (isHours && hour < 24) return finish(hour, 0, 0, "hour", at + 2, true, null);
    return oClock(input, at + 1, hour, hour > 12) ?? bareHour(input, at);
  }
  return words(input, at, { bare: true });
}

const MINUTE_WORDS: ReadonlySet<number> = new Set([15, 30, 45]);

/** "seven", "four o'clock", "three thirty", "nine a m", "six forty-three minutes", "oh" minutes. */
function words(input: Input, at: number, options: ClockOptions): Clock | null {
  const head = wordNumber(input, at);
  if (!head || head.value > 23) return null;
  const hour = head.value;
  // "at fifteen thirty", "at eighteen hundred"
  const isHundred = wordAt(input, head.end) === "hundred" && CLOCK_LINKS.has(wordAt(input, at - 1));
  if (isHundred) return finish(hour, 0, 0, "hour", head.end + 1, true, null);
  if (hour > 12) {
    const minutes = options.bare ? wordNumber(input, head.end) : null;
    const isCount = minutes && (UNITS.has(wordAt(input, minutes.end)) || COUNTED.has(wordAt(input, minutes.end)));
    if (!minutes || minutes.value < 10 || minutes.value > 59 || isCount) return null;
    return finish(hour, minutes.value, 0, "minute", minutes.end, true, null);
  }
  const half = meridiem(input, head.end, false);
  if (half) return finish(hour, 0, 0, "hour", half.end, false, half.value);
  const clock = oClock(input, head.end, hour, false);
  if (clock) return clock;
  const oh = wordAt(input, head.end) === "oh" || wordAt(input, head.end) === "o" ? head.end + 1 : head.end;
  const hyphen = wordAt(input, oh) === "-" && glued(input, oh) ? oh + 1 : oh;
  const tail = wordNumber(input, hyphen);
  if (tail && (oh > head.end ? tail.value < 10 : tail.value >= 10) && tail.value < 60) {
    const end = UNITS.get(wordAt(input, tail.end)) === "minute" ? tail.end + 1 : tail.end;
    const later = meridiem(input, end, false);
    const next = wordAt(input, end);
    if (later) return finish(hour, tail.value, 0, "minute", later.end, false, later.value);
    const isCount = UNITS.has(next) || COUNTED.has(next);
    if ((options.bare || MINUTE_WORDS.has(tail.value)) && !isCount) {
      return finish(hour, tail.value, 0, "minute", end, false, null);
    }
    return null;
  }
  if (!options.bare && !hasDayPart(input, head.end)) return null;
  const next = wordAt(input, head.end);
  if (COUNTED.has(next) || UNITS.has(next) || phraseAt(input, head.end, ["-"]) > 0) return null;
  return { end: head.end, seconds: hour * HOUR, grain: "hour", open: true, bare: true };
}
