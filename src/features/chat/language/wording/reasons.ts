import { errandByRule } from "../errands/errand.ts";
import { isQuestion } from "../follow-ups/denial.ts";

const LONGEST = 280;
/** Verbs of requests about something that is there. */
const VERB =
  "(?:take|remove|delete|cancel|tick|check off|cross|mark|move|put|push|change|make|drop|scrap|reopen|set|give|shift|pass|let|postpone|reschedule|bump|archive|star|tag|snooze|call off|skip|get rid of|strike|close|extend|shorten|rename|add)";
const ASKS =
  "(?:please |can you |could you |would you |you (?:can|may|could|might) |kindly |just |then |now |go ahead and |also )*";
/** "…, so the apples are no longer needed" */
const SENTENCE =
  "(?:(?:the|my|our) [\\p{L}\\d' -]{2,40} (?:is|are|isn't|aren't|can|should|must|needs?|has to|have to|goes|moves) |(?:everything|all)\\b[\\p{L}\\d' -]{2,40} (?:goes|moves|has to|can|should|must) )";
/** After these words no request begins: "I have to cancel the gym". */
const NO_END =
  "\\b(?:to|can|could|will|would|should|must|may|might|i|we|you|he|she|they|it|not|never|and|or|an?|the|my|our|his|her|their|that|which|who|please|just|then|also|always|usually|really|had|has|have|gonna|got|get|did|do|does|need|want|any|no|this|of|for|with|in|on|at|let|let's|help|me|them|us|him|you|n't|'ll|'d)";
/** "I have found a bag of flour, so please take the flour off the list." */
const TOLD_FIRST = new RegExp(
  `^(?<told>[^?]{4,180}?)(?<link>[,;.–!]+ +(?:(?:so|and|therefore|hence|that's why) )*|,? so (?:then )?|(?<!${NO_END}) (?=(?:please )?(?:put|delete|remove|cancel|archive|add|take|bring|reopen|postpone|reschedule) ))(?=${ASKS}${VERB}\\b|(?<=so )${SENTENCE})(?<wish>[^?]{6,110})$`,
  "iu",
);
const TELLS =
  /^(?:(?:ah|oh|hm+|well|ok|okay|so|and|but|right|good news|listen|no|wait|sorry|actually|hang on)[\s,:]+)*(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|he|he's|she|she's|they|they're|they've|it|it's|there|there's|the|my|our|his|her|their|nobody|somebody|someone|everyone|all|\p{Lu}\p{L}+)(?= )/iu;
const STARTS_WITH_VERB = new RegExp(`^${ASKS}${VERB}\\b`, "iu");
const GRANTED = /^(?:please |then |now |also |just )*you (?:can|may|could|might) (?:please |just |now )*/i;
const IN_THE_AIR = /\b(?:if|unless|whether|maybe|perhaps|might|in case)\b/i;
const HEARD = /\b(?:says?|said|told|asks?|asked|wants?|thinks?|thought|suggest\w*|never)\b/i;
const REFERS =
  /\b(?:it|that|this|them|hers|his|theirs|those|these|ones?|there|both|all|everything|same|other|first|second|last|before|after)\b/i;
/** "Cake is ordered": done, which is a wish of its own. */
const IS_DONE =
  /(?:\b(?:is|are|was|were|has been|have been)|'s)(?: now| already| all| finally)* (?:ordered|paid|sent|booked|bought|done|packed|printed|signed|filed|returned|posted|cleaned|fixed|sorted|finished|submitted|called|collected)(?: now| already)?$/i;
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
  if (!isReason && (HEARD.test(told) || IS_DONE.test(told) || SAYS_TIME.test(told) || errandByRule(told) !== null))
    return text;
  return wish.replace(GRANTED, "");
}

/** "… my sister has them already", "… nobody plays it": somebody and what they do. */
const TOLD_BEHIND =
  "(?:(?:the|my|our|his|her) \\p{L}+|he|she|they|nobody|everybody|someone|somebody) (?:(?:already|just|only|still|also|never|always) )*(?:is|are|was|were|has|have|had|isn't|can't|cannot|won't|doesn't|don't|got|brought|bought|took|did|said|called)(?= )|(?:(?:the|my|our|his|her) \\p{L}+|he|she|they|nobody|everybody|someone|somebody) \\p{L}{2,}s (?:it|them|those|that|one)(?=$| )|\\p{L}{2,} (?:already |just |also )?(?:\\p{L}{2,}s|has|got|took|bought|brought|did) (?:it|them|those|that|one)(?=$| )";

/** "tick off the towel it's in the bag already": the reason follows without a comma. */
const REASON_BEHIND = new RegExp(
  `^(?<wish>${ASKS}(?:take|remove|delete|cancel|tick|check|cross|drop|scrap|skip|strike|get rid of|ditch|bin|forget|mark) .{3,60}?),? (?<reason>(?:it's|i'm|we're|they're|he's|she's|there's|(?:i|we) (?:already|don't|do not|can't|won't|still have|have (?:plenty|enough|some|loads|lots|one|it|that|already))|(?:be)?cause|cos|${TOLD_BEHIND})(?: [^?,;]+)?)$`,
  "iu",
);
const OPEN_END = /\b(?:and|or|the|my|our|a|an|with|from|of|for|to|at|on|in|by|about)$/i;
const PART_OF_WISH = /\b(?:done|off|complete|finished|instead|list|calendar|to|until|please)\b/i;

function withoutReasonBehind(text: string): string {
  const { wish, reason = "" } = REASON_BEHIND.exec(text.replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups ?? {};
  return wish && !PART_OF_WISH.test(reason) && !OPEN_END.test(wish) ? wish : text;
}

const IS_SENTENCE =
  /\b(?:is|are|was|were|isn't|aren't|has|have|had|can|could|will|would|should|must|needs?|came|went|got|did|does|and|but|so|that|which|who)\b|'s /i;
/** "The other invoice put it with high priority", "the tax thing, can you move it to Monday" */
const TOPIC_FIRST = new RegExp(
  `^(?:(?:and|so|but|also|ok|okay|then|as for|about)[\\s,]+)*(?<topic>(?:the|my|that|this|our) [^,?:;]{2,50}?)(?:[,:;]| –)? (?<asks>please |can you |could you |would you |you can |you may |just )*(?<verb>${VERB}|bring|leave|tick|do) (?:(?<it>it|that|them|this)(?: (?<rest>.+))?|(?<to>(?:to|on|for|until|till|off|as) .+))$`,
  "iu",
);

/** "Form 27B, move it to the 26th": a name without an article needs a comma, and holds no word of a sentence. */
const NAME_FIRST = new RegExp(
  `^(?:(?:and|so|but|also|ok|okay|then|as for|about)[\\s,]+)*(?<topic>\\p{L}[\\p{L}\\d'-]*(?: [\\p{L}\\d'-]+){0,4})[,:] (?<asks>please |can you |could you |would you |you can |you may |just )*(?<verb>${VERB}|bring|leave|tick|do) (?<it>it|that|them|this)(?: (?<rest>.+))?$`,
  "iu",
);
const NO_NAME =
  /\b(?:i|we|you|he|she|they|it|that|this|them|there|no|not|yes|yeah|ok|okay|oh|ah|well|right|wait|sorry|oops|please|thanks|thank|great|good|fine|perfect|cool|nice|lovely|sure|actually|instead|rather|better|maybe|perhaps|now|then|later|again|too|also|so|but|if|when|what|who|how|why|where|hey|hi|hello|today|tomorrow|tonight|morning|afternoon|evening|week|weekend|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mind|thought|thoughts|plans?|mistake|first|second|third|last|other|both|all|everything|never|nope|nah|correction|done|finished|remind|add|change|move|cancel|buy|call|make|put|set|send|write|reply|tell|ask|mark|delete|remove|archive|star|tag|schedule|book)\b/i;

/** "the task of the mouse" */
const OF_KIND = /^(?:the|my|that|this) (?:task|to-?do|reminder|event|appointment) (?:of|about|with|for) (?=\S)/i;

/** Why it is wished for, behind the request: "…, I don't want to be late". */
const WHY_BEHIND =
  /[,;–] *(?:because |since |as |cos )?(?:i|i'm|i've|we|we're|he|he's|she|she's|they|they're) [^?,;]{3,80}$/i;

/** What it is about comes first, and the request behind it. */
function withTopicBehind(text: string): string {
  const { topic = "", asks, verb, it, rest, to } = TOPIC_FIRST.exec(text)?.groups ?? {};
  if (verb && !IS_SENTENCE.test(topic) && (it || asks)) return request(verb, topic, rest ?? to);
  const named = NAME_FIRST.exec(text)?.groups;
  if (!named?.verb || !named.topic || IS_SENTENCE.test(named.topic) || NO_NAME.test(named.topic))
    return withObjectBehind(text);
  return request(named.verb, named.topic, named.rest);
}

function request(verb: string, topic: string, rest = ""): string {
  const name = topic.replace(OF_KIND, "the ").replace(/^the (?:the|my|our) /i, "the ");
  // What is there is moved to a list, and not added once more.
  const to = /^(?:put|add)$/i.test(verb)
    ? rest.replace(/^(?:on|in|onto|into|to)(?= (?:the|my|our) .*\blist\b)/i, "over to")
    : rest;
  return `${verb} ${name} ${to.replace(WHY_BEHIND, "")}`.trim();
}

/** "Coffee with Renate I should like to postpone by a week": what is to be changed stands before who wishes it. */
const OBJECT_FIRST =
  /^(?:(?:and|so|but|also|ok|okay|then)[\s,]+)*(?<topic>[\p{L}\d][^,?:;.]{2,50}?),? (?:i|we)(?:'d|'ll| would| should| will| shall)?(?: (?:also|really|now|much|rather|probably))* (?:(?:like|love|want|need|wish|prefer|have|am going|going|'m going|must|ought|had) to|(?<=(?:should|would|'d) )(?:rather|prefer to)|must|should|can) (?:please |just |now )*(?<verb>cancel|postpone|move|push|shift|delay|reschedule|bump|delete|remove|drop|skip|scrap|bring forward|put off|call off|extend|shorten|change|archive|star|rename)(?<rest>(?: (?:by|to|for|until|till|from|on|at|back|forward|off|please|now|then|too|as well|half|an? (?:day|week|hour|bit)|one|two|three|\d).*)?)$/iu;
const TIME_FIRST =
  /^(?:(?:on|at|by|in|this|next|until|before|after|from) |(?:today|tomorrow|tonight|later|now|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b)|\b(?:what|when|where|who|which|how|why|that|because|if)\b/i;

function withObjectBehind(text: string): string {
  const { topic, verb, rest = "" } = OBJECT_FIRST.exec(text.replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups ?? {};
  if (
    !topic ||
    !verb ||
    IS_SENTENCE.test(topic.replace(/'s /, " ")) ||
    TIME_FIRST.test(topic) ||
    /^(?:i|we|you|he|she|they|it)\b/i.test(topic)
  )
    return text;
  return request(verb, topic, rest.trim());
}

/** The request, without what is told around it, and with what it is about in its place. */
export function plainWish(text: string): string {
  if (text.length > LONGEST) return text;
  return withTopicBehind(withoutReasonBehind(withoutTold(text)));
}
