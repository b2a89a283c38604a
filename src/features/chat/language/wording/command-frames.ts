/** Nouns that are events and not tasks or emails. */
const EVENT =
  "(?:event|meeting|appointment|call|lunch|dinner|breakfast|coffee|party|class|lesson|game|visit|session|conference|wedding|concert|interview|booking|reservation|review|check-?up)";
const HOUR =
  "(?:\\d{1,2}(?::\\d\\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: ?[ap]m| ?o'?clock| o clock)";
const LEAD = "^(?:please |and |also |now ){0,6}";
const re = (source: string) => new RegExp(`${LEAD}${source}`, "iu");

/** Frames around the thing itself: what stands in them is scheduled, noted or cancelled. */
export const COMMAND_FRAMES: readonly (readonly [RegExp, string])[] = [
  // Events.
  [re("(?:mark|block) (?:it (?:on|in) )?(?:my|the) calendar (?:for|with) "), "schedule "],
  [
    re("(?:make|put|leave|add) (?:me )?an? (?:note|entry) (?:in|on|to) (?:my|the) calendar (?:that|for|about|of|to) "),
    "schedule ",
  ],
  [re("save the date[,:]? (?:for |on |of )?(.{1,200}?) for (?:the |my |our )?(.+)$"), "schedule $2 on $1"],
  [re("save the date[,:]? (?:for |of )?(?=\\p{L})"), "schedule "],
  [
    re(
      `(?:create |add |make |set up )?(?:an? )?new ((?:calendar )?(?:event|entry|meeting|appointment)) (.{1,200}?) (?:called|named|titled|for) (.+)$`,
    ),
    "schedule $3 $2",
  ],
  [
    re(
      "(?:create |add |make |set up )?(?:an? )?(?:new )?(?:calendar )?(?:event|entry) (?:called|named|titled|for|:) ?(?=\\p{L})",
    ),
    "schedule ",
  ],
  [
    re(
      "(?:create |add |make )?(?:an? )?new (?:calendar )?event (?=\\p{L}.{0,200}\\b(?:at|on|day|tomorrow|tonight|o'?clock|o clock|noon|[ap]m)\\b)",
    ),
    "schedule ",
  ],
  [re("repeat (?!(?:it|that|this|them|after)\\b)(.{1,200}?) (every|each) "), "schedule $1 every "],
  [
    re(
      "mark (?:down )?(.{0,200}\\b(?:\\d{1,2}(?:st|nd|rd|th)?|\\p{L}+(?:th|first|second|third))) (?:as|for) (?!done|read|unread|complete|finished|high|low|urgent)(.+)$",
    ),
    "schedule $2 on $1",
  ],
  [
    re(
      "((?:every|each) .{1,200}?) (?:i have|i've got|there is|there's|we have|i go to) (.{1,200}?),? (?:so |and |please |can you |could you ){0,6}(?:add|note|save|schedule|enter) (?:that|it|this)$",
    ),
    "schedule $2 $1",
  ],
  [
    re(
      "invite (?!.{0,200}@)([\\p{L} ]{2,40}?) (?:to|for) (?:an? |the |my |our )?(.{1,200} (?:at|on|tomorrow|tonight|this|next) .+)$",
    ),
    "schedule $2 with $1",
  ],
  [
    re(
      "(?:my |the )?([\\p{L}' -]{3,40}?)(?: is|'s)(?: on)? ((?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? \\p{L}+|\\p{L}+ \\d{1,2}(?:st|nd|rd|th)?),? (?:so |and |please ){0,6}(?:add|put|note|save|enter|schedule) (?:it|that|this)(?: in| down)?(?: (?:in|on|to) (?:my|the) calendar)?((?:,? (?:all day|every year|each year|yearly|annually|every month|every week)){0,6})$",
    ),
    "schedule $1 on $2$3",
  ],
  [
    re(
      "((?:annual leave|vacation|holidays?|days? off|time off|pto|out of office)) (?=(?:on|from|next|this|tomorrow|today|for|the|\\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day))(?!.{0,200}\\?)",
    ),
    "i have $1 ",
  ],
  [
    re('(?:call|name|rename|retitle) (?:the |my )(.{2,40}?) (?:to |as |into )?(["“][^"”]{1,80}["”])$'),
    "rename $1 to $2",
  ],
  [re("change (?:the |my )?(.{2,40}?)'s (?:name|title) (?:to|into) (.+)$"), "rename $1 to $2"],
  // Reminders.
  [
    re(
      "(?:could you |would you |can you |kindly ){0,6}(?!\\p{L}+ an? (?:new )?(?:task|to-?do|reminder):)(?:put|note|write|jot|enter|log|set|make|create|add|pop|stick)(?: me)?(?: (?:down|in|up))? an? (?:new )?(?:task|to-?do|reminder)(?: (?:down|in))?(?: for me)?(?: (?:for|on) (today|tomorrow|tonight|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day))?(?:[,:] (?:to )?| to )(?=\\p{L})",
    ),
    "remind me $1 to ",
  ],
  [re("((?:.{0,40} )?remind me) please (?=to|about|of|that)"), "$1 "],
  [re("(make|add|create|write|note|new|set) (an? |the )?(task|to-?do|reminder),? please\\s*[:,]?\\s*"), "$1 $2$3: "],
  [
    re(
      "(?:i need|i want|i'd like|i would like|then)? ?(?:write|make|add|create|i need|i want) an? (?:new )?(?:task|to-?do)[:,]? (?!to\\b|for\\b|about\\b|from\\b|of\\b|out\\b|that\\b|called\\b|named\\b|in\\b|on\\b|at\\b)(?=\\p{L})",
    ),
    "add a task: ",
  ],
  [re("(?:i(?:'d| would) like|i want|i need) to be reminded (.{0,200}?)\\b(to|that|of|about) "), "remind me $1$2 "],
  [
    re(
      "(?:i need to |i have to |please )?remember that (?=(?:the|my|our|i|we)\\b.{0,200}\\b(?:at|on|day|tomorrow|tonight|\\d)\\b)",
    ),
    "remind me that ",
  ],
  [
    re("(?:tell|ask) me ((?:tomorrow|tonight|today|later|on|at|in|next|this|every)\\b.{0,200}?) to (?=\\p{L})"),
    "remind me $1 to ",
  ],
  [
    re(
      "(?:(?:i(?:'d| would)? (?:like|need|want|love)|give me|set(?: me)?(?: up)?|create|make(?: me)?|have|put|stick|pop|drop|chuck|leave|add|schedule) (?:me )?(?:an? )?(?:quick |little )?(?:reminders?|notifications?|alerts?)(?: set| made)?(?: (?:in|down|up|on))?(?: for me(?= to\\b))?) (to|for|about|of|that|on|at|every|in|tomorrow|tonight|next)\\b",
    ),
    "remind me $1",
  ],
  [re("remind me for (?=(?:my|the|our|an?)\\b)"), "remind me of "],
  [re("(?:an? )?reminder (to|for|about|of|that)(?= \\p{L})"), "remind me $1"],
  [re("tell me to (?=\\p{L}.{0,200}\\b(?:in|at|on|by|tomorrow|tonight|today|later|every)\\b)"), "remind me to "],
  [
    re(
      "(?:note|task|to-?do)(?: to|:)? (?!(?:lists?|items?|s|that|this|it|down|for)\\b)(?=(?:call|buy|get|pay|send|write|book|pick|clean|fix|renew|return|order|check|take|bring|print|finish|feed|water|wash|cook|ask|find|make|go|prepare|file|sign|email|text|visit|see|do|read|learn|schedule|plan)\\b)",
    ),
    "add a task: ",
  ],
  // What is no longer wanted.
  [re(`(?:get|take) (.{3,60}?) (?:off|out of|from) (?:my|the) (?:calendar|schedule|agenda)$`), "cancel $1"],
  [
    re(
      `(?:nix|kill|axe|scratch|unschedule|unbook|scrap|ditch|lose|bin|dump|chuck|call off|get rid of) (?=(?:my|the|our|that|this) (?:[\\p{L}'-]+ ){0,3}(?:${EVENT}|${HOUR}))`,
    ),
    "cancel ",
  ],
  [re("un-?schedule (?=(?:my|the|our|that|this)\\b)"), "cancel "],
  [
    re(
      "i want (?:the |my )(?:reminder (?:about|for|of) )?(?:the )?(.{3,50}?) (?:gone|deleted|removed|cancell?ed|off my calendar)$",
    ),
    "cancel the $1",
  ],
  [
    re(
      "take ((?:my|the) .{3,50}?) off (?:of )?(?=today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|this)",
    ),
    "cancel $1 ",
  ],
  [
    re(
      "(?:delete|cancel|remove|erase|drop) ((?:the|my) .{3,50}?) (?:that )?i (?:have |had )?(?:booked|scheduled|planned|made|set|set up)(?: up)? (?=for|on|at|tomorrow|today|next|this)",
    ),
    "cancel $1 ",
  ],
  [
    re(
      "(?:delete|cancel|remove|erase|clear|wipe|drop) (?:everything|all|anything)(?: that)?(?: i have| i've got| is|'s)? (?:planned|scheduled|booked|on|set)? ?(?:for |on )?(?=today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|this|the)",
    ),
    "clear my calendar ",
  ],
  [re(`(?:undo|revoke|retract) (?=(?:my|the|our) (?:[\\p{L}'-]+ ){0,3}${EVENT}\\b)`), "cancel "],
  [
    re(
      "cancel (?:whatever|anything|what) (?:i have|i've got|is|there is|is on|i've)(?: on| planned| scheduled| going on| in my calendar)? (?=at|on|for|tomorrow|today|this|next|from|between)",
    ),
    "cancel the meeting ",
  ],
  [
    re(
      "(?:i|we) (?:won't|will not|can't|cannot|am not|'m not|am no longer|'m no longer)(?: be able to| going to)? (?:make it to|make|attend|attending|go to|going to|come to|do) (?:the |my )?(.{1,200}?),? (?:so |and |please ){0,6}(?:delete|cancel|remove|drop) (?:it|that)(?: from my (?:calendar|schedule))?$",
    ),
    "cancel the $1",
  ],
  [
    re(
      "(?:the |my )?(.{3,50}?)(?: is|'s| has been| got)? (?:off|cancell?ed|called off|not happening|not on(?: any ?more)?|over)[,;]? (?:so |and |please ){0,6}(?:delete|cancel|remove|drop|take) (?:it|that)(?: (?:off|from|out of) my (?:calendar|schedule))?$",
    ),
    "cancel the $1",
  ],
  [
    re(
      "(?:(?:i|we) )?(?:don't|do not|no longer|won't) (?:need|want) (?:the |my |that )?(.{1,200}?)(?: any ?more| any longer)?[,;]? (?:so |and |please ){0,6}(?:delete|cancel|remove|drop) (?:it|that)$",
    ),
    "cancel the $1",
  ],
];
