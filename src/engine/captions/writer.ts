import type { Tone, Voice } from "../../lib/caption-kinds.ts";
import { CAPTION_PLATFORMS, type CaptionKind, type CaptionPlatform } from "../../lib/caption-kinds.ts";
import { formatCount } from "../../lib/milestone-card.ts";
import { collapseSpace } from "../../lib/text.ts";
import { readDirectives } from "./directives.ts";
import { fits, uniqueHashtags } from "./limits.ts";
import { LINK_LEADS, OPENINGS, type PlainTone, SECOND_LINES } from "./phrases.ts";

/** What a caption is about. */
export interface CaptionSubject {
  title: string | null;
  url: string | null;
  peakViewers: number | null;
  durationMs: number | null;
  /** `inOwnWords`: a person has named it; otherwise it is said as "1,000 subscribers". */
  milestone: { label: string; inOwnWords?: boolean } | null;
}

export interface WrittenCaption {
  text: string;
  hashtags: string[];
}

interface Order {
  kind: CaptionKind;
  platform: CaptionPlatform;
  subject: CaptionSubject;
  voice: Voice;
  /** A person's own words about this one post. */
  notes: string;
}

const EMOJI =
  "(?:\\p{Extended_Pictographic}(?:\\u{FE0F}|\\u{200D}\\p{Extended_Pictographic}|\\p{Emoji_Modifier})*\\s*)+";
const ANY_EMOJI = new RegExp(EMOJI, "gu");
/** An emoji that stands where a full stop would. */
const BETWEEN_SENTENCES = new RegExp(`(?<=[^.!?:,\\s])\\s*${EMOJI}(?=[\\p{Lu}\\d{])`, "gu");
const AT_THE_END = new RegExp(`(?<=[^.!?:,\\s])\\s*${EMOJI}$`, "u");

/**
 * A caption without a model: the same order always gives the same words, and another stream or platform
 * gives other ones. What does not fit is left out or cut, the title at a word, the link never.
 */
export function writeCaption(order: Order): WrittenCaption {
  const { kind, platform, subject, voice, notes } = order;
  const directives = readDirectives(voice.customPrompt);
  const place = CAPTION_PLATFORMS.indexOf(platform);
  const seed = hash(`${kind} ${subject.title} ${subject.milestone?.label}`);
  const tone = plainTone(voice.tone, (seed >> 5) + place);
  const words = wordsOf(subject);
  const roomy = platform === "facebook" || platform === "instagram";
  const opening = choose(usable(OPENINGS[kind][tone], words), seed + place);
  const second = roomy && !directives.short ? choose(SECOND_LINES[kind][tone], (seed >> 3) + place) : "";
  const styled = (text: string, ending = "") => style(text, directives, ending);

  const parts: Parts = {
    opening: styled(opening, "."),
    extras: [styled(second, "."), styled(collapseSpace(notes)), ...directives.mentions].filter(Boolean),
    link: subject.url ? `${styled(LINK_LEADS[kind][tone], ":")} ${subject.url}`.trim() : "",
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

function wordsOf({ title, milestone, durationMs, peakViewers }: CaptionSubject): Words {
  const words: Words = {};
  const name = collapseSpace(title ?? "");
  if (name) words.title = `“${withInnerQuotes(name)}”`;
  if (milestone) words[milestone.inOwnWords ? "label" : "count"] = withoutEnd(collapseSpace(milestone.label));
  if (durationMs !== null && durationMs >= 60_000) words.length = durationWords(durationMs);
  if (peakViewers !== null && peakViewers >= 10) words.peak = formatCount(peakViewers);
  return words;
}

/** Quotation marks within quotation marks are single ones. */
function withInnerQuotes(text: string): string {
  return text
    .replace(/"([^"]*)"/g, "‘$1’")
    .replaceAll("“", "‘")
    .replaceAll("”", "’");
}

/** The line it comes into has a full stop of its own. */
function withoutEnd(text: string): string {
  return text.replace(/[\s.!…]+$/u, "") || text;
}

function durationWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const named = (count: number, unit: string) => (count === 0 ? "" : `${count} ${unit}${count === 1 ? "" : "s"}`);
  return [named(hours, "hour"), named(rest, "minute")].filter(Boolean).join(" and ");
}

/** Those lines whose words are all known; with everything known, the fullest ones. */
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

/** Without its emoji a text may lack the mark that ended a sentence; `ending` is the one for its end. */
function style(text: string, { emoji, lowerCase }: { emoji: boolean; lowerCase: boolean }, ending: string): string {
  const plain = emoji
    ? text
    : collapseSpace(text.replace(BETWEEN_SENTENCES, ". ").replace(AT_THE_END, ending).replace(ANY_EMOJI, " "));
  return lowerCase ? plain.toLowerCase() : plain;
}

/** Leaves out the least important first; then the title gives way, word by word. */
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
  // A title that ends in a mark of its own needs no other after it.
  const opening = filled.replace(/([.!?…]”)[.!]/gu, "$1");
  const lines = [opening, ...parts.extras, parts.link, parts.callToAction, parts.signature];
  return { text: lines.filter(Boolean).join("\n\n"), hashtags: parts.hashtags };
}

/** The title, then the milestone, with fewer and fewer of their words. */
function* shorterWords(words: Words, fewest: number): Generator<Words> {
  for (const name of ["title", "label", "count"]) {
    const text = words[name];
    if (text === undefined) continue;
    const quoted = text.startsWith("“");
    const list = text.replace(/^“|”$/g, "").split(" ");
    for (let count = list.length - 1; count >= fewest; count--) {
      yield { ...words, [name]: cutWords(list.slice(0, count), quoted) };
    }
    // One endless word has no place to be cut at but between characters.
    const characters = [...(list[0] ?? "")];
    for (let count = characters.length - 1; count >= 10 && (fewest === 1 || list.length === 1); count--) {
      yield { ...words, [name]: cutWords([characters.slice(0, count).join("")], quoted) };
    }
  }
}

function cutWords(list: readonly string[], quoted: boolean): string {
  const text = `${list.join(" ").replace(/[\s\p{P}]+$/u, "")}…`;
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
  // The low bits alone would follow the text's last letters.
  return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 4;
}
