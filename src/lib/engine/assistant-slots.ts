import { type FoundDate, findDates } from "../dates/find-dates.ts";
import { dueOf } from "../due-date.ts";
import { dateOf, toInstant, toWall, wallDay } from "../time-zone.ts";

/** When and where the person speaks. */
export interface Clock {
  reference: Date;
  timeZone: string;
}

const LEAD =
  /^(?:(?:hi|hey|hello|ok|okay|so|well|please|pls|assistant|now|and|also|then)\b[\s,!]*)*(?:(?:can|could|would|will) you (?:please |kindly |possibly )?|(?:i want|i need|i'd like|i would like|i'd love) you to |(?:i want|i'd like|i would like) to (?!do\b)|(?:would you mind|let's|go ahead and|help me(?: to)?) )?(?:please )?/i;
const TAIL = /[\s,]*(?:,? please|,? pls|,? thanks|,? thank you|for me)?[\s.!?]*$/i;

/** The message without greetings and politeness at its ends. */
function bare(message: string): string {
  return message.replaceAll("’", "'").replace(/\s+/g, " ").trim().replace(LEAD, "").replace(TAIL, "");
}

const datesIn = (text: string, { reference, timeZone }: Clock) =>
  findDates(text.slice(0, 2000), { reference, timeZone }).dates;

const isClock = ({ type }: FoundDate) => /time/.test(type);
const isMoment = (found: FoundDate) => found.from !== null && found.type !== "duration";

interface Said {
  found: FoundDate;
  /** Where it stands: a time and its day may be apart. */
  parts: FoundDate[];
}

/** "at 3" and "tomorrow", wherever they stand in a sentence, are one moment. */
function joined(dates: readonly FoundDate[], { timeZone }: Clock): Said | null {
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

const BEFORE_DATE =
  /(?:\b(?:due|set|scheduled|happening|starting|beginning))?\s*\b(?:by|on|at|for|in|before|until|till|from|due|around|this coming)\s*$/i;

/** The text without a phrase about time and the word that ties it to the rest. */
function without(text: string, found: readonly FoundDate[]): string {
  let rest = text;
  for (const { start, end } of [...found].sort((a, b) => b.start - a.start)) {
    rest = `${rest.slice(0, start).replace(BEFORE_DATE, "")} ${rest.slice(end).replace(/^\s*(?:,|sharp\b|o'clock\b)/, "")}`;
  }
  return rest
    .replace(/\s+/g, " ")
    .replace(/\s+([,.;:!?])/g, "$1")
    .trim();
}

/** The range of time a question is about; null when it names none. */
export interface Asked {
  start: Date;
  end: Date;
  /** Whether a time of day was said, not only a day. */
  isClock: boolean;
  isPoint: boolean;
  label: string;
}

export function askedTime(message: string, clock: Clock): Asked | null {
  const dates = datesIn(message, clock);
  const found = joined(dates, clock)?.found ?? dates.find(isMoment);
  if (!found?.from) return null;
  const end = found.to ?? new Date(found.from.getTime() + 60_000);
  return { start: found.from, end, isClock: isClock(found), isPoint: found.to === null, label: found.text };
}

/** A length of time that was said, in minutes. */
export function saidMinutes(message: string, clock: Clock): number | null {
  const minutes = datesIn(message, clock).find(({ type, durationMinutes }) => type === "duration" && durationMinutes);
  return minutes?.durationMinutes ?? null;
}

export interface TaskSlots {
  title: string;
  due: Date | null;
  priority: "low" | "medium" | "high" | "urgent" | null;
  /** It was said to come again and again, which tasks do not. */
  repeats: boolean;
}

const PRIORITY =
  /\s*\b(?:(?:with |at )?(?:(high|low|medium|urgent|top)[- ]priority|priority:? (high|low|medium|urgent))|(?:it's |this is |marked )?(urgent)(?:ly)?\b|(asap))\b[:,]?/i;

const TASK_FORMS: readonly RegExp[] = [
  /^(?:remind me|set (?:me )?(?:up )?a reminder|(?:make|create|add) (?:me )?a reminder|(?:i want|i need|i'd like|i would like) (?:to be reminded|a reminder))(?: (?:for me|again))?(?: (?:to|about|that|of|for|regarding)\b)?[\s,:]*(.+)$/i,
  /^(?:don't|do not) let me forget(?: (?:to|about|that))?\s+(.+)$/i,
  /^(?:remember|note|make a note|(?:jot|note|write) down)(?: (?:to|that))?(?: i (?:must|need to|have to|should))?\s+(.+)$/i,
  /^(?:add|create|make|set|put|start|open|give me|new)(?: me)?(?: up)?(?: an?| the| another| my)?(?: new)?(?: urgent| important| high| low)? ?(?:task|to-?do|to do|reminder|item|todo item)s?(?: (?:on|to|in) (?:my|the)(?: \w+)? list)?(?: (?:to|for|called|named|titled|about|that|of|saying|which says))?[\s:,-]*(.+)$/i,
  /^(?:add|put|place|include|insert|throw|stick|get|write|note)(?: down)?\s+(.+?)\s+(?:to|on|onto|in|into)\s+(?:my|the)\b.*?\b(?:list|to-?dos?|tasks?|reminders?|things to do)\b.*$/i,
  /^(?:on|to|for) my (?:\w+ ){0,3}list,?\s*(?:please )?(?:add|put|i need)\s+(.+?)(?: added)?$/i,
  /^(?:todo|to-do|task|reminder)\s*[:-]\s*(.+)$/i,
  /^i (?:need|have|must|should|ought)(?: to)?\s+(.+)$/i,
];

export function taskSlots(message: string, clock: Clock): TaskSlots {
  const plain = bare(message);
  const priority = PRIORITY.exec(plain);
  const text = priority && plain.length > priority[0].length + 4 ? plain.replace(PRIORITY, "").trim() : plain;
  const dates = datesIn(text, clock).filter(isMoment);
  const both = joined(dates, clock);
  // "the Friday report by Thursday": the one at the end says when, or else the first.
  const due = both?.found ?? dates.find(({ end }) => end >= text.replace(/[\s.!?]+$/, "").length) ?? dates[0];
  const rest = without(text, both?.parts ?? (due ? [due] : []));
  const form = TASK_FORMS.map((each) => each.exec(rest)?.[1]).find((title) => title !== undefined);
  const title = titleOf(form ?? rest, text);
  const word = (priority?.[1] ?? priority?.[2] ?? priority?.[3] ?? priority?.[4])?.toLowerCase();
  return {
    title: isNoTitle(title) ? "" : title,
    due: due ? dueOf(due, clock.reference, clock.timeZone) : null,
    priority: word === undefined ? null : (PRIORITIES[word] ?? null),
    repeats: due?.type === "set",
  };
}

function titleOf(form: string, whole: string): string {
  const title = tidyTitle(form.replace(/^(?:to|that|about) /i, ""));
  // "that the rent is due on the 1st" says nothing without its date.
  const first = title.split(" ")[0]?.toLowerCase() ?? "";
  return /\b(?:is|are|was|'s)$/i.test(title) ? tidyTitle(whole.slice(whole.toLowerCase().indexOf(first))) : title;
}

const PRIORITIES: Record<string, TaskSlots["priority"]> = {
  high: "high",
  top: "high",
  low: "low",
  medium: "medium",
  urgent: "urgent",
  asap: "urgent",
};

const isNoTitle = (title: string) =>
  /^(?:an?|the|my|me|new|it|this|that|something|one)?\s*(?:tasks?|to-?dos?|reminders?|events?|things?|lists?)?$/i.test(
    title,
  ) ||
  /^(?:(?:set|add|create|make|i want|i need|i would like|i'd like) )(?:an? )?(?:new )?(?:reminder|task|to-?do|event)$/i.test(
    title,
  );

function tidyTitle(text: string): string {
  const line = text
    .replace(/^[\s,:;–-]+|[\s,:;.–-]+$/g, "")
    .replace(/^["“'](.+)["”']$/, "$1")
    .replace(/\b(?:on|at|for|by|in|to|and|due)$/i, "")
    .trim();
  return line.slice(0, 300).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

const SAID_TIME = /\d\s*(?:am|pm|:\d\d|h\b|o'clock)|\bat \d|\bnoon\b|\bmidnight\b/i;

export interface EventSlots {
  title: string;
  start: Date | null;
  end: Date | null;
  durationMinutes: number | null;
  /** The day that was said without a time. */
  day: string | null;
  attendees: string[];
  rrule: string | null;
}

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const EVENT_FORMS: readonly RegExp[] = [
  /^(?:add|put|place|include|insert|write|mark|note|block)(?: down| off| out)?\s+(.+?)\s+(?:to|on|onto|in|into)\s+(?:my|the) (?:calendar|schedule|agenda|diary)\b.*$/i,
  /^(?:add|put|create|make|set up|new)(?: an?| the)?(?: new)? (?:calendar )?(?:event|entry)(?: (?:to|on|in) my calendar)?(?: (?:for|called|named|titled|to|about|of))?[\s:,-]*(.+)$/i,
  /^(?:schedule|book|set up|set|arrange|plan|organi[sz]e|create|add|make|put|reserve|block|block off)(?: me| us)?(?: in)?\s+(?:an? |the |my |some )?(.+)$/i,
  /^(?:i (?:have|need|want|got)|there is|i'm having|we have)(?: to)?(?: (?:schedule|book|set up|arrange|plan))?\s+(?:an? |the |my )?(.+)$/i,
];

export function eventSlots(message: string, clock: Clock): EventSlots {
  const plain = bare(message);
  const attendees = [...new Set((plain.match(EMAIL) ?? []).map((email) => email.toLowerCase()))];
  const dates = datesIn(plain, clock);
  const both = joined(dates, clock);
  const at = both?.found ?? dates.find((found) => isMoment(found) && isClock(found)) ?? dates.find(isMoment);
  const length = dates.find(({ type }) => type === "duration");
  const repeats = dates.find(({ type }) => type === "set");
  const when = repeats ?? at;
  const said = repeats ? [repeats] : (both?.parts ?? [at]);
  const rest = without(
    plain,
    [...said, length].filter((found) => found !== undefined),
  );
  const form = EVENT_FORMS.map((each) => each.exec(rest)?.[1]).find((title) => title !== undefined);
  const title = tidyTitle(
    (form ?? rest).replace(/\b(?:to|on|in) (?:my|the) calendar\b/i, "").replace(/^(?:that|to)\s+/i, ""),
  );
  const hasClock = when !== undefined && (isClock(when) || (when.type === "set" && SAID_TIME.test(when.text)));
  return {
    title: isNoTitle(title) || /^(?:on|to|for|in)?\s*(?:my |the )?(?:calendar|schedule)$/i.test(title) ? "" : title,
    start: hasClock ? (when.from ?? null) : null,
    end: hasClock && when.type !== "set" ? when.to : null,
    durationMinutes: length?.durationMinutes ?? null,
    day: !hasClock && when?.from ? dateOf(wallDay(toWall(clock.timeZone, when.from.getTime()))) : null,
    attendees,
    rrule: repeats ? ruleOf(repeats.text) : null,
  };
}

const RULE_DAYS: Record<string, string> = {
  mon: "MO",
  tue: "TU",
  wed: "WE",
  thu: "TH",
  fri: "FR",
  sat: "SA",
  sun: "SU",
};

function ruleOf(text: string): string | null {
  const words = text.toLowerCase();
  if (/\b(?:weekday|work ?day)/.test(words)) return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR";
  const days = [...words.matchAll(/\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*/g)].flatMap(
    ([, day = ""]) => RULE_DAYS[day] ?? [],
  );
  if (days.length > 0) return `FREQ=WEEKLY;BYDAY=${[...new Set(days)].join(",")}`;
  const unit = /\b(day|daily|week|weekly|month|monthly|year|yearly|annually)/.exec(words)?.[1] ?? "";
  const rule = { d: "DAILY", w: "WEEKLY", m: "MONTHLY", y: "YEARLY", a: "YEARLY" }[unit[0] ?? ""];
  return rule ? `FREQ=${rule}` : null;
}

/** Which record is meant: its words, and the time it is at. */
export interface Meant {
  match: string;
  from: Date | null;
  until: Date | null;
  /** Everything then, not one of them. */
  isAll: boolean;
}

const TARGET_VERB =
  /^(?:move|reschedule|postpone|push(?: back)?|shift|delay|bring forward|rebook|cancel|call off|delete|remove|drop|scrap|clear|erase|take|get rid of|wipe|mark|check off|tick off|cross off|check|tick|cross|complete|finish(?:ed)?|completed|done with|change|update|set|make|extend|forget|i(?:'ve| have|'m)? (?:just |already )?(?:finished|completed|done with|did|done)|i no longer need(?: to)?|i don't need)(?:\s+|$)/i;
const TARGET_NOISE =
  /\b(?:(?:from|off|on|in|out of) (?:of )?(?:my|the)(?: (?!to\b)\w+)? ?(?:calendar|schedule|agenda|list|to-?do list|to do list|to-?dos|tasks|reminders)|as (?:done|complete|completed|finished)|(?:is |are )?(?:done|complete|completed|finished)|the due date (?:of|for)|due date|deadline|priority|(?:called|named|titled)|off)\b/gi;

function meantIn(text: string, clock: Clock): Meant {
  const dates = datesIn(text, clock).filter(isMoment);
  const both = joined(dates, clock);
  const found = both?.found ?? dates[0];
  const rest = without(text, both?.parts ?? (found ? [found] : []))
    .replace(TARGET_VERB, "")
    .replace(TARGET_NOISE, " ")
    .replace(
      /^(?:\s*(?:all(?: of)?|every|everything|any|both|my|the|our|a|an|that|this|task|event|reminder|item)\b)+/gi,
      " ",
    )
    .replace(/["“”]/g, "");
  const isPoint = found?.from && found.to === null;
  return {
    match: rest.replace(/\s+/g, " ").trim().slice(0, 200),
    from: found?.from ?? null,
    until: found?.to ?? (isPoint ? new Date((found.from?.getTime() ?? 0) + 60_000) : null),
    isAll: /\b(?:all|everything|every|both|entire|whole)\b|\bclear my\b|^(?:clear|wipe|empty)\b/i.test(text),
  };
}

export function meantRecord(message: string, clock: Clock): Meant {
  return meantIn(bare(message), clock);
}

export interface MoveSlots extends Meant {
  /** Later by so many minutes, or earlier. */
  shiftMinutes: number | null;
  /** A new start; with `isDay` only the day was said, with `isTime` only the time. */
  to: Date | null;
  end: Date | null;
  isDay: boolean;
  isTime: boolean;
}

const SHIFT =
  /\s(?:back |forward )?(?:by )?((?:\d+|an?|one|two|three|half an|a couple of) (?:minutes?|mins?|hours?|hrs?|days?|weeks?))(?: (earlier|sooner|forward|later|back))?$/i;
/** What is behind such a word is the new time, when it begins with one. */
const LINKS = [/\s(?:to|until|till|onto)\s+/gi, /\sfor\s+/gi, /\son\s+/gi, /\sat\s+/gi];

/** "move X from Thursday to Friday at 10": what is meant stands before the link, when it is to be behind it. */
export function moveSlots(message: string, clock: Clock): MoveSlots {
  const text = bare(message);
  const nowhere = { shiftMinutes: null, to: null, end: null, isDay: false, isTime: false };
  const shift = SHIFT.exec(text);
  const minutes = shift?.[1] ? saidMinutes(`for ${shift[1]}`, clock) : null;
  if (shift && minutes !== null) {
    const isEarlier = /earlier|sooner|forward/i.test(shift[2] ?? "");
    return { ...meantIn(text.slice(0, shift.index), clock), ...nowhere, shiftMinutes: isEarlier ? -minutes : minutes };
  }
  for (const links of LINKS) {
    for (const link of [...text.matchAll(links)].reverse()) {
      const behind = text.slice(link.index + link[0].length).replace(/^the (?=\d)/, "");
      const [found] = datesIn(behind, clock).filter(isMoment);
      if (found?.from && found.start <= 3) return { ...meantIn(text.slice(0, link.index), clock), ...movedTo(found) };
    }
  }
  // "reschedule the dentist friday 10am"
  const [found] = datesIn(text, clock).filter(isMoment);
  if (!found?.from) return { ...meantIn(text, clock), ...nowhere };
  return { ...meantIn(without(text, [found]), clock), ...movedTo(found) };
}

function movedTo(found: FoundDate) {
  const isRange = found.to !== null && isClock(found) && /-|–|\bto\b|\band\b|\bfor\b/.test(found.text);
  const isTime = found.type === "time" || found.type === "timerange";
  // "to next week" is the same day of it.
  const shiftMinutes = found.grain === "week" && /^next week$/i.test(found.text) ? 7 * 24 * 60 : null;
  return { shiftMinutes, to: found.from, end: isRange ? found.to : null, isDay: !isClock(found), isTime };
}
