import type { RepeatFrom } from "../../lib/task-kinds.ts";
import { ADDRESSES } from "../../lib/text.ts";
import { dateOf, toWall, wallDay } from "../../lib/time-zone.ts";
import { wordSet } from "../../lib/words.ts";
import { dueOf, hourOfPart } from "../due-date.ts";
import { reminderPhrases, withoutReminders } from "../reminder-words.ts";
import { readRepetition, ruleOfWords } from "../repetition/read.ts";
import { hideListName, listNameIn } from "./list-name.ts";
import {
  type Clock,
  datesIn,
  evening,
  isClock,
  isMoment,
  joinDayAndTime,
  notToday,
  withoutCourtesies,
  withoutPhrases,
} from "./message-time.ts";

interface TaskSlots {
  title: string;
  due: Date | null;
  priority: "low" | "medium" | "high" | "urgent" | null;
  /** How the task repeats. */
  rule: { rrule: string; from: RepeatFrom } | null;
  /** The name of the list that it belongs to, as it was said. */
  list: string | null;
  /** Minutes before it at which to remind; empty if the message does not say. */
  remindBefore: number[];
  /** Why its date cannot be used, in one sentence. */
  doubt: string | null;
}

const PRIORITY =
  /(?<!\s)\s*\b(?:(?:with |at )?(?:(high|low|medium|urgent|top)[- ]priority|priority:? (high|low|medium|urgent))|(?:it's |this is |marked |as |make it )?(urgent)(?:ly)?\b|(asap))\b[:,]?/i;

const TASK_FORMS: readonly RegExp[] = [
  /^(?:remind me|set (?:me )?(?:up )?a reminder|(?:make|create|add) (?:me )?a reminder|(?:i want|i need|i'd like|i would like) (?:to be reminded|a reminder))(?: (?:for me|again|also|too|as well|please|then)){0,6}(?: (?:to|about|that|of|for|regarding)\b)?[\s,:]{0,9}(.+)$/i,
  /^(?:don't|do not) (?:let me )?forget(?: (?:to|about|that))?[\s,:]+([^\s,:].*)$/i,
  /^(?:(?:jot|note|write|put|take) (?:this |that |it )?down|remember|note|make a note)(?: (?:to|that|of))?(?: i (?:must|need to|have to|should))?[\s:,]+([^\s:,].*)$/i,
  /^(?:add|create|make|set|put|start|open|give me|new)(?: me)?(?: up)?(?: an?| the| another| my)?(?: new)?(?: urgent| important| high| low)? ?(?:task|to-?do|to do|reminder|item|todo item)s?(?: (?:on|to|in) (?:my|the)(?: \w+)? list)?(?: (?:to|for|called|named|titled|about|that|of|saying|which says))?[\s:,-]{0,9}(.+)$/i,
  /^(?:add|put|place|include|insert|throw|stick|get|write|note)(?: down)?\s{1,9}(\S.{0,500}?)\s{1,9}(?:to|on|onto|in|into)\s{1,9}(?:my|the)\b.{0,99}?\b(?:list|to-?dos?|tasks?|reminders?|things to do)\b/i,
  /^(?:on|to|for) my (?:\w+ ){0,3}list,?\s*(?:please )?(?:add|put|i need)\s+(\S.*?)(?: added)?$/i,
  /^(?:todo|to-do|task|reminder)\s*[:-]\s*(\S.*)$/i,
  /^i (?:need|have|must|should|ought)(?: to)?\s+(\S.*)$/i,
];

/** "…, can you add that as urgent": the task is named before these words. */
const ADD_THAT =
  /[,.;]? {0,9}(?:and |so )?(?:(?:can|could) you |please ){0,5}(?:add|note|save|remember|put) (?:that|it|this)(?: down| in)?(?: (?:to|on) (?:my|the) (?:\w+ )?list)?((?: as)? (?:low|medium|high|urgent|top)(?: priority)?)?$/i;

export function taskSlots(message: string, clock: Clock): TaskSlots {
  const said = withoutCourtesies(message).replace(ADD_THAT, "$1");
  const reminders = reminderPhrases(said);
  const plain = reminders.length > 0 ? withoutReminders(said, reminders) : said;
  const priority = PRIORITY.exec(plain);
  const text = priority && plain.length > priority[0].length + 4 ? plain.replace(PRIORITY, "").trim() : plain;
  // "the Christmas list" says nothing about a day.
  const all = datesIn(hideListName(text), clock);
  const doubtful = all.filter(({ doubt }) => doubt);
  const dates = doubtful.length > 0 ? [] : all.filter(isMoment);
  const repeated = doubtful.length > 0 ? null : readRepetition(text, clock);
  const both = joinDayAndTime(dates, clock);
  // "the Friday report by Thursday": the date at the end is the due date, or else the first one.
  const due =
    both?.found ?? dates.find(({ end }) => end >= text.replace(/(?<![\s.!?])[\s.!?]+$/, "").length) ?? dates[0];
  const times = (repeated && [...repeated.phrases, ...repeated.times]) ?? both?.parts ?? (due ? [due] : []);
  const rest = withoutPhrases(text, [...doubtful, ...times]);
  const form = TASK_FORMS.map((each) => each.exec(rest)?.[1]).find((title) => title !== undefined);
  const title = titleOf(form ?? rest, text);
  const word = (priority?.[1] ?? priority?.[2] ?? priority?.[3] ?? priority?.[4])?.toLowerCase();
  return {
    // "add tasks: a, b and c": after a colon, a letter is a name.
    title: isNoTitle(title) && !/:\s*\p{L}$/u.test(text) ? "" : title,
    due: repeated?.due ?? (due ? dueOf(notToday(due, clock), clock) : null),
    priority: word === undefined ? null : (PRIORITIES[word] ?? null),
    rule: repeated && { rrule: repeated.rrule, from: repeated.from },
    list: listNameIn(plain),
    remindBefore: reminders.flatMap(({ minutesBefore }) => minutesBefore),
    doubt: doubtful[0]?.doubt ?? null,
  };
}

function titleOf(form: string, whole: string): string {
  const title = tidyTitle(form.replace(/^(?:to|that|about) /i, ""));
  // "that the rent is due on the 1st" makes no sense without its date.
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
  /^(?:remind me|(?:works|is fine|is good|suits me|would work|is better|would be (?:good|fine|great))(?: for me| too)?)$/i.test(
    title,
  ) ||
  /^(?:(?:of|about) )?(?:it|that|this)?\s*(?:on )?(?:the|that) (?:same )?(?:day|morning|afternoon|evening)$/i.test(
    title,
  ) ||
  /^(?:an?|the|my|me|new|it|this|that|something|one)?\s*(?:tasks?|to-?dos?|reminders?|events?|things?|lists?)?$/i.test(
    title,
  ) ||
  /^(?:(?:set|add|create|make|i want|i need|i would like|i'd like) )(?:an? )?(?:new )?(?:reminder|task|to-?do|event)$/i.test(
    title,
  );

function tidyTitle(text: string): string {
  const line = text
    .replace(/^[\s,:;–-]+|(?<![\s,:;.–-])[\s,:;.–-]+$/g, "")
    .replace(/^["“'](.+)["”']$/, "$1")
    .replace(/(?<![-\p{L}])(?:on|at|for|by|in|to|and|due)$/iu, "")
    .trim();
  return line.slice(0, 300).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

const SAID_RANGE = /\d(?: ?[ap]m)? ?(?:-|–|to|till|until) ?\d/i;
const SAID_TIME =
  /\d\s*(?:am|pm|:\d\d|h\b)|o'clock|\d ?(?:-|–|to|till|until) ?\d|\bat (?:\d|(?:half|a? ?quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)|\bnoon\b|\bmidnight\b/i;
/** "Thanksgiving on the 26th", "Sunday lunch this Sunday at 1": a day that names the event, if another says when it is. */
const NAMES_EVENT =
  /^(?:thanksgiving|christmas|xmas|boxing day|new year|easter|halloween|valentine|mother|father|bonfire|guy fawkes)|(?:day|today|tomorrow) (?:lunch|dinner|breakfast|brunch|supper)$/i;

export interface EventSlots {
  title: string;
  start: Date | null;
  end: Date | null;
  durationMinutes: number | null;
  /** A day given without a time. */
  day: string | null;
  /** A week or month that was given instead of a day: "next week". */
  span: string | null;
  attendees: string[];
  rrule: string | null;
  /** The time of day, if its day cannot be used. */
  time: string | null;
  /** Why its date cannot be used, in one sentence. */
  doubt: string | null;
}

const EVENT_FORMS: readonly RegExp[] = [
  /^(?:add|put|place|include|insert|write|mark|note|block|throw|stick|pop)(?: down| off| out)?\s{1,9}(\S.{0,500}?)\s{1,9}(?:to|on|onto|in|into)\s{1,9}(?:my|the) (?:calendar|schedule|agenda|diary)\b/i,
  /^(?:add|put|create|make|set up|new)(?: an?| the)?(?: new)? (?:calendar )?(?:event|entry)(?: (?:to|on|in) my calendar)?(?: (?:for|called|named|titled|to|about|of))?[\s:,-]{0,9}(.+)$/i,
  /^(?:schedule|book|set up|set|arrange|plan|organi[sz]e|create|add|make|put|reserve|block|block off)(?: me| us)?(?: in| down)?\s{1,9}(?:an? |the |my |some )?(.+)$/i,
  /^(?:i've an?(?= )|i(?:'ve)? (?:have(?: got)?|need|want|got)|got|get|there(?:'s| is)|(?:instead,? )?(?:i'm|we're) (?:having|doing)|we(?:'ve got| have(?: got)?))(?: to)?(?: (?:schedule|book|set up|arrange|plan))?\s{1,9}(?:an? |the |my )?(.+)$/i,
];

/** "the plumber is coming", "haircut booked", "choir practice, lasts": what is told after the name. */
const TOLD_END =
  /(?<=\S),?\s*\b(?:(?:is|are|will be|it's)(?: (?:coming|booked|scheduled|planned|set|on))?|coming|booked|scheduled|lasts?|lasting|taking|takes|goes(?: on)?)(?: in| up| for)?[\s,]*$/i;

/** "the gym, 12 to 1": hours, if nothing else is counted. */
const BARE_RANGE =
  /(?<!(?:from|between|room|at|[\d:./-]) ?)(?<=^|[\s,])(\d{1,2}(?::\d\d)?) ?(?:-|–|to|till|until) ?(\d{1,2}(?::\d\d)?)(?=$|,|[\s.!]+(?!minutes|mins|hours|hrs|people|days|weeks|%|am\b|pm\b))(?![:./-]\d)/i;

/** "on the 1st of every month" */
const OF_EVERY_MONTH = /\bon (the \d{1,2}(?:st|nd|rd|th)) (?:of )?((?:every|each) month)\b/i;

export function eventSlots(message: string, clock: Clock): EventSlots {
  const whole = evening(withoutCourtesies(message).replace(ADD_THAT, ""))
    .replace(OF_EVERY_MONTH, "$2 on $1")
    .replace(BARE_RANGE, "from $1 to $2");
  const nth = NTH_WEEKDAY.exec(whole);
  const plain = nth ? firstAhead(whole, clock) : whole;
  const attendees = [...new Set((plain.match(ADDRESSES) ?? []).map((email) => email.toLowerCase()))];
  const found = datesIn(plain, clock);
  const others = found.filter(({ text }) => !NAMES_EVENT.test(text));
  const all = others.some(isMoment) ? others : found;
  const doubtful = all.filter(({ doubt }) => doubt);
  const dates = doubtful.length > 0 ? all.filter(({ type }) => type === "duration") : all;
  const both = joinDayAndTime(dates, clock);
  const moments = dates.filter((found) => isMoment(found) && found.type !== "set");
  const at = both?.found ?? moments.find(isClock) ?? moments[0];
  const length = dates.find(({ type }) => type === "duration");
  const sets = dates.filter(({ type }) => type === "set");
  const repeats = sets.find(({ text }) => SAID_TIME.test(text)) ?? sets[0];
  // "every 2 weeks on tuesday at 9", "on March 3rd every year": the recurrence and the first date are separate phrases.
  const isApart =
    repeats &&
    at &&
    !SAID_TIME.test(repeats.text) &&
    (isClock(at) || (at.type === "date" && /month|year/i.test(repeats.text)));
  const when = isApart ? at : (repeats ?? at);
  const phrases = [...sets, ...(repeats && !isApart ? [] : (both?.parts ?? [at]))];
  const rest = withoutPhrases(
    plain,
    [...doubtful, ...phrases, length].filter((found) => found !== undefined),
  );
  const form = EVENT_FORMS.map((each) => each.exec(rest)?.[1]).find((title) => title !== undefined);
  const title = tidyTitle(
    (form ?? rest)
      .replace(/\b(?:to|on|in) (?:my|the) calendar\b/i, "")
      .replace(
        /^(?:(?:an? )?reminder (?:for|about|of)(?: the)?|that|to|for|recurring|repeating|an?)\s+(?=\S+\s|\S{3})/i,
        "",
      )
      .replace(TOLD_END, "")
      .replace(TOLD_END, "")
      .replace(/(?<=\S),? (?:all day(?: long)?|(?:for )?the (?:whole|entire) day)$/i, "")
      .replace(sets.length > 0 ? /\s{0,9}\b(?:starting|beginning|as of)\b.*/i : /$^/, ""),
  );
  const hasClock = when !== undefined && (isClock(when) || (when.type === "set" && SAID_TIME.test(when.text)));
  const part = when && hourOfPart(when, clock.habits) !== null;
  const isDays = when?.type === "daterange" && when.grain === "day";
  const isSpan = when?.type === "daterange" && SPANS.has(when.grain);
  return {
    title: isNoTitle(title) || /^(?:on|to|for|in)?\s*(?:my |the )?(?:calendar|schedule)$/i.test(title) ? "" : title,
    start: hasClock ? (part ? dueOf(when, clock) : when.from) : null,
    // "tomorrow morning" says when it begins, and not that it lasts until noon.
    end:
      when?.type === "set"
        ? hasClock && !length && SAID_RANGE.test(when.text)
          ? when.to
          : null
        : isDays || (hasClock && !length && !part)
          ? when.to
          : null,
    durationMinutes: length?.durationMinutes ?? null,
    day: !hasClock && !isSpan && when?.from ? dateOf(wallDay(toWall(clock.timeZone, when.from.getTime()))) : null,
    span: isSpan ? when.text : null,
    attendees,
    doubt: doubtful[0]?.doubt ?? null,
    time:
      doubtful.length > 0
        ? timeOf(
            all.find((found) => isClock(found) && found.from),
            plain,
            clock,
          )
        : null,
    rrule: nth
      ? `FREQ=MONTHLY;BYDAY=${NTH[nth[1]?.toLowerCase() ?? ""]}${nth[2]?.slice(0, 2).toUpperCase()}`
      : ruleOfWords([...sets.map(({ text }) => text), HOW_OFTEN.exec(plain)?.[1]].join(" ")),
  };
}

/** "10:00", also of "on 31 November at 10", where the reader of dates sees only the day. */
function timeOf(found: { from: Date | null } | undefined, text: string, clock: Clock): string | null {
  const said = /\bat (\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight|half past \w+)/i.exec(text)?.[0];
  const from = found?.from ?? (said ? datesIn(said, clock)[0]?.from : null);
  return from ? new Date(toWall(clock.timeZone, from.getTime())).toISOString().slice(11, 16) : null;
}

const SPANS: ReadonlySet<string> = wordSet("week month quarter year");

const NTH_WEEKDAY =
  /\b(first|second|third|fourth|last) (mon|tue|wed|thu|fri|sat|sun)([a-z]*day) (?:of|in) (?:each|every) month\b/i;
const NTH: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 };

/** "the first Monday of each month" becomes this month's, or next month's if that has passed. */
function firstAhead(text: string, clock: Clock): string {
  const [soonest = text, next = text] = ["this", "next"].map((month) =>
    text.replace(NTH_WEEKDAY, `$1 $2$3 of ${month} month`),
  );
  return datesIn(soonest, clock).some(({ from }) => from && from < clock.reference) ? next : soonest;
}

/** "schedule a weekly sync": the event itself repeats. */
const HOW_OFTEN =
  /^(?:schedule|book|set up|set|arrange|plan|organi[sz]e|create|add|make|put|start)(?: me| us)?(?: in)? (?:an? |the |my |our )?(?:new )?(daily|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly|annual)\b/i;
