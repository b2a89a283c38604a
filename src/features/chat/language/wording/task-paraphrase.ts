import { TO_DO } from "./everyday-words.ts";

/** Other words for what is asked about tasks and lists. */
export const TASK_REWORDINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:and |so |then |please )*put off (?!.*\b(?:e-?mail|mail|message)\b)(.{2,60}?) (?:until|till|to) (.+)$/i,
    "move $1 to $2",
  ],
  [
    /^(?:and |so |oh )*(?:the|my) ([\p{L}\d' -]{2,40}?) (?:is|are) (?:now |only |actually )?due (?:on |by )?((?:today|tomorrow|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d{1,2}(?:st|nd|rd|th)|\d{1,2} \p{L}{3,9}|\p{L}{3,9} \d{1,2})(?: at \d{1,2}(?::\d\d)?(?: ?[ap]m)?)?)(?:[,;] [^?]*)?$/iu,
    "change the due date of $1 to $2",
  ],
  // All of a list.
  [
    /^(?:(?:ok|okay|right|so|and|great)[\s,]+)*(?:(?:i|we)(?:'ve| have)? )?(?:just |now |already )*(?:got|bought|done|did|packed|picked up|finished|completed|have|sorted|ticked off) (?:everything|all of it|it all|all the things|the lot) (?:on|from|off|in) (?:the|my|our) ([\p{L}\d &-]{2,30}) list(?: now| already)*(?:[,.;!]+ .*)?$/iu,
    "mark everything on the $1 list as done",
  ],
  [
    /^(?:(?:ok|okay|right|so|and|great)[\s,]+)*(?:the|my|our) (?:whole |entire )?([\p{L}\d &-]{2,30}) list(?: is|'s) (?:all )?(?:done|finished|complete|sorted|ticked off|bought|packed)(?: now| already)*$/iu,
    "mark everything on the $1 list as done",
  ],
  [
    /\beach (?=(?:and every |other |second )?(?:morning|afternoon|evening|night|day|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)/gi,
    "every ",
  ],
  [/^(?:please )?make sure (?:that )?(?=(?:it|that|this|the .{2,40}?) (?:has|have|is|gets|are)\b)/i, ""],
  [
    /^(?:sorry,? )?(?:i|we) (?:said|wrote|typed|told you) (.{2,40}?),? (?:but|and) (?:i )?(?:really |actually )?mean(?:t)?(?: to say)? (.{2,40})$/i,
    "i meant $2 not $1",
  ],
  [
    /^(?:do i have|is there|have i got|are there)(?: still)? (?:something|anything|things)(?: else| more)? (?:open|to do|left to do|outstanding|pending)(?: (?:still|now|then))*$/i,
    "which tasks are open",
  ],
  [
    /^(?:so |and )?is (?:my|the|our) ([\p{L}\d -]{2,30}) list (?:now |still |already )*empty(?: (?:now|yet|then))*$/iu,
    "what is on the $1 list",
  ],
  [/^what(?:'s| is)(?: there)?(?: to do)? for (today|tomorrow)$/i, "what do i have to do $1"],
  [
    /^(?:and |so |ok )*what(?:'s| is) (?:the |my )?next (?:thing|task|one|job)(?: (?:that )?(?:i (?:have|need) to do|i must do|to do|on my list|due|for me))*$/i,
    "which task is due next",
  ],
  [
    /^(?:please |and |also )*(?:put|give|set|assign|add)(?: also| too)? (?:an? |the )?(low|lowest|high|highest|top|medium|normal|urgent)(?:est)? priority(?: also| too)? (?:to|on|for) (.{2,50})$/i,
    "make $2 $1 priority",
  ],
  [
    /^(?:for|about) ((?:the|my) .{2,40}?),? (?:i (?:want|need|would like|'d like)|please (?:set|add|make|give me)|set|add|make|give me) (?:an? )?reminder (.{3,20} before)$/i,
    "remind me $2 $1",
  ],
  [
    /^(?:can|could|may|might) (it|that|this|they) (?:please )?be (?:moved|pushed|shifted|rescheduled|postponed|switched|put) /i,
    "move $1 ",
  ],
  [
    /^(?:and |so )*what (?:else )?(?:do|should|must) (?:i|we) (?:still )?(?:need|get|have to get|buy) (?:from|at|in) the (?:shops?|store|supermarket|market|grocer's?)$/i,
    "what is on the shopping list",
  ],
  [
    /^(?:please )?(?:add|put|stick|get|write|note)(?: (?:the following|these|this|these things))? (?:to|on|onto) (?:my|the|our|a) list for (?:the |my |our )?([\p{L}\d -]{2,30})\s*[:–]\s*(\S.*)$/iu,
    "add $2 to the $1 list",
  ],
  [
    /^(?:remind me |tell me )?what (?:did )?(?:i|we) (?:want(?:ed)?|had|planned|meant|intended|was going|were going|(?:am|was) supposed) to do ((?:on |for )?(?:today|tomorrow|this week|next week|(?:mon|tues|wednes|thurs|fri|satur|sun)day))$/i,
    "which tasks are due $1",
  ],
  // "gutters: do on Sunday"
  [
    /^(?!(?:to-?do|tasks?|reminder|note|add|remind|new|today|tomorrow|shopping|list|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)((?:the |my )?\p{L}[\p{L}\d' -]{2,30}): (?:do |move |make )?(?:it )?(?:to |on |for |until )?((?:next )?(?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next week))$/iu,
    "change the due date of $1 to $2",
  ],
  // "The ink I shall do on Saturday": what it is about comes first.
  [
    new RegExp(
      `^(?:(?:and|but|so|ok|okay)[\\s,]+)*((?:the|my|this|that) [\\p{L}\\d' -]{2,40}?),? (?:i|we)(?:'ll| will| shall| can| want to| would like to|'d like to|'d rather| prefer to| have to| need to| must| am going to|'m going to)? (?:${TO_DO})(?: it)?(?: up| out| off| in)?(?: only| already| instead)? ((?:on|by|until|till|not before|tomorrow|tonight|today|next|this|in|at)\\b[^,?]{0,30}?)(?: already| instead| only)?$`,
      "iu",
    ),
    "change the due date of $1 to $2",
  ],
];
