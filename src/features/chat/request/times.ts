import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import { dueOf, hourOfPart } from "../../../engine/due-date.ts";
import {
  type Clock,
  datesIn,
  isClock,
  isMoment,
  joinDayAndTime,
  notToday,
} from "../../../engine/notes/message-time.ts";
import { ruleOfWords } from "../../../engine/repetition/read.ts";
import { DAY_MS, toWall } from "../../../lib/time-zone.ts";

/** Where words stand in a text. */
export interface Part {
  start: number;
  end: number;
}

const overlaps = (one: Part, other: Part) => one.start < other.end && one.end > other.start;

/** "The first one to 11": here one is no hour. */
const ONES =
  /\b(?:(?:the|that|this|my) [\p{L}]+|first|second|third|fourth|last|next|other|that|this|which|each|another|wrong|right|the) ones?\b/giu;
const withoutOnes = (text: string) =>
  text.replace(ONES, (words) => words.replace(/ones?$/i, (one) => "x".repeat(one.length)));

/** Hours without any sign of it: "actually 5", "make it 10 to 12". */
const BARE =
  /(?<![\d:./#-])\b(\d{1,2}(?:[:.]\d\d)?)(?: ?(?:-|–|to|till?|until|bis) ?(\d{1,2}(?:[:.]\d\d)?))?\b(?! ?(?:[:./%-]\d|st\b|nd\b|rd\b|th\b|min|hour|hr|h\b|day|week|month|people|am\b|pm\b|uhr))/i;

/** The time that a bare number means where only a time can be meant. */
export function bareTime(text: string, clock: Clock): FoundDate[] {
  const found = BARE.exec(text);
  if (!found?.[1] || Number(found[1].split(/[:.]/)[0]) > 24) return [];
  return datesIn(found[2] ? `from ${found[1]} to ${found[2]}` : `at ${found[1]}`, clock);
}

/** The phrases about time in a part of a message, but for those that are words of a name. */
export function timesIn(message: string, part: Part, names: readonly Part[], clock: Clock): FoundDate[] {
  return datesIn(withoutOnes(message), clock).filter(
    (found) => overlaps(found, part) && !names.some((name) => overlaps(found, name)),
  );
}

/** Words before a phrase about time that say where something goes to: "to Friday", "auf 15 Uhr". */
const TO =
  /(?:^|[\s,])(?:to|til|till|until|for|into|instead|auf|zu|bis|nach|à|au|jusqu'à|a|al|para|hasta|,|→|->)\s?(?:(?:the|den|die|das|le|la|el)\s?)?$/i;

const AT = /\b(?:at|um|à|a las) $/i;

/** When something is to be, and by which time it is known: "move my 3pm to Friday". */
interface Move {
  source: FoundDate[];
  target: FoundDate[];
}

export function moveIn(message: string, found: readonly FoundDate[]): Move {
  const moments = found.filter((each) => isMoment(each) && each.type !== "set");
  const [only] = moments;
  // "from Friday to Monday"
  if (only && moments.length === 1 && only.type === "daterange" && only.grain === "day" && only.to) {
    return {
      source: [{ ...only, type: "date", to: null }],
      target: [{ ...only, type: "date", from: lastDay(only.to), to: null }],
    };
  }
  const moved = fromTo(only && moments.length === 1 ? only : undefined);
  if (moved && only?.type === "datetimerange" && !isOneDay(only)) return moved;
  // "the Saturday one to 10"
  const isNaming = ({ end }: FoundDate) => /^\s*ones?\b/i.test(message.slice(end));
  if (moments.some(isNaming))
    return { source: moments.filter(isNaming), target: moments.filter((each) => !isNaming(each)) };
  const to = moments.findLastIndex(({ start }) => TO.test(message.slice(0, start)));
  // "put the lesson at half past four, only for tomorrow": the time and the day are both new.
  const before = moments[to - 1];
  const isBoth = before && moments[to]?.type === "date" && AT.test(message.slice(0, before.start));
  const split = Math.max(0, isBoth ? to - 1 : to);
  const isNew = moments.length - split;
  return isNew === 0
    ? { source: [], target: moments }
    : { source: moments.slice(0, split), target: moments.slice(split) };
}

/** "from Thursday at 3 to Friday at 10", "from 3 to 4": perhaps the old time and the new one. */
export function fromTo(found: FoundDate | undefined): Move | null {
  const isRange = found?.to && /timerange$/.test(found.type) && /^(?:from|von|vom|de|du|desde)\b/i.test(found.text);
  if (!isRange) return null;
  const type = found.type === "timerange" ? "time" : "datetime";
  return { source: [{ ...found, type, to: null }], target: [{ ...found, type, from: found.to, to: null }] };
}

const isOneDay = ({ from, to }: FoundDate) =>
  from !== null && to !== null && to.getTime() - from.getTime() < DAY_MS / 2;

const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:twice as long|double(?: (?:it|the length|that))?|doppelt so lang|deux fois plus long|el doble)\b/i, 2],
  [/\b(?:half as long|halve|half the (?:time|length)|halb so lang|moitié moins long|la mitad)\b/i, 0.5],
];

/** How many times as long something is to be; null if the words do not say so. */
export const factorIn = (text: string) => FACTORS.find(([form]) => form.test(text))?.[1] ?? null;
export const withoutFactor = (text: string) => FACTORS.reduce((rest, [form]) => rest.replace(form, " "), text);

const lastDay = (exclusive: Date) => new Date(exclusive.getTime() - 1);

const BEGINS =
  /\b(?:starts?|starting|begins?|beginning|kicks? off|beginnt|anfangen|fängt|commence\w*|débute\w*|empie\w*|comien\w*)\b/i;
const ENDS =
  /\b(?:ends?|ending|finish(?:es|ing)?|until|till|over|through|endet|enden|bis|finit|finir|jusqu'(?:à|au|aux)|termin\w{0,6}|acab\w{0,6}|hasta)\b/i;

/** The times at which something is to begin and to end: "start it at 1, it still ends at 5". */
export function boundsIn(
  message: string,
  found: readonly FoundDate[],
): { start: FoundDate | null; end: FoundDate | null } {
  const clocks = found.filter((each) => isClock(each) && each.from && !/range$/.test(each.type));
  const bounds = { start: null as FoundDate | null, end: null as FoundDate | null };
  let from = 0;
  for (const clock of clocks) {
    const before = message.slice(from, clock.start);
    const isEnd = ENDS.test(before);
    if (isEnd) bounds.end ??= clock;
    else if (BEGINS.test(before)) bounds.start ??= clock;
    from = clock.end;
  }
  return bounds;
}

/** A day, a time of day, or both. */
export interface Moment {
  /** As in 2026-11-20. */
  day: string | null;
  /** The time of day, as in 15:30. */
  time: string | null;
  at: Date;
  end: Date | null;
  /** It says no half of the day: "8". */
  isOpenHour: boolean;
  found: FoundDate;
}

/** The moment that the phrases mean together. */
export function momentOf(found: readonly FoundDate[], clock: Clock): Moment | null {
  const moments = found.filter((each) => isMoment(each) && each.type !== "set");
  const joined = joinDayAndTime(moments, clock)?.found;
  const one = joined ?? moments.find(isClock) ?? moments[0];
  if (!one?.from) return null;
  const said = joined ? one : notToday(one, clock);
  const part = hourOfPart(said, clock.habits) !== null;
  const at = (part ? dueOf(said, clock) : said.from) ?? one.from;
  const wall = new Date(toWall(clock.timeZone, at.getTime())).toISOString();
  const hasTime = isClock(said) || part;
  const isTimeOnly = said.type === "time" || said.type === "timerange";
  return {
    day: isTimeOnly ? null : wall.slice(0, 10),
    time: hasTime ? wall.slice(11, 16) : null,
    at,
    end: /range$/.test(said.type) && hasTime && !part ? said.to : null,
    isOpenHour:
      hasTime &&
      said.ambiguous &&
      !part &&
      (/^[^\d]*\b([1-9]|1[0-2])\b/.test(said.text) || !/\d/.test(said.text)) &&
      !/[ap]\.?m|[:h]\d|uhr|\dh/i.test(said.text),
    found: said,
  };
}

/** From when to when a question or a name is about: a day, a week, an hour. */
export interface Span {
  start: Date;
  end: Date;
  label: string;
  isClock: boolean;
  isPoint: boolean;
}

export function spanOf(found: readonly FoundDate[], clock: Clock): Span | null {
  const moments = found.filter((each) => isMoment(each) && each.type !== "set");
  const one = joinDayAndTime(moments, clock)?.found ?? moments[0];
  if (!one?.from) return null;
  const end = one.to ?? new Date(one.from.getTime() + 60_000);
  return { start: one.from, end, label: one.text, isClock: isClock(one), isPoint: one.to === null };
}

/** The length that a text names, in minutes. */
export const minutesIn = (found: readonly FoundDate[]): number | null =>
  found.find(({ type, durationMinutes }) => type === "duration" && durationMinutes)?.durationMinutes ?? null;

export const ruleIn = (found: readonly FoundDate[]): string | null => {
  const often = found.find(({ type }) => type === "set");
  return often ? ruleOfWords(often.words) : null;
};

export const doubtIn = (found: readonly FoundDate[]): string | null => found.find(({ doubt }) => doubt)?.doubt ?? null;
