import { pairs } from "../../lib/words.ts";

const SHARED =
  "call|meeting|talk|chat|discussion|conversation|appointment|lunch|dinner|project|agreement|contract|plan|work|next|last|first|weekly|monthly|team";
const BEFORE_SUBJECT =
  /\b(?:whether|if|when|what|how|that|which|where|why|before|after|once|until|because|since|as|while|who|can|could|will|would|should|do|did|are|have|and|so|so that|everything|anything)$/i;
const VERB_AFTER =
  /^\s(?:can|could|will|would|should|may|might|must|have|had|are|were|need|want|think|agree|do|did|don't|like|prefer|see|know|get|got|plan|feel|find|receive|received|sent|send|finish|finished|decide|decided)\b/i;

/** Whether the "you" between these words does something: "what you think", not "call you". */
function isSubject(before: string, after: string): boolean {
  return VERB_AFTER.test(after) || BEFORE_SUBJECT.test(before);
}

const TOLD =
  /\b(?:i am|i was|i have|i do|i don't|i'm|i've|i'll|i'd|i((?: (?:just|also|still|really))? [a-z']+)?|you are|you were|you're|you've|you'll|you'd|you|me|us|my|mine|our|ours|your|yours|yourself|yourselves|myself)\b/gi;
const READER = pairs(
  "you are: I am, you were: I was, you're: I am, you've: I have, you'll: I will, you'd: I would",
  "your: my, yours: mine, yourself: myself, yourselves: ourselves",
);
const SENDER = pairs(
  "i am: is, i was: was, i have: has, i do: does, i don't: doesn't, i'm: is, i've: has, i'll: will, i'd: would",
);
const SENDERS = pairs(
  "i am: are, i was: were, i have: have, i do: do, i don't: don't, i'm: are, i've: have, i'll: will, i'd: would",
);
const UNCHANGED =
  /^(?:can|could|will|would|shall|should|may|might|must|had|was|did|were|cannot|can't|won't|couldn't|wouldn't|\w+ed|sent|got|made|told|said|wrote|gave|took|met|saw|found|left|lost|paid|bought|and|or|to|in|on|at)$/i;

/**
 * Rewrites a request of the sender as the reader's own: "send me your notes" from Carl → "send Carl my notes". Without
 * a name the sender becomes "them".
 */
export function asOwnTask(text: string, sender: string | null): string {
  let isNamed = false;
  const named = (name: string, other: string) => {
    if (!sender || isNamed) return other;
    isNamed = true;
    return name;
  };
  const plain = text.replaceAll("’", "'");
  return plain.replace(TOLD, (whole: string, said: string | undefined, at: number) => {
    const key = whole.toLowerCase();
    const after = plain.slice(at + whole.length, at + whole.length + 30);
    if (key === "you") return isSubject(plain.slice(Math.max(0, at - 30), at).trimEnd(), after) ? "I" : "me";
    const own = READER.get(key);
    if (own !== undefined) return own;
    if (key === "me" || key === "us") {
      isNamed = true;
      return sender ?? "them";
    }
    if (key === "myself") return "themselves";
    if (key === "mine" || key === "ours") return named(`${sender}'s`, "theirs");
    if (key === "our" && new RegExp(`^\\s(?:${SHARED})\\b`, "i").test(after)) return whole;
    if (key === "my" || key === "our") return named(`${sender}'s`, "their");
    const subject = named(sender ?? "", "they");
    const verb = (subject === "they" ? SENDERS : SENDER).get(key);
    if (verb !== undefined) return `${subject} ${verb}`;
    if (said === undefined) return subject;
    const changes = subject !== "they" && !UNCHANGED.test(said.trim().split(" ").at(-1) ?? "");
    return `${subject}${changes ? thirdPerson(said) : said}`;
  });
}

/** "need" → "needs". */
function thirdPerson(verb: string): string {
  if (/^(?:go|do)$|(?:s|x|z|ch|sh)$/i.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/i.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}
