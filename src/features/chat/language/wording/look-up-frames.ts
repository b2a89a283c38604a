const LEAD = "^(?:please |and |also |now ){0,6}";
const re = (source: string) => new RegExp(`${LEAD}${source}`, "iu");

/** Frames around what is looked up, and around lists and what is put on them. */
export const LOOK_UP_FRAMES: readonly (readonly [RegExp, string])[] = [
  // A time of a day.
  [
    /^(?:and |so )*what(?:'s| is)(?: (?:on|happening|going on|there))? (?=(?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|on (?:mon|tues|wednes|thurs|fri|satur|sun)day) at \d)/i,
    "what do I have ",
  ],
  // What is to be seen.
  [
    re(
      "(?:gimme|give me|show me|how(?:'s| is)|what(?:'s| is|'re| are)) (?:my )?((?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|weekend)(?: looking(?: like)?| look like)?(?: in full| for me| then)?$",
    ),
    "what is on my calendar $1",
  ],
  [
    re("what(?:'ve| have) (?:we|i) got (?:on |planned )?(?:for|on) (?=the|\\d|next|this|tomorrow|today|\\p{L}+day)"),
    "what is on my calendar on ",
  ],
  // "What I have tomorrow?": the order of other languages.
  [
    re(
      "(what|which tasks|which events|which appointments|when|where|how many (?:tasks|events|e-?mails|things)) (?:i|we) (have|need|must|should)(?= |\\?|$)",
    ),
    "$1 do i $2",
  ],
  [re("what do i (?:must|should)(?: to)? (?=\\p{L})"), "what do i have to "],
  [
    re(
      "(?:what|which tasks) (?:do i have|have i(?: got)?|are there|is there) (?:with|under|for) the (?:tag|label) (\\p{L}[\\p{L}\\d-]{0,40})$",
    ),
    "show my tasks tagged $1",
  ],
  [
    re(
      "(?:what(?:'s| is| else is)? there|is there anything|is there something|have i anything|what have i|do i have anything|anything)(?: left| still| else){0,6}(?: for me)? to (?:do|get done|take care of|see to)(?: for)? (?=on\\b|today|tomorrow|this|next|\\p{L}+day)",
    ),
    "what do i have ",
  ],
  [
    re(
      "what (?:did|does|has|is) ([\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?) (ask|asking|asked|want|wanted|write|written|wrote|say|said|tell|told|need)(?: me| us| from me| of me| for)? (?:in|with|by) (?:her|his|their|that|the|this) (?:last |latest |new )?(?:e-?mail|mail|message|reply|note|letter)$",
    ),
    "what did $1 say in the email",
  ],
  [
    re(
      "when (?:do|did|must|should|will|am) i (?:(?:have|need|want|wanted|supposed|going|plan|meant) )?(?:to )?(?:be|get|go|arrive|call|meet|see|do|ring|visit|pay|send|leave|start|finish) (?:there|him|her|it|them|that|this)(?: again| then)?$",
    ),
    "when is it",
  ],
  [
    re(
      "(?:look (?:in|at|into) (?:my|the) calendar (?:and|to) )?(?:see|check|tell me|find out|look up|i forgot|i forget|i want to know|i need to know|i'd like to know|do you know|let me know) (?:when|what (?:day|time|date)) (.{1,200}?) (?:is|are|falls?|starts?|begins?|comes?|takes place|happens?)(?: on| at| coming)?(?:,? can you check)?(?: for me)?$",
    ),
    "when is $1",
  ],
  [re("what have i got (?=between|before|after|from|until)"), "what is on my calendar "],
  [
    re(
      "which days? (.{0,200}?)(?:am i|are|is) (?:completely |totally |fully |still )?(?:free|open|available)(?: for me)?",
    ),
    "when am i free $1",
  ],
  [
    re(
      "(?:check|see|tell me|let me know) (?:if|whether) my (?:day|morning|afternoon|evening|night|week|calendar|schedule) is (?:free|open|clear|empty|full|busy)\\b",
    ),
    "when am i free",
  ],
  [
    re("(?:give|show|tell|read) me (?:the |all )?details (?:of|about|for|on) (?:the |my )?(?=\\p{L})"),
    "tell me about the ",
  ],
  [re("have you seen (?=(?:any|an|new|my|the)\\b.{0,200}\\b(?:e-?mails?|mails?|messages?)\\b)"), "do i have "],
  [re("remind me (?=what'?s\\b|(?:what|who|where|which)\\b.{0,200}\\b(?:i|i'm|my|we|is|are)\\b)"), ""],
  [
    re(
      "what(?:'s| is| was) the (?:last|latest|newest) (?:thing|one|e-?mail|mail|message)(?: that)? ([\\p{L}'-]+) (?:has |just )?(?:sent|wrote|emailed)(?: me| us)?$",
    ),
    "read the last email from $1",
  ],
  [re("(?:is there )?anything (?:on|in) (?:my|the) (?:to-?do )?list about (.+)$"), "show my tasks about $1"],
  [re("(?:tell|give|show) me the (?:time|date|day|hour|start) (?:of|for) (?=(?:my|the|our) )"), "when is "],
  [
    re("who all (?:will|is going to|are going to|is) (?:attend|attending|come to|coming to|join|be at|be in) "),
    "who is in ",
  ],
  [re("how busy (?:am i|are we|is my (?:day|week|calendar|schedule))\\b"), "what is on my calendar"],
  [
    re(
      "(?:tell me about|what about|how(?:'s| is)|describe) my (?:day|schedule|calendar|plans) (?=on|for|next|this|tomorrow)",
    ),
    "what is on my calendar ",
  ],
  [
    re(
      "(?:give me|show me|i want|i need|let me have|read me) (?:an? |the )?(?:summary|overview|run-?down|outline|list) of (?:my|the) (?:calendar|schedule|agenda|events|meetings|appointments)\\b",
    ),
    "what is on my calendar",
  ],
  [
    re("(?:do|will|am) i (?:need|have|required|supposed) to be (?:anywhere|somewhere)(?: else)?\\b"),
    "what is on my calendar",
  ],
  [
    re(
      "(?:see|check|tell me|let me know|find out|look) (?:if|whether) (?:i|we) (?:got|get|received|have received|have gotten|have got) ",
    ),
    "did i get ",
  ],
  [
    re("(?:see|check|tell me|let me know|find out|look) (?:if|whether) (?:there is|there are|there's|there're) "),
    "is there ",
  ],
  [
    re("(?:see|check|tell me|let me know|find out|look) (?:if|whether) (?:i|we) (?:have|'ve got|have got) "),
    "do i have ",
  ],
  [
    re("what (?:items|things|entries) are (?:still |yet )?(?:open|left|outstanding|undone|unfinished)$"),
    "which tasks are open",
  ],
  [
    re(
      "(?:review|go over|go through|run through|walk me through|take me through) ((?:my|the|our) (?:[\\p{L}-]+ ){0,3}list)(?: with me)?$",
    ),
    "show me $1",
  ],
  [
    re(
      "(?:review|go over|go through|run through|read through) ((?:my|the) (?:new |unread |latest |recent ){0,6}(?:e-?mails|mails|messages|inbox))(?: with me)?$",
    ),
    "show me $1",
  ],
  [
    re(
      "(?:did|have) (?:i|we) (?:get|got|gotten|receive|received) (?:the|an?|any|my) ((?:invoice|receipt|confirmation|tickets?|bill|statement|report|newsletter|quote|offer|contract|itinerary|booking)s?)\\b(.{0,200})$",
    ),
    "find the email about $1$2",
  ],
  [
    re(
      "(?:is there|have i got|do i have|was there) (?:an? |any )?(?:reply|answer|response|word|news) from (?:the |my )?([\\p{L}'-]+)(?: yet| already)?$",
    ),
    "did $1 reply",
  ],
  [
    re("(?:are there|is there|do i have) (?:any )?((?:e-?mails?|mails?|messages?)) with (?:the )?subject (.+)$"),
    "find emails about $2",
  ],
  [
    re("(?:which|who) of my (?:contacts|friends|colleagues) (?:e-?mailed|mailed|wrote|messaged)(?: to)?(?: me)?"),
    "show my emails",
  ],
  [
    re(
      "i (?:need|want|would like|'d like) to (hear|see|read|find|look at) (?=(?:the|my|that|any) .{0,200}\\b(?:e-?mails?|mails?|messages?)\\b)",
    ),
    "read ",
  ],
  [re("(check|open|look at|see) (?:my )?(?:gmail|outlook|hotmail|webmail)$"), "check my inbox"],
  // Lists.
  [
    re("(?:add|put|write|stick|note) (?:to|on|onto) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}?list)[,:]? (.+)$"),
    "add $2 to $1",
  ],
  [
    re("(?:on|to) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}?list),? (?:i|we) (?:want|need|would like|'d like) (.+)$"),
    "add $2 to $1",
  ],
  [
    re(
      "how many (?:items|things|entries) (?:are|do i have|have i got|is) (?:on|in) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list)$",
    ),
    "show me $1",
  ],
  [
    re(
      "(?:open|show|read|see|find|pull up|bring up)(?: me)? (?:my|the) list (?:of|for|with) (?:the |my )?([\\p{L} ]{2,30})$",
    ),
    "show me the $1 list",
  ],
  [
    re(
      "(?:is there|do i have|have i got|do we have) (?:an? |any )?list (?:called|named|for|of|with) (?:the |my )?([\\p{L} ]{2,30})$",
    ),
    "show me the $1 list",
  ],
  [
    re("(?:find|get|open) ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list) and (?:read|show|tell) (?:it|me)\\b.{0,200}$"),
    "show me $1",
  ],
  [re("check ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list) for (?:an? |the |any |some )?(.+)$"), "is $2 on $1"],
  [
    re(
      "(?:have i got|do i have|did i put|is there) (.{2,40}?) (?:down |already )?on ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list)(?: already| yet)?$",
    ),
    "is $1 on $2",
  ],
  [re("(?:is there )?any ?thing (?:else )?(?:left )?on ((?:my|the|our) (?:[\\p{L}-]+ ){1,3}list)$"), "what is on $1"],
  [
    re(
      "what (?:things |items |stuff )?(?:am i supposed|do i have|do i need|am i meant|have i got) to (?:pick up|get|buy|fetch) (?:at|from|in) (?:the )?(?:store|shops?|supermarket|market)$",
    ),
    "what is on the shopping list",
  ],
  [
    re("(?:pull up|show|open|read|bring up)(?: me)? (?:my |the )?(?:groceries|grocery|shopping)$"),
    "show me the shopping list",
  ],
  [
    re(
      "(?:make|create|start|begin|set up|open)(?: me)? (?:an? )?(?:new )?(?:list (?:called|named|for) (?:the |my )?([\\p{L} ]{2,30}?)|([\\p{L}-]{3,20}) list),? (?:and )?(?:then )?(?:add|put|include|with) (.{1,200}?)(?: (?:on|to|in) (?:it|there))?$",
    ),
    "add $3 to the $1$2 list",
  ],
  [
    re(
      "i (?:have|need) to (?:buy|get) (.{1,200}?),? (?:so |and |please ){0,6}(?:add|put) (?:that|it|them) (?:to|on) (?:the |my |our )?(shopping|groceries|grocery)(?: list)?$",
    ),
    "add $1 to the shopping list",
  ],
  [re("new to-? ?do:? (?!lists?\\b)(?=\\p{L})"), "add a task: "],
  [
    re(
      "(?:(?:we|i)(?:'re|'m| are| am|'ve| have)? (?:nearly |almost |all )?(?:run |running )?(?:out of|low on)|(?:we|i) (?:also |still )?need(?: to (?:buy|get))?) (.{1,200}?)[,.;]? (?:so |and )?(?:please )?(?:put|add|stick|pop) (?:it|them|that|those|these|both) (?:on|to|onto) (?:my|the|our) list$",
    ),
    "add a task: buy $1",
  ],
  [
    re("(?:make|create|start|open|begin)(?: me)?(?: an?)?(?: new)? ([\\p{L}-]{3,20}) list$"),
    "add something to the $1 list",
  ],
];
