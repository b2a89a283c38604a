import { wordSet } from "../../../lib/words.ts";
import type { Token } from "./tokens.ts";
import { isDeterminer } from "./word-classes.ts";

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

/** The beginnings of a word of these lengths, and its end: "reschedule", "rescheduled" and "reshedule" are alike. */
const BEGINNINGS = [3, 4, 5, 6];
const END = 3;
const STEM = 5;

function addPieces(word: string, features: Set<string>): void {
  for (const length of BEGINNINGS) if (word.length > length) features.add(`${word.slice(0, length)}-`);
  if (word.length > END + 1) features.add(`-${word.slice(-END)}`);
}

const isSign = (word: string) => /^[.,!?;:]$/.test(word);
const isClauseEnd = (word: string | undefined) => word === undefined || word === "and" || isSign(word);

const GRAMMAR = wordSet("i you they it wh not was hedge told maybe");

/** What a word does in its sentence: who is spoken of, and whether it is told, wished or asked. */
function shapeOf({ word, classes, isName }: Token): string {
  const [first = ""] = classes;
  if (word.startsWith("<")) return word;
  if (GRAMMAR.has(first)) return first;
  for (const name of ["was", "aux"]) if (classes.includes(name)) return name;
  if (isDeterminer(word)) return "the";
  if (isName) return "Name";
  if (word.length > 4 && word.endsWith("ed")) return "-ed";
  if (word.length > 4 && word.endsWith("ing")) return "-ing";
  return /^\p{L}/u.test(word) ? "w" : word;
}

/** Runs of three words by what they do, and how the part begins: "Ann moved the" is no request. */
function shapesOf(tokens: readonly Token[], features: Set<string>): void {
  const shapes = tokens.map(shapeOf);
  for (const at of shapes.keys()) features.add(`/${shapes[at]} ${shapes[at + 1]} ${shapes[at + 2]}`);
  for (const length of [2, 3, 4]) features.add(`/^${shapes.slice(0, length).join(" ")}`);
}

/** A part of a message and what is known about it. */
interface Part {
  /** Of the message's tokens: the first, and the one after the last. */
  from: number;
  to: number;
  /** What the last reply was about or asked; "?" if that is not known. */
  context: string;
  /** What the part before wants. */
  before: string | null;
}

/** What tells what a part of a message wants. */
export function actFeatures(
  message: readonly Token[],
  { from, to, context, before }: Part,
  isKnown: IsKnown,
): string[] {
  const features = new Set<string>();
  const tokens = message.slice(from, to);
  const all = tokens.map((token) => seen(token, isKnown));
  // A run of unknown words counts as one: "the Henderson kickoff call" is like "the gym".
  const words = all.filter((word, at) => !(isUnknown(word) && isUnknown(all[at - 1])));
  runsOf(words, "", features);
  const stems = tokens.map(({ word }) => (word.startsWith("<") ? word : word.slice(0, STEM)));
  for (const [at, { word, first, classes }] of tokens.entries()) {
    for (const name of classes) features.add(`=${name}`);
    if (!word.startsWith("<")) addPieces(word, features);
    if (first) features.add(`${word} ${first}`);
    if (isClauseEnd(tokens[at - 1]?.word)) {
      features.add(`B${all[at]}`).add(`B${all[at]} ${all[at + 1]}`);
      features.add(`B~${classes[0]} ${tokens[at + 1]?.classes[0]}`);
    }
    features.add(`s${stems[at - 1]} ${stems[at]}`);
  }
  shapesOf(tokens, features);
  const changes = tokens
    .map(({ classes }, at) => classes[0] ?? (all[at]?.startsWith("<") ? all[at] : ""))
    .filter((name) => name !== "")
    .filter((name, at, names) => name !== names[at - 1]);
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
  if (tokens.length < message.length) {
    const around = [...message.slice(0, from), ...message.slice(to)];
    for (const name of new Set(around.flatMap(({ classes }) => classes))) features.add(`M${name}`);
    for (const at of [from - 1, to]) {
      const beside = message[at];
      features.add(`${at < from ? "P" : "N"} ${beside ? seen(beside, isKnown) : "-"}`);
    }
  }
  return [...features];
}

/** The words around a place and their classes, with marks for the ends. */
function windowOf(tokens: readonly Token[], isKnown: IsKnown) {
  const words = tokens.map((token) => seen(token, isKnown));
  const classes = tokens.map(({ classes: [first] }, at) => first ?? words[at] ?? "");
  return {
    words,
    classes,
    wordAt: (index: number) => words[index] ?? (index < 0 ? "<s>" : "</s>"),
    classAt: (index: number) => classes[index] ?? (index < 0 ? "<s>" : "</s>"),
  };
}

const isTime = (word: string) => /^<(?:time|date|past|length|often)>$/.test(word);

/** What tells whether a new wish begins at a word. */
export function boundaryFeatures(tokens: readonly Token[], isKnown: IsKnown): string[][] {
  const { words, classes, wordAt: w, classAt: c } = windowOf(tokens, isKnown);
  const firstTime = words.findIndex(isTime);
  const lastTime = words.findLastIndex(isTime);
  return words.map((word, at) => {
    const times = `times ${firstTime >= 0 && firstTime < at} ${lastTime >= at}`;
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
export function slotFeatures(tokens: readonly Token[], act: string, context: string, isKnown: IsKnown): string[][] {
  const { words, wordAt, classAt } = windowOf(tokens, isKnown);
  const firstTime = words.findIndex(isTime);
  const lastTime = words.findLastIndex(isTime);
  let lastClass = "-";
  let lastSign = "^";
  return tokens.map(({ word: raw, isName, classes }, at) => {
    const [word, before, after] = [wordAt(at), wordAt(at - 1), wordAt(at + 1)];
    const own = classAt(at);
    if (isSign(before)) lastSign = before;
    const time = firstTime < 0 ? "none" : at < firstTime ? "ahead" : at > lastTime ? "past" : "mid";
    const about = [
      word,
      raw.startsWith("<") ? raw : `${raw.slice(0, 4)}-`,
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
      `v ${lastClass}`,
      `t ${time} ${lastSign}`,
      isName ? "name" : "no name",
      `at ${at < 3 ? at : tokens.length - at < 3 ? "end" : "inside"}`,
      `@${context}`,
    ];
    if (classes.length > 0) lastClass = own;
    return [
      ...about,
      `-${raw.slice(-END)}`,
      `+2 ${after} ${wordAt(at + 2)}`,
      `-3 ${wordAt(at - 3)} ${wordAt(at - 2)} ${before}`,
      `+3 ${wordAt(at + 2)} ${wordAt(at + 3)}`,
      `1 ${before} ${after}`,
      `~1 ${classAt(at - 1)} ${own} ${classAt(at + 1)}`,
      `~3 ${classAt(at - 2)} ${classAt(at - 1)} ${own}`,
      ...about.map((feature) => `${act}|${feature}`),
    ];
  });
}
