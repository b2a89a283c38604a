import { DONE_VERBS } from "../errands/target-record.ts";

/** What may stand before a request without changing it. */
const LEAD = "^(?:(?:and|also|then|now|please|ok|okay|oh|right|so|just)[ ,]{1,9}){0,6}";
const re = (source: string) => new RegExp(`${LEAD}${source}`, "iu");

const EMAIL_VERB =
  "((?:read|show|open|get|find|see|pull up)(?: me)?(?: out)?|archive|star|un-?star|flag|bin|delete|trash|snooze|park|tag|label|mark|forward|reply to|answer|summari[sz]e|sum up|get rid of)";
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|yesterday|last|next|this";
const PERSON =
  "(?!(?:i|you|we|he|she|they|it|that|this|what|let|the|my|me|today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\\b)(\\p{L}[\\p{L}-]{0,40}(?: \\p{Lu}[\\p{L}-]{0,40})?)";
/** Words that name a record, and no question or pronoun. */
const NAME =
  "(?!(?:it|that|this|these|those|he|she|they|there|i|you|we|what|who|when|how|where|why|which|if|everything|all|both|them|remind|add|reply|respond|answer|write|tell|say|draft|e-?mail|let|send|forward|is|are|was|do|does|did|nothing|nobody|hopefully|once|after|before|until|maybe|perhaps|make|check|ensure|wait|as|because|since|although|whether|not|never)\\b)(?!.{0,200}\\b(?:says?|said|told|thinks?|hopes?|if|unless|when|until|whether|not|nearly|almost|so|because|but)\\b)((?:[^\\s,.;:?!]+ ){0,4}?[^\\s,.;:?!]+?)";
const REF =
  "((?:the |my )?(?:first|second|third|fourth|fifth|last|other)(?: ones?| tasks?| two| three| four)?|the (?:rest|others)|(?:number|no\\.?|#) ?\\d|it|that(?: one)?|this(?: one)?|they|those|these|both)";
const DONE = "(?:done|finished|complete|completed|sorted|dealt with|taken care of)";
const PRONOUN = "(it|that|this|them|both|that one|this one|the other one|.{0,200}(?:e-?mail|mail|message))";

/** What people write down to do. "Call" and "book" may also begin an event. */
export const TO_DO =
  "(?:pay|buy|send|write|check|water|feed|pick up|drop off|get|do|clean|prepare|finish|e-?mail|ring|phone|text|renew|submit|order|print|return|bring|review|update|fix|back up|call|wash|iron|pack|post|collect|chase|tidy|hoover|vacuum|charge|sign|scan|file|read|study|practi[sc]e|invoice|change|replace|sort(?: out)?|take|put|make|ask|tell|thank|clear|empty|mow|cook|bake|defrost|register|apply|transfer|top up|walk|look (?:at|into|up|for)|follow up|hand in|turn in|draft|edit|proofread|translate|upload|download|install|order|cancel|book|contact|visit|help|give|give back|lend|measure|paint|repair)";
/** Nobody means the assistant by these. */
const SURELY_TO_DO =
  "(?:pay|buy|water|feed|pick up|drop off|clean|prepare|renew|submit|print|return|fix|back up|wash|iron|pack|collect|tidy|hoover|vacuum|charge|sign|scan|study|practi[sc]e|mow|cook|bake|hand in|proofread|inform|phone|ring|walk)";
export const FRONT =
  "((?:(?:on|at|by|in|before|after|from) )?(?:the )?(?:tomorrow|tonight|today|next|this|every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)day|first thing|later|\\d)[^,;:?]{0,40}?)";

/** "and call dad at 7" */
export const TO_DO_TOO = re(`(${TO_DO} [^?]+)$`);

/** Everyday words for what is done with tasks and emails. They are put into the words that the readers know. */
export const EVERYDAY: readonly (readonly [RegExp, string])[] = [
  // What is to be remembered now is a question.
  [
    re("remind me (?:of|what|about) (?:is |was )?(?=(?:the|my) (?:address|phone number|number|password|code|name)\\b)"),
    "what is ",
  ],
  // "remind me to water the plants", "and to feed the cat"
  [re(`(?:and|also|plus) (?:also )?to (?=${TO_DO} )`), "remind me to "],
  // Emails.
  [
    re(
      `${EMAIL_VERB} (?:(?:the|that) (?:one|e-?mail|mail|message)|what)(?: that)? ${PERSON} (?:has |just )?(?:sent|wrote|written|emailed)(?: me| us| over)?(?= |$)`,
    ),
    "$1 the email from $2",
  ],
  [re(`${EMAIL_VERB} (?:everything|anything|all|the lot) (?:from|by) (?!${DAY})`), "$1 all emails from "],
  [re(`${EMAIL_VERB} (?:the|that) (?:one|thing) (?:from|by) (?!${DAY})`), "$1 the email from "],
  [re(`${EMAIL_VERB} ${PERSON}'s(?: one)?(?= (?:as|until|till|to|with)\\b|$)`), "$1 $2's email"],
  [
    re(
      "(?:find|show(?: me)?|pull up|get(?: me)?|dig out|where(?:'s| is)) (?:the |that |my )(?!(?:last|latest|newest|new|unread|other|first|second|third|next|recent|starred|whole)\\b)([\\p{L}\\d][\\p{L}\\d' -]{1,40}?) (?:e-?mail|mail|message)$",
    ),
    "find the email about $1",
  ],
  [re("(?:put|add|stick|pop) an? (?:star|flag) (?:on|to) "), "star "],
  [re("(?:(?:take|remove) the (?:star|flag) (?:off|from)|un-?flag) "), "unstar "],
  [re(`file ${PRONOUN} (?:under|as|in) (.+)$`), "tag $1 as $2"],
  [re("(?:scratch|scrub|strike|cross out) (?=(?:the|my) )"), "delete "],
  [re("un-?subscribe me$"), "unsubscribe from it"],
  [re(`(?:park|shelve|defer) ${PRONOUN} (?:until|till|to) `), "snooze $1 until "],
  [re(`put ${PRONOUN} off (?:until|till|to) `), "snooze $1 until "],
  [re("(?:park|shelve|defer) (?=.+ (?:until|till|to) )"), "postpone "],
  [re("what(?:'s| is) (?:still )?(?:left|there|waiting) in (?:my|the) inbox"), "what is in my inbox"],
  [re("who(?:'s| has)? (?:wrote|written|emailed|mailed|messaged)(?: to)?(?: me)?(?= |$)"), "show my emails"],
  [
    re(
      "(?:bin|chuck|ditch|junk|axe|nuke|get rid of|get shot of) (?=(?:the|my|that|this|it|them|both|all|number|these|those|\\p{L}+'s)\\b)",
    ),
    "delete ",
  ],
  [re("(?:don't bother|forget it|never ?mind)[ ,.]{1,9}(?=(?:discard|delete|bin|scrap|remove|cancel) )"), ""],
  // What it is about comes first: "the prescription, that's been collected".
  [
    re(
      "((?:the|my) [^,?]{2,30}), (?:that|it|this|they|those)(?:'s|'re| is| are| was| has| have)(?: been)? (?!for\\b|on\\b|at\\b|in\\b|not\\b)(.+)$",
    ),
    "$1 is $2",
  ],
  [
    re("(?:then |ok ){0,6}an? (?:task|reminder|to-?do)[:,]? (?:to )?(?!for\\b|list\\b|on\\b|about\\b)(?=\\p{L})"),
    "add a task: ",
  ],
  [re("get (.{1,200}?) (?:on|onto) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list)$"), "add $1 to $2"],
  [
    re(
      "(?!what|which|show|is|are|any|how|add|put)([\\p{L}][\\p{L}, '-]{1,60}?) for ((?:my|the|our) (?:shopping|grocery|packing|party|to-?do) list)$",
    ),
    "add $1 to $2",
  ],
  [
    re(
      "((?:on )?(?:next )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)(?: at [\\p{L}\\d: ]{1,12})?) for (it|that|this|that one|this one)$",
    ),
    "make $2 $1",
  ],
  // When something is due.
  [
    re(
      "(.{2,30}?) is (?:the |its |my )(?:deadline|due date|due time|cut-?off|limit)(?: (?:on|for|of) (it|that|this|(?:the|my) .{2,40}))?$",
    ),
    "change the due date of $2 to $1",
  ],
  [
    re(
      "(?:the |its )?(?:deadline|due date)(?: (?:on|for|of) (.{2,40}?))?(?: is| was| has been| got| has)(?: (?:now|actually|just|been|extended|moved|changed|pushed|shifted|postponed|brought forward|back|out|to|until|till)){0,6} (.{2,30})$",
    ),
    "change the due date of $1 to $2",
  ],
  [/^(change the due date of) (?= to )|^(change the due date of) {2}to /i, "$1$2 it to "],
  [
    re("i (?:really )?(?:need|want|would like|'d like) (?:reminding|a reminder|to be reminded) (?:to|about|of) "),
    "remind me to ",
  ],
  [
    re(
      `${FRONT},? (?:please )?(?:remind me|i (?:really )?(?:need|want|would like) (?:reminding|a reminder|to be reminded)) (?:to|about|of) ([^?]+)$`,
    ),
    "remind me to $2 $1",
  ],
  [
    re(
      "(?:and )?(?:another(?: one| task| thing)?|one more(?: thing| task)?|next(?: one| task)?|also)\\s{0,9}[:–] ?(?=\\p{L})",
    ),
    "add a task: ",
  ],
  [
    re(
      "(?:i (?:want|need|would like)|give me|make|set up|create|put in) an? (?:task|to-?do|reminder) (?:for|on) ([^,:]{3,30})[,:] (?:to )?(.+)$",
    ),
    "add a task: $2 on $1",
  ],
  [
    re(
      "(?:set up|add|create|make|i need|i want|new) an? (?:weekly |recurring |repeating |regular )?(?:task|reminder|to-?do) (?:on|for|every) ((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?: ?(?:to )?(.+)$",
    ),
    "remind me to $2 every $1",
  ],
  [
    re("(?:set up|add|create|make|i need|i want|new) an? (?:daily) (?:task|reminder|to-?do):? (?:to )?(.+)$"),
    "remind me to $1 every day",
  ],
  [
    re("(?:set up|add|create|make|i need|i want|new) an? (?:weekly) (?:task|reminder|to-?do):? (?:to )?(.+)$"),
    "remind me to $1 every week",
  ],
  [
    re("(?:set up|add|create|make|i need|i want|new) an? (?:monthly) (?:task|reminder|to-?do):? (?:to )?(.+)$"),
    "remind me to $1 every month",
  ],
  [
    re(
      "(?:(?:i )?(?:need|want)|put down|write down|note down|jot down|make me|set me up) an? (?:task|reminder|to-?do) (?:to|for|about|of) ",
    ),
    "add a task: ",
  ],
  [
    re(
      "(?:from|based on|out of) (?:the |that |this )?.{0,30}?(?:e-?mail|mail|message),? (?:please )?(?:make|create|add)(?: me)? a task:? (?:to |called )?(.+)$",
    ),
    "add a task: $1",
  ],
  // What is to be done, with its time: "feed the fish, every Tuesday at 8".
  [
    re(
      `((?!.{0,200}\\b(?:i|we|you|he|she|they) (?:took|made|got|bought|wrote|sent|had|saw|did|told)\\b)${SURELY_TO_DO} [^?]{0,200}?),? ((?:every|each|tomorrow|tonight|today|next week|this (?:week|evening|afternoon|morning|weekend)|due|(?:(?:on|by|before|at|next|this) )?(?:the )?(?:\\d|noon|half|end|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\p{L}* \\d))\\b[^?,]*)$`,
    ),
    "remind me to $1 $2",
  ],
  [
    re(
      "(?:and|also|plus) (?!(?:when|what|which|how|who|is|are|was|were|do|does|did)\\b)(.{2,40}?)(?<! is| are| was),? (?:that's |that is |which is |it's )?due (.+)$",
    ),
    "add a task: $1 due $2",
  ],
  [
    re(
      `((?:every|each) [\\p{L} ]{3,20}?),? (?:please )?(${TO_DO} [^?]+?)(?:[,.;]? (?:please )?(?:add|note|save|remember|put) (?:that|it|this)(?: down| in)?)?$`,
    ),
    "remind me to $2 $1",
  ],
  // The time first: "on the 1st of every month, pay the rent".
  [
    re(
      `${FRONT}[,:] (?:please |i (?:need|have|want|ought) to |i must |i should |also )?(?!\\S+ (?:it|that|this|them)\\b)(${TO_DO} [^?]+)$`,
    ),
    "remind me to $2 $1",
  ],
  [
    re(
      `${FRONT},? i(?:'d like to| would like to|'ve got to| (?:(?:also|still|really|just) )?(?:need|have|want|ought|am supposed|really need|really have) to| must| should) (?!know|see if|cancel|move|reschedule|meet)([^?]+?)(?:[,.;]? (?:please )?(?:add|note|save|remember|put) (?:that|it|this)(?: down| in)?)?$`,
    ),
    "remind me to $2 $1",
  ],
  // New tasks.
  [re("(?:jot|note|write|get|put) (?:this|that|it) down\\s{0,9}[:,–-]\\s{0,9}"), "add a task: "],
  [re("(?:put|get) down (?:that |: ?)(?=\\p{L})"), "add a task: "],
  [re(`(?:an? )?(?:new )?(?:task|to-?do|reminder) for (${DAY})\\s{0,9}[:,–-]\\s{0,9}(.+)$`), "add a task: $2 $1"],
  [re("(?:to-?do|new (?:task|to-?do)) (?!lists?\\b|items?\\b)(?=\\p{L})"), "add a task: "],
  [re("i(?:'ve| have) got to (?=\\p{L})"), "i have to "],
  [re("(?:i(?:'m| am) )?(?:gonna|going to) need to (?=\\p{L})"), "i need to "],
  [
    re(
      "i (?:(?:really |still |also |just )?(?:need|have|ought) to|(?:really )?(?:must|should)) ((?:chase|get back to|ring|phone|text|pick up|drop off|collect|sort out|post|return) \\p{L})",
    ),
    "remind me to $1",
  ],
  [re("((?:chase|nag|follow up with) (?!it\\b|that\\b|this\\b)\\p{L})"), "remind me to $1"],
  [
    re(
      "(?:add|put|stick|pop|get|write|note)(?: (?:the following|these|this|the following (?:things|items)|these (?:things|items)))? (?:to|on|onto|in) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list)\\s{0,9}[:–-]\\s{0,9}(.+)$",
    ),
    "add $2 to $1",
  ],
  [
    re("(?:on |for |to )?(?:(?:my|the|our) )?((?:shopping|grocery|packing)) list\\s{0,9}[:–-]\\s{0,9}(.+)$"),
    "add $2 to the $1 list",
  ],
  [
    re(
      "what (?:else )?(?:do|should|must) (?:i|we) (?:still )?(?:need|have|want|get)?(?: to)? ?(?:buy|get|pick up)(?: from the (?:shops?|store|supermarket))?$",
    ),
    "what is on the shopping list",
  ],
  [
    re(
      "(?:make|create|start|set up|open|new)(?: me)?(?: an?)?(?: new)? (?:to-?do )?list (?:called|named|for) (?:the |my )?([\\p{L}\\d &-]{2,40})$",
    ),
    "add something to the $1 list",
  ],
  [
    re(
      "(?:(?:we|i)(?:'re|'m| are| am|'ve| have)? (?:nearly |almost |all )?(?:run |running )?(?:out of|low on)|(?:we|i) (?:also |still )?need) (.{1,200}?)[,.;]? (?:so |and )?(?:please )?(?:put|add|stick|pop) (?:it|them|that|those|these|both) (?:on|to|onto) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list)$",
    ),
    "add $1 to $2",
  ],
  // Tasks that are there.
  [
    re("i(?:'ve| have) (?:got|bought|done|finished|picked up) (?:everything|it all|all of (?:it|them)|the lot)$"),
    "mark all of them as done",
  ],
  [re("(?:which|what) ones?(?: are| is)? (?:still )?(?:open|left|outstanding|to do)$"), "which tasks are open"],
  [re("what(?:'s| is) (?:still )?(?:on my to-?dos|to (?:be )?do(?:ne)?)$"), "which tasks are open"],
  [re(`${REF} can wait (?:until|till|for) `), "move $1 to "],
  [re(`${NAME}(?: is|'s| are) ${DONE},? and so (?:is|are) (?:the )?(.+)$`), "mark $1 as done and mark $2 as done"],
  [
    re(
      `(?:the |my )?${NAME}(?:'s| is| are| has been| have been) (?:all |now |already |also ){0,6}${DONE}(?: too| as well| now| already){0,6}$`,
    ),
    "mark $1 as done",
  ],
  [
    re(
      `(?:i(?:'ve| have)? )?(?:just |already |finally ){0,6}(?:got|bought|picked up|grabbed) (?:the |some |my )(?!call|meeting|appointment|interview)([\\p{L} '-]{2,40}?)(?: already| now| too| as well){0,6}$`,
    ),
    "mark $1 as done",
  ],
  [re(`(?:just |already |finally )?((?:${DONE_VERBS}) (?:the|my) )`), "i $1"],
  [re("i no longer need (?:to )?(?:do |have )?(.+)$"), "delete $1"],
  [
    re(
      "(?:i|we) (?:don't|do not) (?:need|want) (?:to )?(?:do |have )?((?:the|my) .{1,200}?) (?:any ?more|any longer)$",
    ),
    "delete $1",
  ],
  [re("bump (.{1,200}?) (?:up |down )?to (urgent|(?:high|low|medium|top)(?: priority)?)$"), "make $1 $2"],
  [
    re(
      "(it)(?:'s| is) not (?:that|so|very|really|all that|super|too|particularly|terribly|overly|as) (?:urgent|important|pressing)\\b.{0,200}$",
    ),
    "make $1 low priority",
  ],
  [
    re(
      "((?:the|my) [\\p{L}\\d' -]{2,40}?)(?: is not|'s not| are not| isn't| aren't) (?:that|so|very|really|all that|super|too|particularly|terribly|as) (?:urgent|important|pressing)(?: any ?more| any longer| now){0,6}[,;.]? (?:so |and ){0,6}(?:(?:it's |make it |give it )?(?:an? )?low(?:er)?(?: ?-?prio(?:rity)?)?)$",
    ),
    "make $1 low priority",
  ],
  [
    re(
      `(?:the|my) ${NAME}(?:'s| is| are) (?:now |really )?(?:the )?(?:most important|top priority|most urgent|(?:a )?high priority)(?: one| task)?$`,
    ),
    "make $1 high priority",
  ],
  [
    re(
      `(?:the|my) ${NAME} (?:has|have|needs?) to (?:go|be done|be finished|be in|be sent|be ready|get done)(?: out| off)? (?:by|on|before) (.+)$`,
    ),
    "change the due date of $1 to $2",
  ],
  [re("(?:swap|replace|switch) (?:the )?(.{1,200}?) (?:with|by) (?:the |some )?(.+)$"), "make it $2 instead of $1"],
];

/** A text in quotation marks is kept letter by letter; only the words around it are put plainly. */
export function plainQuoting(message: string): string {
  return message
    .replace(/^(?:(?:oh|and|also|then|so|ok(?:ay)?)[\s,]+)+(?=\S)/i, "")
    .replace(/^(?:(?:can|could|would|will) you (?:please )?|please )/i, "")
    .replace(/(?<![\s,])[\s,]+(?:for me|please|thanks)[\s.!]*$/i, "")
    .replace(
      /^(?:put|add|stick|pop|set|note|get|throw)(?: down)? (["“][^"”]+["”]) (?=(?:on|for|by|at|due|tomorrow|today|tonight|next|this|every|in)\b)(?!.*\b(?:calendar|list|schedule|diary)\b)/i,
      "add a task: $1 ",
    )
    .replace(/^(?:stick|pop|chuck|bung|put|throw|write|jot down|note down|note) (?=["“])/i, "add ")
    .replace(
      /(?<=["”]) (?:on|to|onto|in|into) (?:my|the) (?:to-?dos?|tasks|list)(?: please)?[\s.!]*$/i,
      " to my to-do list",
    )
    .replace(
      /^(?:add|create|make|note) (?:one more|another(?: one)?|an? (?:new )?one|an? (?:new |more )?(?:thing|item|entry))(?: (?:task|to-?do|reminder))?(?: (?:to|on|in) (?:my|the) (?:tasks|to-?dos|list))?(?:[,:] *| called | named | )(["“][^"”]+["”])[,:]?/i,
      "add a task: $1",
    )
    .replace(/^add (["“][^"”]+["”]) as an? (.*?)(?:task|to-?do|reminder)[\s.!]*$/i, "add a $2task: $1");
}
