import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../src/engine/notes/message-time.ts";
import { ACTS, type Act } from "../../../src/features/chat/reader/acts.ts";
import { SLOTS } from "../../../src/features/chat/reader/marks.ts";
import { type Token, tokensOf } from "../../../src/features/chat/reader/tokens.ts";
import { isDeterminer } from "../../../src/features/chat/reader/word-classes.ts";

/** Messages are read as if it were then. */
export const CLOCK: Clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };

interface Part {
  act: Act;
  /** Of the message's tokens: the first, and the one after the last. */
  from: number;
  to: number;
}

/** A message with what it wants and which words fill a slot. */
export interface Labelled {
  voice: string;
  /** What the last reply was about or asked; "" if nothing, "?" if that is not known. */
  context: string;
  text: string;
  tokens: Token[];
  parts: Part[];
  /** Of each token: outside of all slots, or the beginning or the inside of one. */
  marks: number[];
}

const SLOT_NAMES: readonly string[] = SLOTS;
const TEXT = SLOT_NAMES.indexOf("m");
const SLOT = /\{(\w+):([^{}]*)\}/g;
/** Messages from before there were contexts call what others want by another name. */
const RENAMED: Record<string, string> = { hearsay: "quiet" };

function actOf(label: string, line: string): Act {
  const act = ACTS.find((each) => each === (RENAMED[label] ?? label));
  if (!act) throw new Error(`No such act: ${line}`);
  return act;
}

/** Reads a line like `move | @event "Dentist" | push it to Friday && add_task | and remind me to {n:call Ann}`. */
function parseLine(voice: string, line: string, unsaid: string): Labelled {
  let context = unsaid;
  let text = "";
  const spans: { slot: number; start: number; end: number }[] = [];
  const begins: { act: Act; at: number }[] = [];
  for (const part of line.split(" && ")) {
    const fields = part.split("|").map((field) => field.trim());
    const [label = "", marked = ""] = [fields[0], fields.slice(fields[1]?.startsWith("@") ? 2 : 1).join("|")];
    context = /^@(asked \w+|\w+)/.exec(fields[1] ?? "")?.[1] ?? context;
    if (text !== "") text += " ";
    begins.push({ act: actOf(label, line), at: text.length });
    let at = 0;
    for (const { index, 0: whole, 1: slot = "", 2: words = "" } of marked.matchAll(SLOT)) {
      text += marked.slice(at, index);
      spans.push({
        slot: SLOT_NAMES.indexOf(slot),
        start: text.length,
        end: text.length + words.length,
      });
      text += words;
      at = index + whole.length;
    }
    text += marked.slice(at);
  }
  const tokens = tokensOf(text, CLOCK);
  const places = begins.map(({ at }) => {
    const found = tokens.findIndex(({ end }) => end > at);
    return found < 0 ? tokens.length : found;
  });
  let last: unknown = null;
  return {
    voice,
    context,
    text,
    tokens,
    parts: begins.map(({ act }, index) => ({
      act,
      from: places[index] ?? 0,
      to: places[index + 1] ?? tokens.length,
    })),
    marks: tokens.map(({ word, start, end }) => {
      const span = spans.find((each) => start < each.end && end > each.start);
      const isInside = span !== undefined && span === last;
      if (span && !isInside && end < span.end && span.slot !== TEXT && isDeterminer(word)) return 0;
      last = span;
      return span === undefined || span.slot < 0 ? 0 : span.slot * 2 + (isInside ? 2 : 1);
    }),
  };
}

const isMessage = (line: string) => line.includes("|") && !line.startsWith("#");

/** The messages of a folder with a file for each voice. */
export function readVoices(folder: string, unsaid = ""): Labelled[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter(isMessage)
        .map((line) => parseLine(name.replace(".txt", ""), line, unsaid)),
    );
}

/** All messages that the reader is trained on. The older ones do not say what was talked about. */
export function trainingMessages(): Labelled[] {
  const folder = join(import.meta.dirname, "..");
  return [...readVoices(join(folder, "messages"), "?"), ...readVoices(join(folder, "voices"))];
}
