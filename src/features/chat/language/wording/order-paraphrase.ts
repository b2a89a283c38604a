/** Requests whose words stand in another order, and what is said around them. */
export const ORDER_REWORDINGS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(to|on|onto|in|into|from|off) (?:the|my|our) list (?:called |named )?(?!(?:please|again|too|now|as|instead|and|for|with|then|already|today|tomorrow)\b)(\p{L}[\p{L}\d&-]*)(?=$|[.!?])/giu,
    "$1 the $2 list",
  ],
  [
    /(\b(?:to|on|onto) (?:the|my|our) [\p{L} -]{2,30}? list),? (?:next to|along with|together with|beside|besides|below|under|above|right after) (?:the |my |all )?[\p{L} ]{2,40}$/iu,
    "$1",
  ],
  [
    /^(?:please )?(?:put|pop|stick|add|enter|write|note) (?:it|that|this) (?:in|into|to|on|down in) (?:my|the) (?:calendar|diary|schedule|agenda|planner)[,:] *([^,]{3,40}), *(?!(?:please|thanks|then)\b)(\p{L}[^,?]{2,60})$/iu,
    "schedule $2 $1",
  ],
  // What is not to be done, before what is.
  [
    /^(?:no |please )*(?:don't|do not) (?:send|move|change|delete|cancel|archive|do) (?:it|that|this|them|anything)(?: yet)?[.;,!–]+ +(?=(?:please |just |rather |better )*(?:throw|bin|delete|trash|discard|move|cancel|archive|put|make|change|star|mark|add|remind|push|snooze)\b)/i,
    "",
  ],
  [
    /^(?:no |please )*(?:don't|do not) [^,.;?]{3,60}[,.;–]+ (?:but )?(?:i )?(?:just |only )*(?:want|need|would like|'d like|wanted) to (?=(?:see|know|check|look|hear|read)\b)/i,
    "",
  ],
  // "the massage of Monday": of that day.
  [
    /^(?:please )?(?:pass|move|change|shift|push|put|postpone|reschedule) ((?:the |my )?[\p{L}' -]{2,40}?) of ((?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow) (?=(?:to|for|on|by|at)\b)/iu,
    "move $1 on $2 ",
  ],
  [
    /^pass ((?:the |my )?[\p{L}\d' -]{2,50}?|it|that|them) (?=to (?:the \d|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|next week|\d))/iu,
    "move $1 ",
  ],
];
