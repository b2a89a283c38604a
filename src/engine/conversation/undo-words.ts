/** Whether a message takes something back: the last change, or what was taken back itself. */
export type Back = "undo" | "redo" | "restore" | "doubt";

const LEAD =
  "^(?:(?:oh|oops|ah|argh|ups|sorry|whoops|hmm|actually|please|ok|okay|no+|nope|wait|hold on|stop|never ?mind|well|now|and|my mistake|my bad|can you|could you)\\b[\\s,.!…-]*)*";
const THAT =
  "(?:it|that|this|them|those|these|everything|all(?: of (?:it|that|them|this))?|what you did|the (?:last|previous) (?:\\w+ )?(?:one|change|thing|action|step|move|task|event|email|meeting|cancellation|deletion)s?)";
const END = "(?: (?:please|again|instead|then|now|for me|to (?:my|the) (?:list|calendar|inbox|tasks)))*[\\s.!?]*$";
const pattern = (words: string) => new RegExp(`${LEAD}(?:${words})${END}`, "i");

const UNDO = pattern(
  `(?:undo|revert|reverse|roll ?back)(?: ${THAT})?|take ${THAT} back|un-?(?:cancel|delete|archive|complete|do|mark|snooze|move) ${THAT}|change ${THAT} back|(?:that|this|it) was (?:a |my )?(?:mistake|wrong|an? accident|not what i (?:meant|wanted))|i did(?:n't| not) (?:mean|want) (?:to do )?(?:that|this|it)|scratch that|scrap that|forget (?:it|that)|put ${THAT} back (?:how|where|as|the way) (?:it|they) (?:was|were)(?: before)?`,
);
const RESTORE = pattern(`(?:bring|put|get|give|want) (?:me )?${THAT} back|restore ${THAT}|i want ${THAT} back`);
const REDO = pattern(
  `redo(?: ${THAT})?|do (?:it|that) again|undo (?:the|that) undo|(?:no,? )?keep (?:it|that|the change)`,
);
/** After a change that is to be taken back; otherwise only hesitation. */
const DOUBT =
  /^(?:(?:no|oh no|oops|wait)[\s,!.]+)+(?:wait|no|stop|hold on|not that|don't)?[\s.!]*$|^(?:no wait|wait no|oops|hold on|not that one)[\s.!]*$/i;

export function backIn(message: string): Back | null {
  const text = message.replaceAll("’", "'").trim();
  if (REDO.test(text)) return "redo";
  if (RESTORE.test(text)) return "restore";
  if (UNDO.test(text)) return "undo";
  return DOUBT.test(text) ? "doubt" : null;
}
