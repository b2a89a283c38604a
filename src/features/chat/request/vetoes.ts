import { wordSet } from "../../../lib/words.ts";
import { remindsOfNew, wordsOf } from "./exact.ts";

/*
 * Signs that a message wants nothing changed, whatever it was read as: words of closed classes that begin a question,
 * a denial or a condition.
 */

const LEADS = wordSet(
  "and but so well ok okay hey hi oh please then also um und aber also bitte et mais alors y pero entonces",
);
const ASKS = wordSet(
  "should shall is are am was were do does did has had when what what's where who whose why which how whether isn't aren't didn't soll sollte ist sind war wann was wo wer wem warum welche welcher wie dois devrais est sont quand quoi où qui pourquoi quel quelle comment debo debería es son está cuándo cuando qué dónde quién por cómo cuál",
);
const DENIES = wordSet("don't dont never not nicht niemals kein keine ne jamais nunca");
const CONDITIONS = wordSet("if unless suppose imagine falls wenn sofern si sauf");
/** "if possible", "if you can" */
const COURTEOUS = wordSet("possible you not poss möglich du nicht possible tu vous posible puedes");

/** "Tom said he would …" */
const SAYS = wordSet(
  "said says told tells thinks thought reckons mentioned claims claimed suggested suggests asked wonders meinte meint sagte sagt dit disait pense dijo dice cree",
);
const SELF = wordSet("i we you please ich wir du je nous tu yo nosotros");
const NEVER_SAID =
  /\b(?:never|didn't|did not|haven't|nie|nicht|jamais|nunca)\s+(?:said|say|asked|ask|told|tell|wanted|meant|gesagt|dit|dije)\b/i;
/** What somebody cannot do is told; what is to be done about it is not. */
const UNABLE =
  /\b(?:won't be able|not be able|unable|can't make|cannot make|can't come|cannot come|schaffe? es nicht)\b/i;

type Veto = "question" | "denial" | "condition" | "reported" | "told";

export function vetoOf(text: string): Veto | null {
  const words = wordsOf(text);
  const at = words.findIndex((word) => !LEADS.has(word));
  const [first = "", second = ""] = words.slice(Math.max(0, at));
  if (remindsOfNew(text)) return null;
  if (CONDITIONS.has(first) && !COURTEOUS.has(second)) return "condition";
  if (DENIES.has(first) || (first === "do" && second === "not")) return "denial";
  if (NEVER_SAID.test(text)) return "denial";
  if (SAYS.has(second) && !SELF.has(first) && !ASKS.has(first) && !POLITE.test(text)) return "reported";
  if (UNABLE.test(text) && !POLITE.test(text)) return "told";
  const isPolite = second === "you" || second === "me";
  return ASKS.has(first) && !isPolite ? "question" : null;
}

/** Whether the words ask something, and do not ask politely for a change. */
export const isQuestion = (text: string): boolean =>
  vetoOf(text) === "question" || (text.endsWith("?") && !POLITE.test(text));

/** Whether the words ask somebody to do something: "could you …". */
export const isPolite = (text: string): boolean => POLITE.test(text);

const POLITE =
  /\b(?:can|could|would|will|kannst|könntest|würdest|peux|pourrais|puedes|podrías)[ -](?:you|du|tu|vous)\b|^(?:puedes|podrías|please)\b/i;
