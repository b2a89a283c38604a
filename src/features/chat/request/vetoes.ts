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

export type Veto = "question" | "denial" | "condition";

export function vetoOf(text: string): Veto | null {
  const words = wordsOf(text);
  const at = words.findIndex((word) => !LEADS.has(word));
  const [first = "", second = ""] = words.slice(Math.max(0, at));
  if (remindsOfNew(text)) return null;
  if (CONDITIONS.has(first) && !COURTEOUS.has(second)) return "condition";
  if (DENIES.has(first) || (first === "do" && second === "not")) return "denial";
  const isPolite = second === "you" || second === "me";
  return ASKS.has(first) && !isPolite ? "question" : null;
}

/** Whether the words ask something, and do not ask politely for a change. */
export const isQuestion = (text: string): boolean =>
  vetoOf(text) === "question" || (text.endsWith("?") && !POLITE.test(text));

const POLITE =
  /\b(?:can|could|would|will|kannst|könntest|würdest|peux|pourrais|puedes|podrías)[ -](?:you|du|tu|vous)\b|^(?:puedes|podrías|please)\b/i;
