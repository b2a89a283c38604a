import { isDenial, isHearsay, isQuestion } from "../follow-ups/denial.ts";
import { withNeed } from "./needs.ts";

const LONGEST = 300;
const MOST = 5;
const ASKS =
  "(?:(?:so|and|but|then|please|pls|just|now|also|ok|okay|oh|well|right|can you|could you|would you|will you|can we|could we|shall we|let's|lets|you can|you may|i'd like to|i'd like you to|i want to|i want you to|i need you to|i need to|we need to|go ahead and|maybe you could|kindly) )*";
const VERBS =
  "(?:move|push|shift|bump|reschedule|postpone|put|bring|pull|change|switch|swap|set|make|cancel|delete|remove|drop|scrap|skip|call off|get rid of|bin|ditch|take|tick|check|cross|mark|close|reopen|untick|archive|star|unstar|flag|snooze|tag|label|file|forward|reply|answer|tell|send|remind me|add|book|schedule|set up|pencil|block|note|stick|pop|invite|extend|shorten|lengthen|rename|call|clear|undo|unsubscribe|keep|leave|write|draft|e-?mail|show|read|list|find)";
const ASKS_FOR = new RegExp(`^${ASKS}${VERBS} (?=\\S)`, "iu");
/** "the dentist will have to go to 4:30", "the slides can wait till Monday" */
const MUST_BE =
  /^(?:(?:so|and|but|then|well|ok|okay)[\s,]+)*(?:(?:the|my|our|that|this) [\p{L}\d'&-]+(?: [\p{L}\d'&-]+){0,5}?|\p{L}[\p{L}-]*'s|it|that|they) (?:(?:will|'ll) )?(?:has to|have to|needs to|need to|should|must|can|could|may|had better) (?:now |then |just |wait |also )*(?:be|go|move|wait|start|end|finish|happen|shift|slip|come|last|run|get|stay)\b/iu;
const CLAUSE_ENDS =
  /\s{0,9}(?:[,;.!–]{1,9}|\s-)\s{1,9}(?:(?:so|and|but|then|therefore|hence)\s{1,9})*|,?\s{1,9}(?:so|but)\s{1,9}(?!that\b|far\b|much\b|many\b|i can\b|we can\b)/i;
const IN_THE_AIR = /\b(?:if|unless|whether|maybe|perhaps|might|in case|wish|suppose|imagine)\b|\?\s*$/i;

const isAsking = (clause: string) => ASKS_FOR.test(clause) || MUST_BE.test(clause) || withNeed(clause) !== clause;

/** What asks for something, of a message that tells something else around it; null if it is not clear which part does. */
export function askingClauses(message: string): string[] | null {
  if (message.length > LONGEST || /["“\n]/.test(message)) return null;
  const clauses = message
    .replace(/(?<![\s.!])[\s.!]+$/, "")
    .split(CLAUSE_ENDS)
    .filter((clause) => /\p{L}/u.test(clause));
  if (clauses.length < 2 || clauses.length > MOST) return null;
  const asking = clauses.filter(isAsking);
  const told = clauses.filter((clause) => !isAsking(clause));
  const isClear =
    asking.length > 0 &&
    told.length > 0 &&
    !told.some((clause) => IN_THE_AIR.test(clause) || isQuestion(clause) || isDenial(clause)) &&
    !asking.some((clause) => isQuestion(clause) || isDenial(clause) || isHearsay(clause));
  return isClear ? asking : null;
}
