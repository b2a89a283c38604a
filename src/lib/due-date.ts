import { en as chrono } from "chrono-node";
import { DAY_MS, MINUTE_MS, toInstant, toWall, type Wall, wallDay } from "./time-zone.ts";

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
  const wall = toWall(zone, now.getTime());
  // The parser knows no IANA zones. It is given the wall's clock as if it were UTC and answers in the same.
  const instant = new Date(wall);
  const [found] = chrono.parse(plain, { instant, timezone: 0 }, { forwardDate: !looksBack });
  if (!found) return null;
  const { start } = found;
  const date = Date.UTC(number(start, "year"), number(start, "month") - 1, number(start, "day"));
  const moment = (reading: Wall) => new Date(toInstant(zone, reading));
  // "in 20 minutes" has a time that nobody wrote; "friday" has none at all.
  const isMoment = start.isCertain("hour") || /\b(hours?|hrs?|minutes?|mins?|h|m)\b/i.test(found.text);
  if (!isMoment) return new Date(toInstant(zone, date + DAY_MS) - 1);
  const hour = isAfternoon(found) ? number(start, "hour") + 12 : number(start, "hour");
  const time = Date.UTC(1970, 0, 1, hour, number(start, "minute"), number(start, "second"));
  if (namesItsZone(found)) {
    return new Date(date + time - (start.get("timezoneOffset") ?? 0) * MINUTE_MS);
  }
  if (start.isCertain("day") || start.isCertain("weekday") || !start.isCertain("hour")) {
    return moment(date + time);
  }
  // Only a time: today, or tomorrow when it has passed.
  const today = wallDay(wall);
  return moment(today + time) > now ? moment(today + time) : moment(today + DAY_MS + time);
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
