/** "Don't forget to call Ann" wishes for a task. */
const REMINDS = /^(?:please |and |but |also )*(?:don't|do not|dont|never) (?:let me )?forget\b/i;
const DENIES =
  /^(?:(?:please|no|nope|but|and|well|hey|wait|stop)[\s,!.]+)*(?:(?:don't|do not|never(?! ?mind (?:the|about))|stop(?! (?:getting|receiving))|avoid|no need to|you (?:don't|do not) (?:need|have) to|i (?:don't|do not|didn't|did not|never|haven't|have not|would never|wouldn't|won't)|you (?:shouldn't|should not|must not|mustn't|weren't|were not)|nobody|not yet|why (?:did|would|have) you|who (?:said|told|asked) you)\b|(?:i|we) (?:was|were) (?:just |only )?(?:asking|wondering|kidding|joking)\b)|^[^,?]{4,60}, (?:so |just |please )*(?:leave|keep) (?:it|that|them) (?:on|in) (?:there|it|the list)(?: for now)?[\s.!]*$/i;
/** "I don't have time on Friday, move it", "I don't need the meeting anymore": these ask for something after all. */
const ASKS_AFTER_ALL =
  /\b(?:i|we) (?:don't|do not|no longer) (?:need|want|have) (?:the|my|this|that|to|\w+)(?= ).{0,200}\b(?:any ?more|any longer)\b|[,.;] *(?:please |can you |so |just )*(?:move|cancel|delete|reschedule|make|remove|add|schedule|book|remind|set|put|reopen|untick|archive|star|tag|snooze|mark|change|push)\b(?! (?:anything|nothing|it yet|that yet)\b)|^i (?:don't|do not|didn't|did not) (?:know|understand|see|get|have)\b|^(?:please )?(?:stop|don't|do not|no need to) (?:it |that |this |the )?(?:repeat|recur)/i;

/** What somebody else said or wants, and what would be, are no requests either. */
const TOLD =
  /^(?!(?:i|we|you|who|what|which)\b)(?:my |the |our )?[\p{L}'-]+ (?:said|says|told|thinks|thought|mentioned|promised|claims|wrote|heard|suggested)\b|^(?!(?:i|we|you|who|what|which)\b)(?:my |the |our )?[\p{L}'-]+ (?:has |have |just |already )*(?:cancell?ed|moved|postponed|booked|rescheduled|scheduled|deleted|missed|forgot) (?:his|her|their)\b|^(?:if|unless|in case|suppose|imagine)\b(?! (?:you|possible))|^what (?:if|would happen)\b|^(?:you|we|i|they) (?:can|could) always\b|^(?:i|we)(?:'m| am| was| were|'ve been| have been)? (?:just |only |also |still |kind of |sort of |half |almost )*(?:thinking|wondering|considering|toying|tempted|contemplating|debating|inclined)\b(?!.*\byou (?:could|can|might|would)\b)|^i (?:keep|kept|can't help|do|did) wonder(?:ing)?\b|^i wonder\b|^(?:maybe|perhaps) i(?:'ll| will| should| could| might)\b|^i (?:might|may|could)\b(?! (?:need|use|have) (?:you|a|an)\b)/iu;

/** Whether the message says that something is not to be done, or was not asked for. */
export function isDenial(message: string): boolean {
  const text = message.replaceAll("’", "'").trim();
  return DENIES.test(text) && !REMINDS.test(text) && !ASKS_AFTER_ALL.test(text);
}

/** "I'm thinking of skipping it", "I was going to move it but": what a person only considers. */
const MUSES =
  /^(?:(?:so|and|but|well|hm+|oh|you know|honestly|tbh)[\s,]+)*(?:(?:i|we)(?:'m|'re| am| are| was| were|'ve been| have been)? (?:just |only |kind of |sort of |half |still |also )*(?:thinking|wondering|considering|contemplating|toying|tempted|debating|in two minds|not sure|unsure)\b|(?:i|we) (?:wonder|might|may|could always|wish|nearly|almost)\b|(?:i|we) (?:was|were) (?:going|about|meant|supposed|hoping|planning) to\b|(?:i'd|i would|we'd) (?:have to|love to|like to|need to)\b.*\b(?:but|if|one day|some day)\b)/i;

/** What was, what usually is and where somebody is: "we had lunch at 1", "Dana always writes at 8". */
const TELLS =
  /^(?:(?:so|and|but|well|oh|yeah)[\s,]+)*(?:(?:i|we|he|she|they) (?:had|went|ate|met|saw|spent|woke|slept|got (?:up|home|back))\b(?! to\b)(?=.*\b(?:at|from|until|till) (?:\d|noon|half))|\p{L}[\p{L}']*(?: \p{L}+)? (?:always|usually|normally|often|generally|tends? to)\b|(?:he|she|they)(?:'ll| will|'s| is|'re| are) (?:be )?(?:there|here|home|away|out|back|busy|around)\b|(?:could|might|should|would) have\b|not (?:so |too |very |quite |really )?sure\b|unsure\b|no idea\b|dunno\b)/iu;

/** "My colleague would like it in the afternoon, but that doesn't work for me" */
const DOES_NOT_SUIT =
  /^(?!(?:i|we)\b)[^?]{8,120}\bbut (?:that|it|this) (?:doesn't|does not|won't|wouldn't|isn't|can't) (?:work|suit|do|go|happen|possible|an option)\b[^,;.]{0,200}[\s.!]*$/i;

/** Whether the message only tells what somebody said, what would be or what the person considers. */
export function isHearsay(message: string): boolean {
  const text = message.replaceAll("’", "'").trim();
  return (
    (TOLD.test(text) || MUSES.test(text) || TELLS.test(text) || DOES_NOT_SUIT.test(text)) &&
    !REMINDS.test(text) &&
    !ASKS_AFTER_ALL.test(text)
  );
}

const ASKS =
  /^(?:so |and |but |ok |okay |well |hey |hi |um )*,? *(?:should|shall|must|may|might|did|does|do|is|are|was|were|has|have(?! to\b)|had|am|will|would it|could it|when|what|where|who|whose|why|which|how|whether|(?:until|till|by|since|from|at|on|for) (?:when|what|which|how)|isn't|aren't|didn't|haven't|wasn't)\b/i;
/** Questions that are polite requests: "will you", "could you", "how about you add". */
const POLITE =
  /^(?:so |and |but |ok |okay |well |hey |hi )*,? *(?:(?:can|could|would|will|might|won't|may i (?:ask )?|do|did) you\b|how about you|why don't you|would it be possible|is it possible|do me a favou?r|do (?:it|that|this)\b|have (?:a|the|my|lunch|dinner|breakfast|coffee)\b|will you|what about|how about|do not|don't|must (?:call|buy|do|send))/i;

/** Whether the message only asks. A question never changes anything. */
export function isQuestion(message: string): boolean {
  const text = message.replaceAll("’", "'").trim();
  return ASKS.test(text) && !POLITE.test(text);
}
