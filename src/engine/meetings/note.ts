import type { ReadEmail } from "../email/email.ts";
import { eventSlots } from "../notes/slots.ts";
import { CANCELLATION, EVENTS } from "./patterns.ts";

/** Kinds of notes to an assistant about a calendar: add an event, or look up, change or remove one. */
type NoteKind = "add" | "ask" | "change" | "remove";

const MAX_NOTE = 400;

const LEAD =
  /^(?:(?:hi|hey|hello|hiya|yo|good (?:morning|afternoon|evening)|ok|okay|so|well|yes|yeah|sure|thanks|thank you|please|pls|kindly|now|and|also|then|there|cortana|alexa|siri|assistant|i am well|can you help me\??|(?:note(?: to self)?|save the date|reminder)(?=:))\b[\s,!.;:]*)*/;
const COURTESY =
  /^(?:(?:can|could|would|will) (?:you|u|we)(?: please| kindly| possibly| go ahead and| help(?: me)?(?: to)?| me)?|(?:i(?:'d| would)? (?:want|need|like)|i'd like|i would like|i wanna|i'd love)(?: for)? you to|i (?:want|need) u to|please|would you mind|go ahead and|help me(?: to)?|you should|try to|i need help|to)\s+(?:please |just |also )?/;

const MIND_DOING =
  /^would you mind (?:setting up|scheduling|booking|adding|arranging|organi[sz]ing|creating|planning|putting)\b/;

/** Without greetings and "can you please". */
function bare(text: string): { plain: string; isAsked: boolean } {
  const words = text.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").trim();
  const lower = words.replace(LEAD, "").replace(MIND_DOING, "please schedule");
  const plain = lower.replace(COURTESY, "").replace(/^(?:please|just|also)\s+/, "");
  return { plain, isAsked: plain !== lower };
}

const REMOVES =
  /^(?:delete|cancel|remove|clear|erase|drop|scrap|uninvite|disinvite|wipe|empty|get rid of|call off|take .{1,40}\b(?:off|from|out)\b|unschedule|discard)\b/;
const CHANGES =
  /^(?:move|mve|change|update|reschedule|re-?schedule|postpone|extend|shift|push|bump|delay|rename|switch|modify|edit|adjust|re-?arrange|swap|replace|shorten|lengthen|bring forward|correct|fix|alter|convert|turn|include|invite|forward|share|attach|end my|start my|have .{1,60} as the)\b/;
const CHANGES_INSIDE =
  /\b(?:instead of|instead|got moved|(?:needs?|need) to be moved|moved to|rescheduled|to be at|should be for|anymore|(?:move|change|reschedule|update|bump|switch|push) (?:it|that|this|them|my|the)|won't be at|(?:hour|minutes?) (?:longer|shorter))\b/;
const ADDS_TO = new RegExp(
  `^(?:add|put|include) (?!.*\\b(?:calendar|schedule|agenda|diary)\\b)(?:\\w+(?: \\w+)?(?:,? (?:and|&) \\w+)*) (?:to|on|onto|in) (?:the |my |our |this |that )?(?:list of |guest list|invite|\\w+ ){0,4}(?:list|attendees|guests?|${EVENTS})\\b`,
);
const REMOVES_INSIDE =
  /\b(?:please|can you|could you|need to|have to|want to|like to|going to) (?:delete|cancel|remove|clear|erase)\b/;
const ASKS =
  /^(?:what|whats|what's|which|who|whos|who's|whom|whose|when|whens|when's|where|wheres|where's|why|how(?! about)|hows|how's|is|are|was|were|am|do(?! (?:an?|lunch|dinner|coffee|breakfast|brunch|drinks)\b)|does|did|has|have i|had|should i|will i|will the|will there|would i|any|anything|tell|show|list|search|look|check|find (?:my|the|out|all|me (?:my|the)|an? event|events?|when|what|where)|see (?:if|what|when)|view|read|display|give me|pull up|bring up|open|confirm (?:if|that|my|whether)|verify|accept|decline|reject|join (?:my|it|the next|next|now|that|this)|respond|rsvp|remind me (?:when|what|where|who|of my)|let me know(?! which of| what (?:day|time)| when you)|locate|count|i (?:want|need|would like|'d like) to (?:know|check|see (?:if|what|my|when|all)|find out)|i(?:'d| would) like to (?:know|check|see|find)|i (?:forgot|wonder|don't remember|can't remember|think i have|thought i had)|in which|at what|on what|for what|from what)\b/;
/** Questions in the form of a wish for a new event. */
const ASKS_FOR_TIME =
  /^(?:find|get|is there|do i have|what day do i have)\b.{0,40}\b(?:time|period|slot|spot|hours?|minutes?|gap|block|opening)\b.{0,40}\b(?:to|for|that i can)\b/;
const MARKS =
  /^(?:mark|show|set|make|list|put|block|note|have) (?:me|my (?:status|calendar|schedule|time|day|availability|whole)|us|out|off|the (?:day|time|morning|afternoon|evening)|(?:(?:on|this|next) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.{0,60}\b(?:busy|free|unavailable|available|away|out|off|gone|working|vacation|tentative|booked|ooo)\b/;
const VERBS =
  "create|creat|crete|schedule|schedul|scheduel|shedule|shcedule|schdule|add|make|mke|set|set up|setup|put|book|block|block off|block out|mark|plan|arrange|organi[sz]e|reserve|enter|insert|save|log|pencil|pencil in|place|throw|plug|get|start|note|record|open|fix|fit in|squeeze in|slot in|slot|new|write|host|have|do|stick|pop|jot down|sign me up|input|register|remember|confirm";
const IMPERATIVE = new RegExp(`^(?:${VERBS})\\b(?! (?:sure|it|that|this)\\b|,)`);
const NOT_AN_EVENT =
  /^(?:\w+(?: up| me| us)? )?(?:an? |the |my |another |me a )?(?:new )?(?:reminders?|timers?|alarms?|tasks?|to-?dos?|lists?|notes?|grocery list|shopping list|text|e-?mail|message|phone number|contact|direction|directions|music|song|joke|weather|restaurant|volume|temperature|brightness|lights?|thermostat|information|suggestions?|recommendations?)\b(?! (?:test|day|party|meeting))/;
const ON_CALENDAR =
  /\b(?:on|to|in|into|onto) (?:my|the|our) (?:\w+ )?(?:calendar|calender|caldendar|caledar|schedule|agenda|diary|planner)\b/;
const I_PLAN =
  /^(?:(?:i|we|me)(?:'ve|'m|'ll|'d)?|i've|i'm|im|i'll|i'd|we're|we'll|we've)(?: (?:am|will|are|would|have|has|had|'ve|got|just|also|really|only|be|been|gonna|wanna|think|should|can|must|do))*(?: (?:have|got|having|need|needs|want|wanna|like|love|plan|planning|going|go|attending|attend|meet|meeting|seeing|visiting|visit|taking|take|leaving|flying|travell?ing|hosting|throwing|gonna|be|booked|scheduled|made|make|set|starting|working|off|out|having|must|should|hope|thinking|signed up|invited|supposed|expecting|will|getting|playing|watching|picking|driving|hanging|doing|speaking|presenting|teaching|moving|eating|interviewing))\b/;
const I_ASK =
  /^(?:i|we)(?:'d| would| want| need| have| am| 'm|'m)?(?: (?:like|want|need|trying|have|would|going|wondering))*(?: to)? (?:know|check|see (?:if|what|when|my|all|who|how)|find out|cancel|delete|remove|change|move|reschedule|postpone|clear|edit|update|modify|extend|delay|hear|look|search|ask|buy|order|call|text|email|send|remember|get rid|confirm|review|verify|switch|bump|push|decline|accept)\b/;
const PAST_WORDS = /\b(?:yesterday|last (?:week|month|year|night|time)|ago|had|was|were|didn't|attended)\b/;
const NOUN_NOTE = new RegExp(
  `^(?:[\\w'&-]+ ){0,5}?(?:${EVENTS})s?\\b(?! (?:results?|report|notes?|costs?|fees?|prices?|tickets?|invitations?|was|were|went|said|says|called|wrote|comes?|needs?|for papers))`,
);

/**
 * Reads a short text without subject and sender as a note to an assistant. Null if it is none, for example a sentence
 * from one person to another.
 */
export function noteKind(email: ReadEmail, hasTime: boolean, hasPlace: boolean): NoteKind | null {
  const { visible, subject, from } = email;
  if (subject || from || visible.length > MAX_NOTE || email.sentences.length > 4) return null;
  return kindOf(visible.trim(), hasTime, hasPlace);
}

/** "Optician: 24 November, 16:45, 3 Church Lane". */
const LABELLED =
  /^(?!(?:deadline|due|reminder|note|todo|to-do|fyi|re|subject|to|from|cc|date|when|time|where|sent|total|order|status|update)\b)[a-z][a-z' -]{2,40}: (?!\/\/)\S/;
/** "Chess club on Thursday at 6pm in the library": with a time and a place, a few words before them are a name. */
const TITLED =
  /^(?!(?:i|we|you|he|she|they|it|this|that|there|the|my|send|call|tell|ask|text|email|remind|play|turn|order|buy|get|pay|take|leave|drive|flight|weather|what|who|when|where|how|is|are|will|do|does|see|arrive)\b)(?:[a-z'&-]+ ){1,4}(?:on|at|this|next|tomorrow|today)\b/;

/** "The tenants' assembly is on Monday at 18:00 in Room 12." */
const ANNOUNCED =
  /^(?:the |our |my )?(?:[a-z'&-]+ ){1,5}(?:is|will be|takes place|will take place|starts|begins|will be held|has been (?:set|scheduled)|meets) (?:[a-z]+ )?(?:on|at|in|for|tomorrow|today|from|next|this)\b/;

/** "The hearing has been moved to 12 January": told by somebody, and not asked for. */
const MOVED =
  /^(?:the|our|your) .{2,40} (?:has been|have been|was|is|will be) (?:moved|rescheduled|postponed|pushed|brought forward)\b/;

function kindOf(text: string, hasTime: boolean, hasPlace: boolean): NoteKind | null {
  const { plain, isAsked } = bare(text);
  if (plain.length < 4) return null;
  if (MOVED.test(plain)) return null;
  if (REMOVES.test(plain) && !/\band (?:create|schedule|add|make|book|set)\b/.test(plain)) return "remove";
  if (ASKS_FOR_TIME.test(plain)) return "add";
  if (hasTime && plain.length < 100 && THERE.test(text)) return "add";
  if (MARKS.test(plain)) return "add";
  if (ASKS.test(plain) && !ON_CALENDAR_WISH.test(plain)) return isOwn(plain) ? "ask" : null;
  if (hasTime && INVITES.test(plain)) return "add";
  if (CHANGES.test(plain) || ADDS_TO.test(plain)) return isOurs(plain) ? null : "change";
  if (REMOVES_INSIDE.test(plain) && !isOurs(plain)) return "remove";
  if (IMPERATIVE.test(plain) && !NOT_AN_EVENT.test(plain))
    return CHANGES_INSIDE.test(plain) ? "change" : isOurs(plain) && !isAsked ? null : "add";
  if (CHANGES_INSIDE.test(plain)) return isOurs(plain) ? null : "change";
  if (I_ASK.test(plain)) return "ask";
  if (ON_CALENDAR.test(plain)) return "add";
  if (PAST_WORDS.test(plain) || CANCELLATION.test(plain)) return null;
  if (I_PLAN.test(plain) && plain.length < 160 && isPlanned(plain, hasTime)) return "add";
  const words = plain.split(" ").length;
  const isTold = /\b(?:you|your|we|us|our|until)\b/.test(plain);
  const isShort = words <= 14 && !isTold;
  if (
    hasTime &&
    isShort &&
    (NOUN_NOTE.test(plain) || LABELLED.test(plain) || HAPPENS.test(plain) || (hasPlace && TITLED.test(plain)))
  )
    return "add";
  if (hasTime && hasPlace && words <= 20 && ANNOUNCED.test(plain) && !isTold) return "add";
  return null;
}

/** "Invite Sam to lunch on Tuesday"; "invite Sam to the lunch" changes one. */
const INVITES =
  /^invite (?!every).{2,60}? (?:to|for) (?:an? )?(?:\w+ )?(?:lunch|dinner|breakfast|brunch|coffee|drinks|party|barbecue|bbq|meeting|call|chat|tea)\b/;
const THERE = /^\W*there(?:'s|’s| is| will be) (?:an?|another) [^?]*$/i;
/** "The plumber is coming on Friday", "squash with Theo on Wednesday". */
const HAPPENS =
  /^(?:the |my |our |an? )?(?:[\w'-]+ ){1,3}(?:is|are) (?:coming|visiting|dropping by|coming over)\b|^(?!\w+ed\b|(?:spoke|met|was|been|talk|speak|check|work|help|deal|start|stuck|agree|happy|fine|glad|hello|here)\b)(?:[a-z'&-]+ ){1,3}with (?:the )?[a-z'&-]+(?: (?:and )?[a-z'&-]+)? (?:on|at|tomorrow|tonight|this|next)\b/;
/** Deadlines, which are no events: "I will finish the draft by Wednesday". */
const IS_DUE =
  /\b(?:by|until|before) (?:the |next |end |this )*(?:mon|tues|wednes|thurs|fri|satur|sun|tomorrow|tonight|noon|week|month|of|\d)/;

/** "I need a meeting", "I have to study tomorrow at 2"; to others one writes "I will call you". */
function isPlanned(text: string, hasTime: boolean): boolean {
  if (/\b(?:you|your|our|us|until)\b/.test(text) || (/^i(?:'ll| will)\b/.test(text) && IS_DUE.test(text))) return false;
  return (
    hasTime ||
    /^i (?:need|want|would like|have|wanna|need to have|want to have|'d like)\b.{0,30}\b(?:meeting|appointment|event|date|to (?:see|meet|visit) (?:the|my|with|dr))\b/.test(
      text,
    )
  );
}

const ON_CALENDAR_WISH =
  /\b(?:put|add|schedule|book|create|make) (?:it|that|this|them|an? |the )?.{0,30}\b(?:calendar|schedule|event|appointment|meeting)\b/;

/** A question about the speaker's own calendar, and not to somebody else about a meeting of both. */
const isOwn = (text: string) =>
  !/\b(?:you|your|we|us|our)\b(?! (?:tell|check|show|find|look|confirm|see|help))/.test(text);
const isOurs = (text: string) => /\b(?:our|we|us|your)\b/.test(text);

/** The title of the event: "Add golf on Sunday at 8" → "Golf". Empty if the note has only a time. */
export function noteTitle(email: ReadEmail): string {
  return eventSlots(email.visible.trim(), email).title;
}
