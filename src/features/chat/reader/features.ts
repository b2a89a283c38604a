import type { Token } from "./tokens.ts";
import { classesOf } from "./word-classes.ts";

export type IsKnown = (word: string) => boolean;

/** A word as the model sees it: words that it has not learned look alike, but for names. */
const seen = ({ word, isName }: Token, isKnown: IsKnown): string =>
  word.startsWith("<") || !/^[\p{L}\p{N}]/u.test(word) || isKnown(word) ? word : isName ? "<Name>" : "<word>";

const isUnknown = (word: string | undefined) => word === "<word>" || word === "<Name>";

/** Runs of one to three words, pairs with a gap, and how the message begins and ends. */
function runsOf(words: readonly string[], sign: string, features: Set<string>): void {
  for (const [at, word] of words.entries()) {
    const [next, third] = [words[at + 1], words[at + 2]];
    features.add(`${sign}${word}`);
    if (next !== undefined) features.add(`${sign}${word} ${next}`);
    if (third !== undefined) features.add(`${sign}${word} ${next} ${third}`).add(`${sign}${word} * ${third}`);
  }
  features.add(`${sign}^${words[0]}`).add(`${sign}^${words[0]} ${words[1]}`);
  features.add(`${sign}$${words.at(-1)}`).add(`${sign}$${words.at(-2)} ${words.at(-1)}`);
}

const PREFIX = 4;

/** What is known about a part of a message besides its words. */
export interface Around {
  /** What the last reply was about or asked; "?" if that is not known. */
  context: string;
  /** What the part before wants. */
  before: string | null;
}

/** What tells what a part of a message wants. */
export function actFeatures(tokens: readonly Token[], isKnown: IsKnown, { context, before }: Around): string[] {
  const features = new Set<string>();
  const all = tokens.map((token) => seen(token, isKnown));
  // A run of unknown words counts as one: "the Henderson kickoff call" is like "the gym".
  const words = all.filter((word, at) => !(isUnknown(word) && isUnknown(all[at - 1])));
  runsOf(words, "", features);
  for (const { word, first } of tokens) {
    for (const name of classesOf(word)) features.add(`=${name}`);
    if (word.length > PREFIX && !word.startsWith("<")) features.add(`${word.slice(0, PREFIX)}-`);
    if (first) features.add(`${word} ${first}`);
  }
  const classes = tokens
    .map(({ word }, at) => classesOf(word)[0] ?? (all[at]?.startsWith("<") ? all[at] : ""))
    .filter((name) => name !== "");
  const changes = classes.filter((name, at) => name !== classes[at - 1]);
  runsOf(changes, "~", features);
  const distinct = [...new Set(changes)].sort();
  for (const [at, one] of distinct.entries()) {
    for (const other of distinct.slice(at + 1)) features.add(`${one}+${other}`);
  }
  const size = words.length;
  const length = `#${size < 3 ? 2 : size < 5 ? 4 : size < 8 ? 7 : size < 12 ? 11 : 20}`;
  features.add(length);
  if (context !== "?") {
    const about = `@${context}`;
    features.add(about).add(`${about} ${length}`).add(`${about} ^${words[0]}`);
    for (const name of distinct) features.add(`${about} ${name}`);
    if (context.startsWith("asked")) features.add("@asked").add(`@asked ${length}`);
  }
  if (before) features.add(`<${before}`);
  return [...features];
}

/** The words around a place and their classes, with marks for the ends. */
function windowOf(tokens: readonly Token[], isKnown: IsKnown) {
  const words = tokens.map((token) => seen(token, isKnown));
  const classes = tokens.map(({ word }, at) => classesOf(word)[0] ?? words[at] ?? "");
  return {
    words,
    classes,
    wordAt: (index: number) => words[index] ?? (index < 0 ? "<s>" : "</s>"),
    classAt: (index: number) => classes[index] ?? (index < 0 ? "<s>" : "</s>"),
  };
}

const isTime = (word: string) => word === "<time>" || word === "<date>";

/** What tells whether a new wish begins at a word. */
export function boundaryFeatures(tokens: readonly Token[], isKnown: IsKnown): string[][] {
  const { words, classes, wordAt: w, classAt: c } = windowOf(tokens, isKnown);
  return words.map((word, at) => {
    const times = `times ${words.slice(0, at).some(isTime)} ${words.slice(at).some(isTime)}`;
    return [
      word,
      `-1 ${w(at - 1)}`,
      `+1 ${w(at + 1)}`,
      `-1 ${w(at - 1)} ${word}`,
      `+1 ${word} ${w(at + 1)}`,
      `-2 ${w(at - 2)} ${w(at - 1)}`,
      `3 ${w(at - 1)} ${word} ${w(at + 1)}`,
      `+2 ${w(at + 1)} ${w(at + 2)}`,
      `~${c(at)}`,
      `~-1 ${c(at - 1)}`,
      `~+1 ${c(at + 1)}`,
      `~+2 ${c(at + 2)}`,
      `~0 ${c(at - 1)} ${c(at)}`,
      `~1 ${c(at)} ${c(at + 1)}`,
      `~3 ${c(at - 1)} ${c(at)} ${c(at + 1)}`,
      `~4 ${c(at)} ${c(at + 1)} ${c(at + 2)}`,
      `at ${Math.min(at, 4)}`,
      `left ${Math.min(tokens.length - at, 5)}`,
      times,
      `${times} ${w(at - 1)} ${word}`,
      ...[...new Set(classes.slice(at, at + 6))].map((name) => `>${name}`),
    ];
  });
}

/** What tells which slot a word belongs to, given what its part of the message wants. */
export function slotFeatures(tokens: readonly Token[], isKnown: IsKnown, act: string): string[][] {
  const { words, wordAt, classAt } = windowOf(tokens, isKnown);
  return words.map((word, at) => {
    const [before, after] = [wordAt(at - 1), wordAt(at + 1)];
    const own = classAt(at);
    const about = [
      word,
      `-1 ${before}`,
      `+1 ${after}`,
      `-1 ${before} ${word}`,
      `+1 ${word} ${after}`,
      `-2 ${wordAt(at - 2)} ${before}`,
      `~${own}`,
      `~-1 ${classAt(at - 1)}`,
      `~+1 ${classAt(at + 1)}`,
      `~-1 ${classAt(at - 1)} ${own}`,
      `~+1 ${own} ${classAt(at + 1)}`,
      `~-2 ${classAt(at - 2)} ${classAt(at - 1)}`,
      tokens[at]?.isName ? "name" : "no name",
      `at ${at < 3 ? at : tokens.length - at < 3 ? "end" : "inside"}`,
    ];
    return [
      ...about,
      `+2 ${after} ${wordAt(at + 2)}`,
      `1 ${before} ${after}`,
      `~1 ${classAt(at - 1)} ${own} ${classAt(at + 1)}`,
      ...about.map((feature) => `${act}|${feature}`),
    ];
  });
}
