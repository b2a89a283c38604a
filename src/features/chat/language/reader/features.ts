import type { Token } from "./tokens.ts";
import { classesOf } from "./word-classes.ts";

/** A word as the model sees it: words that it has not learned look alike, but for names. */
const seen = ({ word, isName }: Token, known: ReadonlySet<string>): string =>
  known.has(word) || word.startsWith("<") ? word : isName ? "<Name>" : /^[\p{L}\p{N}]/u.test(word) ? "<word>" : word;

const isUnknown = (word: string | undefined) => word === "<word>" || word === "<Name>";

/** Runs of one to three words, pairs with a gap, and how the message begins and ends. */
function runsOf(words: readonly string[], sign: string, features: Set<string>): void {
  for (const [at, word] of words.entries()) {
    const [next, third] = words.slice(at + 1, at + 3);
    features.add(`${sign}${word}`);
    if (next !== undefined) features.add(`${sign}${word} ${next}`);
    if (third !== undefined) features.add(`${sign}${word} ${next} ${third}`).add(`${sign}${word} * ${third}`);
  }
  features.add(`${sign}^${words[0]}`).add(`${sign}^${words[0]} ${words[1]}`);
  features.add(`${sign}$${words.at(-1)}`).add(`${sign}$${words.at(-2)} ${words.at(-1)}`);
}

const PREFIX = 4;

/** What tells what a message wants. */
export function actFeatures(tokens: readonly Token[], known: ReadonlySet<string>): string[] {
  const features = new Set<string>();
  const all = tokens.map((token) => seen(token, known));
  // A run of unknown words counts as one: "the Henderson kickoff call" is like "the gym".
  const words = all.filter((word, at) => !(isUnknown(word) && isUnknown(all[at - 1])));
  runsOf(words, "", features);
  for (const { word } of tokens) {
    for (const name of classesOf(word)) features.add(`=${name}`);
    if (word.length > PREFIX && !word.startsWith("<")) features.add(`${word.slice(0, PREFIX)}-`);
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
  features.add(`#${size < 3 ? 2 : size < 5 ? 4 : size < 8 ? 7 : size < 12 ? 11 : 20}`);
  return [...features];
}

/** What tells which slot a word belongs to, given what the message wants. */
export function slotFeatures(tokens: readonly Token[], known: ReadonlySet<string>, act: string): string[][] {
  const words = tokens.map((token) => seen(token, known));
  const classes = tokens.map(({ word }, at) => classesOf(word)[0] ?? words[at] ?? "");
  const wordAt = (index: number) => words[index] ?? (index < 0 ? "<s>" : "</s>");
  const classAt = (index: number) => classes[index] ?? (index < 0 ? "<s>" : "</s>");
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
