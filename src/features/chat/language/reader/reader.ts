import type { Clock } from "../../../../engine/notes/message-time.ts";
import { hashOf, unpackWeights } from "../../../../engine/packed-weights.ts";
import { words } from "../../../../lib/words.ts";
import { loadActs, type PackedActs } from "./act-model.ts";
import { actFeatures, slotFeatures } from "./features.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { READER } from "./weights.ts";

/** What a message may want. */
export const ACTS = words(
  "add_task add_event move later earlier length longer shorter until rename place invite uninvite priority undate to_list repeat no_repeat done reopen remove undo other read summarise star unstar archive inbox mark_read mark_unread tag untag snooze reply forward send make_tasks unsubscribe write ask_day ask_free ask_tasks ask_mail ask_about pick yes no talk hearsay other_world",
);
export type ReadAct = (typeof ACTS)[number];

/** What words of a message stand for: an existing record, a new title, a place, a person, a list, a tag, the text of an email. */
export const SLOTS = words("t n p g l tag m");
export type Slot = (typeof SLOTS)[number];

/** Outside of all slots, then the beginning and the inside of each. */
const MARKS = ["O", ...SLOTS.flatMap((slot) => [`B${slot}`, `I${slot}`])];

export interface PackedReader {
  /** The words that were learned, with spaces between. */
  known: string;
  acts: PackedActs;
  marks: string;
}

export const markWeight = (mark: number, feature: string) => `${mark}:${feature}`;
export const stepWeight = (before: number, mark: number) => `${before}>${mark}`;

export interface Reading {
  /** Likeliest first, with the probability of each. */
  acts: { act: ReadAct; share: number }[];
  /** The words of each slot, given an act. */
  slots(act: ReadAct): { slot: Slot; text: string; start: number; end: number }[];
}

interface Reader {
  read(message: string, clock: Clock): Reading;
}

/** A mark can only go on with a slot that has begun. */
const mayFollow = (before: number, mark: number) => {
  const isInside = mark > 0 && mark % 2 === 0;
  return !isInside || before === mark - 1 || before === mark;
};

function loadReader(packed: PackedReader): Reader {
  const known = new Set(packed.known.split(" "));
  const sharesOf = loadActs(packed.acts);
  let markWeights: Map<number, number> | null = null;
  return {
    read(message, clock) {
      const tokens = tokensOf(message, clock);
      const shares = sharesOf(actFeatures(tokens, known));
      const acts = ACTS.map((act, at) => ({ act, share: shares[at] ?? 0 }));
      acts.sort((a, b) => b.share - a.share);
      return {
        acts,
        slots(act) {
          markWeights ??= unpackWeights(packed.marks);
          const held = markWeights;
          const weight = (name: string) => held.get(hashOf(name)) ?? 0;
          return slotsIn(message, tokens, bestMarks(slotFeatures(tokens, known, act), weight));
        },
      };
    },
  };
}

/** The likeliest marks of all words together (Viterbi). */
export function bestMarks(features: readonly string[][], weight: (name: string) => number): number[] {
  let scores = MARKS.map((_, mark) => (mayFollow(0, mark) ? 0 : Number.NEGATIVE_INFINITY));
  const from: number[][] = [];
  for (const [at, named] of features.entries()) {
    const came: number[] = [];
    const before = scores;
    scores = MARKS.map((_, mark) => {
      let own = 0;
      for (const feature of named) own += weight(markWeight(mark, feature));
      let best = Number.NEGATIVE_INFINITY;
      for (const [last, score] of before.entries()) {
        if (at === 0 && last !== 0) continue;
        if (!mayFollow(last, mark)) continue;
        const sum = score + weight(stepWeight(last, mark));
        if (sum > best) {
          best = sum;
          came[mark] = last;
        }
      }
      return best + own;
    });
    from.push(came);
  }
  let mark = scores.indexOf(Math.max(...scores));
  const marks: number[] = [];
  for (let at = features.length - 1; at >= 0; at -= 1) {
    marks.unshift(mark);
    mark = from[at]?.[mark] ?? 0;
  }
  return marks;
}

/** Words that belong to what follows a slot. */
const LOOSE_END = /(?: (?:to|on|for|in|at|by|and|the|a|onto)|[\s,.!?;:]){1,6}$/i;

function slotsIn(message: string, tokens: readonly Token[], marks: readonly number[]) {
  const found: { slot: Slot; text: string; start: number; end: number }[] = [];
  for (const [at, mark] of marks.entries()) {
    const token = tokens[at];
    const slot = SLOTS[Math.floor((mark - 1) / 2)];
    if (mark === 0 || !token || !slot) continue;
    const last = found.at(-1);
    if (mark % 2 === 0 && last?.slot === slot) last.end = token.end;
    else found.push({ slot, text: "", start: token.start, end: token.end });
  }
  return found.map((each) => ({ ...each, text: message.slice(each.start, each.end).replace(LOOSE_END, "") }));
}

/** The reader trained by `npm run train`. */
export const reader = loadReader(READER);

/** How likely a reading has to be: to change something, to add something, and to be preferred to a rule. */
export const SURE = 0.5;
export const SURE_TO_ADD = 0.65;
export const VERY_SURE = 0.9;
