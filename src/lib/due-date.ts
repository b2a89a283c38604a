import { en as chrono } from "chrono-node";
import { addDays, endOfDay, instantOf, wallTime } from "./time-zone.ts";

const MAX_SCANNED = 200;
/** "At 6" may still be in the afternoon, "at 7" is in the morning. */
const LAST_AFTERNOON_HOUR = 6;

/** Said plainly, which the date parser does not know or reads as something else. */
const PHRASES: readonly [RegExp, string][] = [
  [/\b(eod|cob|end of (?:the )?(?:business )?day|close of business)\b(?!\s+(?:on\s+)?\w+day)/gi, "today at 17:00"],
  [/\b(?:eod|cob|end of (?:the )?day)\s+(?:on\s+)?(\w+day)\b/gi, "$1 at 17:00"],
  [/\b(?:eow|end of (?:the )?week)\b/gi, "friday at 17:00"],
  [/\bday after tomorrow\b/gi, "in 2 days"],
  [/\bhalf past (\d{1,2})\b/gi, "$1:30"],
  [/\btonight\b/gi, "today at 20:00"],
];

/** What the text means as a date, read at `now` in the zone; null when it names none. */
export function parseDueText(text: string, now: Date, zone: string): Date | null {
  let plain = text.slice(0, MAX_SCANNED);
  for (const [pattern, replacement] of PHRASES) plain = plain.replace(pattern, replacement);
  const looksBack = /\b(ago|last|yesterday|past)\b/i.test(plain);
  const wall = wallTime(now, zone);
  // The parser knows no IANA zones. It is given the wall's clock as if it were UTC and answers in the same.
  const instant = new Date(Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second));
  const [found] = chrono.parse(plain, { instant, timezone: 0 }, { forwardDate: !looksBack });
  if (!found) return null;
  const { start } = found;
  const date = { year: number(start, "year"), month: number(start, "month"), day: number(start, "day") };
  // "in 20 minutes" has a time that nobody wrote; "friday" has none at all.
  const isMoment = start.isCertain("hour") || /\b(hours?|hrs?|minutes?|mins?|h|m)\b/i.test(found.text);
  if (!isMoment) return new Date(endOfDay(date, zone).getTime() - 1);
  const hour = isAfternoon(found) ? number(start, "hour") + 12 : number(start, "hour");
  const time = { hour, minute: number(start, "minute"), second: number(start, "second") };
  if (namesItsZone(found)) {
    const offset = start.get("timezoneOffset") ?? 0;
    return new Date(Date.UTC(date.year, date.month - 1, date.day, time.hour, time.minute - offset, time.second));
  }
  if (start.isCertain("day") || start.isCertain("weekday") || !start.isCertain("hour")) {
    return instantOf({ ...date, ...time }, zone);
  }
  // Only a time: today, or tomorrow when it has passed.
  const today = instantOf({ ...wall, ...time }, zone);
  return today > now ? today : instantOf({ ...addDays(wall, 1), ...time }, zone);
}

type Found = ReturnType<typeof chrono.parse>[number];
type Components = Found["start"];

/** The parser gives its reference's offset to "in two hours" as if it had been written. */
function namesItsZone({ start, text }: Found): boolean {
  if (!start.isCertain("timezoneOffset")) return false;
  return start.get("timezoneOffset") !== 0 || /\b(utc|gmt)\b|\dz\b/i.test(text);
}

function number(components: Components, part: Parameters<Components["get"]>[0]): number {
  return components.get(part) ?? 0;
}

/** "at 3" is a time of the working day, unless the text says am or writes 03:00. */
function isAfternoon({ start, text }: Found): boolean {
  if (!start.isCertain("hour") || start.isCertain("meridiem") || /\b0\d[:.]\d\d/.test(text)) return false;
  const hour = number(start, "hour");
  return hour >= 1 && hour <= LAST_AFTERNOON_HOUR;
}

/** The date by which a sentence wants something done: only what follows "by", "before", "due" and the like. */
export function deadlineIn(sentence: string, now: Date, zone: string): Date | null {
  const mark = /\b(?:by|before|until|due|no later than|not later than)\b\s*:?\s*/i.exec(sentence);
  if (mark) return parseDueText(sentence.slice(mark.index + mark[0].length).slice(0, 60), now, zone);
  const day = /\b(?:today|tomorrow|tonight|eod|cob)\b.{0,20}/i.exec(sentence);
  return day ? parseDueText(day[0], now, zone) : null;
}
