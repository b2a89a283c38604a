/** "Don't forget to call Ann" wishes for a task. */
const REMINDS = /^(?:please |and |but |also )*(?:don't|do not|dont|never) (?:let me )?forget\b/i;
const DENIES =
  /^(?:(?:please|no|nope|but|and|well|hey|wait|stop)[\s,!.]+)*(?:(?:don't|do not|never|stop|avoid|no need to|you (?:don't|do not) (?:need|have) to|i (?:don't|do not|didn't|did not|never|haven't|have not|would never|wouldn't|won't)|you (?:shouldn't|should not|must not|mustn't|weren't|were not)|nobody|not yet|why (?:did|would|have) you|who (?:said|told|asked) you)\b|(?:i|we) (?:was|were) (?:just |only )?(?:asking|wondering|kidding|joking)\b)/i;
/** "I don't have time on Friday, move it", "I don't need the meeting anymore": these ask for something after all. */
const ASKS_AFTER_ALL =
  /\b(?:i|we) (?:don't|do not|no longer) (?:need|want|have) (?:the|my|this|that|to)\b.*\b(?:any ?more|any longer)\b|[,.;] *(?:please |can you |so |just )*(?:move|cancel|delete|reschedule|make|remove|add|schedule|book|remind)\b|^i (?:don't|do not|didn't|did not) (?:know|understand|see|get|have)\b/i;

/** Whether the message says that something is not to be done, or was not asked for. */
export function isDenial(message: string): boolean {
  const text = message.replaceAll("’", "'").trim();
  return DENIES.test(text) && !REMINDS.test(text) && !ASKS_AFTER_ALL.test(text);
}

const ASKS =
  /^(?:so |and |but |ok |okay |well |hey |hi |um )*,? *(?:should|shall|must|may|might|did|does|do|is|are|was|were|has|have|had|am|will|would it|could it|when|what|where|who|whose|why|which|how|whether|isn't|aren't|didn't|haven't|wasn't)\b/i;
/** Questions that are polite requests: "will you", "could you", "how about you add". */
const POLITE =
  /^(?:so |and |but |ok |okay |well |hey |hi )*,? *(?:(?:can|could|would|will|won't|may i (?:ask )?|do|did) you\b|how about you|why don't you|would it be possible|is it possible|do me a favou?r|do (?:it|that|this)\b|have (?:a|the|my|lunch|dinner|breakfast|coffee)\b|will you|what about|how about|do not|don't|must (?:call|buy|do|send))/i;

/** Whether the message only asks. A question never changes anything. */
export function isQuestion(message: string): boolean {
  const text = message.replaceAll("’", "'").trim();
  return ASKS.test(text) && !POLITE.test(text);
}
