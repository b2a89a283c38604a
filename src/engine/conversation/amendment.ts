import { ADDRESSES } from "../../lib/text.ts";
import { listNameIn } from "../assistant/list-name.ts";
import type { Clock } from "../assistant/message-time.ts";
import { datesIn, isClock, isMoment, joinDayAndTime, withoutPhrases } from "../assistant/message-time.ts";
import { REF } from "./reference.ts";

/** A change to the thing that was just talked about. */
export type Amendment =
  | { kind: "time"; to: Date; end: Date | null; isDay: boolean; isTime: boolean }
  | { kind: "shift"; minutes: number }
  | { kind: "length"; minutes: number }
  | { kind: "longer"; minutes: number }
  | { kind: "title"; title: string }
  | { kind: "place"; place: string }
  | { kind: "invite"; people: string[] }
  | { kind: "uninvite" }
  | { kind: "priority"; level: "low" | "medium" | "high" | "urgent" }
  | { kind: "undated" }
  | { kind: "list"; list: string }
  | { kind: "doubt"; doubt: string };

export interface Amended {
  amendment: Amendment;
  /** The words that name what is changed; null if they name nothing. */
  ref: string | null;
  /** It was put as a question: "what about Thursday?" */
  isAsked: boolean;
}

const LEADS =
  /^(?:(?:no+|nope|nah|sorry|oops|oh|wait|hold on|actually|hmm+|ok(?:ay)?|so|and|but|then|well|also|plus|please|rather|better|instead|thanks?|thank you|thx|great|perfect|cool|nice|good|yes|yeah|sure|now|just|maybe|i mean(?:t)?|let's say|let's do|let us say|say|can you|could you|would you|will you|can we|could we|i'd like to|i want to|i'd rather|you know what)\b[\s,!.:;…–-]*)+/i;
const ASKED = /^(?:what about|how about|what if (?:we|i|it)|could it be|would)\b\s*/i;
const HEAD = new RegExp(
  `^(?:let's )?(?:make|change|set|move|push|put|reschedule|update|switch|shift|postpone|bring|pull|delay|turn|have|do|raise|lower|mark|schedule|book|start|begin|keep) (?:${REF}(?: |$|'s ))?(?:the |its |their )?(?:(?:due )?(?:date|time|day)|deadline|due|start(?: time)?|length|duration|priority)?(?: of (?:it|that|this))?\\s*(?:back |over |forward )?(?:(?:to|for|at|on|until|till|by|be|as|into|start at|start|due|is|from)\\b)?\\s*`,
  "i",
);
const IS_HEAD = new RegExp(
  `^${REF}(?:'s|'re)? ?(?:should |must |has to |needs to |will |can )?(?:is |are |be |was |starts? |begins? |takes place |happens? )?(?:actually |now |really |only )?(?:(?:due|at|on|for|by|from)\\b)?(?:\\s+|(?<=\\s))`,
  "i",
);
const TAIL =
  /[\s,]*\b(?:instead|please|rather|then|actually|better|would be better|works better|too|as well|if possible|(?:at )?(?:the )?same time|keep the time|thanks|thank you|pls|suits me|is better|works|is fine|for me)\b[\s.!?]*$/i;
const NUMBER =
  "(?:\\d+(?:[.,]\\d+)?|an?|one|two|three|four|five|six|half an?|a quarter of an|a couple of|fifteen|twenty|thirty|forty-?five|ninety|an? (?=hour and a half))";
const LENGTH = `(${NUMBER} ?(?:minutes?|mins?|min|m|hours?|hrs?|h|days?|weeks?)(?: and (?:a half|\\d+ ?(?:minutes?|mins?)|a quarter))?)`;
const re = (source: string) => new RegExp(source, "i");
const IT = "(?: (?:it|that|this|them|both|all of them|the (?:meeting|call|event|appointment)))?";
const LONGER = re(
  `^(?:make${IT} |add |give${IT} )?(?:a bit )?(?:by )?(?:another )?${LENGTH} (longer|more|shorter|less)(?: for it)?$`,
);
const EXTEND = re(`^(extend|lengthen|prolong|shorten|cut)${IT}(?: by| for)? (?:another )?${LENGTH}$`);
const SHIFTED = re(
  `^(?:(?:make|move|push|shift|start|schedule|bring|put)${IT} )?(?:up )?(?:by )?${LENGTH} (earlier|sooner|later|forward|back)$`,
);
const PUSHED = re(`^(push|move|shift|delay|postpone|bring|pull)${IT}(?: (back|forward|up|out))?(?: by)? ${LENGTH}$`);
const LASTS = re(
  `^(?:(?:make|set|change|have|keep)${IT} )?(?:it (?:takes|lasts|should (?:take|last|be)) |(?:the )?(?:duration|length) (?:to|is) |(?:to|for|last|take|only) )*${LENGTH}(?: long)?$`,
);
const TITLE = re(
  `^(?:call|name|rename|title|label) (?:it|that|this|the (?:task|event|meeting|call|one)) (?:to |as |into )?(.+)$|^(?:change|set|update) (?:the |its )?(?:title|name)(?: of (?:it|that|this))? (?:to|as) (.+)$|^(?:the |its )?(?:title|name) (?:should be|is) (.+)$`,
);
const PLACE = re(
  `^(?:set|change|make|update|add|move) (?:the |its |a )?(?:location|place|venue|room)(?: (?:to|as|at|be|is|of))? (.+)$|^(?:the |its )?(?:location|place|venue) (?:is|should be|:) ?(.+)$|^(?:it's |it is |it will be |that's |we meet |meet |let's meet )?(?:at|in) (?:the )?(.+)$`,
);
const INVITE = re(
  `^(?:invite|include|cc|loop in|bring in|add) (.+?)(?: (?:too|as well|also|to (?:it|that|this|the (?:meeting|call|event|invite|invitation|list of guests))|as (?:a |an )?(?:guest|attendee|participant)s?))*$`,
);
const ADDRESS_IS = re(`(?:address|e-?mail)(?: address)? is (\\S+@\\S+?)[.!]?$|^(?:it's |it is )?(\\S+@\\S+?)[.!]?$`);
const UNINVITE =
  /^(?:un-?invite|remove|drop|take off) (?:the )?(?:invites?|invitations?|guests?|attendees?|everyone|everybody)$/i;
const LEVEL =
  /^(?:(?:to|as|a|an|the|of) )*(urgent|asap|high|top|low|medium|normal|important)(?: ?-?priority)?$|^priority (?:to |is )?(high|low|medium|urgent|normal)$/i;
const UNDATED =
  /^(?:remove|delete|drop|clear|take off|no) (?:the |its |a )?(?:due )?(?:dates?|deadlines?|due)\b(?: (?:of|from) (?:it|that|this))?$|^without (?:a )?(?:due )?date$/i;
/** A verb of its own: the message asks for something else. */
const OTHER_WISH =
  /^(?:remind|add (?:a |an |the |my )?(?:task|event|reminder|meeting|to-?do)|schedule (?:a|an|another|the|my)|book (?:a|an|another|the)|create|show|list|what|when|who|where|how|why|which|is|are|do|did|does|find|search|read|mark|cancel|delete|remove|archive|star|reply|forward|send|write|draft|tell|help|undo|plan|block|i |i'm|my|we |should|tag|snooze|summari[sz]e|accept|decline|clear|complete|finish)\b/i;

function minutesOf(words: string, clock: Clock): number | null {
  const text = words
    .replace(/^half an?\b/i, "30 minutes #")
    .replace(/^a quarter of an\b/i, "15 minutes #")
    .replace(/#.*/, "")
    .replace(/^(\d+) ?h$/i, "$1 hours")
    .replace(/^(\d+) ?m$/i, "$1 minutes");
  const extra = /and a half/i.test(words) ? 30 : /and a quarter/i.test(words) ? 15 : 0;
  const found = datesIn(`for ${text.replace(/ and a (?:half|quarter)/i, "")}`, clock).find(
    ({ durationMinutes }) => durationMinutes,
  );
  return found?.durationMinutes ? found.durationMinutes + extra : null;
}

const LEVELS: Record<string, "low" | "medium" | "high" | "urgent"> = {
  ...{ urgent: "urgent", asap: "urgent", high: "high", top: "high", important: "high" },
  ...{ low: "low", medium: "medium", normal: "medium" },
};

const FILLER =
  /^(?:the|to|at|on|for|by|from|till|until|it|that|be|of|and|a|bit|little|around|about|same|time|day|,|\s|back|earlier|later|say|only|now|in|due|is|are|please)*$/i;

/** What a message changes about the last thing; null if it is about something else. `isFresh`: that thing was just written. */
export function readAmendment(message: string, clock: Clock, isFresh: boolean): Amended | null {
  const plain = message
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\s.!?]+$/, "");
  const led = plain.replace(LEADS, "");
  const isAsked = ASKED.test(led);
  const isLed = led !== plain;
  const bare = strip(led.replace(ASKED, ""));
  if (!bare) return null;
  const done = (amendment: Amendment, ref: string | null = null): Amended => ({ amendment, ref, isAsked });
  const named = namedChange(bare, clock, isFresh || isLed);
  if (named) return done(named, refIn(bare));
  const head = HEAD.exec(bare);
  const is = head ? null : IS_HEAD.exec(bare);
  const ref = (head ?? is)?.groups?.ref ?? null;
  const hasHead = (head && (ref !== null || isFresh)) || is !== null;
  if (!hasHead && (!isFresh || OTHER_WISH.test(bare))) return null;
  const rest = head && hasHead ? bare.slice(head[0].length) : is ? bare.slice(is[0].length) : bare;
  const value = strip(rest.replace(/^(?:due|by|on|at|to|for) (?=\S)/i, (word) => (/^at/i.test(word) ? word : "")));
  const level = LEVEL.exec(value);
  if (level)
    return done({ kind: "priority", level: LEVELS[(level[1] ?? level[2] ?? "").toLowerCase()] ?? "medium" }, ref);
  const time =
    timeIn(value, clock) ??
    (isFresh || hasHead
      ? timeIn(
          value
            .replace(/^(\d{1,2}(?::\d\d)?)$/, "at $1")
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
    now = now.replace(TAIL, "").replace(/^[\s,]+|[\s,.!?]+$/g, "");
  }
  return now;
};

const refIn = (text: string) => new RegExp(`(?:^|\\s)${REF}(?:\\s|$|')`, "i").exec(text)?.groups?.ref ?? null;

function namedChange(bare: string, clock: Clock, isFresh: boolean): Amendment | null {
  const title = TITLE.exec(bare);
  const name = title?.[1] ?? title?.[2] ?? title?.[3];
  if (name) return { kind: "title", title: tidy(name) };
  if (UNDATED.test(bare)) return { kind: "undated" };
  if (UNINVITE.test(bare)) return { kind: "uninvite" };
  const said = ADDRESS_IS.exec(bare);
  const address = said?.[1] ?? said?.[2];
  if (address && isFresh) return { kind: "invite", people: [address] };
  const longer = LONGER.exec(bare);
  const extended = EXTEND.exec(bare);
  const length = minutesOf(longer?.[1] ?? extended?.[2] ?? "", clock);
  if (length !== null && (longer || extended)) {
    const isLess = /shorter|less/i.test(longer?.[2] ?? "") || /shorten|cut/i.test(extended?.[1] ?? "");
    return { kind: "longer", minutes: isLess ? -length : length };
  }
  const shifted = SHIFTED.exec(bare);
  const pushed = shifted ? null : PUSHED.exec(bare);
  const by = minutesOf(shifted?.[1] ?? pushed?.[3] ?? "", clock);
  if (by !== null && (shifted || pushed)) {
    const isEarlier = /earlier|sooner|forward/i.test(`${shifted?.[2]} ${pushed?.[2]}`) || /^(?:bring|pull)/i.test(bare);
    return { kind: "shift", minutes: isEarlier ? -by : by };
  }
  const lasts = isFresh || /^(?:make|set|change) (?:it|that|this)\b/i.test(bare) ? LASTS.exec(bare)?.[1] : undefined;
  const lasting = lasts ? minutesOf(lasts, clock) : null;
  if (lasting !== null) return { kind: "length", minutes: lasting };
  const invited = INVITE.exec(bare)?.[1];
  const isGuest =
    /^invite|^include|^cc|^loop|@|\bto (?:it|that|this|the (?:meeting|call|event|invite))\b|guest|attendee/i;
  if (invited && isGuest.test(bare) && (isFresh || refIn(bare))) return { kind: "invite", people: peopleIn(invited) };
  const place = PLACE.exec(bare);
  const where = place?.[1] ?? place?.[2] ?? (isFresh ? place?.[3] : undefined);
  return where && !datesIn(bare, clock).some(isMoment) && !/^\d/.test(where)
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
  return text.split(/\s*,\s*(?:and )?|\s+(?:and|&)\s+/i).filter((name) => /\p{L}/u.test(name));
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
  const isRange = found.to !== null && isClock(found) && /-|–|\bto\b|\band\b|\btill?\b|\buntil\b/.test(found.text);
  const isTime = found.type === "time" || found.type === "timerange";
  return { kind: "time", to: found.from, end: isRange ? found.to : null, isDay: !isClock(found), isTime };
}
