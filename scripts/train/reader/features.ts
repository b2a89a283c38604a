import type { Token } from "../../../src/features/chat/language/reader/tokens.ts";
import { classesOf } from "../../../src/features/chat/language/reader/word-classes.ts";
import { seen } from "../../../src/features/chat/language/reader/features.ts";

const isUnknown = (word: string | undefined) => word === "<word>" || word === "<Name>";

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

export interface Around {
  context: string;
  before: string | null;
  isLast: boolean;
}

export function actFeatures(tokens: readonly Token[], known: ReadonlySet<string>, around: Around): string[] {
  const features = new Set<string>();
  const all = tokens.map((token) => seen(token, known));
  const words = all.filter((word, at) => !(isUnknown(word) && isUnknown(all[at - 1])));
  runsOf(words, "", features);
  for (const { word } of tokens) {
    for (const name of classesOf(word)) features.add(`=${name}`);
    if (word.length > 4 && !word.startsWith("<")) features.add(`${word.slice(0, 4)}-`);
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
  if (around.context !== "?") {
    const about = `@${around.context}`;
    features.add(about).add(`${about} ${length}`);
    for (const name of distinct) features.add(`${about} ${name}`);
    features.add(`${about} ^${words[0]}`);
    if (around.context.startsWith("asked")) features.add("@asked").add(`@asked ${length}`);
  }
  if (around.before) features.add(`<${around.before}`);
  return [...features];
}
