import { namesEvent } from "../errands/errand-rules.ts";
import { FRONT, TO_DO } from "./everyday-words.ts";

const LONGEST = 220;
const LEAD =
  "^(?:(?:and|also|oh|so|then|plus|ok|okay|well|right|hm+|but|next|besides|additionally|furthermore|in addition|apart from that|by the way|btw)[ ,]{1,9}){0,6}";
const ADVERBS =
  "(?:(?:also|still|really|just|then|now|probably|definitely|absolutely|urgently|actually|additionally|finally) ){0,6}";
const MUST =
  "(?:need to|have to|have still to|have got to|(?<=')ve got to|(?<=')ve to|got to|gotta|must(?: to)?|mustn't forget(?: to)?|must not forget(?: to)?|cannot forget to|can't forget to|should|ought to|(?<=')d better|had better|am supposed to|(?<=')m supposed to|are supposed to|(?:want|would like|like|plan|intend) to|am going to|(?<=')m going to|(?<=')d like to)";
const NOTE =
  "(?:(?:please |can you |could you |would you |kindly ){0,6}(?:note|write down|jot down|put down|make a note|remember|(?:write|put|note|add)(?: it| down)? (?:on|to|in) (?:my|the) (?:to-?do )?list)(?: for me)?,? (?:that )?)?";
const DATE_FRONT =
  "(?:on )?the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twentieth|last) (?:day )?of (?:the )?\\p{L}+|(?:the day|(?:an?|one|two|three|four|five|\\d) (?:days?|weeks?|hours?)) before(?: that| it)?";
/** "And the first of December I need to renew the domain." */
const NEEDS = new RegExp(
  `${LEAD}(?:${FRONT.replace(/^\(/, "(?<front>")}|(?<date>${DATE_FRONT}))?,? ?${NOTE}(?:(?:i|we)(?:'ve|'d|'m)? ?|(?=${ADVERBS}(?:(?:need|have|got) to|gotta|must|mustn't forget) ))${ADVERBS}(?<must>${MUST}) ${ADVERBS}(?<what>\\p{L}.+)$`,
  "iu",
);
/** "I should like to be reminded on Friday to …", "I'd be grateful if you would remind me to …" */
const WISHES_REMINDER = new RegExp(
  `${LEAD}(?:i|we)(?:'d| would| should)?(?: (?:also|really|very much)){0,6} (?:like|love|want|need|wish|appreciate|prefer|be (?:very |most |so |really )?(?:glad|grateful|happy|pleased|thankful|obliged))(?: it)?(?: very much)? (?:to (?:be reminded|get reminded|get a reminder|have a reminder)|(?:for |to have |to get )?(?:a |another )(?:little |small )?reminder|(?:being )?reminded|you to remind me|if you (?:could|would|can|will|might) (?:please |kindly |also ){0,6}(?:remind me|give me a reminder))(?<when> [^,;?]{2,40}?)? (?<link>to|about|of|that) (?<what>\\p{L}.+)$`,
  "iu",
);
const ASKS = "(?:so |and |then ){0,6}(?:please |can you |could you |would you |will you |you can |kindly |just ){0,6}";
const A_TASK = "(?:an? |my |the )?(?:[\\p{L}-]+ ){0,2}(?:task|to-?do|reminder|list|note)s?";
/** "…, can you put it as a repeating task" */
const NOTE_IT = new RegExp(
  `[,.;–-]{0,9} {1,9}${ASKS}(?:(?:add|note|save|remember|put|make|create|set|write|enter|keep) (?:it|that|this)(?: down| in| up)?(?: (?:(?:as|into|to|on|in|for) )?${A_TASK})?|(?:add|make|create|set|put|write)(?: up)?(?: me)? ${A_TASK}(?: (?:of|for|about|out of) (?:it|that|this))?|remind me(?: (?:of|about) (?:it|that|this))?)(?: for me| please){0,6}$`,
  "iu",
);
/** What is asked for besides: "I have to work late, so move it to 5". */
const OTHER_WISH =
  /[,;.–] *(?:so |and |then |but )*(?:please |can you |could you |would you |you can |let's |just )*(?:move|cancel|delete|remove|make|put|push|add|change|shift|reschedule|postpone|mark|tick|take|drop|book|schedule|invite|set|archive|send|tell|remind|reopen|undo|scrap|what|when|is|are|do|can|could)\b|\bso (?:please|can|could|let's|move|cancel|make|put|push|change|remind|take|drop|i can't|i cannot|i won't)\b|\b(?:but|if|unless|because)\b|\?/i;
/** Nothing that a person would write down. */
const NO_ERRAND =
  /^(?:i|we|you|not|be(?! (?:sure|careful))|say|admit|confess|think|know|see|sleep|wait|agree|decide|hurry|rush|head|apologi[sz]e|mention|ask you|tell you|remind|stop|work|leave|run|rest|eat|stay|come|live|do (?:it|that|this|something|nothing|better|more)|go(?! (?:to|and|through|over|shopping)\b)|get (?:up|going|back to work|out|there|home|used)|look (?:after you|forward)|have|find out|check (?:if|whether|my (?:calendar|e-?mails?|mails?|inbox|schedule))|learn to)\b/i;
/** What the assistant does itself, with something that is there. */
const ASSISTANT =
  /^(?:cancel|move|reschedule|postpone|push|shift|change|delete|remove|add|archive|forward|reply|answer|snooze|mark|schedule|meet|rename|invite|undo|complete|tick|cross|speak|talk|set|update|block|plan|mail|e-?mail|write)\b/i;
const MAY_BE_EVENT = /^(?:book|make|arrange|organi[sz]e|reserve|do|go|pick|get|see|call|visit)\b/i;
/** Words that say when something is to be done. */
export const SAYS_WHEN =
  /\b(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend|week|month|morning|afternoon|evening|noon|every|each|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}{0,40} \d|\d{1,2}(?:st|nd|rd|th)|of (?:january|february|march|april|may|june|july|august|september|october|november|december)|at \d|\d:\d\d|\d ?[ap]m|by (?:the )?(?:\d|end)|in (?:an?|two|three|\d+) (?:hours?|days?|weeks?|minutes?))\b/iu;
const SURELY = new RegExp(`^${TO_DO}\\b`, "i");
const VAGUE =
  /\b(?:something|anything|nothing|it|this|them|those|you|more often|more|better)$|^\S+ (?:it|that|this|them)\b/i;

/** What the person says that they have to do, as a wish to be reminded of it; null if nothing is to be noted. */
function needed(text: string): string | null {
  const wish = WISHES_REMINDER.exec(text)?.groups;
  if (wish?.what) return `remind me${wish.when ?? ""} ${wish.link} ${wish.what.replace(NOTE_IT, "")}`;
  const { front, date, must = "", what: said = "" } = NEEDS.exec(text)?.groups ?? {};
  const what = said.replace(NOTE_IT, "");
  const when = front ?? date;
  const isNoted = what !== said;
  if (what === "" || OTHER_WISH.test(what) || (NO_ERRAND.test(what) && !isNoted) || VAGUE.test(what)) return null;
  const isDated = when !== undefined || SAYS_WHEN.test(what);
  const isWeak = /^(?:should|ought)/i.test(must);
  // What somebody wants to do is noted if they ask for it.
  if (/^(?:want|would|like|plan|intend|d like|am going|m going)/i.test(must) && !isNoted) return null;
  if (!isNoted && !isDated && (isWeak || !SURELY.test(what))) return null;
  if (ASSISTANT.test(what) && !isNoted) return null;
  if (MAY_BE_EVENT.test(what) && namesEvent(what.replace(/^(?:call|see)\b/i, "")) && !isNoted) return null;
  if (when && (SAYS_WHEN.test(what) || /\bbefore\b/i.test(when))) return `remind me ${when} to ${what}`;
  return `remind me to ${what}${when ? ` ${when}` : ""}`;
}

/** "I also need to order bulbs", "on Friday I must send the report, can you note that?": a reminder is wished for. */
export function withNeed(text: string): string {
  return text.length > LONGEST ? text : (needed(text.replaceAll("’", "'")) ?? text);
}
