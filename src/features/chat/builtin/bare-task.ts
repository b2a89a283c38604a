import { datesIn, isMoment } from "../../../engine/notes/message-time.ts";
import type { Turn } from "../../tools/turn.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import type { Reply } from "./reply-text.ts";
import { isOutsideErrand } from "./small-talk.ts";
import { addTask } from "./tasks.ts";

/** No order begins with these. */
const NO_VERB =
  /^(?:i|i'm|i've|i'll|i'd|we|we're|you|he|she|it|it's|they|that|that's|this|these|those|the|my|our|your|his|her|a|an|is|are|was|were|be|do|does|did|have|has|had|can|could|would|will|should|shall|may|might|must|not|no|yes|never|if|when|while|because|since|but|and|or|so|then|what|who|where|why|how|which|there|here|some|any|all|both|more|less|too|very|on|in|at|by|for|from|with|until|till|before|after|about|as|than|just|only|also|still|even|maybe|perhaps|sorry|thanks|hi|hello|hey|good|great|nice|ok|okay|oh|well|sure|fine|cool|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|tonight|yesterday|next|last|every|each|first|second|third|another|other|same|later|sooner|earlier|better|rather|instead|half|quarter|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|won't|can't|cannot|don't|didn't|isn't|wasn't|couldn't|wouldn't|put|set|give|let|let's|wake|stop|start|play|turn|switch|tell|show|remind|undo|wait|hold|leave|keep|make|move|push|change|cancel|delete|archive|star|mark|read|reply|forward|send|snooze|tag|free|busy|available|nothing|everything|anything|something|\d.*)$/i;
const DEADLINE = /\b(?:by|before|due|no later than|until) (?:the |this |next )?\S/i;

/** "add math homework for tomorrow" */
const ADDS = /^(?:add|note|jot down|put down|write down) (?!it\b|that\b|this\b|them\b)/i;

/**
 * "File the appeal by 30 November": an order with a deadline that the assistant cannot carry out itself is something
 * that the person has to do.
 */
export async function addBareTask(turn: Turn, message: string): Promise<Reply | null> {
  const text = message.trim().replace(/^(?:(?:and|also|then|please|oh)[\s,]+)+/i, "");
  const words = text.split(/\s+/);
  const [verb = ""] = words;
  if (words.length < 3 || words.length > 20 || NO_VERB.test(verb.replace(/[,.;:]$/, "")) || !/^\p{L}/u.test(verb))
    return null;
  if (isQuestion(text) || /\?\s*$/.test(text) || isOutsideErrand(text)) return null;
  if (!datesIn(text, turn.clock).some(isMoment)) return null;
  return DEADLINE.test(text) || ADDS.test(text) ? addTask(turn, `add a task: ${text.replace(ADDS, "")}`) : null;
}
