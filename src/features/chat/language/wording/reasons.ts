import { errandByRule } from "../errands/errand.ts";
import { isQuestion } from "../follow-ups/denial.ts";

const LONGEST = 280;
/** Verbs of requests about something that is there. */
const VERB =
  "(?:take|remove|delete|cancel|tick|check off|cross|mark|move|put|push|change|make|drop|scrap|reopen|set|give|shift|postpone|reschedule|bump|archive|star|tag|snooze|call off|skip|get rid of|strike|close|extend|shorten|rename|add)";
const ASKS =
  "(?:please |can you |could you |would you |you (?:can|may|could|might) |kindly |just |then |now |go ahead and |also )*";
/** "…, so the apples are no longer needed" */
const SENTENCE =
  "(?:(?:the|my|our) [\\p{L}\\d' -]{2,40} (?:is|are|isn't|aren't|can|should|must|needs?|has to|have to|goes|moves) |(?:everything|all)\\b[\\p{L}\\d' -]{2,40} (?:goes|moves|has to|can|should|must) )";
/** "I have found a bag of flour, so please take the flour off the list." */
const TOLD_FIRST = new RegExp(
  `^(?<told>[^?]{4,180}?)(?<link>[,;.–!]+ +(?:(?:so|and|therefore|hence|that's why) )*|,? so (?:then )?)(?=${ASKS}${VERB}\\b|(?<=so )${SENTENCE})(?<wish>[^?]{6,110})$`,
  "iu",
);
const TELLS =
  /^(?:(?:ah|oh|hm+|well|ok|okay|so|and|but|right|good news|listen)[\s,:]+)*(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|he|he's|she|she's|they|they're|they've|it|it's|there|there's|the|my|our|his|her|their|nobody|somebody|someone|everyone|all|\p{Lu}\p{L}+)(?= )/iu;
const STARTS_WITH_VERB = new RegExp(`^${ASKS}${VERB}\\b`, "iu");
const GRANTED = /^(?:please |then |now |also |just )*you (?:can|may|could|might) (?:please |just |now )*/i;
const IN_THE_AIR = /\b(?:if|unless|whether|maybe|perhaps|might|in case)\b/i;
const HEARD = /\b(?:says?|said|told|asks?|asked|wants?|thinks?|thought|suggest\w*|never)\b/i;
const REFERS =
  /\b(?:it|that|this|them|hers|his|theirs|those|these|ones?|there|both|all|everything|same|other|first|second|last|before|after)\b/i;
const SAYS_TIME = /\b(?:at \d|\d ?[ap]m|\d:\d\d|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;

/** What is told before a request says why. A request that needs it ("so remove it") is left as it is. */
function withoutTold(text: string): string {
  const { told = "", link = "", wish = "" } = TOLD_FIRST.exec(text)?.groups ?? {};
  if (
    !wish ||
    REFERS.test(wish.replace(/^(?:everything|all)\b/i, "")) ||
    !TELLS.test(told) ||
    STARTS_WITH_VERB.test(told)
  )
    return text;
  if (IN_THE_AIR.test(told) || isQuestion(told)) return text;
  const isReason = /\bso\b|therefore|hence|why/i.test(link);
  // "I finished the report, move the slides": the first is a request as well.
  if (!isReason && (HEARD.test(told) || SAYS_TIME.test(told) || errandByRule(told) !== null)) return text;
  return wish.replace(GRANTED, "");
}

/** "tick off the towel it's in the bag already": the reason follows without a comma. */
const REASON_BEHIND = new RegExp(
  `^(?<wish>${ASKS}(?:take|remove|delete|cancel|tick|check|cross|drop|scrap|skip|strike|get rid of|ditch|bin|forget|mark) .{3,60}?),? (?<reason>(?:it's|i'm|we're|they're|he's|she's|there's|(?:i|we) (?:already|don't|do not|can't|won't|still have|have (?:plenty|enough|some|loads|lots|one|it|that|already))|(?:be)?cause|cos)(?: [^?,;]+)?)$`,
  "iu",
);
const PART_OF_WISH = /\b(?:done|off|complete|finished|instead|list|calendar|to|until|please)\b/i;

function withoutReasonBehind(text: string): string {
  const { wish, reason = "" } = REASON_BEHIND.exec(text.replace(/[\s.!]+$/, ""))?.groups ?? {};
  return wish && !PART_OF_WISH.test(reason) ? wish : text;
}

const IS_SENTENCE =
  /\b(?:is|are|was|were|isn't|aren't|has|have|had|can|could|will|would|should|must|needs?|came|went|got|did|does|and|but|so|that|which|who)\b|'s /i;
/** "The other invoice put it with high priority", "the tax thing, can you move it to Monday" */
const TOPIC_FIRST = new RegExp(
  `^(?:(?:and|so|but|also|ok|okay|then|as for|about)[\\s,]+)*(?<topic>(?:the|my|that|this|our) [^,?:;]{2,50}?)(?:[,:;]| –)? (?<asks>please |can you |could you |would you |you can |you may |just )*(?<verb>${VERB}|bring|leave|tick|do) (?:(?<it>it|that|them|this)(?: (?<rest>.+))?|(?<to>(?:to|on|for|until|till|off|as) .+))$`,
  "iu",
);

/** What it is about comes first, and the request behind it. */
function withTopicBehind(text: string): string {
  const { topic = "", asks, verb, it, rest, to } = TOPIC_FIRST.exec(text)?.groups ?? {};
  if (!verb || IS_SENTENCE.test(topic) || (!it && !asks)) return text;
  return `${verb} ${topic}${rest ? ` ${rest}` : to ? ` ${to}` : ""}`;
}

/** The request, without what is told around it, and with what it is about in its place. */
export function plainWish(text: string): string {
  if (text.length > LONGEST) return text;
  return withTopicBehind(withoutReasonBehind(withoutTold(text)));
}
