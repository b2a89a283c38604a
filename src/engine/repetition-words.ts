import type { RepeatFrom } from "../lib/task-kinds.ts";
import { DAY_MS, toInstant, toWall, wallDay } from "../lib/time-zone.ts";
import { pairs } from "../lib/words.ts";
import type { FoundDate } from "./dates/find-dates.ts";
import { dueOf } from "./due-date.ts";
import { type Clock, datesIn, isMoment } from "./notes/message-time.ts";

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
  phrases: Phrase[];
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

/** How something repeats and when it is first due, from a text that says so; null if it does not. */
export function readRepetition(text: string, clock: Clock): RepeatedWords | null {
  const done = AFTER_DONE.map((form) => form.exec(text)).find((match) => match !== null);
  const dates = datesIn(text, clock).filter(isMoment);
  if (done) return afterDone(done, dates, clock);
  const sets = dates.filter(({ type }) => type === "set");
  const set = sets.find(saysTime) ?? sets[0];
  const rrule = set && ruleOf(sets.map((each) => each.text).join(" "));
  if (!set || !rrule) return null;
  const others = dates.filter(({ type }) => type !== "set");
  const first = others.find(({ type }) => /date/.test(type));
  const time = others.find(({ type }) => /^time/.test(type));
  const due = first && !saysTime(set) ? dueOf(first, clock) : firstDue(set, time, clock);
  const phrases = [...sets, ...(first ? [first] : saysTime(set) || !time ? [] : [time])];
  return due && { rrule, from: "due", due, phrases };
}

const isDay = ({ from, to }: FoundDate) =>
  to !== null && from !== null && to.getTime() - from.getTime() > 20 * 3_600_000;
const saysTime = (set: FoundDate) => !isDay(set);

/** The first day of the set, at the time that is said elsewhere: "every friday … 5pm". */
function firstDue(set: FoundDate, time: FoundDate | undefined, { reference, timeZone }: Clock): Date | null {
  if (!set.from) return null;
  if (saysTime(set)) return set.from;
  const day = wallDay(toWall(timeZone, set.from.getTime()));
  if (!time?.from) return new Date(toInstant(timeZone, day + DAY_MS) - 1);
  const wall = toWall(timeZone, time.from.getTime());
  const due = new Date(toInstant(timeZone, day + wall - wallDay(wall)));
  // Today's has passed, and the time was read as tomorrow's for that reason.
  return due < reference ? time.from : due;
}

function afterDone(match: RegExpExecArray, dates: readonly FoundDate[], clock: Clock): RepeatedWords {
  const { count = "1", unit = "day" } = match.groups ?? {};
  const phrase = { start: match.index, end: match.index + match[0].length };
  const isApart = ({ start, end }: Phrase) => end <= phrase.start || start >= phrase.end;
  const first = dates.find((found) => found.type !== "set" && isApart(found));
  const today = wallDay(toWall(clock.timeZone, clock.reference.getTime()));
  const due = first && dueOf(first, clock);
  const number = Number(NUMBERS.get(count.toLowerCase()) ?? count) * (/^fortnight/i.test(unit) ? 2 : 1);
  const frequency = { d: "DAILY", w: "WEEKLY", f: "WEEKLY", m: "MONTHLY", y: "YEARLY" }[unit[0]?.toLowerCase() ?? "d"];
  return {
    rrule: `FREQ=${frequency}${number > 1 ? `;INTERVAL=${number}` : ""}`,
    from: "done",
    due: due ?? new Date(toInstant(clock.timeZone, today + DAY_MS) - 1),
    phrases: [phrase, ...(first && due ? [first] : [])],
  };
}

export const RULE_DAYS = pairs("mon: MO, tue: TU, wed: WE, thu: TH, fri: FR, sat: SA, sun: SU");

const NTH_WEEKDAY = /\b(first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) (mon|tue|wed|thu|fri|sat|sun)/;
const NTH = pairs("first: 1, second: 2, third: 3, fourth: 4, last: -1");

const INTERVALS: Record<string, number> = { other: 2, second: 2, two: 2, three: 3, four: 4, five: 5, six: 6 };

/** "every other monday", "every 3 months" */
function intervalOf(words: string): string {
  const every = /\bevery (other|second|two|three|four|five|six|\d{1,2})\b/.exec(words)?.[1] ?? "";
  const interval = /\b(?:fortnight|bi-?weekly)/.test(words) ? 2 : (INTERVALS[every] ?? Number(every));
  return interval > 1 ? `;INTERVAL=${interval}` : "";
}

const PARTS_OF_DAY = /\b(?:morning|afternoon|evening|night|noon|midday|lunchtime)s?\b/g;

/** The RFC 5545 rule that words such as "every other monday" mean; null if they name none. */
export function ruleOf(text: string): string | null {
  const words = text.toLowerCase();
  const interval = intervalOf(words);
  if (/\b(?:weekday|work ?day)/.test(words)) return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR";
  const [, number, day] = NTH_WEEKDAY.exec(words) ?? [];
  if (number && day && /month/.test(words))
    return `FREQ=MONTHLY${/every (?:\d|other|two|three)/.test(words) ? interval : ""};BYDAY=${NTH.get(number) ?? number.slice(0, 1)}${RULE_DAYS.get(day)}`;
  const days = [...words.matchAll(/\b(mon(?!th)|tue|wed|thu|fri|sat|sun)[a-z]*/g)].flatMap(
    ([, day = ""]) => RULE_DAYS.get(day) ?? [],
  );
  if (days.length > 0) return `FREQ=WEEKLY${interval};BYDAY=${[...new Set(days)].join(",")}`;
  const isLastDay = /\blast day\b.{0,40}\bmonth/.test(words);
  const said =
    /\b(day|daily|week|bi-?week|month|quarter|year|annual|fortnight)/.exec(words.replace(PARTS_OF_DAY, "day"))?.[1] ??
    "";
  const unit = isLastDay ? "month" : said;
  if (unit === "quarter") return "FREQ=MONTHLY;INTERVAL=3";
  if (unit === "month") return `FREQ=MONTHLY${interval}${monthDay(words)}`;
  const rule = { d: "DAILY", w: "WEEKLY", b: "WEEKLY", f: "WEEKLY", y: "YEARLY", a: "YEARLY" }[unit[0] ?? ""];
  return rule ? `FREQ=${rule}${interval}` : null;
}

/** "on the 15th of every month", "on the last day of every month"; the 31st is the last day of shorter months, too. */
function monthDay(words: string): string {
  if (/\blast day\b/.test(words)) return ";BYMONTHDAY=-1";
  const day = Number(/\b(\d{1,2})(?:st|nd|rd|th)\b/.exec(words)?.[1] ?? 0);
  return day > 0 && day <= 31 ? `;BYMONTHDAY=${day === 31 ? -1 : day}` : "";
}
