import { wordSet } from "../../lib/words.ts";

/** "Her" in "tell her that …" is the reader of the email being written. */
export type ReaderGroup = "him" | "her" | "them" | "any" | null;

const OTHER_PERSON =
  /\b(?:mum|mom|dad|mother|father|grandma|grandpa|sister|brother|son|daughter|wife|husband|boss|manager|doctors?|nurse|lawyer|assistant|colleagues?|friend|landlord|customer|client|teacher)\b|\b\p{Lu}\p{Ll}{1,20} (?:is|was|has|will|would|can|could|said|says|called|wants|wanted|needs|leads|takes|sent|asked)\b/u;

const PRONOUN =
  /\b(?:(he|she|they)(?:'(s|ll|d|re|ve)| ([a-z]+(?:n't)?))?|(him|her|them|his|hers|their|theirs|himself|herself|themselves))\b/gi;
const GROUPS = {
  him: wordSet("he him his himself"),
  her: wordSet("she her hers herself"),
  them: wordSet("they them their theirs themselves"),
  // "them" may as well be things.
  any: wordSet("he him his himself she her hers herself they their theirs themselves"),
} as const;

/**
 * Speaks to the reader: "he needs his keys" → "you need your keys". A pronoun stays if somebody else was named
 * before it and may be meant. Null if it is open whether an object is the reader or what is theirs.
 */
export function addressReader(text: string, group: ReaderGroup): string | null {
  const meant = group ? [GROUPS[group]] : [GROUPS.him, GROUPS.her];
  let isOpen = false;
  const said = text.replace(PRONOUN, (whole, subject, short, verb, other, at: number) => {
    const word = String(subject ?? other).toLowerCase();
    const isOther = OTHER_PERSON.test(text.slice(0, at));
    if (isOther && group && meant.some((words) => words.has(word))) {
      isOpen ||= /^(?:him|her|them)$/.test(word) && WRITER.test(text.slice(0, at));
    }
    if (isOther || !meant.some((words) => words.has(word))) return whole;
    if (subject) return spoken(short, verb);
    if (/^(?:his|their)$/.test(word)) return "your";
    if (/^(?:hers|theirs)$/.test(word)) return "yours";
    if (/sel(?:f|ves)$/.test(word)) return word === "themselves" ? "yourselves" : "yourself";
    if (word !== "her") return "you";
    const [before, after] = [text.slice(0, at), text.slice(at + whole.length)];
    const isOwner = OWNS.test(after) || SHARED.test(after);
    isOpen ||= isOwner && (GIVING.test(before) || (at > 0 && SHARED.test(after)));
    return isOwner ? "your" : "you";
  });
  return isOpen ? null : said;
}

/** "Her and my tickets" are hers and mine; in "I will call her and my sister" she is called. */
const SHARED = /^\s(?:and|or)\s(?:(?:my|our|his|your|their)\s\p{L}|\p{L}+['’]s\s\p{L})/iu;
/** "My boss is away and I will call him": what the writer does may be for the reader. */
const WRITER = /\b(?:i|we)(?:['’]ll)?\b[^,.;]{0,200}$/i;

/** "I will send her tickets" may mean tickets for her. */
const GIVING =
  /\b(?:i|we)(?:['’]ll)?\b[^,.;]{0,200}\b(?:send|sent|giv(?:e|ing)|gave|bring|brought|show|buy|bought|offer|hand|lend)(?:s|ing|ed)?\s$/i;

/** Words after "her" as an object: "call her on Monday". Before other words it is a possessive. */
const OWNS =
  /^\s(?!(?:a|an|the|that|this|to|on|in|at|by|for|from|with|when|if|whether|how|what|where|why|who|about|and|or|but|so|as|after|before|until|because|again|back|know|go|come|have|tomorrow|today|tonight|now|later|soon|then|too|up|out|off|over|is|was|will|can|not|my|our|your|some|any|all|it|them|us|me|next|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mail|\d+)\b)[\p{L}\d]/iu;

const SHORT: Record<string, string> = { s: "you are", re: "you are", ll: "you will", d: "you would", ve: "you have" };
const FORMS: Record<string, string> = {
  is: "are",
  was: "were",
  has: "have",
  does: "do",
  "isn't": "aren't",
  "wasn't": "weren't",
  "hasn't": "haven't",
  "doesn't": "don't",
};
const NOT_VERBS = wordSet("always perhaps sometimes as is this its plus less unless across");

function spoken(short: string | undefined, verb: string | undefined): string {
  if (short) return SHORT[short.toLowerCase()] ?? "you";
  if (!verb) return "you";
  const form = FORMS[verb.toLowerCase()];
  if (form) return `you ${form}`;
  const isThird = /[a-z]s$/i.test(verb) && !/ss$/i.test(verb) && !NOT_VERBS.has(verb.toLowerCase());
  if (!isThird) return `you ${verb}`;
  if (/ies$/i.test(verb)) return `you ${verb.slice(0, -3)}y`;
  return `you ${/(?:ch|sh|x|o|ss|z)es$/i.test(verb) ? verb.slice(0, -2) : verb.slice(0, -1)}`;
}
