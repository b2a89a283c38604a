import { wordSet } from "../../lib/words.ts";
import { DAY_MS, weekdayOf } from "./calendar.ts";
import { dayAt, type Offset, offsetAt } from "./days/day.ts";
import { type Day, relativeDay } from "./days/day-result.ts";
import { monthOf } from "./days/month-day.ts";
import { type CountedWeekday, countedWeekdayAt, inMonth } from "./days/ordinal-day.ts";
import { weekdayNameAt } from "./days/weekday.ts";
import { isHead } from "./first-words.ts";
import { type Duration, durationAt, isTimeUnit } from "./periods/duration.ts";
import { placeAt } from "./places.ts";
import { type Clock, fixed } from "./times/clock.ts";
import { type ClockRange, clockRangeAt } from "./times/clock-range.ts";
import { clockAt } from "./times/clock-time.ts";
import { type DayPart, nowAt, partAt } from "./times/day-part.ts";
import { endOfWork } from "./times/end-of-day.ts";
import { anyPhraseAt, glued, type Input, phraseAt, phrases, skip, tokenAt, wordAt } from "./tokens.ts";
import { MONTHS } from "./vocabulary.ts";
import type { Zone } from "./zone.ts";
import { zoneAt } from "./zone-phrase.ts";

/** The parts of one phrase about time: a day, a time, a zone and so on, in whatever order they were written. */
export interface Moment {
  end: number;
  day?: Day;
  clock?: Clock;
  range?: ClockRange;
  part?: DayPart;
  length?: Duration;
  offset?: Offset;
  zone?: Zone;
  /** The zone follows from a place ("at 9 in Tokyo"), which may only say where the meeting is. */
  isPlaceZone?: true;
  now?: true;
  counted?: CountedWeekday;
}

const TIME_LINKS = wordSet("at @ um around about by approximately approx circa ~");
/** Links that bound a time from one side. A number alone after them is not a time. */
const BOUNDS = wordSet("after before until till past sometime anytime");
/** After these a day cannot follow ("at Friday"). */
const BEFORE_TIME_ONLY = wordSet("at @ around about by for");
const LABELS = phrases("time :|date :|when :|day :");
const OPEN_ENDS = phrases("or later|or after|or earlier|or before|or so|onwards|onward|sharp|on the dot");
const SOFT_LINKS = wordSet(", - – — ( | : for on starting beginning from of in the . )");

/** Reads a day, a time or range of times, a part of the day, a length and a zone, as many as follow each other. */
export function momentAt(input: Input, at: number, bareFirst: boolean, nested = false): Moment | null {
  if (!isHead(input, at)) return null;
  const moment: Moment = { end: at };
  if (!fill(input, at, moment, bareFirst) && !fillFirst(input, at, moment, nested)) return null;
  // Each round fills an empty slot, so there are few.
  for (let round = 0; round < 8; round += 1) {
    const before = moment.end;
    if (!follow(input, moment)) break;
    if (moment.end <= before) break;
  }
  if (moment.counted && !moment.day) return null;
  return moment;
}

function follow(input: Input, moment: Moment): boolean {
  const { end } = moment;
  const label = anyPhraseAt(input, end, LABELS);
  if (label > 0) return fill(input, label, moment, false, "time");
  if (isNextMomentOnNewLine(input, end)) return false;
  const open = moment.clock ? anyPhraseAt(input, end, OPEN_ENDS) : -1;
  if (open > 0) return put(moment, open, {});
  if (fill(input, end, moment, false)) return true;
  // "tomorrow in between 1 and 3"
  if (moment.day && wordAt(input, end) === "in" && wordAt(input, end + 1) === "between")
    return fill(input, end + 1, moment, false);
  // "today in one hour"
  const soon = moment.day?.wall === input.today && moment.day.end === end ? offsetAt(input, end) : null;
  if (soon?.timed && soon.wall > input.now) {
    delete moment.day;
    return put(moment, soon.end, { offset: soon });
  }
  const hour = hourAfterDay(input, moment);
  if (hour) return put(moment, hour.end, { clock: hour });
  let next = wordAt(input, end) === "t" && !tokenAt(input, end).gap && !tokenAt(input, end + 1).gap ? end + 1 : end;
  if (next > end) return fill(input, next, moment, false, "t");
  for (let skipped = 0; skipped < 3; skipped += 1) {
    const word = wordAt(input, next);
    const isTimeLink = TIME_LINKS.has(word);
    if (!isTimeLink && !SOFT_LINKS.has(word) && !(BOUNDS.has(word) && moment.day)) return false;
    if ((word === "." || word === ":" || word === ")") && !isJoint(input, next, moment)) return false;
    next += 1;
    if (tokenAt(input, next).line && !isTimeLink && word !== ",") return false;
    if (fill(input, next, moment, isTimeLink, word)) {
      closeBracket(input, moment, end);
      return true;
    }
  }
  return false;
}

/** "tomorrow 9", "Friday 17": a number after a day that ends the clause is an hour. */
function hourAfterDay(input: Input, { day, clock, range, part, end }: Moment): Clock | null {
  const isNear = day && day.end === end && day.kind !== "date";
  if (!isNear || clock || range || part || tokenAt(input, end).kind !== "number" || tokenAt(input, end).text.length > 2)
    return null;
  const next = tokenAt(input, end + 1);
  const closes = next.kind === "mark" && (next.text === "" || /^[.,;!?)]$/.test(next.lower)) && !glued(input, end + 2);
  // "remind me Saturday 10 …": what follows is what to be reminded of, unless it is counted.
  const isReminder = next.kind === "word" && next.gap && phraseAt(input, end - 3, ["remind", "me"]) > 0;
  return closes || (isReminder && !MONTHS.has(next.lower)) ? clockAt(input, end, { bare: true }) : null;
}

/** A full stop or colon joins only in "Fri. 10am"; a closing bracket after a bracketed date. */
function isJoint(input: Input, at: number, moment: Moment): boolean {
  if (wordAt(input, at) === ")") return true;
  const before = tokenAt(input, at - 1);
  const isShort = before.kind === "word" && before.text.length <= 5 && !tokenAt(input, at).gap;
  const next = tokenAt(input, at + 1);
  return (
    wordAt(input, at) === "." &&
    !moment.clock &&
    isShort &&
    (next.kind === "number" || TIME_LINKS.has(next.text)) &&
    !next.line
  );
}

function isNextMomentOnNewLine(input: Input, at: number): boolean {
  const token = tokenAt(input, at);
  return token.line && token.kind === "number";
}

function closeBracket(input: Input, moment: Moment, from: number): void {
  for (let index = from; index < moment.end; index += 1) {
    if (wordAt(input, index) === "(" && wordAt(input, moment.end) === ")") {
      moment.end += 1;
      return;
    }
  }
}

/** Fills one empty slot with what starts at `at`. */
function fill(input: Input, at: number, moment: Moment, bare: boolean, link = ""): boolean {
  const hasTime = Boolean(moment.clock || moment.range);
  if (!hasTime && !moment.offset && !moment.now) {
    const range = link === "of" || link === "in" ? null : clockRangeAt(input, at);
    const isVouched = moment.day !== undefined || moment.end === at;
    if (range && (!range.bare || isVouched || bare || range.led)) return put(moment, range.end, { range });
    const clock = clockAt(input, at, {
      bare: bare || (moment.day !== undefined && link === "at"),
      dotted: bare || link === "at" || isDottedAfterDay(input, at, moment),
      compact: link === "t",
    });
    const isAllowed = link !== "of" && link !== "in" && link !== "the" && link !== "on";
    if (clock && isAllowed && !isDayInstead(input, at, clock)) return put(moment, clock.end, { clock });
  }
  if (moment.counted && !moment.day && link === "of") {
    const month = monthOf(input, at);
    const day = month && inMonth(month, moment.counted);
    if (day) return put(moment, day.end, { day });
  }
  if (!moment.part && !(moment.range && !moment.range.ambiguous)) {
    const hasDay = moment.day !== undefined || moment.counted !== undefined;
    const part = partAt(input, at, moment.clock !== undefined, hasDay);
    if (part && !(part.day && moment.day)) {
      moment.part = part.part;
      if (part.day) moment.day = part.day;
      moment.end = part.end;
      return true;
    }
  }
  if (!BEFORE_TIME_ONLY.has(link) && fillDay(input, at, moment, link)) return true;
  if (hasTime || moment.day) {
    if (moment.clock && !moment.length && (link === "for" || wordAt(input, at) === "for")) {
      const length = durationAt(input, skip(input, at, "for"));
      if (length && isTimeUnit(length.unit)) return put(moment, length.end, { length });
    }
    if (moment.day && !hasTime && !moment.length && (link === "for" || wordAt(input, at) === "for"))
      return fillLengthThenClock(input, at, moment, link);
    if (hasTime && !moment.zone && (link === "" || link === "(")) {
      const zone = zoneAt(input, at);
      if (zone) return put(moment, zone.end, { zone: zone.zone });
    }
    const isPlaced = hasTime && !moment.zone && (link === "in" || link === "(");
    const place = isPlaced ? placeAt(input, at) : null;
    if (place && (link === "in" || wordAt(input, place.end) === ")"))
      return put(moment, place.end, { zone: { name: place.zone }, isPlaceZone: true });
  }
  return false;
}

function put(moment: Moment, end: number, slot: Partial<Moment>): true {
  Object.assign(moment, slot);
  moment.end = end;
  return true;
}

/** "Thursday 3rd December, 3.50": two digits behind a day that end the clause are minutes. */
function isDottedAfterDay(input: Input, at: number, { day, end }: Moment): boolean {
  const isBehind = day?.end === end && (at === end || wordAt(input, at - 1) === ",");
  const next = tokenAt(input, at + 3);
  const closes = next.text === "" || (/^[.,;!?)]$/.test(next.lower) && !glued(input, at + 4));
  return isBehind && closes && tokenAt(input, at + 2).text.length === 2;
}

/** "5 May" must not be read as five o'clock. */
function isDayInstead(input: Input, at: number, clock: Clock): boolean {
  if (!clock.bare) return false;
  const day = dayAt(input, at);
  return day !== null && day.end >= clock.end;
}

function fillDay(input: Input, at: number, moment: Moment, link: string): boolean {
  if (moment.offset || moment.now) return false;
  const day = dayAt(input, at);
  if (!day) return false;
  if (!moment.day) return put(moment, day.end, { day });
  // A second day must directly follow the first and name the same day in another way.
  if (moment.day.end !== moment.end || link === "on" || link === "of" || link === "in" || link === "for") return false;
  if (moment.day.kind !== "date" && day.kind === "date") return put(moment, day.end, { day });
  const weekday = weekdayNameAt(input, at);
  const isNamed = moment.day.kind === "date" && weekday > 0 && day.end === at + 1;
  if (isNamed && (link === "(" || weekdayOf(moment.day.wall) === weekday)) {
    return put(moment, day.end, { day: { ...moment.day, end: day.end } });
  }
  return false;
}

/** "14th Feb for 7 hours from 9:30am" */
function fillLengthThenClock(input: Input, at: number, moment: Moment, link: string): boolean {
  const length = durationAt(input, link === "for" ? at : at + 1);
  if (!length) return false;
  const clock = clockAfterLength(input, length);
  if (clock && isTimeUnit(length.unit)) return put(moment, clock.end, { clock, length });
  return isTimeUnit(length.unit) ? false : put(moment, length.end, { length });
}

const LENGTH_LINKS = phrases(
  "starting at|starting from|starting on|beginning at|beginning on|from|starting|beginning|commencing",
);

function clockAfterLength(input: Input, length: Duration): Clock | null {
  const start = anyPhraseAt(input, length.end, LENGTH_LINKS);
  return start > 0 ? clockAt(input, start, { bare: true, dotted: true }) : null;
}

/** "this time tomorrow", "this time next week" */
function thisTimeAt(input: Input, at: number): { day: Day; clock: Clock } | null {
  if (wordAt(input, at) !== "this" || wordAt(input, at + 1) !== "time") return null;
  const week = phraseAt(input, at + 2, ["next", "week"]);
  const day = week > 0 ? relativeDay(week, input.today + 7 * DAY_MS) : dayAt(input, skip(input, at + 2, "on"));
  return day && { day, clock: { ...fixed(day.end, (input.now - input.today) / 1000), grain: "minute" } };
}

const END_OF = phrases("the end of|end of|eod on|eod");

/** Phrases that only come first: "now", "in 5 minutes", "for 2 hours from 2pm", "first Monday 1pm … of next month". */
function fillFirst(input: Input, at: number, moment: Moment, nested: boolean): boolean {
  const ending = anyPhraseAt(input, at, END_OF);
  const last = ending > 0 ? dayAt(input, skip(input, ending, "the")) : null;
  if (last) return put(moment, last.end, { day: last, clock: endOfWork(last.end) });
  const time = thisTimeAt(input, at);
  if (time) return put(moment, time.day.end, time);
  const now = tokenAt(input, at).kind === "word" ? nowAt(input, at) : -1;
  if (now > 0) return put(moment, now, { now: true });
  const offset = offsetAt(input, at);
  if (offset?.timed) return put(moment, offset.end, { offset });
  const amount = skip(input, at, "for");
  const length = nested ? null : durationAt(input, amount);
  if (length) {
    const start = anyPhraseAt(input, skip(input, length.end, ","), LENGTH_LINKS);
    if (start < 0) return false;
    // "3 days from today" is a day, "for 3 days from today" three of them.
    const isFrom = wordAt(input, start - 1) === "from" && amount === at;
    const rest = momentAt(input, start, true, true);
    const isPlain = rest && (rest.clock || (rest.day && !isFrom)) && !rest.range && !rest.length && !rest.offset;
    if (!rest || !isPlain) return false;
    return put(moment, rest.end, { ...rest, length });
  }
  const counted = countedWeekdayAt(input, at);
  return counted ? put(moment, counted.end, { counted }) : false;
}
