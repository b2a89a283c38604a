import { pairs } from "../../lib/words.ts";

const SHARED =
  "call|meeting|talk|chat|discussion|conversation|appointment|lunch|dinner|project|agreement|contract|plan|work|next|last|first|weekly|monthly|team";
const BEFORE_SUBJECT =
  /\b(?:whether|if|when|what|how|that|which|where|why|before|after|once|until|because|since|as|while|who|can|could|will|would|should|do|did|are|have|and|so|so that|everything|anything)$/i;
const VERB_AFTER =
  /^\s(?:can|could|will|would|should|may|might|must|have|had|are|were|need|want|think|agree|do|did|don't|like|prefer|see|know|get|got|plan|feel|find|receive|received|sent|send|finish|finished|decide|decided)\b/i;

const PLAIN = pairs(
  "me: you, my: your, mine: yours, myself: yourself, us: you, your: my, yours: mine, yourself: myself, i: you",
  "i'm: you are, i am: you are, i was: you were, i've: you have, i'll: you will, i'd: you would",
  "you're: I am, you are: I am, you were: I was, you've: I have, you'll: I will, you'd: I would",
);
const WORDS =
  /\b(?:i am|i was|you are|you were|i'm|i've|i'll|i'd|you're|you've|you'll|you'd|me|my|mine|myself|us|your|yours|yourself|i|you|our|we)\b/gi;

/** Rewrites a sentence of the sender for the reply: "send me your notes" → "send you my notes". */
export function swapPronouns(text: string): string {
  const plain = text.replaceAll("’", "'");
  return plain.replace(WORDS, (word, at: number) => {
    const key = word.toLowerCase();
    const before = plain.slice(Math.max(0, at - 30), at).trimEnd();
    const after = plain.slice(at + word.length, at + word.length + 30);
    if (key === "our") return new RegExp(`^\\s(?:${SHARED})\\b`, "i").test(after) ? word : "your";
    if (key === "we") return /^\s(?:meet|talk|speak|discuss|can meet|are meeting|agreed)\b/i.test(after) ? word : "you";
    if (key === "you") return VERB_AFTER.test(after) || BEFORE_SUBJECT.test(before) ? "I" : "me";
    return PLAIN.get(key) ?? word;
  });
}
