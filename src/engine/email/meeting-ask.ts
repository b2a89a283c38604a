const WITH =
  "(?:meet|talk|speak|chat|connect|catch up|get together|discuss|sync|sit down|touch base|hop on|jump on|get on|grab|have|do|schedule|set up|arrange|find (?:a |some )?time|move|push|reschedule|go over|go through|do a call)";
const OCCASION =
  "(?:meeting|call|lunch|dinner|breakfast|brunch|coffee|drinks|chat|interview|demo|appointment|sync|catch[ -]?up|session|workshop|webinar|visit|get-?together|party|stand-?up|one-on-one|1:1)";
const CLOCK =
  "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|next week|this (?:week|afternoon|evening|morning)|noon|\\d{1,2}(?::\\d{2}|\\s?[ap]\\.?m\\b)|the \\d{1,2}(?:st|nd|rd|th))";

const MEETING_ASKS = [
  new RegExp(
    `\\b(?:can|could|shall|should|may|might|would) (?:we|you and i|i) (?:please |all |perhaps |maybe |possibly |both |briefly |quickly )*${WITH}\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:let's|lets|let us|we (?:should|could|need to|ought to|can)) (?:all |try to |plan to |maybe |please )*(?:meet|talk|speak|chat|connect|catch up|get together|sync|sit down|touch base|hop on|jump on|grab|have (?:a |an |our )?(?:\\w+ )?${OCCASION}|do ${OCCASION}|schedule (?:a|an|our|some)|set up (?:a|an|our|some))\\b`,
    "i",
  ),
  /\b(?:are|will|would) you (?:both |all |guys )?(?:be )?(?:free|available|around|able to (?:meet|talk|join|attend|make it|come))\b/i,
  /\b(?:do|would|will) you have (?:some |any |a few |a couple of |\d+ |a )?(?:time|minutes|availability|moment|slot|opening)\b/i,
  new RegExp(
    `\\b(?:does|would|will|do|is|are) .{0,40}\\b${CLOCK}.{0,40}\\b(?:work|suit|ok|okay|good|fine|convenient|fit|possible)\\b.{0,30}\\?`,
    "i",
  ),
  new RegExp(`\\b(?:how|what) about (?:a |an |some |meeting |having |we |getting )*(?:${OCCASION}|${CLOCK})`, "i"),
  /\bwhen (?:can|could|would|should|are|will|do) (?:we|you|i)\b.{0,40}\b(?:meet|talk|speak|chat|free|available|catch up|get together|have time)\b/i,
  new RegExp(
    `\\b(?:want|wanna|would you like|care|fancy|interested) (?:to |in )?(?:meet(?:ing)?|grab(?:bing)?|join(?:ing)?|get together|catch up|having|have|do|talk|chat|a )\\b.{0,30}(?:${OCCASION}|${CLOCK}|\\?)`,
    "i",
  ),
  /\b(?:can|could|will|would) you (?:please |also |possibly )*(?:join|attend|make it|come|dial in|meet)\b/i,
  new RegExp(
    `\\b(?:i'd|i would|we'd|we would|i want|i need) (?:like |love )?(?:to )?(?:meet|talk (?:to|with)|speak (?:to|with)|get together|catch up|sit down|invite you|set up (?:a|an|some)|schedule (?:a|an|some)|have (?:a|an) (?:\\w+ )?${OCCASION})\\b`,
    "i",
  ),
  /\b(?:please|kindly|come and|hope you (?:can|will)) join (?:us|me)\b/i,
  /^(?:(?:hi|hey|hello)?[\w ]{0,15}, )?(?:lunch|dinner|coffee|drinks|call|meeting|breakfast|brunch)\b.{0,60}\?$/i,
  /\b(?:would|'d) (?:love|like) to (?:grab|get|have|do) (?:a |some )?(?:quick )?(?:coffee|lunch|dinner|breakfast|drinks?|beers?|call|chat)\b/i,
  /\b(?:are you|anyone|you) up for (?:a|an|some)\b.{0,60}\?$/i,
];

/** Whether a sentence asks the reader to meet or talk: that is a meeting to answer, and no task. */
export function asksToMeet(sentence: string): boolean {
  const text = sentence.slice(0, 600);
  return MEETING_ASKS.some((ask) => ask.test(text));
}
