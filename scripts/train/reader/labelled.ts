import type { Clock } from "../../../src/engine/notes/message-time.ts";
import { type Token, tokensOf } from "../../../src/features/chat/language/reader/tokens.ts";

/** Messages are read as if it were then. */
export const CLOCK: Clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };

export interface Span {
  slot: string;
  start: number;
  end: number;
}

export interface Wish {
  act: string;
  /** Of the message's tokens: the first, and the one after the last. */
  from: number;
  to: number;
}

/** A message with what it wants and which words fill a slot. */
export interface Labelled {
  voice: string;
  /** What the last reply was about or asked, as a word or two; "" if the file does not say. */
  context: string;
  text: string;
  tokens: Token[];
  wishes: Wish[];
  spans: Span[];
}

const SLOT = /\{(\w+):([^{}]*)\}/g;
const OLD: Record<string, string> = { hearsay: "quiet" };

/** Reads lines like `move | @event "Dentist" | push it to Friday && add_task | and remind me to {n:call Ann}`. */
export function parseVoice(voice: string, source: string, isOld = false): Labelled[] {
  return source.split("\n").flatMap((line) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    let context = isOld ? "?" : "";
    let text = "";
    const spans: Span[] = [];
    const starts: { act: string; at: number }[] = [];
    for (const [index, part] of line.split(" && ").entries()) {
      const fields = part.split(" | ").map((field) => field.trim());
      const [label = "", marked = ""] = [fields[0], fields.at(-1)];
      if (fields.length === 3 && index === 0) context = contextOf(fields[1] ?? "");
      if (text !== "") text += " ";
      starts.push({ act: OLD[label] ?? label, at: text.length });
      let at = 0;
      for (const { index: found, 0: whole, 1: slot = "", 2: words = "" } of marked.matchAll(SLOT)) {
        text += marked.slice(at, found);
        spans.push({ slot, start: text.length, end: text.length + words.length });
        text += words;
        at = found + whole.length;
      }
      text += marked.slice(at);
    }
    const tokens = tokensOf(text, CLOCK);
    const begins = starts.map(({ at }) => {
      const found = tokens.findIndex(({ end }) => end > at);
      return found < 0 ? tokens.length : found;
    });
    const wishes = starts.map(({ act }, index) => ({
      act,
      from: begins[index] ?? 0,
      to: begins[index + 1] ?? tokens.length,
    }));
    return [{ voice, context, text, tokens, wishes, spans }];
  });
}

function contextOf(field: string): string {
  const words = /^@(asked \w+|draft|\w+)/.exec(field)?.[1] ?? "";
  return words;
}
