/** Words before a request that ask for nothing themselves. A comma or a full stop has to follow. */
export const ASIDE =
  /^(?:hi|hello|hey|oh (?:dear|no|god|gosh|my|wow|right|yes|ok(?:ay)?|thanks|good|great)|dear me|dear|gosh|darn|bother|argh+|whatever|anyhow|anyway|anyways|as i said|so yeah|brill|ace|smashing|wonderful|fab|amazing|good (?:morning|afternoon|evening)|ok(?:ay)?|right|alright|all right|well|hm+|um+|uh+|er|oh|ah|lol|haha|fine|great|perfect|cool|nice|lovely|awesome|excellent|brilliant|sorry|thanks|thank you|cheers|fair enough|no worries|got it|good to know|understood|i see|makes sense|fine by me|fine with me|works for me|suits me|that's fine|sounds good|good idea|great idea|now then|i shall|i will|shame|pity|too bad|oh well|no matter|never ?mind that|damn|ugh|typical|ha|wow|phew|yikes|bummer|figures|change of plans?|new plan|plans have changed|small change|correction|worth a try|fair|good|splendid|super|sweet|yay|hooray|poor thing|of course|sure|no problem|by the way|btw|one more thing|quick one|i'm (?:tired|knackered|exhausted|back|late|busy))(?:[ ,]+(?:there|again|you|assistant|then|very much|so much|a lot|for that|ok(?:ay)?|well))*\s*[,.!;:–-]+\s+(?=\S)/i;
/** These ask for nothing, with or without a comma. */
export const INTERJECTION =
  /^(?:(?:(?:ok(?:ay)?,? )?(?:brain ?dump|quick (?:list|dump)|(?:a )?(?:few|couple of|two|three) things|one more|another one|next one)(?=:)|omg|yo|sup|damn(?: it)?|dammit|crap|oh crap|shoot|bugger|i (?:nearly|almost) forgot(?=[:,])|before i forget(?=[:,])|ugh+|lol|haha+|hehe|hm+|jk|just kidding|argh+|aw+|eww+|yay|pff+|wow|whoops|oh dear|oh no|dear me|gosh|phew|ok whatever|whatever)\b[\s,.:!–-]*)+(?=\S)/i;
/** "hang on, don't send it": what follows says what is meant. */
export const HESITATION =
  /^(?:(?:hang on|hold on|wait|oops|whoops|oh|actually)(?: a (?:sec|second|minute|moment))?|(?:just )?(?:a|one) (?:sec|second|minute|moment)(?: please)?)[\s,.!]+(?=(?:don't|do not|not|go back|leave|wrong|when|what|where|who|which|how|is|are|am i|do i|did i|have i)\b)/i;
/** "Then just remind me …" */
export const THEN_JUST =
  /^(?:(?:and|so|ok(?:ay)?|right|well|in that case|do|then|just|now|instead)[\s,]+)+(?=(?:remind|add|send|archive|star|delete|put|make|move|cancel|mark|read|show|forward|reply|tell me|note|schedule|book|snooze|tag)\b)/i;
/** "ok stick it in": words before a request, without a comma. */
export const BEFORE_REQUEST =
  /^(?:(?:oh and|and oh|oh also|never ?mind|plus|then|pls|ugh+|argh+|gah|yikes|blimey|hey|ok(?:ay)?|right|alright|so|well|now|also|hm+|oh|great|cool|lovely|nice|perfect|good|fine|thanks|cheers|actually)[\s,]+){1,6}(?=(?:please |then |just )*(?:put|stick|pop|chuck|bung|add|make|take|get rid|book|schedule|move|push|shift|shove|bump|cancel|delete|rename|invite|remind|block|pencil|squeeze|fit|slot|grab|take|reserve|hold|set up|swap|switch|postpone|reschedule|kill|ditch|scrap|extend|shorten|what|what's|when|when's|who|who's|am i|do i|have i|is there|show|list|find) )/i;
/** "Sorry, did I say the 25th? I meant the 26th." */
export const DID_I_SAY =
  /^(?:(?:sorry|oh|wait|hm+|oops|ah|no)[\s,]+)*did i (?:just |really )?(?:say|write|put|type|tell you) [^?]{1,40}\?+ +(?=\S)/i;
/** The long way to say "please". */
export const POLITE = new RegExp(
  `^(?:and |but |also |so |then |now |please )*(?:${[
    "(?:hi|hello|hey)(?: there)?,? (?=i was wondering|could you|can you|would you)",
    "(?:olly|alexa|siri|google|jarvis|assistant|computer|cortana),?(?= [a-z])",
    "(?:hi|hello|hey|ok|okay) (?!(?:can|could|would|will|please|what|when|i|do|the|my)\\b)[a-z]{2,12},?(?= (?:please|can you|could you|would you|will you|delete|remove|cancel|clear|add|show|tell|remind|schedule|book|put|set|what|when|do i|is there|are there|mark)\\b)",
    "i(?:'m| am| was)? (?:just )?wonder(?:ing)? (?:if|whether) you (?:could|can|would|might)(?: (?:possibly|perhaps|maybe|please|kindly|just))*",
    "(?:might|may) you(?: please| possibly| perhaps| just| kindly)*(?= \\p{L}+ (?:it|that|this|them|the|my|a|an|me)\\b)|(?:could|can|would|will) you (?:please |possibly |perhaps |maybe |just |quickly )*(?:kindly|be so kind as to|be able to|help me(?: to)?|manage to)",
    "(?:would you )?(?:please )?be so (?:good|kind|nice) (?:as )?(?:to|and)",
    "(?:may|might|could|can) i (?:please |perhaps )?(?:hear|see|know|ask(?: you)?|learn)(?= (?:what|which|when|who|where|how)\\b)",
    "(?:could|can|may|might) i (?:please )?(?:trouble|bother|ask|get) you to",
    "do you think you could|(?:would|might) it be possible (?:for you )?to|is it possible (?:for you )?to|(?:would|are) you (?:be )?able to|is there any chance (?:that )?(?:you|we) could|any chance (?:you|we) could|i'd be (?:very |so )?grateful if you (?:could|would)|i'm afraid (?:that )?(?:i|we) (?:need|have|will need|'ll need|'ll have) to",
    "(?:i(?:'d| would) (?:really )?appreciate it|it would be (?:great|nice|lovely|good|helpful)) if you (?:could|would)",
    "if you (?:could|would|can|don't mind|wouldn't mind|get a chance|have a moment)(?: please)?,",
    "(?:do me a favou?r|be a (?:dear|star|love|sweetheart))(?: and|,|:)",
    "i(?:'m| am) (?:going|gonna) (?:to )?need you to",
    "i(?:'d| would) like you to|i want you to|i need you to",
    "do(?= (?:remove|delete|cancel|add|move|clear|schedule|book|mark|archive|remind|show|tell|read)\\b)",
  ].join("|")}) +(?=\\S)`,
  "iu",
);
/** Said before something is taken back. */
export const SECOND_THOUGHTS =
  /^(?:(?:on second thoughts?|come to think of it|thinking about it|you know what)[\s,]+|(?:may|can|could|might) (?:i|we) (?:please |still |just |perhaps )*(?:change (?:my mind|that|it|this|something)|make (?:a|one|another) (?:small |little )?(?:change|correction)|correct (?:that|myself|something))(?: again| once more| please)*[?,.!]+ +|i(?:'ve| have) changed my mind[,.!:;–-]+ +)(?=\S)/i;
export const TAIL =
  /(?<![\s,])[\s,]+(?:just (?:to be (?:safe|sure|on the safe side)|in case)|to be (?:safe|sure|on the safe side)|just now|either|though|mate|ta|cheers|please|actually|ugh+|omg|tho(?:ugh)?|finally|at (?:long )?last|sorry|my (?:bad|mistake|fault)|oops|i meant?|lol|haha|hehe|tbh|ngl|imo|btw|by the way|i (?:think|guess|suppose)|real quick|quickly|right away|straight away|for me|yeah|ok(?:ay)?|k|man|dude|love|dear|x|xx|if (?:you can|possible|you don't mind|that's ok(?:ay)?)|when you (?:can|get a chance|have a moment)|will you|would you|can you|could you|i(?:'m| am) afraid)[\s.!?]*$/i;
/** "photos sent, thanks for waiting" */
export const THANKS_BEHIND =
  /(?<=\S \S.{0,200})[,.!;] +(?:thanks|thank you|thx|cheers|wonderful|great|perfect|lovely|yay|finally)(?: (?:a lot|so much|very much|anyway|again|in advance|for [\p{L} ]{2,30}))*[\s.!]*$/iu;
/** "then" ends a sentence without meaning a time, if the sentence does not ask about one. */
export const THEN = /(?<=\S),? then[\s.!]*$/i;
export const SAYS_WHEN =
  /\b(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|\d+(?:st|nd|rd|th))\b/i;
export const ASKS = /^(?:am|are|is|do|does|did|have|has|what|when|who|where|which|how|will|would)\b|\?\s*$/i;

/** Requests about something that is there. What follows them after a comma says why, and belongs to no title. */
const CHANGES =
  /^(?:(?:and|oh|so|then|ok|okay|please|no|nah|nope|actually|also|can you|could you|just)[\s,]+)*(?:cancel|delete|remove|drop|scrap|bin|ditch|forget|skip|kill|lose|archive|star|flag|unstar|tick|cross|check off|mark|push|move|bump|postpone|snooze|clear|get rid of|take|call off|unsubscribe|never ?mind|scratch|trash|close|reopen|untick)\b/i;
const REASON =
  /(?:[,;–]| -|\.) {1,9}(?:(?:(?:because|since|cos|cause|as|but|and) )?(?:i|i'm|i'll|i've|i'd|we|we're|we'll|we've|he|he's|he'll|she|she's|she'll|they|they're|they'll|it's|it was|it is|it|that's|that was|there's|nobody|no one|my \p{L}{1,40}|the \p{L}{1,40}|\p{Lu}\p{L}{1,40}(?:'s|'ll)?)\b(?! (?:can(?!'t|not)|should|must|needs?|has to|have to|wait|one|other|rest|first|second|last|too|as well|and)\b)[^?]{0,200}|no (?:longer|point|need|time|rush)\b[^?]{0,200}|not (?:needed|necessary|interested|worth)\b[^?]{0,200}|(?:too|so) (?:late|early|expensive|busy|tired)\b[^?]{0,200}|don't (?:need|want) (?:it|that|them)\b[^?]{0,200})$/iu;
/** What looks like a reason may be another wish. */
const NO_REASON =
  /\b(?:urgent|important|priority|due|instead|please|remind|add|done|move|cancel|delete|archive|star|tag|reply|forward|tell|say|tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|at \d|\d ?(?:am|pm)|not (?:that|the|this))\b/i;

/** "star it so I can find it later" */
const PURPOSE =
  /,? (?:so (?:that )?(?:i|we)(?:'ll)? (?:can|could|don't|won't|do not|remember|have|find|see|know|get|will|shall|keep)\b|in case\b|before i forget\b|just in case\b)[^?]{0,200}$/i;

/** "archive the school one, all done" */
const DEALT_WITH =
  /(?<![,;.–])[,;.–]+ (?:it's |that's |i'm )?(?:all )?(?:done|sorted|dealt with|finished|read(?: it)?)(?: (?:now|already|with (?:it|that|them)))*[\s.!]*$/i;

/** "forget it, my neighbour took it": what has been settled otherwise is no longer wanted. */
const SETTLED =
  /^(?:(?:oh|ah|ok|okay|no|actually|well)[\s,]{1,9})*(?:forget(?: about)?|never ?mind) (?:it|that)(?: one)?[,.;–!-]{1,9} {0,9}(?!i'll\b|i will\b)[^?]*\b(?:(?:took|got|did|bought|fixed|sent|paid|brought|has|have|done|solved|sorted|sold|collected) (?:it|that|them|one)|itself|herself|himself|themselves|myself|already|cancell?ed|any ?more|no longer|sold out|broken)\b/i;

/** "cancel the Mira one, she's on holiday anyway" */
export function withoutReason(said: string): string {
  if (SETTLED.test(said)) return "delete it";
  const text = CHANGES.test(said) ? said.replace(DEALT_WITH, "") : said;
  if (CHANGES.test(text) && PURPOSE.test(text)) return text.replace(PURPOSE, "");
  const reason = CHANGES.test(text) ? REASON.exec(text)?.[0] : undefined;
  return reason && !NO_REASON.test(reason) ? text.slice(0, text.length - reason.length) : text;
}

/** Why something is wished for, after it: "so I can catch my bus", ", these always run over". */
export const WHY =
  /(?:[,;–]{1,9}\s{0,9}(?:he|she|they|i|we)'(?:s|re|m) (?!(?:on|at|in|due|now|from|for|until|till|to|called|urgent|important|coming|meeting|done|finished|\d)\b)\p{L}{1,40}|[\s,;–-]{1,9}(?:so (?:that )?(?:i|we|he|she|they|it)\b|because\b|'?cause\b|cos\b|since (?:i|we|he|she|they|it|the)\b|as (?:i|we|he|she|they)\b|otherwise\b)|[,;–-]{1,9}\s{0,9}(?:(?:these|those|they|he|she|we|i|it|that|there|traffic|something)(?:'(?:s|re|ve|ll|d|m))?|my \p{L}{1,40}|the \p{L}{1,40}) (?!can you|could you|one\b|first\b|second\b|other\b|last\b)(?:always|never|just|really|found|run|runs|ran|is|are|was|were|has|have|had|need|needs|want|wants|can't|cannot|couldn't|won't|will|would|got|get|gets|keep|keeps|like|likes|said|says|don't|doesn't|didn't|think|forgot|changed|prefer|prefers|hate|love|came|come|might|may|should|must|'?s)\b)[^?]{0,200}$/iu;
export const COMMANDS =
  /^(?:please |and |also )*(?:make|move|push|shift|bump|cancel|delete|remove|drop|forget|scrap|skip|reschedule|postpone|delay|bring|pull|finish|end|start|begin|extend|shorten|cut|rename|swap|change|invite|kill|call off|put (?:it|that|this|the)|take (?:it|that|the)|clear|set it)\b/i;

/** Words for no time in particular. */
export const VAGUE =
  /(?<![\s,])[\s,]+(?:(?:at )?some ?(?:time|point|stage)|at some (?:time|point|stage)|whenever(?: (?:works|suits|is good|you like))?|or so|or thereabouts|ish)(?= (?:on|in|during|this|next|tomorrow|today|over)\b|$)/gi;
