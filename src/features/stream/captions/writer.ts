import {
  CAPTION_PLATFORMS,
  type CaptionKind,
  type CaptionPlatform,
  type Tone,
  type Voice,
} from "../../../lib/caption-kinds.ts";
import { fits, uniqueHashtags } from "../../../lib/caption-limits.ts";
import { formatCount } from "../../../lib/milestone-card.ts";
import { collapseSpace } from "../../../lib/text.ts";
import { readDirectives } from "./directives.ts";
import { LINK_LEADS, OPENINGS, type PlainTone, SECOND_LINES } from "./phrases.ts";

export interface CaptionFacts {
  title: string | null;
  url: string | null;
  peakViewers: number | null;
  durationMs: number | null;
  /** `isCustom`: a person wrote the label; otherwise it is a count such as "1,000 subscribers". */
  milestone: { label: string; isCustom?: boolean } | null;
}

export interface WrittenCaption {
  text: string;
  hashtags: string[];
}

interface CaptionRequest {
  kind: CaptionKind;
  platform: CaptionPlatform;
  facts: CaptionFacts;
  voice: Voice;
  /** Text to add to this one caption. */
  notes: string;
}

const EMOJI =
  "(?:\\p{Extended_Pictographic}(?:\\u{FE0F}|\\u{200D}\\p{Extended_Pictographic}|\\p{Emoji_Modifier}){0,9}\\s{0,9}){1,30}";
const ANY_EMOJI = new RegExp(EMOJI, "gu");
/** An emoji in the place of a full stop. */
const BETWEEN_SENTENCES = new RegExp(`(?<=[^.!?:,\\s])\\s{0,9}${EMOJI}(?=[\\p{Lu}\\d{])`, "gu");
const AT_THE_END = new RegExp(`(?<=[^.!?:,\\s])\\s{0,9}${EMOJI}$`, "u");

/**
 * Writes a caption without a model. The same request always gives the same text; another stream or platform gives
 * another one. Text beyond the platform's limit is left out or cut, but never the link.
 */
export function writeCaption(request: CaptionRequest): WrittenCaption {
  const { kind, platform, facts, voice, notes } = request;
  const directives = readDirectives(voice.customPrompt);
  const place = CAPTION_PLATFORMS.indexOf(platform);
  const seed = hash(`${kind} ${facts.title} ${facts.milestone?.label}`);
  const tone = plainTone(voice.tone, (seed >> 5) + place);
  const words = wordsOf(facts);
  const roomy = platform === "facebook" || platform === "instagram";
  const opening = choose(usable(OPENINGS[kind][tone], words), seed + place);
  const second = roomy && !directives.short ? choose(SECOND_LINES[kind][tone], (seed >> 3) + place) : "";
  const styled = (text: string, ending = "") => style(text, directives, ending);

  const parts: Parts = {
    opening: styled(opening, "."),
    extras: [styled(second, "."), styled(collapseSpace(notes)), ...directives.mentions].filter(Boolean),
    link: facts.url ? `${styled(LINK_LEADS[kind][tone], ":")} ${facts.url}`.trim() : "",
    callToAction: collapseSpace(voice.callToAction),
    signature: directives.signature ? `— ${directives.signature}` : "",
    hashtags: directives.hashtags ? uniqueHashtags(voice.hashtags) : [],
  };
  const filled = Object.fromEntries(
    Object.entries(words).map(([name, word]) => [name, directives.lowerCase ? word.toLowerCase() : word]),
  );
  return fitted(platform, parts, filled);
}

interface Parts {
  opening: string;
  extras: string[];
  link: string;
  callToAction: string;
  signature: string;
  hashtags: string[];
}

type Words = Record<string, string>;

function wordsOf({ title, milestone, durationMs, peakViewers }: CaptionFacts): Words {
  const words: Words = {};
  const name = collapseSpace(title ?? "");
  if (name) words.title = `“${withInnerQuotes(name)}”`;
  if (milestone) words[milestone.isCustom ? "label" : "count"] = withoutEnd(collapseSpace(milestone.label));
  if (durationMs !== null && durationMs >= 60_000) words.length = durationWords(durationMs);
  if (peakViewers !== null && peakViewers >= 10) words.peak = formatCount(peakViewers);
  return words;
}

function withInnerQuotes(text: string): string {
  return text
    .replace(/"([^"]*)"/g, "‘$1’")
    .replaceAll("“", "‘")
    .replaceAll("”", "’");
}

/** The sentence it is put into has its own full stop. */
function withoutEnd(text: string): string {
  return text.replace(/(?<![\s.!…])[\s.!…]+$/u, "") || text;
}

function durationWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const named = (count: number, unit: string) => (count === 0 ? "" : `${count} ${unit}${count === 1 ? "" : "s"}`);
  return [named(hours, "hour"), named(rest, "minute")].filter(Boolean).join(" and ");
}

/** Of the lines whose placeholders are all known, those with the most placeholders. */
function usable(lines: readonly string[], words: Words): string[] {
  const placeholders = (line: string) => [...line.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const known = lines.filter((line) => placeholders(line).every((name) => name in words));
  const most = Math.max(...known.map((line) => placeholders(line).length));
  return known.filter((line) => placeholders(line).length === most);
}

function plainTone(tone: Tone, seed: number): PlainTone {
  if (tone !== "mixed") return tone;
  return choose(["professional", "friendly", "hype"] as const, seed);
}

/** An emoji may end a sentence: when it is removed, punctuation takes its place; `ending` is the one at the end. */
function style(text: string, { emoji, lowerCase }: { emoji: boolean; lowerCase: boolean }, ending: string): string {
  const plain = emoji
    ? text
    : collapseSpace(text.replace(BETWEEN_SENTENCES, ". ").replace(AT_THE_END, ending).replace(ANY_EMOJI, " "));
  return lowerCase ? plain.toLowerCase() : plain;
}

/** Leaves out the least important parts first, then shortens the title word by word. */
function fitted(platform: CaptionPlatform, parts: Parts, words: Words): WrittenCaption {
  const lean = { ...parts, extras: [], hashtags: parts.hashtags.slice(0, 2) };
  const bare = { ...parts, extras: [], hashtags: [], callToAction: "", signature: "" };
  for (const attempt of [parts, { ...parts, extras: [] }, lean]) {
    const whole = assemble(attempt, words);
    if (fits(platform, whole.text, whole.hashtags)) return whole;
  }
  for (const attempt of [lean, bare]) {
    const shortest = attempt === lean ? 5 : 1;
    for (const shortened of shorterWords(words, shortest)) {
      const cut = assemble(attempt, shortened);
      if (fits(platform, cut.text, cut.hashtags)) return cut;
    }
  }
  return { text: parts.link, hashtags: [] };
}

function assemble(parts: Parts, words: Words): WrittenCaption {
  const filled = parts.opening.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
  // A title that ends with punctuation needs no full stop after it.
  const opening = filled.replace(/([.!?…]”)[.!]/gu, "$1");
  const lines = [opening, ...parts.extras, parts.link, parts.callToAction, parts.signature];
  return { text: lines.filter(Boolean).join("\n\n"), hashtags: parts.hashtags };
}

/** Shortens the title, then the milestone, one word at a time. */
function* shorterWords(words: Words, fewest: number): Generator<Words> {
  for (const name of ["title", "label", "count"]) {
    const text = words[name];
    if (text === undefined) continue;
    const quoted = text.startsWith("“");
    const list = text.replace(/^“|”$/g, "").split(" ");
    for (let count = list.length - 1; count >= fewest; count--) {
      yield { ...words, [name]: cutWords(list.slice(0, count), quoted) };
    }
    // A single long word can only be cut between characters.
    const characters = [...(list[0] ?? "")];
    for (let count = characters.length - 1; count >= 10 && (fewest === 1 || list.length === 1); count--) {
      yield { ...words, [name]: cutWords([characters.slice(0, count).join("")], quoted) };
    }
  }
}

function cutWords(list: readonly string[], quoted: boolean): string {
  const text = `${list.join(" ").replace(/(?<![\s\p{P}])[\s\p{P}]+$/u, "")}…`;
  return quoted ? `“${text}”` : text;
}

function choose<T>(list: readonly T[], seed: number): T {
  const chosen = list[seed % list.length];
  if (chosen === undefined) throw new Error("nothing to choose from");
  return chosen;
}

function hash(text: string): number {
  let state = 7;
  for (const character of text) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) | 0;
  // The low bits alone depend only on the last letters.
  return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 4;
}
