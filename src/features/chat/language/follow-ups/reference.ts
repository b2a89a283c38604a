/** What a person calls something that was just shown or changed. */
export interface Reference {
  /** Which of the records: the n-th (from 0), the last, the first or last few, the other one, all, or the only one. */
  which:
    | { at: number }
    | { first: number }
    | { last: number }
    | { every: number }
    | "other"
    | "rest"
    | "all"
    | "both"
    | "one";
  /** The kind of record, if it is named. */
  kind: "task" | "event" | "email" | "draft" | "slot" | null;
  /** "the call": a word that may be part of its name. */
  noun?: string;
}

const NOUN =
  "(?:ones?|tasks?|to-?dos?|events?|e-?mails?|mails?|messages?|meetings?|items?|things?|appointments?|calls?|drafts?|reminders?|slots?|times?|newsletters?|options?|entry|replies|reply|invite)";
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const NUMBERS = ["", "one", "two", "three", "four", "five", "six"];
const COUNT = "(?:two|three|four|five|six|\\d)";

/** A reference, as the source of a pattern: the group is called `ref`. */
export const REF =
  `(?<ref>(?:the |my |that |this )?(?:${ORDINALS.join("|")}|last|other|1st|2nd|3rd|\\dth)(?: ${COUNT})?(?: ${NOUN})?(?: of (?:them|those|these))?` +
  `|(?:the )?both(?: of (?:them|these|those))?(?: ${NOUN})?|all (?:of )?(?:the )?(?:them|these|those|${COUNT})(?: of (?:them|these|those))?(?: ${NOUN})?|all` +
  `|(?:all )?the (?:rest|others|remaining (?:ones?|${COUNT}|${NOUN}))(?: of (?:them|those|these))?|(?:every|each) (?:single )?(?:one )?of (?:them|these|those)(?: [a-z]+s)?|them(?: all| both)?|(?:these|those)(?: ${COUNT})?(?: ${NOUN})?|they|everything|the (?:whole |entire )?(?:lot|series)|the (?:whole|entire) thing|mine|(?:it|that|this)(?= |$|')(?: ${NOUN}\\b)?|its` +
  `|(?:her|his|their) (?:last |latest )?(?:e-?mail|mail|message|reply)|(?:the|my) (?:task|event|meeting|email|mail|message|appointment|call|draft|reminder|newsletter|reply)|hers|theirs|his(?=$| (?:to|until|till|as|and|with|under|away|in|into|on|out|off|back|for|too|please)\\b)|the original(?: (?:one|e-?mail|mail|message))?|(?:number|no\\.?|#) ?\\d)`;

const KINDS: readonly [RegExp, Reference["kind"]][] = [
  [/\b(?:tasks?|to-?dos?|reminders?)$/, "task"],
  [/\b(?:events?|meetings?|appointments?|calls?)$/, "event"],
  [/\b(?:e-?mails?|mails?|messages?|newsletters?|original(?: one)?)$/, "email"],
  [/\b(?:drafts?|reply|replies)$/, "draft"],
  [/\b(?:slots?|times?)$/, "slot"],
];

export function readReference(words: string): Reference {
  const text = words.toLowerCase().trim();
  const kind = KINDS.find(([shape]) => shape.test(text))?.[1] ?? null;
  const noun = /\b(?:call|meeting|appointment|newsletter|reply)$/.exec(text)?.[0];
  return { which: whichIn(text), kind, ...(noun && { noun }) };
}

function whichIn(text: string): Reference["which"] {
  if (/\b(?:rest|others|remaining)\b/.test(text) || new RegExp(`\\bother (?:${COUNT}|ones)\\b`).test(text))
    return "rest";
  if (/\bboth\b/.test(text)) return "both";
  const word = new RegExp(`\\b(?:first|last|these|those|all)\\b.{0,200}?\\b(${COUNT})\\b`).exec(text)?.[1];
  const count = word === undefined ? 0 : Math.max(NUMBERS.indexOf(word), Number(word) || 0);
  if (count > 1) {
    return /\blast\b/.test(text) ? { last: count } : /\bfirst\b/.test(text) ? { first: count } : { every: count };
  }
  if (/\bother\b/.test(text)) return "other";
  const at = ORDINALS.findIndex((ordinal) => new RegExp(`\\b${ordinal}\\b`).test(text));
  if (at >= 0) return { at };
  const digit = /(\d)(?:st|nd|rd|th)?\b/.exec(text)?.[1];
  if (digit) return { at: Number(digit) - 1 };
  if (/\blast\b/.test(text)) return { at: -1 };
  return /\b(?:all|them|these|those|they|everything|lot)\b/.test(text) ? "all" : "one";
}

/** Those of the records that are meant; null if the words fit more than one, or none. */
export function referred<Item>(which: Reference["which"], items: readonly Item[]): Item[] | null {
  if (which === "all" || which === "rest") return items.length > 0 ? [...items] : null;
  if (which === "both") return items.length === 2 ? [...items] : null;
  if (which === "one" || which === "other") return items.length === 1 ? [...items] : null;
  if ("every" in which) return items.length === which.every ? [...items] : null;
  if ("first" in which) return items.length >= which.first ? items.slice(0, which.first) : null;
  if ("last" in which) return items.length >= which.last ? items.slice(-which.last) : null;
  const item = items.at(which.at);
  return item === undefined ? null : [item];
}

/** A pattern may name its groups more than once: each gets a number. */
export function numbered(source: string): string {
  const counts = new Map<string, number>();
  return source.replace(/\(\?<(\w+)>/g, (_, name: string) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `(?<${name}${count === 0 ? "" : `_${count}`}>`;
  });
}

/** The groups that took part, by their names without a number. */
export function groupsOf(found: RegExpExecArray): Record<string, string | undefined> {
  const given = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name.replace(/_\d+$/, ""), value]));
}
