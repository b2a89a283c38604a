import { wordSet } from "../../../lib/words.ts";
import type { Act } from "./acts.ts";
import { SURE } from "./thresholds.ts";
import type { Token } from "./tokens.ts";

/** Acts that change something, by how much harm a mistake does. */
const GROUPS = {
  add: wordSet("add_task add_event make_tasks"),
  change: wordSet(
    "move later earlier length longer shorter until rename place invite uninvite priority undate to_list repeat no_repeat done reopen remind note accept decline maybe undo redo",
  ),
  remove: wordSet("remove"),
  email: wordSet("star unstar archive inbox mark_read mark_unread tag untag snooze unsubscribe"),
  write: wordSet("reply forward send write"),
};
type Group = keyof typeof GROUPS;

/** Whether these change something depends on what they answer. */
const OPEN = wordSet("pick answer other yes no");

export const isOpen = (act: Act) => OPEN.has(act);

/** What kind of change an act is; null if it changes nothing. */
export function groupOf(act: Act): Group | null {
  for (const [group, acts] of Object.entries(GROUPS)) if (acts.has(act)) return group as Group;
  return null;
}

/** The words about time decide between these acts, so doubt between them does not make the wish doubtful. */
const TIMES = wordSet("move later earlier length longer shorter until");
export const isAlike = (one: Act, other: Act) => one === other || (TIMES.has(one) && TIMES.has(other));

interface Likely {
  act: Act;
  share: number;
}

/** A part of a message and what it may want, the likeliest first. */
export interface Reading {
  likely: readonly [Likely, ...Likely[]];
  /** The output for "wants a change now". */
  score: number;
  tokens: readonly Token[];
}

const sumOf = (likely: Reading["likely"], isCounted: (act: Act) => boolean) =>
  likely.reduce((sum, { act, share }) => (isCounted(act) ? sum + share : sum), 0);
const quietShare = ({ likely }: Reading) => sumOf(likely, (act) => act === "quiet");

const LEAST = 0.0001;
/** How far a share tips the scales. */
const odds = (share: number) => Math.log(Math.max(LEAST, share) / Math.max(LEAST, 1 - share));

/** What tells whether a part of a message wants a change now, as numbers: most of all what else the message is about. */
export function signsOf(reading: Reading, all: readonly Reading[]): number[] {
  const { likely, score } = reading;
  const [{ act }] = likely;
  const others = all.filter((each) => each !== reading);
  return [
    1,
    score,
    odds(quietShare(reading)),
    odds(sumOf(likely, (each) => groupOf(each) !== null)),
    odds(sumOf(likely, (each) => isAlike(each, act))),
    Math.max(0, ...others.map(quietShare)),
    others.length > 0 ? 1 : 0,
  ];
}

/** @returns a probability */
export const changeBy = (signs: readonly number[], gate: readonly number[]) =>
  1 / (1 + Math.exp(-signs.reduce((sum, sign, at) => sum + sign * (gate[at] ?? 0), 0)));

/** An act, or others that are alike, has to be at least so likely. */
const LEAST_SHARE = 0.5;

/** Whether to act on this wish without asking. An act that changes nothing needs no certainty. */
export function isSure(wish: Likely & { others: readonly Likely[]; change: number }, least = SURE): boolean {
  const alike = wish.others.filter(({ act }) => act !== wish.act && isAlike(act, wish.act));
  const share = alike.reduce((sum, other) => sum + other.share, wish.share);
  if (groupOf(wish.act) === null) return !isOpen(wish.act) || share >= LEAST_SHARE;
  return wish.change >= least && share >= LEAST_SHARE;
}
