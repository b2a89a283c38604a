import { assertType } from "../../lib/cast.ts";
import type { DateHabits } from "../../lib/date-habits.ts";
import type { Wall } from "../../lib/time-zone.ts";
import type { Zone } from "./zone.ts";

/** A run of letters, a run of digits, or one other character, with its offsets in the text. */
export interface Token {
  kind: "word" | "number" | "mark";
  text: string;
  lower: string;
  start: number;
  end: number;
  /** The value of a run of up to eight digits, otherwise -1. */
  value: number;
  /** White space stands before it. */
  gap: boolean;
  /** A line break stands before it. */
  line: boolean;
}

/** Returned for an index past either end; it matches no rule. */
const NOTHING: Token = { kind: "mark", text: "", lower: "", start: 0, end: 0, value: -1, gap: true, line: true };

/** The token for a blank line: no rule reads across it. */
export const PARAGRAPH = "\n\n";

const LETTER = 1;
const DIGIT = 2;
const SPACE = 3;
const BREAK = 4;
const OTHER = 5;

function classOf(code: number): number {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 10 || code === 13) return BREAK;
  if (code === 32 || code === 9 || code === 160 || code === 0x202f || code === 0x2009) return SPACE;
  if (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7) return LETTER;
  return OTHER;
}

const isApostrophe = (code: number) => code === 39 || code === 0x2019;

/** One string object per spelling: rules compare words very often, and identical objects compare fastest. */
const spellings = new Map<string, string>();
const MAX_SPELLINGS = 20_000;

function folded(piece: string): string {
  const known = spellings.get(piece);
  if (known !== undefined) return known;
  const lower = piece.toLowerCase().replaceAll("’", "'");
  const [key = lower] = Object.keys({ [lower]: 0 });
  if (spellings.size < MAX_SPELLINGS && piece.length < 20) spellings.set(piece, key);
  return key;
}

/** Splits a text in one pass. An apostrophe between letters belongs to the word ("o'clock"). */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const { length } = text;
  let at = 0;
  let gap = true;
  let breaks = 0;
  while (at < length) {
    const start = at;
    const kind = classOf(text.charCodeAt(at));
    at += 1;
    if (kind === SPACE || kind === BREAK) {
      gap = true;
      const code = text.charCodeAt(start);
      if (kind === BREAK && !(code === 10 && start > 0 && text.charCodeAt(start - 1) === 13)) breaks += 1;
      continue;
    }
    if (breaks > 1) tokens.push({ ...NOTHING, text: PARAGRAPH, lower: PARAGRAPH, start, end: start });
    if (kind === LETTER) {
      while (at < length) {
        const code = text.charCodeAt(at);
        if (classOf(code) === LETTER) at += 1;
        else if (isApostrophe(code) && at + 1 < length && classOf(text.charCodeAt(at + 1)) === LETTER) at += 2;
        else break;
      }
    } else if (kind === DIGIT) {
      while (at < length && classOf(text.charCodeAt(at)) === DIGIT) at += 1;
    }
    const piece = text.slice(start, at);
    const name = kind === LETTER ? "word" : kind === DIGIT ? "number" : "mark";
    const lower = name === "word" ? folded(piece) : piece;
    const value = name === "number" && piece.length <= 8 ? Number(piece) : -1;
    tokens.push({ kind: name, text: piece, lower, start, end: at, value, gap, line: breaks > 0 });
    gap = false;
    breaks = 0;
  }
  return tokens;
}

/** The input of every rule: the tokens, the current time and the results of other rules. */
export interface Input {
  tokens: readonly Token[];
  /** The local time in the requested zone, in milliseconds as if it were UTC. */
  now: number;
  /** Midnight of that day. */
  today: number;
  /** How the person writes dates and times. */
  habits: DateHabits;
  /** Whether a local time has passed in a zone, by default the requested one. */
  hasPassed(wall: Wall, zone: Zone | null): boolean;
  /** Results by rule and token: several rules ask for the same day or length at one token. */
  results: Map<string, unknown[]>;
}

/** The ISO weekday on which the person's week begins. */
export const weekStartOf = ({ habits }: Input): number => habits.weekStart ?? 1;

/** Makes a rule run once per token; its result must depend on nothing but the token. */
export function once<T>(
  name: string,
  read: (input: Input, at: number) => T | null,
): (input: Input, at: number) => T | null {
  return (input, at) => {
    let list = input.results.get(name);
    if (!list) {
      // Its length is given at once: an array that is filled here and there becomes a slow one.
      list = new Array<unknown>(input.tokens.length);
      input.results.set(name, list);
    }
    const known = list[at];
    if (known !== undefined) return assertType<T | null>(known);
    const value = read(input, at);
    list[at] = value;
    return value;
  };
}

export function tokenAt(input: Input, index: number): Token {
  return input.tokens[index] ?? NOTHING;
}

export function wordAt(input: Input, index: number): string {
  const token = input.tokens[index];
  return token ? token.lower : "";
}

export function numberAt(input: Input, index: number): number {
  return input.tokens[index]?.value ?? -1;
}

/** Whether a sentence begins behind this word. */
export const isSentenceStart = (before: string) => before === PARAGRAPH || /^[.!?]?$/.test(before);

/** Whether the token touches the one before it. */
export function glued(input: Input, index: number): boolean {
  const token = input.tokens[index];
  return token !== undefined && !token.gap;
}

/** The index after the token if it is one of these words, otherwise its own index. */
export function skip(input: Input, index: number, ...words: readonly string[]): number {
  return words.includes(wordAt(input, index)) ? index + 1 : index;
}

/** Phrases for `anyPhraseAt`, written as one line: "end of day|close of business". */
export const phrases = (text: string): readonly (readonly string[])[] =>
  text.split("|").map((phrase) => phrase.split(" "));

/** The index after these words if they start at this token, otherwise -1. */
export function phraseAt(input: Input, index: number, words: readonly string[]): number {
  for (let offset = 0; offset < words.length; offset += 1) {
    if (wordAt(input, index + offset) !== words[offset]) return -1;
  }
  return index + words.length;
}

/** The index after the first of these phrases that starts at this token, otherwise -1. */
export function anyPhraseAt(input: Input, index: number, options: readonly (readonly string[])[]): number {
  for (const phrase of options) {
    const end = phraseAt(input, index, phrase);
    if (end > 0) return end;
  }
  return -1;
}
