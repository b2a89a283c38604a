import { DAY_MS, toInstant, toWall, wallDay } from "../../lib/time-zone.ts";
import { type FindOptions, type FoundDate, findDates } from "../dates/find-dates.ts";
import { chosen } from "../due-date.ts";

/** The current time, the person's time zone and how they write times. */
export type Clock = FindOptions;

const LEAD =
  /^(?:(?:hi|hey|hello|good (?:morning|afternoon|evening)|ok|okay|so|well|please|pls|assistant|now|and|also|then|plus)\b[\s,!.]*)*(?:(?:(?:can|could|would|will) you|(?:can|could) we) (?:please |kindly |possibly )?|(?:i want|i need|i'd like|i would like|i'd love) you to |(?:i want|i'd like|i would like) to (?!do\b)|(?:would you mind|let's|go ahead and|help me(?: to)?) )?(?:please )?/i;
const TAIL = /[\s,]{0,20}(?:,? please|,? pls|,? thanks|,? thank you|for me)?[\s.!?]{0,20}$/i;

const DOTTED_END = /(?:^|\s)\d{1,2}\.\d{1,2}\.$/;

/** The message without greetings and courtesies at its ends. */
export function withoutCourtesies(message: string): string {
  const text = message.replaceAll("’", "'").replace(/\s+/g, " ").trim().replace(LEAD, "");
  // The last full stop of "3.12." belongs to the date.
  return text.replace(TAIL, DOTTED_END.test(text) ? "." : "");
}

const OPEN_HOUR = /\b(?:at [5-9]|[5-9]:\d\d|half past \w+)\b(?![:.]\d| ?[ap]\.?m| in)/i;

const OPEN_RANGE =
  /\b([5-9](?::\d\d)?)( ?(?:-|–|to|till|until) ?(?:[6-9]|1[01])(?::\d\d)?)(?![:.\d]| ?[ap]\.?m)(?= *(?:$|[,.!?]|at\b|on\b|in\b|this\b|tonight\b|tomorrow\b|next\b|\w+day\b))/i;

/** "dinner at 7" and "dinner, 8 till 10" are in the evening. */
export function evening(text: string, name = text): string {
  if (!/\b(?:dinner|supper|drinks)\b/i.test(name)) return text;
  return text.replace(OPEN_RANGE, "$1pm$2pm").replace(OPEN_HOUR, "$& pm");
}

export const datesIn = (text: string, clock: Clock) => chosen(text, findDates(text.slice(0, 2000), clock).dates);

export const isClock = ({ type }: FoundDate) => /time/.test(type);
export const isMoment = (found: FoundDate) => found.from !== null && found.type !== "duration";

interface JoinedTime {
  found: FoundDate;
  /** The phrases it was made of; a time and its day may be apart. */
  parts: FoundDate[];
}

/** Combines "at 3" and "tomorrow" into one time, wherever they are in the sentence. */
export function joinDayAndTime(dates: readonly FoundDate[], { timeZone }: Clock): JoinedTime | null {
  const days = dates.filter(({ type }) => type === "date");
  const times = dates.filter(({ type }) => type === "time" || type === "timerange");
  const [day, time] = [days[0], times[0]];
  if (!day?.from || !time?.from || days.length > 1 || times.length > 1) return null;
  const onDay = (moment: Date) => {
    const wall = toWall(timeZone, moment.getTime());
    return new Date(toInstant(timeZone, wallDay(toWall(timeZone, day.from?.getTime() ?? 0)) + (wall - wallDay(wall))));
  };
  const type = time.type === "time" ? "datetime" : "datetimerange";
  return { found: { ...time, type, from: onDay(time.from), to: time.to && onDay(time.to) }, parts: [day, time] };
}

const WEEKDAY = /^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i;

/** Nobody calls today by its weekday: "Wednesday", said on a Wednesday, is the next one. */
export function notToday(found: FoundDate, { reference, timeZone }: Clock): FoundDate {
  const today = wallDay(toWall(timeZone, reference.getTime()));
  const { from, to, wall } = found;
  const isToday =
    found.type === "date" &&
    WEEKDAY.test(found.text) &&
    from !== null &&
    wallDay(toWall(timeZone, from.getTime())) === today;
  if (!isToday) return found;
  const later = (moment: Date | null) =>
    moment && new Date(toInstant(timeZone, toWall(timeZone, moment.getTime()) + 7 * DAY_MS));
  const ahead = (time: number | null) => (time === null ? null : time + 7 * DAY_MS);
  return { ...found, from: later(from), to: later(to), wall: { ...wall, from: ahead(wall.from), to: ahead(wall.to) } };
}

const BEFORE_DATE =
  /(?:\b(?:due|set|scheduled|happening|starting|beginning))?\s{0,9}\b(?:by|on|at|for|in|before|until|till|from|due|around|this coming)\s{0,9}$/i;

/** The text without these phrases about time and their prepositions. */
export function withoutPhrases(text: string, found: readonly Pick<FoundDate, "start" | "end">[]): string {
  let rest = text;
  for (const { start, end } of [...found].sort((a, b) => b.start - a.start)) {
    rest = `${rest.slice(0, start).replace(BEFORE_DATE, "")} ${rest.slice(end).replace(/^\s*(?:,|sharp\b|o'clock\b)/, "")}`;
  }
  return rest
    .replace(/\s+/g, " ")
    .replace(/(?<!\s)\s+([,.;:!?])/g, "$1")
    .trim();
}

/** The duration in a message, in minutes. */
export function saidMinutes(message: string, clock: Clock): number | null {
  const minutes = datesIn(message, clock).find(({ type, durationMinutes }) => type === "duration" && durationMinutes);
  return minutes?.durationMinutes ?? null;
}
