import { wordSet } from "../../../lib/words.ts";
import { exactly, wordsOf } from "./exact.ts";
import { exceptIn, referenceIn } from "./reference.ts";

/* A message that answers, and then says more: "yes, and remind me to …", "no, Friday at 6". */

interface Answered {
  /** A soft yes may only begin the sentence: "ok, what is on tomorrow?" */
  said: "yes" | "soft yes" | "no";
  /** The message without its answer. */
  rest: string;
  /** A sentence or a conjunction parts them, so that the rest is a wish of its own. */
  isParted: boolean;
}

const YES = wordSet("yes yep yeah yup ye yea aye ja oui ouais sí");
const NO =
  /^(?:(?:hmm?|oh|ah|er|um)[\s,]+)?(?:no{1,9}|nope|nah|naw|nein|nee|non)(?:[\s,]+(?:sorry|wait|no))?(?![\p{L}'-])/iu;
/** These begin what is said next as often as they agree. */
const SOFT = wordSet("ok okay right alright all fine well so good great please");
/** With one of these, words that only agree are a yes: "that wording will do". */
const AGREES = wordSet(
  "yes yep yeah yup ye yea aye sure right correct exactly fine acceptable agreed works do go goes",
);
const AROUND = wordSet(
  "that that's this it it's is will would by me for with quite basically all very well really just wording text so please thanks thank you perfectly absolutely",
);
const LONGEST = 6;
const BREAK = /[.!;,:]\s|\s(?=(?:and|n|but|then|und|dann|et|puis|y|luego)\s)/giu;
const LONGEST_ANSWER = 80;
const JOINS = /^(?:and|n|then|und|dann|et|puis|y|luego)[\s,]+/iu;
/** What follows says to how much of it, or when, the yes is meant. */
const LIMITS = wordSet("but only just not except without if when unless once after as to");
export const isLimited = (words: readonly string[]) => words.some((word) => LIMITS.has(word));

function isAssent(text: string): boolean {
  const exact = exactly(text, { isAsked: true, isWritten: false });
  if (exact === "yes" || exact === "send") return true;
  const words = wordsOf(text);
  const isAgreeing = words.length <= LONGEST && words.every((word) => AGREES.has(word) || AROUND.has(word));
  return isAgreeing && words.length > 1 && words.some((word) => AGREES.has(word));
}

/** The answer that a message begins with; null if it begins with none, or says nothing more. */
export function answerAndMore(message: string): Answered | null {
  const no = NO.exec(message)?.[0];
  if (no !== undefined) {
    const rest = message.slice(no.length).replace(/^[\s,.!;:–-]+/, "");
    // "No, that's fine" is a no.
    return rest === "" || isAssent(rest) ? null : { said: "no", rest, isParted: false };
  }
  const found = [...message.slice(0, LONGEST_ANSWER).matchAll(BREAK)]
    .filter(({ index }) => isAssent(message.slice(0, index)))
    .at(-1);
  const [first = ""] = message.split(/[\s,.!]/, 1);
  const isPlain = YES.has(first.toLowerCase());
  const end = found ? found.index + found[0].length : isPlain ? first.length : 0;
  const behind = message.slice(end).replace(/^[\s,.!;:–-]+/, "");
  const rest = behind.replace(JOINS, "");
  const isSentence = found !== undefined && /[.!;]/.test(found[0]);
  const isParted = isSentence || rest !== behind;
  const which = referenceIn(rest)?.which ?? "one";
  const isOfPart = !isParted && which !== "one" && which !== "them";
  const isForPart = isOfPart || isLimited(wordsOf(rest).slice(0, 1)) || exceptIn(rest) !== null;
  if (end === 0 || rest === "" || isForPart) return null;
  const isSoft = wordsOf(message.slice(0, end)).every((word) => SOFT.has(word));
  // "Send, and …" says it plainly.
  const isSend = exactly(message.slice(0, end), { isAsked: true, isWritten: false }) === "send";
  return { said: isPlain || isSend || (isSentence && !isSoft) ? "yes" : "soft yes", rest, isParted };
}
