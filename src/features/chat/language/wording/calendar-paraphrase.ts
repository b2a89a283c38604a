/** Other words for requests about the calendar. */
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
export const CLOCK =
  "\\b(?:at (?:\\d|noon|half|an? quarter|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|\\d{1,2}(?::\\d\\d)? ?(?:am|pm)|\\d:\\d\\d|half (?:past )?\\w+|quarter (?:to|past))\\b";
const COMMAND =
  "(?:move|push|shift|bump|cancel|delete|remove|drop|postpone|reschedule|delay|bring|book|schedule|add|put|make|remind|clear|call off)";

const HOUR =
  "\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)?(?! ?(?:minutes|mins|hours|people|%))|noon|half (?:past )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= ?(?:o'clock|thirty|fifteen|$|,))";
/** A day or a time of day, as a person corrects it. */
const SAID_TIME = `(?:(?:next |this )?${DAY}|today|tomorrow|tonight|${HOUR})`;
const LEAD = "^(?:(?:and|also|then|now|please|ok|okay|oh|right|so|just|well)[ ,]{1,9}){0,6}";
const STILL_ENDS =
  "(?: now| instead| rather){0,6},? (?:(?:and|but|it|it'll|will|it'd|still|now|then|should|to) ){0,6}(?:finish|end|stop|wrap up)(?:es|s|ing|ning)?(?: up)?(?: at| by| around)? ";
/** What is changed or cancelled: something named, or what was talked about. */
const WHAT = "(?=(?:it|that|this|them|these|those|both|all|everything|the|my|our|\\p{L}+'s)\\b)";
/** A name of an event in a sentence about it. */
const EVENT_NAME =
  "(?:the |my |our |this |that )?(?!(?:it|that|this|he|she|they|there|i|you|we|what|who|when|how|where|which|if|everything|all|nothing|nobody|somebody)\\b)(\\p{L}[\\p{L}\\d' -]{1,40}?)";
const OFF =
  "(?:cancell?ed|called off|off|scrapped|not happening|no longer happening|no longer on|not on)(?: (?:now|then|today|after all|again|any ?more|unfortunately|altogether)){0,6}((?: (?:today|tomorrow|tonight|this week|next week|(?:on |this |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day))?)(?:[,;.] .{0,200}\\b(?:it|that|them|those)\\b.{0,200})?";

/** One word for each family of verbs, and the words before them that only say that something is wished for. */
const VERB_FAMILIES: readonly (readonly [RegExp, string])[] = [
  // "monday at 12, no sorry 12:30": the second time is meant.
  [
    new RegExp(
      `(\\b(?:at |on |from )?)(?:${SAID_TIME})(?:[\\s,.–-]{1,9}(?:no|nope|sorry|wait|actually|i mean|i meant|make that|or rather|rather|scratch that|oops|er|um|hang on)){1,6}[\\s,.–-]{1,9}(?:(?:at|on|make it) )?(?=${SAID_TIME})`,
      "giu",
    ),
    "$1",
  ],
  [new RegExp(`\\bfor (an? week) on (${DAY})\\b`, "gi"), "$1 on $2"],
  // "put theatre down at 7.30pm", "enter the gardener for Friday at 10"
  [
    new RegExp(
      `${LEAD}(?:put|mark|write|note|get|jot|pencil) (?!it\\b|that\\b|this\\b|them\\b|(?:the|my) [^,]{2,40} one\\b)(.{2,60}?) (?:down|in) (?=(?:for |on |at )?.{0,200}(?:\\d|${DAY}|today|tomorrow|tonight))(?!(?:my|the|as|room|office|building|studio|hall) )`,
      "iu",
    ),
    "schedule $1 ",
  ],
  [
    new RegExp(
      `${LEAD}(?:enter|log|record) (?!it\\b|that\\b|this\\b|them\\b|an? (?:new )?(?:task|to-?do|reminder)\\b)(?=.{0,200}\\b(?:for|on|at) .{0,200}(?:\\d|${DAY}|tomorrow|today))`,
      "iu",
    ),
    "schedule ",
  ],
  // "training next week, when exactly?"
  [
    /^(?:the |my )?([\p{L}\d][^,?]{2,50}?),? (?:and )?(when|what time|where|how long|who with)(?: exactly| again| precisely)?(?: is (?:it|that))?(?: again)?$/iu,
    "$2 is the $1",
  ],
  // "it's Seminar Room B, add that"
  [
    /^(?:it's|its|it is|the (?:room|place|venue) is|we're in|it'll be)(?: in| at)? ((?:the )?[\p{L}\d][^,;]{1,50}?)[,;] (?:so |and )?(?:please |can you |could you )*(?:add|note|put|save|write) (?:that|it|this)(?: in| down)?$/iu,
    "make the place $1",
  ],
  // "start board prep at 1 instead, still ends at 4"
  [
    new RegExp(
      `${LEAD}(?:start|begin|have|make|let) (?!at\\b|from\\b|it\\b|that\\b|this\\b)(?:the |my |our )?(\\p{L}[^,;?]{2,40}?) (?:start |begin )?(?:at|from) (${HOUR})${STILL_ENDS}(${HOUR})(?: now| instead){0,6}$`,
      "iu",
    ),
    "$1 from $2 to $3 instead",
  ],
  // "the site visit starts at 10 now but still finishes at 12"
  [
    new RegExp(
      `\\b(?:start|begin)(?:s|ning|ing)?(?: at| from)? (${HOUR})(?=.{0,200}\\b(?:still|now|instead)\\b)${STILL_ENDS}(${HOUR})(?: now| instead){0,6}$`,
      "iu",
    ),
    "from $1 to $2 instead",
  ],
  // "begin at one, finishing at half past two"
  [
    /\b(?:start|begin|from)(?:s|ning|ing)?(?: at| from)? ([^,]{1,20}?),? (?:and )?(?:still |now |then )?(?:finish|end|stop|wrap up)(?:es|s|ing|ning)?(?: up)?(?: at| by| around)? (.{1,20})$/i,
    "from $1 to $2",
  ],
  [/^(?:could|can|shall|should) we (?:please )?(?=from )/i, "make it "],
  // "grab 4:30 to 5 for expenses"
  [
    /^(?:grab|take|nab|use|reserve|hold|keep|set aside|earmark|save) (?:me )?((?:from )?\d[\d:.]{0,9}(?: ?[ap]m)? ?(?:-|–|to|till|until) ?\d[\d:.]{0,9}(?: ?[ap]m)?(?:.{0,200}?)|(?:an?|one|two|half an|\d+) (?:hours?|minutes?|mins?)\b.{0,200}?) for (.+)$/i,
    "schedule $2 $1",
  ],
  [
    /^(?:now |and |please )*(?:lop|chop|knock|shave|cut|trim|take|slice) (.{1,20}? ?(?:minutes?|mins?|min|hours?|hrs?|hour)) off(?: (?:the end|it|of it|that))?$/i,
    "shorten it by $1",
  ],
  [
    /^(?:now |and |please )*(?:add|tack|stick|put) (.{1,20}? ?(?:minutes?|mins?|min|hours?|hrs?|hour))(?: on)?(?: to| onto| at) (?:the end|it)$/i,
    "extend it by $1",
  ],
  // Guests.
  [
    /^(?:and |also |please )*(?:get|bring|have|rope|pull|want) (?!it\b|that\b|this\b|them\b|me\b|a\b|an\b|the\b|my\b|some\b)(\p{L}[\p{L}'-]*(?: \p{L}[\p{L}'-]*)?)(?: (?:on|in on|in to|into|onto|along to|to) (?:it|that|this|the (?:invite|meeting|call|event))| along| in on (?:it|this)| to join(?: us| in)?| join(?: us)?)(?: too| as well)?$/iu,
    "invite $1",
  ],
  [
    /^(?:and |also |oh )*(?!(?:it|that|this|he|she|they|i|you|we|who|what|nobody|everyone|everybody)\b)(\p{Lu}?[\p{L}'-]+?)(?:'s| is| will be|'ll be|'ll) (?:coming|joining(?: us)?|attending|in|come|join(?: us)?)(?: (?:too|as well|along|with (?:me|us)|also))+$/iu,
    "invite $1",
  ],
  // Another place.
  [
    /^(?:(?:he|she|they|we|i)(?:'d| would) (?:rather|prefer to)|let's|we'll|we(?:'re| are) (?:now )?) ?(?:go|meet|have it|do it|eat|going|meeting)(?: instead)? (?:to|at|in) (?!\d|bed|sleep)([\p{L}\d][^,;]{1,60}?)(?: instead| rather)?(?:[,;] .*)?$/iu,
    "make the place $1",
  ],
  [
    new RegExp(
      `${LEAD}(?:i |we )?(?:really |just |also |still |now ){0,6}(?:need|have|want|'d like|would like|'ve got|got|ought|gotta|wanna|i'd like|we'd like)(?: to)? (?=(?:move|push|shift|cancel|reschedule|postpone|bring|bump|delay|rename|extend|shorten|swap|call off|shove|slide|nudge|drag|drop|scrap|skip) (?!house\\b|on\\b|out\\b))(?!.{0,200}\\b(?:by|before) )`,
      "iu",
    ),
    "",
  ],
  [new RegExp(`${LEAD}(?:shove|slide|scoot|scooch|nudge|budge|drag|shunt|kick|slip|hoist) ${WHAT}`, "iu"), "push "],
  [new RegExp(`${LEAD}(?:kill|nix|axe|ax|dump|lose|strike|wipe|chop|abandon|zap) ${WHAT}`, "iu"), "cancel "],
  [
    new RegExp(
      `${LEAD}${EVENT_NAME}(?:'s| is| was| has been| got| has| have| are| gets)(?: been| now| just| officially| sadly){0,6} ${OFF}$`,
      "iu",
    ),
    "cancel $1$2",
  ],
  [
    new RegExp(
      `${LEAD}${EVENT_NAME} (?:isn't|is not|ain't|won't be) (?:happening|on|going ahead|taking place)(?: (?:now|any ?more|after all|today)){0,6}$`,
      "iu",
    ),
    "cancel $1",
  ],
  [new RegExp(`${LEAD}${EVENT_NAME} (?:fell|has fallen|'s fallen) through$`, "iu"), "cancel $1"],
  [
    new RegExp(
      `${LEAD}(?:i'm|i am|we're|we are) (?:not (?:doing|going to|having|attending)|skipping|dropping|giving up) (?!it\\b|that\\b|anything\\b|much\\b)${EVENT_NAME}(?: (?:any ?more|after all|this time|(today|tomorrow|tonight|this week|(?:on |this |next )?${DAY})))?$`,
      "iu",
    ),
    "cancel $1 $2",
  ],
];

export const CALENDAR_REWORDINGS: readonly (readonly [RegExp, string])[] = [
  // Where something is moved from says which one is meant, or nothing new.
  [
    /^((?:and |also |please |ok )*(?:move|push|shift|reschedule|postpone|bump) .{3,60}?) from (?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d{1,2}(?:st|nd|rd|th))(?: at [\d:.]+(?: ?[ap]m)?)? (?=to )/i,
    "$1 ",
  ],
  [
    /^(?:and |also |so )*(?:(?:i|we) )?need (?=an? (?:\p{L}+ )?(?:meeting|call|appointment|session|catch-?up)\b)/iu,
    "schedule ",
  ],
  // A new event, announced.
  [/^(?:and |also |ok |please )*(?:a )?new (?:event|appointment|calendar entry) ?[:–-] */i, "schedule "],
  [
    /^(?:and |also |ok |please )*(?:put|add|enter|note) (?:it|this|that) (?:in|into|to|on) (?:my|the) (?:calendar|diary|schedule)(?:,? please)?[:,] +(?=\S.*\d)/i,
    "schedule ",
  ],
  ...VERB_FAMILIES,
  [
    /^(?:and |so )?who(?:'s| is| are)(?: all)? (?:on|in|at|coming to|going to|attending|joining) (?:the |my )?(\p{L}[\p{L}\d' -]{1,40} (?:call|meeting|review|sync|stand-?up|workshop|interview|lunch|dinner|party|event))$/iu,
    "who is in the $1",
  ],
  [
    /^((?:and |please )*(?:add|set|put|use|note|pop) [^,;]{2,60}?) as (?:the |my )?([\p{L}\d][\p{L}\d -]{1,40}?)'s (location|place|venue)$/iu,
    "$1 as the $3 for the $2",
  ],
  // "what's the first thing on Monday"
  [
    new RegExp(
      `^(?:and |so )?what(?:'s| is) (?:the |my )?(first|last|next) (?:thing|one|event)(?: (?:on|in) my (?:calendar|diary))? (?=(?:on |for |in )?(?:the )?(?:${DAY}|today|tomorrow|morning|afternoon|this|next))`,
      "i",
    ),
    "what is my $1 meeting ",
  ],
  [
    /^what(?:'s| is| does| has)? (?:the )?(?:rest|remainder) of (?:my |the )?(this week|week|day|today|month)(?: (?:got|have|hold|look|like|in store|for me|bring|got in store)){0,6}$/i,
    "what is on my calendar $1",
  ],
  [
    /^what(?:'s| is)(?: all)? (?:going on|happening|occurring|up|on the cards|the plan|planned)(?: for me)?(?= (?:on |for |in |at |this |next |today|tomorrow|tonight|mon|tue|wed|thu|fri|sat|sun|between))/i,
    "what is on my calendar",
  ],
  // Why something is wished for: "I'm running late, push lunch back 20 minutes".
  [
    new RegExp(
      `^(?!.{0,200}\\b(?:vacation|holiday|away|off|leave|office)\\b)(?:i'm|i am|we're|we are|he's|she's|they're|something(?:'s| has)?|my (?:train|flight|bus|car|kid|son|daughter|boss|wife|husband)(?:'s| is| has)?|the (?:train|traffic|bus|flight)(?:'s| is| has)?)\\b[^,;]{2,50}[,;] *(?:so |and )?(?:please |can you |could you ){0,6}(?=${COMMAND} \\S)`,
      "i",
    ),
    "",
  ],
  [
    new RegExp(
      `^(?!if\\b)[^,;]{2,40} (?:isn't|is not|won't be|will not be|'s not) (?:long |nearly )?(?:enough|right|good|great|ideal)[,;] *(?:so )?(?=${COMMAND} \\S)`,
      "i",
    ),
    "",
  ],
  [
    /^(?:remind|ping|nudge) me (?:(?:about|of) (?:it|that|this) )?the day before(?: it| that)?(?: too| as well)?$/i,
    "remind me a day before",
  ],
  [
    new RegExp(
      `^(?:i'm|i am|i'll be|i will be) off (?=(?:work )?(?:on |from |next |this |the ){0,6}(?:${DAY}|today|tomorrow|week|\\d))`,
      "i",
    ),
    "i'm having time off ",
  ],
  // What is no longer needed.
  [
    /^(?:there(?:'s| is) )?no (?:longer any )?need for (it|that|this|(?:the|my) [\p{L} ]{2,40}?)(?: (?:any ?more|any longer|now|after all))?(?:[,;.] .*)?$/iu,
    "cancel $1",
  ],
  [
    /^(?:i|we) (?:no longer need|don't need|do not need) (it|that|this|(?:the|my) [\p{L} ]{2,40}?) (?:any ?more|any longer|after all)(?:[,;.] .*)?$/iu,
    "cancel $1",
  ],
  [/^(?:never ?mind|forget)(?: about)? (?:the|my) (?!whole|entire|last)([\p{L}][\p{L}' -]{2,40})$/iu, "cancel the $1"],
  // An event that is told before it is asked for.
  [
    /^(?:(?:it's|it is|there's|there is|i've got|i have|we've got|we have) )?(?:an? )?(?!(?:take|get|add|put|find|show|read|remind|make|create|book|schedule|cancel|move|email|write|reply|no|not|don't)\b)(?=[^,;]*(?:day|tonight|tomorrow|\d))([^,;]{3,80})[,;]? (?:so |and )?(?:please |can you |could you )*(?:put|add|stick|pop|note|enter|write) (?:it|that|this) (?:in|to|on|into|down in) (?:my|the) (?:calendar|schedule|agenda)$/i,
    "schedule $1",
  ],
  [/^(?:schedule|book)(?: me)? an? hour with (.+?)( then)?$/i, "schedule a meeting with $1 for 1 hour$2"],
  [/^(?:schedule|book)(?: me)? half an hour with (.+?)( then)?$/i, "schedule a meeting with $1 for 30 minutes$2"],
  [
    new RegExp(
      `^(?:i'm|i am|i'll be|we're|i will be) taking (.{0,20}(?:${DAY}|today|tomorrow|week|\\d(?:st|nd|rd|th)?)) off\\b`,
      "i",
    ),
    "i'm having time off $1",
  ],
  [
    /^(?:let's |let us )?(?:do|have|grab) (?=(?:an? |some )?(?:quick )?(?:lunch|dinner|coffee|drinks|breakfast|brunch|call|chat|meeting|catch-?up|tea)\b)/i,
    "schedule ",
  ],
  [
    /^(?:free up|clear out|empty) (?=(?:my |the )?(?:calendar|day|morning|afternoon|evening|schedule|mon|tues|wed|thu|fri|sat|sun))/i,
    "clear ",
  ],
  // What a day holds.
  [
    new RegExp(
      `^(?:what(?:'s| is)|how(?:'s| is)) (?:my |the )?(${DAY}|today|tomorrow|(?:this|next) week(?:end)?|week(?:end)?)(?:'s)?(?: (?:morning|afternoon|evening|night))?(?: (?:schedule|day|plan|looking|shaping up|agenda))?(?: (?:now|then|so far))?(?: like| look like| looking| looking like| looks| shaping up)?(?: (?:now|then|so far|again))?$`,
      "i",
    ),
    "what is on my calendar $1",
  ],
  [
    new RegExp(
      `^(?:what|how) (?:does|do|will|would|did) (?:my |the )?(${DAY}|today|tomorrow|(?:this|next) week(?:end)?|week(?:end)?)(?: (?:morning|afternoon|evening))? (?:say|hold|look(?: like)?|bring|have in store|contain|involve)(?: (?:now|then|at the moment|so far|again|for me)){0,6}$`,
      "i",
    ),
    "what is on my calendar $1",
  ],
  [
    new RegExp(
      `^how (?:busy|full|packed|free|booked up|hectic) (?:am i|is it|is|are we|will i be)(?: my)? (?=(?:on )?(?:${DAY}|today|tomorrow|this|next))`,
      "i",
    ),
    "what is on my calendar ",
  ],
  [
    /^(?:so |and )?(?:is |are )?(?:there )?(?:anything|something|any plans|much) (?:else )?(?:(?:happening|going on|planned|scheduled|booked|in|on|for me) )*(?=(?:(?:on|at|for|in) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|this|next|that|the same|\d|noon|between|before|after)\b)/i,
    "what is on my calendar ",
  ],
  [
    /^who(?:'s| is| else is|'s all| are all| all is)? (?:on|in) (?:the |that |this )?(?:invite|invitation|guest list|list of guests|meeting|call)$/i,
    "who is invited",
  ],
  [
    new RegExp(
      `^(?:which|what) (?:\\p{L}+ )?(?:am i|are we|do i|do we) (?:seeing|viewing|meeting|visiting|attending|doing|going to|having|see|meet|have)(?: on)? (?=(?:next |this )?(?:${DAY}|today|tomorrow|week))`,
      "iu",
    ),
    "what is on my calendar ",
  ],
  [
    /^(?:what|which) (?:week)?day (?:is|are|was|does) (?!(?:it|today|tomorrow|yesterday|next|this|the \d|\d)\b)(.{1,200}?)(?: (?:on|fall on|again))*$/i,
    "when is $1",
  ],
  [/^what time(?:'s| is| was) (that|this|it(?= (?:again|then|at)\b))(?: (?:one|again|then|at))*$/i, "when is $1"],
  [
    /^(?:have i got|do i have|is there|have we got|do we have|got) (?:anything|something|any plans|plans|stuff|much|a lot)(?: (?:on|planned|going on|happening|in my calendar|scheduled|booked))?(?= (?:(?:on|for|in|at) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|(?:this|next) (?!e-?mail|mail|list)|the (?:\d|morning|afternoon|evening|weekend)|\d|noon|between|before|after)\b)/i,
    "what do i have on my calendar",
  ],
  [
    /^(?:is there|are there) (?:anything|something)(?: else)? (?=(?:before|after|between)\b)/i,
    "what is on my calendar ",
  ],
  [/^what(?:'s| is) (?:on|up|happening) (?:at |on |over )?(?=(?:this|next|the) weekend)/i, "what is on my calendar "],
  [
    /^what (?:do i have|have i got|am i doing)(?: on| planned)? (?=(?:this|next|the) (?:weekend|month))/i,
    "what is on my calendar ",
  ],
];
