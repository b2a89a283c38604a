import { type Clock, datesIn } from "../../../../engine/notes/message-time.ts";

/** A word of a message, or a whole phrase about time. */
export interface Token {
  /** In lower case; `<time>`, `<date>`, `<length>` or `<address>` for a phrase of that kind. */
  word: string;
  start: number;
  end: number;
  /** It is written with a capital letter inside a sentence, like a name. */
  isName: boolean;
}

const MAX_CHARACTERS = 300;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*|[?!,.;:"“”()]/gu;
const ADDRESS = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const NUMBER = /^\p{N}/u;

/** The words of a message. Phrases about time are one token each, so that all times look alike. */
export function tokensOf(message: string, clock: Clock): Token[] {
  const text = message.slice(0, MAX_CHARACTERS);
  const phrases = [
    ...[...text.matchAll(ADDRESS)].map(({ index, 0: found }) => ({
      word: "<address>",
      start: index,
      end: index + found.length,
    })),
    ...datesIn(text, clock).map(({ type, start, end }) => ({ word: kindOf(type), start, end })),
  ].sort((a, b) => a.start - b.start);
  const tokens: Token[] = [];
  let at = 0;
  const addWords = (until: number) => {
    for (const { index, 0: found } of text.slice(at, until).matchAll(WORD))
      tokens.push(wordAt(text, at + index, found));
  };
  for (const phrase of phrases) {
    if (phrase.start < at) continue;
    addWords(phrase.start);
    tokens.push({ ...phrase, isName: false });
    at = phrase.end;
  }
  addWords(text.length);
  return tokens;
}

function kindOf(type: string): string {
  if (type === "duration") return "<length>";
  if (type === "set") return "<often>";
  return type === "date" || type === "daterange" ? "<date>" : "<time>";
}

function wordAt(text: string, start: number, found: string): Token {
  const before = text.slice(0, start).trimEnd();
  const isBegin = before === "" || /[.!?:]$/.test(before);
  return {
    word: NUMBER.test(found) ? "0" : found.toLowerCase().replaceAll("’", "'"),
    start,
    end: start + found.length,
    isName: !isBegin && /^\p{Lu}/u.test(found) && !/^I(?:'\w+)?$/.test(found),
  };
}
