import type { Clock } from "../../src/engine/notes/message-time.ts";
import { hashOf, packWeights } from "../../src/engine/packed-weights.ts";
import { actFeatures, slotFeatures } from "../../src/features/chat/language/reader/features.ts";
import {
  ACTS,
  bestMarks,
  markWeight,
  type PackedReader,
  type ReadAct,
  SLOTS,
  stepWeight,
} from "../../src/features/chat/language/reader/reader.ts";
import { type Token, tokensOf } from "../../src/features/chat/language/reader/tokens.ts";
import { trainActs } from "./act-model.ts";
import { asSteps, chance, shuffle } from "./common.ts";

/** A message with what it wants and which words fill a slot. */
export interface Labelled {
  act: ReadAct;
  text: string;
  tokens: Token[];
  marks: number[];
}

/** Messages are read as if it were then. */
export const CLOCK: Clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };

const SLOT = /\{(\w+):([^{}]*)\}/g;

/** Reads lines like `move | push the {t:dentist} to Friday`. */
export function parseLabelled(source: string): Labelled[] {
  return source.split("\n").flatMap((line) => {
    const [, label = "", marked = ""] = /^(\w+)\s*\|\s*(.+)$/.exec(line.trim()) ?? [];
    const act = ACTS.find((each) => each === label);
    return act ? [labelled(act, marked)] : [];
  });
}

function labelled(act: ReadAct, marked: string): Labelled {
  const spans: { slot: number; start: number; end: number }[] = [];
  let text = "";
  let at = 0;
  for (const { index, 0: whole, 1: name = "", 2: words = "" } of marked.matchAll(SLOT)) {
    text += marked.slice(at, index);
    spans.push({
      slot: SLOTS.findIndex((each) => `${each}` === name),
      start: text.length,
      end: text.length + words.length,
    });
    text += words;
    at = index + whole.length;
  }
  text += marked.slice(at);
  const tokens = tokensOf(text, CLOCK);
  let last: unknown = null;
  const marks = tokens.map(({ start, end }) => {
    const span = spans.find((each) => start < each.end && end > each.start);
    const isInside = span !== undefined && span === last;
    last = span;
    return span === undefined || span.slot < 0 ? 0 : span.slot * 2 + (isInside ? 2 : 1);
  });
  return { act, text, tokens, marks };
}

/** A word that fewer messages have says too little. */
const LEAST_MESSAGES = 3;
const MARK_WEIGHTS = 12_000;
const MARK_EPOCHS = 8;

function knownWords(samples: readonly Labelled[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { tokens } of samples) {
    for (const word of new Set(tokens.map((token) => token.word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= LEAST_MESSAGES).map(([word]) => word));
}

export function trainReader(samples: readonly Labelled[]): PackedReader {
  const known = knownWords(samples);
  const rows = samples.map(({ act, tokens }) => ({ features: actFeatures(tokens, known), label: ACTS.indexOf(act) }));
  return {
    known: [...known]
      .filter((word) => /^\p{L}/u.test(word))
      .sort()
      .join(" "),
    acts: trainActs(rows, ACTS.length),
    marks: trainMarks(samples, known),
  };
}

/** A structured perceptron, averaged: words that are marked wrong move the weights of both readings. */
function trainMarks(samples: readonly Labelled[], known: ReadonlySet<string>): string {
  const random = chance(5);
  const weights = new Map<string, number>();
  const sums = new Map<string, number>();
  const rows = samples.map(({ act, tokens, marks }) => ({ features: slotFeatures(tokens, known, act), marks }));
  let round = 1;
  const add = (name: string, by: number) => {
    weights.set(name, (weights.get(name) ?? 0) + by);
    sums.set(name, (sums.get(name) ?? 0) + by * round);
  };
  for (let epoch = 0; epoch < MARK_EPOCHS; epoch += 1) {
    for (const { features, marks } of shuffle([...rows], random)) {
      const guessed = bestMarks(features, (name) => weights.get(name) ?? 0);
      round += 1;
      for (const [at, mark] of marks.entries()) {
        const guess = guessed[at] ?? 0;
        const [before, guessedBefore] = at === 0 ? [0, 0] : [marks[at - 1] ?? 0, guessed[at - 1] ?? 0];
        if (mark !== guess || before !== guessedBefore) {
          add(stepWeight(before, mark), 1);
          add(stepWeight(guessedBefore, guess), -1);
        }
        if (mark === guess) continue;
        for (const feature of features[at] ?? []) {
          add(markWeight(mark, feature), 1);
          add(markWeight(guess, feature), -1);
        }
      }
    }
  }
  const averaged = [...weights].map(([name, weight]): [string, number] => [
    name,
    weight - (sums.get(name) ?? 0) / round,
  ]);
  const largest = averaged.filter(([, weight]) => weight !== 0).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const { steps } = asSteps(new Map(largest.slice(0, MARK_WEIGHTS)));
  return packWeights(new Map([...steps].map(([name, step]) => [hashOf(name), step])));
}
