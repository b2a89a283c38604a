import { type Clock, datesIn } from "../../../engine/notes/message-time.ts";
import { classesOf } from "./word-classes.ts";

/** A word of a message, a whole phrase about time, an address, or text in quotation marks. */
export interface Token {
  /** In lower case, without accents; `<time>`, `<date>`, `<past>`, `<length>`, `<often>`, `<address>` or `<quote>` for a phrase of that kind. */
  word: string;
  /** What work the word does, the main one first. */
  classes: readonly string[];
  start: number;
  end: number;
  /** It is written with a capital letter inside a sentence, like a name. */
  isName: boolean;
  /** The first word of a phrase about time: "by Friday" is not "until Friday". */
  first?: string;
}

/** What follows is not read. */
const MAX_CHARACTERS = 1000;
/** A French article or pronoun that lost its vowel is a word: l'école. */
const WORD = /(?:[cdjlmnst]|qu)['’](?=\p{L}{2})|[\p{L}\p{N}]+(?:['’][\p{L}]+)*|[?!,.;:()]|(?<=\s)[-–—](?=\s)|→/giu;
const ADDRESS = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const QUOTE = /"[^"\n]{1,300}"|[“„][^“”„\n]{1,300}[”“]|«[^«»\n]{1,300}»/g;
const NUMBER = /^\p{N}/u;

interface Phrase {
  word: string;
  start: number;
  end: number;
  first?: string;
}

/** The words of a message. Phrases about time are one token each, so that all times look alike. */
export function tokensOf(message: string, clock: Clock): Token[] {
  const text = message.slice(0, MAX_CHARACTERS);
  const tokens: Token[] = [];
  let at = 0;
  const addWords = (until: number) => {
    for (const { index, 0: found } of text.slice(at, until).matchAll(WORD))
      tokens.push(wordAt(text, at + index, found));
  };
  for (const phrase of phrasesIn(text, clock)) {
    if (phrase.start < at) continue;
    addWords(phrase.start);
    tokens.push({ ...phrase, classes: [], isName: false });
    at = phrase.end;
  }
  addWords(text.length);
  return tokens;
}

/** In order; of two that overlap, text in quotation marks comes first. */
function phrasesIn(text: string, clock: Clock): Phrase[] {
  const found = (word: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ word, start: index, end: index + length }));
  const quotes = found("<quote>", QUOTE);
  const others = [
    ...found("<address>", ADDRESS),
    ...datesIn(text, clock).map(({ type, start, end, to, from }) => ({
      word: kindOf(type, (to ?? from ?? clock.reference) < clock.reference),
      start,
      end,
      first: plain(/^\p{L}+/u.exec(text.slice(start, end))?.[0] ?? "0"),
    })),
  ].filter(({ start, end }) => !quotes.some((quote) => start < quote.end && end > quote.start));
  return [...quotes, ...others].sort((a, b) => a.start - b.start);
}

function kindOf(type: string, isPast: boolean): string {
  if (type === "duration") return "<length>";
  if (type === "set") return "<often>";
  if (isPast) return "<past>";
  return type === "date" || type === "daterange" ? "<date>" : "<time>";
}

/** In lower case and without accents, as many people write. */
const plain = (word: string) => word.toLowerCase().replaceAll("’", "'").normalize("NFD").replace(/\p{M}/gu, "");

function wordAt(text: string, start: number, found: string): Token {
  const before = text.slice(Math.max(0, start - 20), start).trimEnd();
  const isBegin = before === "" || /[.!?:]$/.test(before);
  const word = NUMBER.test(found) ? "0" : plain(found);
  return {
    word,
    classes: classesOf(word),
    start,
    end: start + found.length,
    isName: !isBegin && /^\p{Lu}/u.test(found) && !/^I(?:'\w+)?$/.test(found),
  };
}
