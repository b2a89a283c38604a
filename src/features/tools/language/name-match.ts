import { wordSet } from "../../../lib/words.ts";

/** Words for a kind of record; they do not identify one. */
const KINDS = wordSet(
  "meeting meetings event events appointment appointments call calls task tasks todo reminder reminders item items thing things session sessions slot slots block blocks booking entry one calendar schedule day list",
);
const EMPTY = wordSet(
  "a an the my our your his her with to for of on at in and from about that this is it me i as off please next upcoming do mr mrs ms miss dr prof back forward forwards already now again too we i've into onto out up down over away instead then saying called named please thanks",
);
/** Articles of other languages. One alone is a name: Una. */
const ARTICLES = wordSet("der die das den dem ein eine mein meine le la les un une mon ma el los las una mi");
const MIN_SHARE = 0.6;

function wordsOfName(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .replace(/'s\b/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word) && (words.length === 1 || !ARTICLES.has(word)));
}

/** The words that identify a record; empty if only its kind is named. */
export function tellingWords(text: string): string[] {
  return wordsOfName(text).filter((word) => !KINDS.has(word));
}

const MOST_WORDS = 20;
const MOST_CHARACTERS = 150;

/** The telling words of a text as a search takes them: the first ones of a long text, each once. */
export function searchWords(text: string): string[] {
  const words = [...new Set(tellingWords(text))].slice(0, MOST_WORDS);
  while (words.join(" ").length > MOST_CHARACTERS) words.pop();
  return words;
}

/**
 * The records that the words fit best, all of those that fit equally well. A record must have most of the
 * telling words; without any, every record of which the kind is named fits, or else every record.
 */
export function bestMatches<Item>(words: string, items: readonly Item[], namesOf: (item: Item) => string[]): Item[] {
  const wanted = tellingWords(words);
  const kinds = wordsOfName(words).filter((word) => KINDS.has(word));
  const scored = items.map((item) => {
    const names = namesOf(item).flatMap(wordsOfName);
    const has = (word: string) => Math.max(0, ...names.map((name) => likeness(word, name)));
    const share = wanted.length === 0 ? 1 : wanted.reduce((sum, word) => sum + has(word), 0) / wanted.length;
    const named = kinds.filter((word) => has(word) > 0).length;
    // If two records have all the words, the one without other words is meant.
    const isWhole = wanted.length > 0 && share === 1 && names.length === wanted.length + named;
    return { item, score: share + named * 0.01 + (isWhole ? 0.05 : 0), share };
  });
  const fitting = scored.filter(({ share }) => share >= MIN_SHARE);
  const best = Math.max(...fitting.map(({ score }) => score));
  return fitting.filter(({ score }) => score > best - 0.005).map(({ item }) => item);
}

/** Whether the words only name whom an event is with: "Mum", of "Lunch with Mum". */
export function isOnlyGuest(words: string, title: string): boolean {
  const [what = "", ...guests] = title.split(/\bwith\b/i);
  return guests.length > 0 && shareOf(words, [what]) === 0;
}

/** How many of the telling words these names have, from 0 to 1. */
export function shareOf(words: string, names: readonly string[]): number {
  const wanted = tellingWords(words);
  const known = names.flatMap(wordsOfName);
  const sum = wanted.reduce((total, word) => total + Math.max(0, ...known.map((name) => likeness(word, name))), 0);
  return wanted.length === 0 ? 0 : sum / wanted.length;
}

/** Words for the same thing: "the school one" may be from "Oakfield Primary". */
const KIN: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "school primary academy nursery preschool kindergarten college",
    "doctor doctors doc dr gp surgery clinic",
    "dentist dental orthodontist",
    "fly flying flight flights airline airlines",
    "hairdresser hair haircut barber salon",
    "vet veterinary vets",
    "optician opticians optometrist",
    "mum mom mother",
    "dad father",
    "invoice bill",
    "delivery parcel package",
    "newsletter digest",
  ].flatMap((line) => line.split(" ").map((word, at, all) => [word, all.toSpliced(at, 1)] as const)),
);

export const relatedWords = (word: string): readonly string[] => KIN.get(word) ?? [];

/** 1 for the same word or another form of it, less for a prefix or a misspelling, otherwise 0. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  if (relatedWords(a).includes(b)) return 0.8;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.startsWith(short) && long.length - short.length <= 3) return 0.95;
  // "The bank" may be "Nordbank".
  if (short.length >= 4 && long.length - short.length <= 6 && long.endsWith(short)) return 0.8;
  const stem = Math.max(4, short.length - 3);
  if (short.length >= 5 && long.length - short.length <= 3 && long.startsWith(short.slice(0, stem))) return 0.85;
  return short.length >= 5 && isOneSlip(short, long) ? 0.8 : 0;
}

function isOneSlip(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return long.slice(at + 1) === short.slice(at);
  const isSwap = short[at] === long[at + 1] && short[at + 1] === long[at];
  return long.slice(at + 1) === short.slice(at + 1) || (isSwap && long.slice(at + 2) === short.slice(at + 2));
}
