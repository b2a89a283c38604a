import { REF } from "./reference.ts";

/** Whether a message takes something back: the last change, or what was taken back itself. */
type Back = "undo" | "redo" | "restore" | "doubt";

const LEAD =
  "^(?:(?:oh|oops|ah|argh|ups|sorry|whoops|hm+|and|actually|please|ok|okay|no+|nope|wait|hold on|stop|never ?mind|forget (?:it|that)(?=,)|nah|well|now|and|my mistake|my bad|can you|could you)\\b[\\s,.!…-]{0,9}){0,6}";
const THAT =
  "(?:it|that|this|them|those|these|everything|all(?: of (?:it|that|them|this))?|what you did|all that|the (?:whole|entire) (?:thing|lot)|(?:the|that|my|your) (?:(?:very )?(?:last|previous|latest|most recent) )?(?:\\w+ )?(?:one|change|thing|action|step|move|task|event|email|meeting|cancellation|deletion)s?)";
/** "both changes", "the last two" */
const SEVERAL =
  "(?:both(?: of (?:them|those|these))?(?: (?:changes|things|of them))?|(?:the |my )?last (?:two|three|four|2|3|4)(?: (?:changes|things|steps|actions|ones))?|(?:those|these|the) (?:two|three|2|3)(?: (?:changes|things))?)";
const END =
  "(?: (?:please|again|instead|then|now|in|for me|actually|after all|to (?:my|the) (?:list|calendar|inbox|tasks))){0,6}[\\s.!?]{0,9}$";
const pattern = (words: string) => new RegExp(`${LEAD}(?:${words})${END}`, "i");

const UNDO = pattern(
  `(?:undo|revert|reverse|roll ?back)(?: ${THAT}| ${SEVERAL})?|go back|take ${SEVERAL} back|take ${THAT} back|un-?(?:cancel|delete|archive|complete|do|mark|snooze|move) ${THAT}|change ${THAT} back|(?:that|this|it) was (?:a |my )?(?:mistake|wrong|an? accident|not what i (?:meant|wanted))|i did(?:n't| not) (?:mean|want) (?:to do )?(?:that|this|it)|scratch that|scrap that|forget ${THAT}|(?:leave|keep) ${THAT} (?:how|where|as|the way) (?:it|they) (?:was|were)(?: before)?|(?:(?:go|move|change|switch|put) (?:it |that |them )?)?back to (?:how|where|as|what|when|the way) (?:it|they|that) (?:was|were)(?: before| originally)?|put ${THAT} back (?:to )?(?:how|where|as|the way) (?:it|they) (?:was|were)(?: before)?`,
);
const RESTORE = pattern(
  `(?:bring|put|get|give|want) (?:me )?${THAT} back(?: in| on| up){0,6}|(?:restore|reinstate|resurrect|revive|recover|re-?add) ${THAT}|i want ${THAT} back`,
);
const REDO = pattern(
  `redo(?: ${THAT})?|do (?:it|that) again|undo (?:the|that) undo|(?:no,? )?keep (?:it|that|the change)`,
);
/** After a change that is to be taken back; otherwise only hesitation. */
const DOUBT =
  /^(?:(?:no|oh no|oops|wait)[\s,!.]{1,9})+(?:wait|no|stop|hold on|not that|don't)?[\s.!]*$|^(?:no wait|wait no|oops|hold on|not that one|(?:oops,? )?wrong one)[\s.!]*$|^(?:no,? |actually,? |sorry,? )*(?:leave|keep) (?:it|that|this|them|both)(?: ones?)? (?:alone|open|where (?:it|they) (?:was|were)|as (?:it|they) (?:was|were)|(?:in|on) (?:the|my) (?:inbox|list|calendar))(?: please)?[\s.!]*$|^(?:(?:hm+|oh|no|sorry|wait)[\s,]+)*(?:it|that|they) (?:isn't|is not|aren't|wasn't|hasn't|haven't)(?: been)?(?: done| finished| yet)*[\s.!]*$|^(?:(?:hm+|oh|no|sorry|wait|just kidding)[\s,]+)*(?:it|that|they)(?:'s|'re| is| are) not (?:actually |really )?(?:done|finished|ready)(?: yet)?[\s.!]*$/i;

const COUNTS: Record<string, number> = { both: 2, two: 2, three: 3, four: 4 };
const COUNT = new RegExp(`\\b(?:undo|revert|reverse|back|take) ${SEVERAL}`, "i");

/** How many messages are taken back: "undo the last two changes". */
export function stepsBack(message: string): number {
  const said = COUNT.exec(message)?.[0].toLowerCase() ?? "";
  const word = /\b(?:both|two|three|four|[234])\b/.exec(said)?.[0];
  return word === undefined ? 1 : (COUNTS[word] ?? Number(word));
}

/** "bring back the second one": of one record, not of the last change. */
const RESTORES_ONE = new RegExp(
  `${LEAD}(?:(?:bring|put|get) (?:back )?${REF}(?: back)?|(?:restore|un-?cancel|un-?delete|un-?do|revert) ${REF})${END}`.replace(
    /\(\?<ref>/,
    "(?<first>",
  ),
  "i",
);

export function restoredOne(message: string): string | null {
  const text = message.replaceAll("’", "'").trim();
  const found = RESTORES_ONE.exec(text)?.groups;
  const ref = found?.first ?? found?.ref ?? null;
  // "put it back to Friday" is a change, and "bring it back" means the last change.
  return ref !== null && /^(?:the |my )?(?:first|second|third|fourth|fifth|last|other)\b/i.test(ref) ? ref : null;
}

export function backIn(message: string): Back | null {
  const text = message.replaceAll("’", "'").trim();
  if (REDO.test(text)) return "redo";
  if (RESTORE.test(text)) return "restore";
  if (UNDO.test(text)) return "undo";
  return DOUBT.test(text) ? "doubt" : null;
}
