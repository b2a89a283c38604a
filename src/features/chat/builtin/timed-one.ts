import type { ChatRecord } from "../../../db/schema/chat.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { endOfDay } from "../../../lib/spoken-time.ts";
import { toWall, weekdayOf } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import type { Turn } from "../../tools/turn.ts";

const DAY =
  "(?:today|tomorrow|tonight|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \\d{1,2}(?:st|nd|rd|th))(?:'s)?";
const CLOCK = "(?:\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)?|noon|midday|lunchtime)(?: ?o'?clock)?";
const PART = "(?:early |late )?(?:morning|afternoon|evening|night)";
const WORDS = `(?:${DAY}(?: ${PART})?|${PART}|${CLOCK}|earlier|later|earliest|latest|soonest)`;
const NOUN = "(?:one|meeting|event|appointment|call|thing|slot|session|entry|booking)";
/** "the friday one", "the one in the afternoon", "my 3 o'clock" */
const TIMED = new RegExp(
  `\\b(?:the|my|that|this) (?<before>${WORDS}) ${NOUN}\\b(?!s)|\\b(?:the|that) ${NOUN} (?:on|at|in the|in|from|for) (?:the )?(?<behind>${DAY}(?: ${PART})?|${PART}|${CLOCK})(?! ?(?:to|till|until|for|minutes|mins|hours)\\b)|\\bmy (?<mine>\\d{1,2}(?:[:.]\\d\\d)? ?(?:o'?clock|am|pm))(?!\\S)`,
  "iu",
);
const MOST_LOADED = 8;

interface Timed {
  record: ChatRecord;
  start: number;
}

async function timesOf(turn: Turn, records: readonly ChatRecord[]): Promise<Timed[]> {
  const seen = new Map(
    records.filter(({ kind }) => kind === "event").map((each) => [`${each.id} ${each.occurrence}`, each]),
  );
  const timed: Timed[] = [];
  for (const record of [...seen.values()].slice(0, MOST_LOADED)) {
    const event = await getEvent(turn.ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
    if (event.status !== "cancelled") timed.push({ record, start: Date.parse(event.start) });
  }
  return timed;
}

/** Those of the events that are at that time: "friday", "the afternoon", "3pm", "later". */
export async function eventsAt(turn: Turn, words: string, records: readonly ChatRecord[]): Promise<ChatRecord[]> {
  const timed = (await timesOf(turn, records)).sort((a, b) => a.start - b.start);
  const order = /^(?:earlie|sooner|soonest)/i.test(words) ? 0 : /^late(?:r|st)$/i.test(words) ? -1 : null;
  if (order !== null)
    return timed.length > 1
      ? timed
          .slice(order === 0 ? 0 : -1)
          .slice(0, 1)
          .map(({ record }) => record)
      : [];
  const hour = (start: number) => new Date(toWall(turn.timeZone, start)).getUTCHours();
  const part = /\b(morning|afternoon|evening|night)$/i.exec(words)?.[1]?.toLowerCase();
  const day = words
    .replace(/'s$/i, "")
    .replace(part ? /(?<!\s)\s*(?:early |late )?(?:morning|afternoon|evening|night)$/i : /$^/, "");
  const asked = day ? (askedTime(day, turn.clock) ?? askedTime(`at ${day}`, turn.clock)) : null;
  if (day && !asked) return [];
  const isPart = (start: number) =>
    !part ||
    (part === "morning"
      ? hour(start) < 12
      : part === "afternoon"
        ? hour(start) >= 12 && hour(start) < 18
        : hour(start) >= 17);
  const clockOf = (at: number) => new Date(toWall(turn.timeZone, at)).toISOString().slice(11, 16);
  const isThen = (start: number) => {
    if (!asked) return true;
    // "My 3 o'clock" is at that time on any day.
    if (asked.isClockOnly) return clockOf(start) === clockOf(asked.start.getTime());
    const end = asked.isPoint && !asked.isClock ? endOfDay(turn.timeZone, asked.start.getTime()) : asked.end.getTime();
    return start >= asked.start.getTime() && start < end;
  };
  const then = timed.filter(({ start }) => isPart(start) && isThen(start));
  // On a Wednesday, "the Wednesday one" may be next week's.
  const isOfWeekday = (start: number) => asked && weekdayName(turn, start) === weekdayName(turn, asked.start.getTime());
  const found =
    then.length > 0 || !WEEKDAY.test(day) ? then : timed.filter(({ start }) => isPart(start) && isOfWeekday(start));
  return found.map(({ record }) => record);
}

const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i;
const weekdayName = ({ timeZone }: Turn, at: number) => weekdayOf(toWall(timeZone, at));

/** "wednesday's at 7 actually", where events of several days were talked about. */
const DAYS_IS =
  /^((?:(?:and|actually|but|no|oh|so)[\s,]+)*)(?<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?:'s| one's| one is)(?= (?:now |actually )?(?:at|from|until|till)\b)/i;

async function withDayOfOne(turn: Turn, message: string): Promise<string> {
  const found = DAYS_IS.exec(message);
  const day = found?.groups?.day;
  const events = turn.state.groups.flat().filter(({ kind }) => kind === "event");
  if (!found || !day || new Set(events.map(({ id }) => id)).size < 2) return message;
  const [only, ...others] = await eventsAt(turn, day, events);
  if (!only || others.length > 0) return message;
  turn.state.groups.unshift([only]);
  return message.replace(found[0], `${found[1]}it's`);
}

/** "Move the friday one": of the events that this conversation was about, the one at that time becomes "it". */
export async function withTimedOne(turn: Turn, message: string): Promise<string> {
  const found = TIMED.exec(message);
  const words = found?.groups?.before ?? found?.groups?.behind ?? found?.groups?.mine;
  if (!found || !words) return withDayOfOne(turn, message);
  const [only, ...others] = await eventsAt(turn, words, turn.state.groups.flat());
  if (!only || others.length > 0) return message;
  turn.state.groups.unshift([only]);
  return message.replace(found[0], "it");
}

/** The words for a time in the answer to "which one?". */
export const timeInAnswer = (text: string) =>
  TIMED.exec(text)?.groups?.before ??
  TIMED.exec(text)?.groups?.behind ??
  new RegExp(`^(?:the |on |at |in the )*(?<when>${WORDS})(?: please)?$`, "i").exec(text.trim())?.groups?.when;
