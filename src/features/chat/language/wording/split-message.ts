import { FRONT, TO_DO } from "./everyday-words.ts";
import { SAYS_WHEN } from "./needs.ts";

const MAX_PARTS = 5;
const POLITE =
  "(?:(?:please|plus|and|oh|also|then|just|now|so|ok|okay|right|anyway,?|anyhow,?|can you|could you|would you|will you) ){0,6}";
/** Words that begin a new request to the assistant and rarely a task of the person. */
const REQUEST_START = `${POLITE}(?:(?:i )?(?:need|want) an? (?:task|reminder|to-?do)|remind me|add(?! (?:that|it|this)\\b)|mark|show me|tell me|what's|what is|what are|what do i|how many|do i have|am i free|when is|when's|when am i)\\b`;
/** "and a meeting with Ben on Friday", after a request for a meeting. */
const EVENT_START = "(?:an? |another )(?:meeting|call|lunch|dinner|coffee|appointment|sync|review|interview)\\b";
/** Words that begin a new request, but could also be a task: "remind me to call Ann and cancel the gym". */
const REQUEST_OR_TASK_START = `${POLITE}(?:schedule|set up|create|accept|decline|tentatively accept|cancel|delete|remove|move|reschedule|postpone|push|summari[sz]e|block|give me|list my|make (?=(?:some |a |the )?(?:tasks?|to-?dos?)\\b)|(?:star|archive|tag|label|snooze|flag|forward|tick|unstar|trash|bin|junk|ditch|chuck|drop|reply to|answer|unsubscribe(?: me)? from|rename|reopen|untick|invite|push|shift)(?= (?:it|that|this|them|both|the|my|all|off|hers?|him|his|theirs?|\\p{L}+'s)(?![\\p{L}])))\\b`;
/** "and put parents' evening in my calendar for Tuesday" */
const CALENDAR_START = `${POLITE}(?:put|stick|pop|pencil|enter|book)(?: in)? (?!it\\b|that\\b|this\\b|them\\b)[^,;]{2,60} (?:in|into|on|onto) (?:my|the) (?:calendar|diary|schedule)\\b`;
const AND = "(?:,? (?:and|plus)(?: then| also)?|, then|,? also|,) ";
const SENTENCE = new RegExp(
  `(?:[.!?;]{1,9} {1,9}|\\n{1,9})(?=${REQUEST_START}|${REQUEST_OR_TASK_START}|${POLITE}(?:book|find|put|note|invite|set|send|make|reply|write|tell|star|archive|tag|snooze|reopen|untick)\\b)`,
  "giu",
);
const SCHEDULES = new RegExp(`^${POLITE}(?:schedule|book|set up|arrange|plan|add|create|put)\\b`, "i");
const AND_EVENT = new RegExp(`,? and (?=${EVENT_START}.{0,200}\\b(?:at|on|tomorrow|today|next|\\d))`, "gi");
/** A second request after a reminder needs a time or a person, or it may be a task: "and cancel the gym". */
const AND_SCHEDULE = new RegExp(
  `${AND}(?=${POLITE}(?:(?:schedule|book|set up) (?:an? |the |my |another |lunch|dinner|coffee)|(?:put|enter|stick|pop|add|note) (?!it\\b|that\\b|this\\b)[^,;]{2,60}? (?:in|into|on|to) (?:my|the) (?:calendar|diary|schedule|agenda)\\b))`,
  "gi",
);
const AFTER_TASK = new RegExp(`${AND}(?=${REQUEST_START})`, "gi");
const AFTER_ANY = new RegExp(`${AND}(?=${REQUEST_START}|${REQUEST_OR_TASK_START}|${CALENDAR_START})`, "giu");
/** "put the dentist on Friday and make it important" */
const CHANGES = new RegExp(
  `^${POLITE}(?:put|move|push|shift|change|mark|call|name|rename|reopen|postpone|reschedule)\\b`,
  "i",
);
const AND_CHANGE = /,? and (?:then |also |please )*(?=(?:make|mark|set|give|put|call|tag) (?:it|them) )/i;
/** "the slides have to be done today, make that urgent" */
const AND_RANK =
  /(?<=\S \S+ \S+),? (?:and )?(?:then |also |please ){0,6}(?=(?:make|mark|set) (?:it|that|them)(?: as| to)? (?:urgent|important|(?:a )?(?:high|low|top|medium)(?: prio(?:rity)?)?)[\s.!]*$)/i;
/** "add a task to pay it on the 27th and tag it finance" */
const AND_MARK =
  /,? and (?:then |also |please )*(?=(?:tag|label) it |make it (?:high|low|urgent|important|a priority)|mark it (?:as )?(?:urgent|important|high|low)|put it on (?:my|the) .{2,30} list)/i;
const IS_TASK = new RegExp(
  `^${POLITE}(?:(?:hi|hey|hello)\\b[\\s,!]{0,9})?${POLITE}(?:remind me|add (?:a |an )?(?:task|to-?do|reminder)|(?:i|we) (?:need|have|must|should)|don't let me forget|todo|note)\\b`,
  "i",
);
const REMINDED = /^(.*?\bremind me(?: [^.,;]{0,40}?)? to\b)/i;
const LIST = /^(?:.{0,80}\b(?:tasks|to-?dos|reminders|list)\b[^\n:]{0,40}):?\s{0,9}\n([\s\S]+)$/i;
const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

/** Splits a message that asks for several things. */
export function splitErrands(message: string): string[] {
  const text = message.trim();
  const listed =
    LIST.exec(text)?.[1]
      ?.split("\n")
      .filter((line) => BULLET.test(line)) ?? [];
  if (listed.length > 0) return listed.map((line) => `add a task: ${line.replace(BULLET, "")}`);
  if (/["“]/.test(text)) return splitAroundQuotes(text);
  const several = severalTasks(text) ?? timedEvents(text);
  if (several) return several;
  const parts = text
    .split(SENTENCE)
    .flatMap(sentences)
    .flatMap((sentence) => sentence.split(IS_TASK.test(sentence) ? AFTER_TASK : AFTER_ANY))
    .flatMap((part) => (IS_TASK.test(part) ? part.split(AND_SCHEDULE) : part))
    .flatMap((part) =>
      IS_TASK.test(part) ? part.split(AND_MARK) : part.split(CHANGES.test(part) ? AND_CHANGE : AND_RANK),
    )
    .flatMap(events)
    .flatMap(moves)
    .flatMap(bothKinds)
    .flatMap(reminders)
    .flatMap(datedTasks)
    .map((part) => part.replace(/^[\s,;]+|(?<![\s,;])[\s,;]+$/g, ""))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  return parts.length > 0 && parts.length <= MAX_PARTS ? parts : [text];
}

/** What somebody else is to be told may have several sentences. */
const TO_SOMEBODY =
  /^(?:(?:please|and|also|ok|okay|so|then|can you|could you)[\s,]+)*(?:tell|reply|respond|answer|write|e-?mail|say|ask|let|send|forward|draft|compose)\b/i;
const NEXT_SENTENCE =
  /(?<=\p{L}{3}|[\d)])[.!]{1,9} +(?=(?:(?:but|and|so|also|oh|then|ok|okay|well|now|plus|anyway)[\s,]+)*(?:the|my|our|i|i'm|i've|i'll|i'd|we|we're|we've|we'll|he|he's|she|she's|they|they're|it|it's|that|that's|this|need|got|have|must|there's|\p{L}[\p{L}-]*'s) \S+ \S)/giu;

/** "CVs are printed. The badges can wait till Friday.": each sentence may be about something else. */
const sentences = (part: string) => (TO_SOMEBODY.test(part) || IS_TASK.test(part) ? [part] : part.split(NEXT_SENTENCE));

/** A mask has one digit. */
const MAX_QUOTES = 10;

/** What is in quotation marks is never split. */
function splitAroundQuotes(text: string): string[] {
  const quotes: string[] = [];
  const masked = text.replace(/["“][^"”]{0,200}["”]/g, (quote) => `Quoted${quotes.push(quote) - 1}`);
  if (/["“”]/.test(masked) || quotes.length > MAX_QUOTES) return [text];
  return splitErrands(masked).map((part) => part.replace(/Quoted(\d)/g, (_, at: string) => quotes[Number(at)] ?? ""));
}

/** "remind me to call Ann at 6 and to buy milk tomorrow" are two. */
function reminders(part: string): string[] {
  const lead = REMINDED.exec(part)?.[1];
  if (!lead) return [part];
  const [first = part, ...more] = part.split(/,? and (?:also )?to (?=[a-z])/i);
  return [first, ...more.map((rest) => `remind me to ${rest}`)];
}

const MOVES =
  /^(?<verb>(?:please |and |can you |could you )*(?:move|push|shift|bump|change|reschedule|postpone|switch)) (?<first>[^,;]{2,60}? (?:to|by|until|till) [^,;]{1,40}?),? and (?<second>(?:the|my) [^,;]{2,60}? (?:to|by|until|till) [^,;]{1,40})$/i;

/** "move the Aurora call to 2 and the other one to 3" are two. */
function moves(part: string): string[] {
  const { verb, first, second } = MOVES.exec(part)?.groups ?? {};
  return verb && first && second ? [`${verb} ${first}`, `${verb} ${second}`] : [part];
}

const REMIND_TO = /^(?<lead>(?:please )?remind me(?: [^.,;]{0,40}?)? to) (?<what>.+)$/is;
const AND_TASK = new RegExp(
  `(?:,? (?:and|then)|,)(?: (?:then|also|to)){0,6} (?=(?:${FRONT},? (?:i (?:need|have) to |i must )?)?(?<verb>${TO_DO})\\b)`,
  "giu",
);
const AND_THING =
  /,? and (?=(?:(?:the|my|our|an?) [^,]{2,40}|\p{Lu}[\p{L}'-]+) (?:by|on|for|before|until|till|tomorrow|today|next) ?)/u;
const FIRST_VERB = new RegExp(`^${TO_DO}(?= \\p{L})`, "iu");

/** "remind me to wash the car on Saturday and call grandma on Sunday" are two, because each has a date of its own. */
function datedTasks(part: string): string[] {
  const { lead = "", what } = REMIND_TO.exec(part)?.groups ?? {};
  if (!what || what.length > LONGEST_LIST) return [part];
  const isLeadDated = SAYS_WHEN.test(lead);
  const isEachDated = (pieces: readonly string[]) =>
    pieces.length > 1 && pieces.every((piece, at) => SAYS_WHEN.test(piece) || (at === 0 && isLeadDated));
  const tasks = piecesOf(what, AND_TASK);
  if (isEachDated(tasks))
    return tasks.map((task, at) => (at === 0 ? `${lead} ${task}` : `remind me to ${fronted(task)}`));
  // "hand in the essay by Friday and the lab report by Monday"
  const verb = FIRST_VERB.exec(what)?.[0];
  const things = what.split(AND_THING);
  return verb && things.length === 2 && isEachDated(things)
    ? things.map((thing, at) => (at === 0 ? `${lead} ${thing}` : `remind me to ${verb} ${thing}`))
    : [part];
}

const BOTH_KINDS =
  /^(?<verb>(?:please |and |then |just |can you |could you )*(?:delete|cancel|remove|drop|scrap|bin|get rid of)) (?<first>(?:the|my|that) (?:meeting|event|appointment|call|booking|reminder|task|to-?do)),? and (?<second>(?:the|my|that) (?:meeting|event|appointment|call|booking|reminder|task|to-?do))(?: too| as well| please)*[\s.!]*$/i;

/** "delete the meeting and the reminder" are two, of two kinds. */
function bothKinds(part: string): string[] {
  const { verb, first, second } = BOTH_KINDS.exec(part)?.groups ?? {};
  return verb ? [`${verb} ${first}`, `${verb} ${second}`] : [part];
}

/** The text, cut where the pattern matches. */
function piecesOf(text: string, pattern: RegExp): string[] {
  const cuts = [...text.matchAll(pattern)];
  return [...cuts, undefined].map((cut, at) => {
    const before = cuts[at - 1];
    return text.slice(before ? before.index + before[0].length : 0, cut?.index);
  });
}

const FRONTED = new RegExp(`^${FRONT},? (?:i (?:need|have) to |i must )?(?=${TO_DO}\\b)(.+)$`, "iu");

/** "on Monday pay the deposit", with the time behind. */
const fronted = (task: string) => task.replace(FRONTED, "$2 $1");

/** "I need to see Hanna on Thursday at 2 and Milo on Friday at 11" */
const SEES =
  /^(?:(?:i|we)(?:'m| am|'re| are)? (?:(?:need|have|want) to )?|schedule )?(?:see|seeing|meet|meeting)(?: with)? (.+)$/i;
const AND_NAME = /,? and (?=\p{Lu}[\p{L}'-]+ (?:on|at|tomorrow|today|next|this)\b)/u;

/** "schedule a call with Ana at 10 and a meeting with Ben on Friday at 2" are two. */
function events(part: string): string[] {
  const people = SEES.exec(part)?.[1]?.split(AND_NAME) ?? [];
  if (people.length > 1 && people.every((each) => CLOCK.test(each))) {
    return people.map((each) => `schedule a meeting with ${each}`);
  }
  if (!SCHEDULES.test(part)) return [part];
  const [first = part, ...more] = part.split(AND_EVENT);
  return [first, ...more.map((rest) => `schedule ${rest}`)];
}

const MAX_LISTED = 10;
const LONGEST_LIST = 1000;
const NUMBERS =
  "(?:two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|some|a few|these|the following|my|new|several)";
/** "add tasks: a, b and c", "three tasks: a; b; c" */
const TASK_LIST = new RegExp(
  `^${POLITE}(?:(?:add|create|make|new|note|set up|i have|i need|here are|i've got|got|there are|(?:i )?(?:need|have|want|got|gotta)(?: to)? (?:do|get done|remember|get through|sort out|sort))(?: me)? )?(?:${NUMBERS} ){0,6}(?:new )?(?:tasks|to-?dos|to dos|reminders|things to do|things|jobs|errands|chores|more(?: (?:tasks|things))?|others|items|these|the following|this)(?: (?:to|on) (?:my|the) (?:to-?do )?list| to (?:do|sort|sort out|get done|remember))?(?: (?:for |on |by )?(?<when>today|tomorrow|tonight|this week|this weekend|(?:this |next )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|next week))?\\s{0,9}[:–-]\\s{0,9}(?<items>.+)$`,
  "is",
);
/** "I need to: water the tomatoes, call the plumber" */
const NEED_LIST =
  /^(?:(?:and|so|ok|today|tomorrow)[\s,]+)*(?:(?:i|we) )?(?:(?:also|still) )?(?:need to|have to|must|should|to do|to-?do|add)(?: (?<when>today|tomorrow|this week))?\s*[:–]\s{0,9}(?<items>[^?]+)$/is;
/** "add a task buy bread and a task buy butter" */
const EACH_TASK =
  /^(?:please |also )*(?:add|create|make|new) (?:an? |another )?(?:new )?(?:task|to-?do|reminder)s?\b.+?(?:,|;)? and (?:also )?(?:an?|another|one) (?:new )?(?:task|to-?do|reminder)\b/i;
/** "milk, bread and butter to the shopping list" */
const BARE_LIST =
  /^(?!(?:add|put|move|mark|tick|cross|complete|clear|got|bought|done|all|remove|take|delete|what|which|show|tell|give|read|open|list|check|find|is|are|do|does|did|have|has|how|who|where|when|why|any|anything|something|nothing|remind|everything|there)\b)((?:[\p{L}\p{N}' -]{1,30},\s{0,9}){0,6}[\p{L}\p{N}' -]{1,30})\s{1,9}(?:to|on|onto) (?:my|the|our) [\p{L} -]{2,30}\blist\b/iu;

function severalTasks(text: string): string[] | null {
  if (text.length > LONGEST_LIST) return null;
  const listed = (TASK_LIST.exec(text) ?? NEED_LIST.exec(text))?.groups;
  if (listed?.items) {
    const items = itemsOf(listed.items);
    const when = listed.when ? ` ${listed.when}` : "";
    if (items.length > 1 && items.length <= MAX_LISTED) return items.map((item) => `add a task: ${item}${when}`);
  }
  if (EACH_TASK.test(text)) {
    const parts = text.split(
      /(?:,|;)? and (?:also )?(?:an?|another|one) (?:new )?(?:task|to-?do|reminder)(?: to)?:? /i,
    );
    const [first = "", ...more] = parts;
    return [first, ...more.map((part) => `add a task: ${part}`)];
  }
  return BARE_LIST.test(text) &&
    !/\?\s*$|^(?:and|so|ok|okay|but) (?:what|which|is|how|do|show|read|tell)\b/i.test(text) &&
    !/\b(?:add|put|please|can|could|you|i|i'd|would|stick|write|note|include|throw|need)\b/i.test(text)
    ? [`add ${text}`]
    : null;
}

const CLOCK =
  /\b(?:at|from) (?:\d|noon|half|a? ?quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b/i;
const DAY = "(?:today|tonight|tomorrow|(?:on |next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)";
/** "tomorrow: gym at 7, dentist at 10 and lunch with Sara at 1", "book gym at 7 and dentist at 10 on Friday" */
const TIMED_BEFORE = new RegExp(`^(?:(?:so|ok|for) ){0,6}(?<day>${DAY})\\b[^:,]{0,50}:\\s{0,9}(?<items>.+)$`, "is");
const TIMED_AFTER = new RegExp(
  `^${POLITE}(?:schedule|book|add|put in|set up|plan|i have|i've got|i need)[: ]+(?<items>.{1,200}?,.{1,200}?)(?:,? (?<day>${DAY}))?$`,
  "is",
);

/** Several events, each with a time of its own. */
function timedEvents(text: string): string[] | null {
  if (text.length > LONGEST_LIST || /\?\s*$/.test(text)) return null;
  const { items = "", day = "" } = (TIMED_BEFORE.exec(text) ?? TIMED_AFTER.exec(text))?.groups ?? {};
  const events = itemsOf(items);
  const isTimed = events.length > 1 && events.length <= MAX_PARTS && events.every((item) => CLOCK.test(item));
  const isOther = /\b(?:remind|task|email|cancel|move|mark|invite)\b/i.test(items);
  return isTimed && !isOther ? events.map((item) => `schedule ${item} ${day}`.trim()) : null;
}

/** Semicolons and lines separate first; otherwise commas, and the last "and". */
function itemsOf(text: string): string[] {
  const clean = (items: string[]) =>
    items
      .map((item) => item.replace(/^(?:and|also|then)\s+|^[-*•\d.)\s]+(?=\p{L})|(?<![\s.,;])[\s.,;]+$/giu, "").trim())
      .filter((item) => /[\p{L}\p{N}]/u.test(item));
  if (/[;\n]/.test(text)) return clean(text.split(/[;\n]/));
  if (/^\(?1[.)]/.test(text)) return clean(text.split(/(?<!\s)\s*\(?\b\d{1,2}[.)]\s*/));
  const bullet = /^[-–•*]\s/.test(text) ? /(?<!\s)\s+[-–•*]\s+/ : / \/ .{0,200} \/ | \/ /.test(text) ? / \/ / : null;
  if (bullet) return clean(text.split(bullet));
  const byComma = text.split(/(?<!\s)\s*,\s*/);
  const last = byComma.pop() ?? "";
  const ends = last.split(/(?<!\s)\s+and\s+/i);
  return clean([...byComma, ...(ends.length > 2 ? [last] : ends)]);
}
