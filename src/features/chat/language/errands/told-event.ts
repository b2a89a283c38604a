import { type Clock, datesIn, isClock, isMoment, withoutPhrases } from "../../../../engine/notes/message-time.ts";
import { BARE_RANGE } from "../../../../engine/notes/slots.ts";
import { isDenial, isHearsay, isQuestion } from "../follow-ups/denial.ts";
import { nameIn } from "../follow-ups/loose-change.ts";

const LONGEST = 300;
const MOST = 5;
const LONGEST_NAME = 8;
const THEM = "(?:it|that|this|them|those|these|both|all(?: of (?:it|them))?|everything)";
/** "…, put them in", "…, can you add that?": what was told is to be noted. */
const NOTE_IT = new RegExp(
  `[,.;:–-]{0,9}\\s{1,9}(?:so |and |then ){0,6}(?:please |can you |could you |would you |just ){0,6}(?:put|add|stick|pop|note|enter|book|schedule|pencil|jot|log|get|stuff|chuck|slot|save|write)(?: me)?(?: in| down)? ${THEM}(?: (?:in|down|up|on|to|into|for me|please|(?:in|on|to|into|onto) (?:my|the) (?:calendar|diary|schedule|agenda|planner))){0,6}[\\s.!?]{0,9}$`,
  "i",
);
const HAS =
  /^(?:(?:put|stick|pop|pencil|slot|squeeze|fit|plan|do|have|add)(?: in| down)?(?= )|i(?:'ve| have)?(?: got)?|we(?:'ve| have)?(?: got)?|there(?:'s| is| are)|got|have|it's|its|plus|also|then|and)\s+(?:an? |the |my |our |some )?(?=\S)/i;
/** "Emma has swimming" */
const SOMEBODY_HAS =
  /^(?:my |our )?(?<who>[\p{L}'-]+)(?: has| is having|'s got| has got)(?: an?| the| got)? (?=\p{L})/iu;
/** Words of sentences, and not of names. */
const SENTENCE =
  /\b(?:i|you|he|she|it|we|they|me|us|him|them|your|is|are|was|were|be|been|am|do|does|did|don't|can|can't|could|should|would|will|won't|might|must|may|has|have|had|what|who|when|where|which|why|how|if|not|never|because|that|this|there|then|please|instead|rather|reminder|remind|task|tasks|todo|e-?mail|emails|cancel|cancelled|move|moved|delete|remove|free|busy|available|alarm|timer|time|zone|weather|forecast|news|traffic|temperature|score|price|joke)\b/i;
/** Orders for the world outside, and for other parts of the assistant. */
const ORDERS =
  /^(?:convert|count|explain|define|describe|spell|recommend|suggest|compare|estimate|guess|imagine|repeat|mute|unmute|pause|resume|skip|shuffle|brighten|lower|raise|increase|decrease|heat|warm|charge|brew|roll|flip|choose|draw|paint|compute|download|install|restart|reboot|activate|deactivate|enable|disable|play|turn|switch|order|buy|sell|text|message|wake|tell|ask|sing|open|close|start|stop|set|search|google|look|check|show|find|read|write|print|translate|calculate|lock|unlock|feed|dim|record|watch|stream|call|ring|phone|pay|send|post|share|hail|navigate|drive|take|get|bring|pick|drop|collect|clean|wash|water|cook|bake|make|do|finish|submit|prepare|renew|fix|say|give|keep|let|put|add|try|use|go|come|leave|meet|see|visit|help|answer|reply|forward|archive|star|mark|snooze|tag|list|undo|redo|change|push|shift|move|bump|delay|postpone|reschedule|slide|nudge|rename|call|invite|block|clear|plan|extend|shorten|note|save|thanks?|thank|hello|hi|hey|good|bye|yes|no|ok|okay|sorry|wait|until|till|from|at|on|by|for|in|after|before|about|around|between|every|each|and|or|but|so|the|both|all|any|anything|nothing|everything|same|another|later|earlier|maybe|perhaps|probably)\b/i;

/** Words around a name. Alone they name nothing: "actually, Thursday at 8". */
const AROUND =
  /^(?:(?:actually|well|hm+|oh|ah|um+|yeah|yep|sure|fine|great|perfect|cool|right|anyway|exactly|really|just|only|again|now|better|make|done|alright|ugh|lol|oops|whoops|nah|nope|hang|hold)(?: |$))+/i;

const WHOLE_DAY = /\b(?:all|(?:the )?whole|full) day(?: long)?\b/i;

/** Whether a part of a message is only a name and a time of day: "pipeline review tomorrow 2pm, one hour". */
function isNameAndTime(said: string, clock: Clock): boolean {
  const text = said.replace(BARE_RANGE, "from $1 to $2");
  const dates = datesIn(text, clock);
  const times = dates.filter((found) => found.type !== "duration" && isMoment(found));
  const lengths = dates.length - times.length;
  const hasClock = times.some(isClock) || dates.some(({ type, text: said }) => type === "set" && /\d|noon/.test(said));
  const isWholeDay = WHOLE_DAY.test(text) && times.length > 0;
  if ((!hasClock && !isWholeDay) || lengths > 2 || dates.some(({ doubt }) => doubt)) return false;
  const name = withoutPhrases(text, dates)
    .replace(WHOLE_DAY, " ")
    .replace(/\b(?:lasts?|lasting|takes?|taking|for|about|booked|scheduled|planned|starting)\b/gi, " ")
    .replace(/[\s,;:.!–-]+/g, " ")
    .trim();
  const count = name.split(" ").length;
  return (
    /\p{L}{2}/u.test(name) &&
    count <= LONGEST_NAME &&
    !SENTENCE.test(name) &&
    !/\bto(?:$| and\b)|\bstill\b/i.test(name) &&
    !ORDERS.test(name.replace(AROUND, "") || "no") &&
    nameIn(name.split(" ")) !== ""
  );
}

/** "actually, gym at 7": a word before the name is no part of it. */
const BEFORE_NAME =
  /^(?:(?:actually|well|hm+|oh|ah|um+|yeah|yep|ok|okay|anyway|ugh|oops|right|so|btw|by the way)\b[\s,.!]*)+(?=\S)/i;
const SOMEBODY_GOT = /^(?:my |our )?(?<who>[\p{L}-]+)'s got (?:an? |the )?(?=\p{L})/iu;

/** "Our reading circle now meets every Tuesday", "the plumber comes on Friday": what it is, before when it is. */
const TAKES_PLACE =
  /^(?:our|my|the|an?) (?<what>[\p{L}\d][\p{L}\d' -]{1,40}?) (?:(?:now|always|usually|also|then|only) )*(?:meets?|takes? place|happens?|starts?|begins?|rehearses?|runs|comes?(?: over| by| round)?|arrives?|is|are|will be|'ll be)(?: (?:now|on))?(?= (?:on|at|every|each|from|between|in|this|next|tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b)/iu;
const IS_DOING =
  /^(?:our|my|the|an?) (?<who>[\p{L}][\p{L}' -]{1,30}?) (?:is|are|will be) (?<doing>(?!going\b|being\b|having\b|thinking\b)\p{L}{2,}ing)(?: (?:over|by|round|in))?(?= (?:on|at|every|each|from|between|this|next|tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b)/iu;

const bare = (part: string, isNoted: boolean) => {
  const text = part.trim().replace(BEFORE_NAME, "").replace(HAS, "").replace(SOMEBODY_GOT, "$<who> ");
  if (!isNoted) return text;
  return text.replace(IS_DOING, "$<who> $<doing>").replace(TAKES_PLACE, "$<what>").replace(SOMEBODY_HAS, "$<who> ");
};

/** "I need to see the accountant for an hour, add it to my calendar" */
const NOTE_IN_CALENDAR =
  /\b(?:put|add|stick|pop|note|enter|get) (?:it|that|this) (?:in|on|to|into|onto) (?:my|the) (?:calendar|diary|schedule|agenda)[\s.!?]*$/i;
const WISHED =
  /^(?:i|we)(?:'ve| have| need| want|'ll|'m)?(?: got)? (?:to |an? )?(?<what>(?!remind|add|email)\p{L}.{2,100})$/iu;

/** "Mia's been invited to a party, put it in for Sunday 2.30": what it is stands before, and when it is behind. */
const NOTED_FOR =
  /^(?<told>[^,;.]{4,80})[,;.]+ (?:so |and |then )*(?:please |can you |could you |just |let's )*(?:put|add|stick|pop|note|enter|book|pencil|get|bung|chuck|slot|write) (?:it|that|this) (?:in|down|on(?= (?:my|the) ))(?: (?:my|the) (?:calendar|diary|schedule|agenda|planner))?,? (?<when>\S.*)$/i;
const OCCASION =
  /(?:\binvited(?: \p{L}+)? (?:to|for)|\b(?:has|have|had|'ve|got|having|is|there's|going to|booked|arranged|organi[sz]ed|planned|wants? to (?:have|do|go for|meet for)|asked (?:me|us) (?:to|for)|want to (?:have|do))(?! (?:been|got|having)\b)|'s got|'s having) (?:an? |the |our |my |some )?(?<what>\p{L}[\p{L}\d' -]{1,50})$/iu;

function notedFor(text: string, clock: Clock): string | null {
  const { told = "", when = "" } = NOTED_FOR.exec(text)?.groups ?? {};
  if (!datesIn(when, clock).some(isMoment) || datesIn(told, clock).some(isMoment)) return null;
  const what = OCCASION.exec(told)?.groups?.what ?? "";
  // Without a name it is asked for.
  return what === "" || SENTENCE.test(what) ? `schedule an event ${when}` : `schedule ${what} ${when}`;
}

/** Where another event may begin. */
const NEXT = /(?<!\s)\s*;\s*|,\s*(?:and |then |plus )?|(?<!\s)\s+(?:and|then|plus)\s+(?:then )?/gi;

/** The parts of the message, of which each has a time of its own. */
function timedParts(text: string, clock: Clock): string[] {
  const parts: string[] = [];
  let from = 0;
  const ends = [...text.matchAll(NEXT)].map(({ index, 0: link }) => [index, index + link.length] as const);
  for (const [at, next] of [...ends, [text.length, text.length] as const]) {
    const part = text.slice(from, at);
    const rest = text.slice(next);
    const isWhole = isNameAndTime(bare(part, true), clock);
    const isLast = next === text.length;
    // "tomorrow 2pm, one hour": what follows belongs to it, unless it has a name and a time as well.
    if (!isLast && !(isWhole && startsAnother(rest, clock))) continue;
    parts.push(part);
    from = next;
  }
  return parts;
}

const startsAnother = (rest: string, clock: Clock) => {
  const [first = rest] = rest.split(/;|,| and | then | plus /i);
  return isNameAndTime(bare(first, true), clock);
};

/** What the message tells as events, each as a request: several of them, or those that it asks to be noted. */
export function toldEvents(message: string, clock: Clock): string[] | null {
  if (message.length > LONGEST || /[\n"“]/.test(message)) return null;
  const isNoted = NOTE_IT.test(message);
  const text = message.replace(NOTE_IT, "").replace(/(?<![\s.!])[\s.!]+$/, "");
  if (isQuestion(text) || isDenial(text) || isHearsay(text) || /\?$/.test(text)) return null;
  const wish = NOTE_IN_CALENDAR.test(message) ? WISHED.exec(text)?.groups?.what : undefined;
  if (wish) return [`schedule ${wish}`];
  const noted = notedFor(text, clock);
  if (noted) return [noted];
  const parts = timedParts(text, clock);
  const isEach = parts.every((part) => isNameAndTime(bare(part, isNoted), clock));
  if (!isEach || parts.length > MOST || (parts.length < 2 && !isNoted)) return null;
  return parts.map((part) => `schedule ${bare(part, isNoted)}`);
}

/** "early shift tomorrow 6am to 2pm": nothing is asked for, but only an event can be meant. */
export function toldEvent(message: string, clock: Clock): string | null {
  const text = message.replace(/(?<![\s.!])[\s.!]+$/, "");
  if (message.length > LONGEST || /[\n?]/.test(message) || isQuestion(text) || isDenial(text) || isHearsay(text))
    return null;
  return isNameAndTime(bare(text, false), clock) ? `schedule ${bare(text, false)}` : null;
}
