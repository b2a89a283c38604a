import { meantMoment } from "../../../../engine/due-date.ts";
import { listNameIn } from "../../../../engine/notes/list-name.ts";
import type { Clock } from "../../../../engine/notes/message-time.ts";
import { datesIn, isClock, isMoment, joinDayAndTime, withoutPhrases } from "../../../../engine/notes/message-time.ts";
import { ruleOf } from "../../../../engine/repetition-words.ts";
import { ADDRESSES } from "../../../../lib/text.ts";
import { IT, LENGTH, type LengthChange, minutesOf, readLength, readLonger } from "./event-length.ts";
import { daysLater, daysToNextOfName, hasOpenHour } from "./open-time.ts";
import { REF } from "./reference.ts";

/** A change to the thing that was just talked about. */
export type Amendment =
  | { kind: "time"; to: Date; end: Date | null; isDay: boolean; isTime: boolean; isOpenHour: boolean }
  | { kind: "until"; to: Date; isDay: boolean; isTime: boolean }
  | { kind: "shift"; minutes: number }
  | LengthChange
  | { kind: "repeat"; rrule: string | null }
  | { kind: "title"; title: string }
  | { kind: "place"; place: string }
  | { kind: "invite"; people: string[] }
  | { kind: "uninvite"; people: string[] }
  | { kind: "priority"; level: "low" | "medium" | "high" | "urgent" }
  | { kind: "undated" }
  | { kind: "list"; list: string }
  | { kind: "doubt"; doubt: string };

interface Amended {
  amendment: Amendment;
  /** The words that name what is changed; null if they name nothing. */
  ref: string | null;
  /** It was put as a question: "what about Thursday?" */
  isAsked: boolean;
}

const LEADS =
  /^(?:(?:no+|nope|nah|sorry|oops|oh|ah|argh|whoops|(?:that's|that is|it's) (?:the )?(?:wrong|not right)(?: (?:day|time|date|one))?|wrong (?:day|time|date)|wait|hold on|hang on|scrap that|scratch that|forget that|actually|hm+|fine|right|ok(?:ay)?|so|and|but|then|well|also|plus|please|rather|better|instead|thanks?|thank you|thx|great|perfect|cool|nice|good|yes|yeah|sure|now|just|maybe|i mean(?:t)?|let's say|let's do|let us say|say|can you|could you|would you|will you|can we|could we|i'd like to|i want to|i'd rather|you know what)\b[\s,!.:;…–-]*)+/i;
const ASKED = /^(?:what about|how about|what if (?:we|i|it)|could it be|would)\b\s*/i;
const HEAD = new RegExp(
  `^(?:let's )?(?:give|let me have|let|make|change|set|move|push|put|reschedule|update|switch|shift|postpone|bring|pull|delay|turn|have|do|raise|lower|mark|schedule|book|start|begin|keep|leave|bump|swap|knock|snooze|park|defer) (?!(?:an? |the )?(?:days?|time) off\\b)(?:${REF}(?: |$|'s ))?(?:the |its |their )?(?:(?:due )?(?:date|time|day)|deadline|due|start(?: time)?|length|duration|priority)?(?: of (?:it|that|this))?\\s{0,9}(?:back |over |forward |up |down |off ){0,6}(?:(?:to|for|at|on|until|till|by|be|as|into|start at|start|due|is|from)\\b)?\\s{0,9}`,
  "i",
);
const IS_HEAD = new RegExp(
  `^${REF}(?:'s|'re)? ?(?:should |must |has to |have to |had to |needs? to |will |'ll |can |could |got |gets |has been |been |(?:go|be moved|be pushed|be shifted|be rescheduled|be put|get moved|get pushed|move|shift|slip) (?:back |forward |out |on )?(?=to |until |till |by )){0,6}(?:needs? (?:doing|finishing|sorting|sending) |(?:be )?(?:done|finished|ready|sent off|handed in|in) (?=by|before|on|until|till|tomorrow|today|tonight|this|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day))?(?:is |are |be |was |starts? |begins? |takes place |happens? |comes? |goes off |rings? )?(?:(?:goes|moves|moved|is moved|shifts|slips|changes) (?=to|until))?(?:(?:actually|now|really|only|super|very|so|pretty|quite|rather|fairly|more|a bit|terribly|extremely|totally|kind of|sort of|most) ){0,6}(?:(?:to|until|till|due|at|on|for|by|from)\\b)?(?:\\s+|(?<=\\s))`,
  "i",
);
const TAIL =
  /(?<![\s,])[\s,]*\b(?:instead|please|rather|then|actually|better|would be better|works better|too|as well|if possible|(?:at |for )?(?:the )?same (?:times?|hours?|length|place)|(?:the )?time (?:unchanged|stays(?: the same)?)|keep the times?|thanks|thank you|pls|(?:would )?suits?(?: me)?(?: better)?|(?:would )?works? better|is (?:preferable|best)|is more like it|sounds (?:good|better)|is perfect|would be (?:great|perfect|good)|would do|sorry|my bad|oops|i meant?|is better|works|is fine|for me|now|already|apparently)\b[\s.!?]*$/i;
const re = (source: string) => new RegExp(source, "i");
const SHIFTED = re(
  `^(?:(?:make|move|push|shift|start|schedule|bring|put|have|do|see|want|get|let)${IT} (?:be |start )?|(?:it|that|this|they|them) (?:can|should|must|has to|have to|could|may|will|needs to) (?:be |wait |start |happen |go )?)?(?:up )?(?:by )?${LENGTH} (earlier|sooner|later|forward|back)$`,
);
/** "the day after", "a week later" */
const NEXT_DAY = re(
  `^(?:(?:make|move|push|shift|put)${IT} )?(?:to |on |for )?the (day|week) (after|before|later|earlier)(?: that)?$`,
);
/** "and the first one by 15 minutes" */
const SHIFTED_BY = re(`^${REF.replace("(?<ref>", "(?:")} by ${LENGTH}$`);
const PUSHED = re(
  `^(push|move|shift|delay|postpone|bring|pull|bump|put|knock)${IT}(?: (back|forward|up|out))?(?: by)? ${LENGTH}$`,
);
const TITLE = re(
  `^(?:call|name|rename|title|label) (?:it|that|this|the (?:task|event|meeting|call|one)) (?!off\\b)(?:to |as |into )?(.+)$|^(?:change|set|update) (?:the |its )?(?:title|name)(?: of (?:it|that|this))? (?:to|as) (.+)$|^(?:the |its )?(?:title|name) (?:should be|is) (.+)$`,
);
const PLACE = re(
  `^(?:add|set|put|use|pop|stick|note|write|mark|enter)(?: down)? (.{1,200}?)(?: in| down)? as (?:the |its |a )?(?:location|place|venue|room)(?: (?:for|of|on) (?:it|that|this))?$|^(?:change|move|switch|make|set) it to ((?:the )?(?:meeting |conference )?(?:room|hall|office|studio|building|zoom|teams)\\b.{0,30})$|^(?:set|change|make|update|add|move) (?:the |its |a )?(?:location|place|venue|room)(?: (?:for|of|on) (?:it|that|this)(?= ))?(?! (?:for|of|on) (?:the|my|our|[a-z]+'s)\\b)(?: (?:to|as|at|be|is|of))? (.+)$|^(?:the |its )?(?:location|place|venue)(?: (?:for|of) (?:it|that|this))?(?:'s| is| should be| has changed to| changed to| is now| moved to|:) ?(?:now )?(?:in |at )?(.+)$|^(?:it's |it is |it will be |it'll be |that's |(?:we|we're|we are|we'll|i'm|i) (?:be )?meet(?:ing)?(?: her| him| them)? |meet |meeting |let's meet |(?:put|have|hold|do|host) it (?!in (?:(?:my|the) [\\w -]{0,40}(?:calendar|diary|inbox|list|archive|trash|morning|afternoon|evening)|as|for|writing)\\b))?(?:at|in) (?:the )?(.+)$`,
);
/** "it's on Zoom now", "do it over Teams" */
const ONLINE = re(
  `^(?:it's|it is|it'll be|it will be|that's|(?:do|have|hold|make|move|switch|put) (?:it|that|this))(?: now)? (?:on|over|via|to|onto) ((?:google |ms |microsoft )?(?:zoom|teams|meet|skype|webex|facetime|whatsapp)|the phone)$`,
);
const INVITE = re(
  `^(?:invite|include|cc|loop in|bring in|add) (.{1,200}?)(?: (?:too|as well|also|to (?:it|that|this|the (?:meeting|call|event|invite|invitation|list of guests))|as (?:a |an )?(?:guest|attendee|participant)s?)){0,6}$`,
);
const ADDRESS_IS = re(
  `(?:address|e-?mail)(?: address)? is ([^\\s@]+@\\S+?)[.!]?$|^(?:it's |it is )?([^\\s@]+@\\S+?)[.!]?$`,
);
const UNINVITE =
  /^(?:un-?invite|remove|drop|take off) (?:the )?(?:invites?|invitations?|guests?|attendees?|everyone|everybody)$/i;
const UNINVITE_NAMED =
  /^(?:un-?invite|disinvite) (.+)$|^(?:take|drop|leave) (?!it\b|that\b|this\b|them\b)(.+?) (?:off|out)(?: (?:of )?(?:it|again|the (?:invite|meeting|event|guest list)))*$|^(?:remove|drop) (.+?) from (?:it|that|this|the (?:invite|meeting|call|event|guest list))$/iu;
const LEVEL =
  /^(?:(?:to|as|at|a|an|the|of|on|some|with|in|has|have|gets?|needs?) )*(urgent|asap|high(?:est)?|top|low(?:est)?|medium|normal|important)(?: ?-?prio(?:rity)?)?$|^priority (?:to |is )?(high|low|medium|urgent|normal)$/i;
const UNDATED =
  /^(?:remove|delete|drop|clear|take off|no) (?:the |its |a )?(?:due )?(?:dates?|deadlines?|due)\b(?: (?:of|from) (?:it|that|this))?$|^without (?:a )?(?:due )?date$/i;
/** A verb of its own: the message asks for something else. */
const OTHER_WISH =
  /^(?:remind|add (?:a |an |the |my )?(?:task|event|reminder|meeting|to-?do)|schedule (?:a|an|another|the|my)|book (?:a|an|another|the)|create|show|list|what|when|who|where|how|why|which|is|are|do|did|does|find|search|read|mark|cancel|delete|remove|archive|star|reply|forward|send|write|draft|tell|help|undo|plan|block|i |i'm|my|we |should|tag|snooze|summari[sz]e|accept|decline|clear|complete|finish)\b/i;

const LEVELS: Record<string, "low" | "medium" | "high" | "urgent"> = {
  ...{ urgent: "urgent", asap: "urgent", high: "high", highest: "high", top: "high", important: "high" },
  ...{ low: "low", lowest: "low", medium: "medium", normal: "medium" },
};

const FILLER =
  /^(?:the|to|at|on|for|by|from|till|until|it|that|be|of|and|a|bit|little|around|about|same|time|day|,|\s|back|earlier|later|say|only|now|in|due|is|are|please)*$/i;

/** What a message changes about the last thing; null if it is about something else. `isFresh`: that thing was just written. */
export function readAmendment(message: string, clock: Clock, isFresh: boolean): Amended | null {
  const plain = message
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![\s.!?])[\s.!?]+$/, "");
  const led = plain.replace(LEADS, "");
  const isAsked = ASKED.test(led);
  const isLed = led !== plain;
  const said = strip(led.replace(ASKED, ""));
  const bare = strip(withoutOther(said, clock));
  if (!bare) return null;
  // "not Friday, Monday" corrects something, also after an answer.
  const isAbout = isFresh || bare !== said;
  const done = (amendment: Amendment, ref: string | null = null): Amended => ({ amendment, ref, isAsked });
  const named = untilIn(bare, clock, isAbout) ?? namedChange(bare, clock, isAbout || isLed);
  if (named) return done(named, refIn(bare));
  const head = HEAD.exec(bare);
  const is = head ? null : IS_HEAD.exec(bare);
  const ref = (head ?? is)?.groups?.ref ?? (head && /\bof (it|that|this)\b/i.exec(head[0])?.[1]) ?? null;
  const hasHead = (head && (ref !== null || isAbout)) || is !== null;
  if (!hasHead && (!isAbout || OTHER_WISH.test(bare))) return null;
  const rest = head && hasHead ? bare.slice(head[0].length) : is ? bare.slice(is[0].length) : bare;
  const value = strip(
    rest
      .replace(/^(?:due|by|on|at|to|for|until|till) (?=\S)/i, (word) => (/^at/i.test(word) ? word : ""))
      .replace(/^((?:mon|tues|wednes|thurs|fri|satur|sun)day)s\b/i, "$1"),
  );
  const level = LEVEL.exec(value);
  if (level)
    return done({ kind: "priority", level: LEVELS[(level[1] ?? level[2] ?? "").toLowerCase()] ?? "medium" }, ref);
  const time =
    timeIn(value, clock) ??
    (isAbout || hasHead
      ? timeIn(
          value
            .replace(/^(\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i, "at $1")
            .replace(/^(?=\d{1,2}(?::\d\d)? ?(?:-|–|to|till|until) ?\d)/, "from "),
          clock,
        )
      : null);
  if (time) return done(time, ref);
  const list = listNameIn(`to ${value}`);
  if (list && hasHead && ref) return done({ kind: "list", list }, ref);
  return null;
}

const strip = (text: string) => {
  let now = text;
  for (let before = ""; before !== now; ) {
    before = now;
    now = now.replace(TAIL, "").replace(/^[\s,]+|(?<![\s,.!?])[\s,.!?]+$/g, "");
  }
  return now;
};

/** "friday not thursday", "not at 3 but at 4": only what is meant. */
function withoutOther(text: string, clock: Clock): string {
  const [, first = "", other = ""] =
    /^(.+?),? (?:and )?(?:not|rather than|instead of|and not) (?:on |at |for )?(.{1,20})$/i.exec(text) ?? [];
  if (/^(?:at |for )?\d{1,2}(?::\d\d)?$/.test(first) && /^\d{1,2}(?::\d\d)?$/.test(other))
    return `at ${first.replace(/^\D+/, "")}`;
  const [, before = "", second = ""] = /^(?:it's )?not (?:on |at )?(.{1,20}?)(?:,| but){1,6} (.+)$/i.exec(text) ?? [];
  const saysTime = (words: string) => words !== "" && datesIn(words, clock).some(isMoment);
  if (saysTime(first) && (saysTime(other) || /^\d/.test(other))) return first;
  return saysTime(second) && (saysTime(before) || /^\d/.test(before)) ? second : text;
}

const UNTIL = re(
  `^(?:(?:make|keep|set|change|have|let|extend|stretch|prolong|lengthen)${IT} (?:(?:go|run|last)(?: on)? )?(?:until|till|through|end(?:ing)?|finish(?:ing)?|end up)|(?:extend|stretch|prolong|lengthen)${IT} to|(?:(?:it|that|this)(?:'ll| will| should| must| has to| needs to)? )?(?:ends?|finish(?:es)?|stops?|goes(?: on)?|go(?: on)?(?= (?:until|till|to|for))|runs?|lasts?)(?: it)?|until|till)(?: (?:at|on|by|until|till|through))? (.+)$`,
);

/** "make it till Thursday", "and end at 6": when it ends, and not when it begins. */
function untilIn(bare: string, clock: Clock, isFresh: boolean): Amendment | null {
  const words = UNTIL.exec(bare)?.[1];
  if (!words || (!isFresh && !refIn(bare))) return null;
  const time = timeIn(words, clock) ?? timeIn(`at ${words}`, clock);
  return time?.kind === "time" && time.end === null
    ? { kind: "until", to: time.to, isDay: time.isDay, isTime: time.isTime }
    : null;
}

const REPEAT = re(
  `^(?:(?:make|have|set|let)${IT} (?:(?:to )?(?:repeat|recur|happen|a|be|recurring|repeating) ){0,6}|(?:repeat|do)${IT} |(?:it|that|this) (?:repeats|should repeat|is|happens|recurs|has to be|should be|will be|must be) |(?:it|that)(?:'s|'ll be) )?(?:only )?((?:every|each) (?:other |second |two |three |single )?(?:day|week|weekday|workday|month|year|fortnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|daily|weekly|fortnightly|bi-?weekly|monthly|yearly|annually)(?: (?:thing|event|meeting|one|task|from now on)){0,6}(?: (?:by the way|btw|actually|from now on))?$`,
);

const ONCE = re(
  `^(?:(?:make|have|do|keep|schedule|book)${IT} )?(?:(?:just|only) ){0,6}(?:(?:the |this |that )?(?:once|one time|one-?off|single (?:time|event|meeting))|a one-?(?:off|time)(?: thing| event)?|once only)(?:(?:'s| is| will be| would be) (?:enough|fine|plenty|ok(?:ay)?))?$|^(?:stop|end|cancel|remove|drop|no|without|kill) (?:the |its |any )?(?:repeats?|repeating|repetition|recurrence|recurring)$|^(?:stop|don't have|have)${IT} (?:from )?(?:repeating|recurring|not repeat)$|^(?:it|that|this) (?:should not|shouldn't|doesn't|does not|need not|needn't|doesn't need to|doesn't have to) (?:repeat|recur|be recurring|be every week)$|^(?:don't|do not|no need to|not) (?:repeat|repeating|recurring|every week|weekly)(?: ${REF.replace("(?<ref>", "(?:")})?$`,
);

/** "every year", "make it weekly", "just once" */
function repeatIn(bare: string): Amendment | null {
  if (ONCE.test(bare)) return { kind: "repeat", rrule: null };
  const rrule = ruleOf(REPEAT.exec(bare)?.[1] ?? "");
  return rrule ? { kind: "repeat", rrule } : null;
}

const refIn = (text: string) => new RegExp(`(?:^|\\s)${REF}(?:\\s|$|')`, "i").exec(text)?.groups?.ref ?? null;

function namedChange(bare: string, clock: Clock, isFresh: boolean): Amendment | null {
  const title = TITLE.exec(bare);
  const name = title?.[1] ?? title?.[2] ?? title?.[3];
  if (name) return { kind: "title", title: tidy(name) };
  if (UNDATED.test(bare)) return { kind: "undated" };
  if (UNINVITE.test(bare)) return { kind: "uninvite", people: [] };
  const rule = isFresh || refIn(bare) ? repeatIn(bare) : null;
  if (rule) return rule;
  const said = ADDRESS_IS.exec(bare);
  const address = said?.[1] ?? said?.[2];
  if (address && isFresh) return { kind: "invite", people: [address] };
  const longer = readLonger(bare, clock);
  if (longer) return longer;
  const next = NEXT_DAY.exec(bare);
  if (next) {
    const minutes = next[1]?.toLowerCase() === "week" ? 10_080 : 1440;
    return { kind: "shift", minutes: /before|earlier/i.test(next[2] ?? "") ? -minutes : minutes };
  }
  const shifted = SHIFTED.exec(bare);
  const pushed = shifted ? null : PUSHED.exec(bare);
  const by = minutesOf(shifted?.[1] ?? pushed?.[3] ?? SHIFTED_BY.exec(bare)?.[1] ?? "", clock);
  if (by !== null) {
    const isEarlier = /earlier|sooner|forward/i.test(`${shifted?.[2]} ${pushed?.[2]}`) || /^(?:bring|pull)/i.test(bare);
    return { kind: "shift", minutes: isEarlier ? -by : by };
  }
  const length = readLength(bare, clock, isFresh);
  if (length) return length;
  const invited = INVITE.exec(bare)?.[1];
  const isGuest =
    /^invite|^include|^cc|^loop|@|\bto (?:it|that|this|the (?:meeting|call|event|invite))\b|guest|attendee/i;
  if (invited && isGuest.test(bare) && (isFresh || refIn(bare))) return { kind: "invite", people: peopleIn(invited) };
  const left = UNINVITE_NAMED.exec(bare)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (left && (isFresh || refIn(bare))) return { kind: "uninvite", people: peopleIn(left) };
  const online = ONLINE.exec(bare)?.[1];
  if (online && (isFresh || refIn(bare))) return { kind: "place", place: tidy(online) };
  const place = PLACE.exec(
    bare.replace(/(?<![\s,])[\s,]+(?:this time|this week|by the way|btw|now|as usual|today|tomorrow)$/i, ""),
  );
  const where =
    place?.[1] ??
    place?.[2] ??
    place?.[3] ??
    place?.[4] ??
    (isFresh || /^(?:it's|it is|it will be|it'll be|we're meeting|we are meeting|we meet|we'll meet) /i.test(bare)
      ? place?.[5]
      : undefined);
  return where &&
    !datesIn(bare, clock).some(isMoment) &&
    !/^(?:\d|(?:what|which|whose|whatever|least|any|all) )/i.test(where)
    ? { kind: "place", place: tidy(where) }
    : null;
}

function tidy(text: string): string {
  const plain = text
    .replace(/^["“'](.+)["”']$/, "$1")
    .trim()
    .slice(0, 300);
  return plain.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** "Bob and carol@example.com" */
export function peopleIn(text: string): string[] {
  const addresses = text.match(ADDRESSES) ?? [];
  if (addresses.length > 0) return [...new Set(addresses.map((each) => each.toLowerCase()))];
  return text.split(/(?<!\s)\s*,\s*(?:and )?|(?<!\s)\s+(?:and|&)\s+/i).filter((name) => /\p{L}/u.test(name));
}

function timeIn(text: string, clock: Clock): Amendment | null {
  const dates = datesIn(text, clock);
  const doubt = dates.find((date) => date.doubt)?.doubt;
  const moments = dates.filter((date) => isMoment(date) && date.type !== "set");
  const both = joinDayAndTime(moments, clock);
  const found = both?.found ?? moments[0];
  if (!found?.from) return doubt ? { kind: "doubt", doubt } : null;
  const rest = withoutPhrases(text, both?.parts ?? [found]);
  if (!FILLER.test(rest) || (moments.length > 1 && !both)) return null;
  if (doubt) return { kind: "doubt", doubt };
  if (found.grain === "week" && /^next week$/i.test(found.text)) return { kind: "shift", minutes: 7 * 24 * 60 };
  const isRange = found.to !== null && isClock(found) && /-|–|\bto\b|\band\b|\btill?\b|\buntil\b/.test(found.text);
  const isTime = found.type === "time" || found.type === "timerange";
  const days = Math.max(...moments.map((each) => daysToNextOfName(each, clock)));
  return {
    kind: "time",
    to: (both ? null : meantMoment(found, clock)) ?? daysLater(found.from, days),
    end: isRange && found.to ? daysLater(found.to, days) : null,
    isDay: !isClock(found),
    isTime,
    isOpenHour: hasOpenHour(found),
  };
}
