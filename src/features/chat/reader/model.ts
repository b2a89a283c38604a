import type { Clock } from "../../../engine/notes/message-time.ts";
import { hashOf, unpackHashes, unpackWeights } from "../../../engine/packed-weights.ts";
import { ACTS, type Act } from "./acts.ts";
import { actFeatures, boundaryFeatures, slotFeatures } from "./features.ts";
import { isInside, loadMarks, type Slot, slotOf } from "./marks.ts";
import { loadNetwork, type PackedNetwork } from "./network.ts";
import { changeBy, type Reading, signsOf } from "./sure.ts";
import { GATE } from "./thresholds.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { isDeterminer } from "./word-classes.ts";

export interface Filled {
  slot: Slot;
  text: string;
  /** Offsets in the message. */
  start: number;
  end: number;
}

/** What a part of a message wants. */
export interface Wish {
  /** The likeliest act and its probability. */
  act: Act;
  share: number;
  /** The next two. */
  others: { act: Act; share: number }[];
  /** The probability that this part wants a change made now, and what tells it. */
  change: number;
  signs: readonly number[];
  /** The part of the message. */
  start: number;
  end: number;
  slots: Filled[];
  /** The slots given another act, for a caller that knows better. */
  slotsFor(act: Act): Filled[];
}

export interface PackedReader {
  /** Hashes of the words that were learned. */
  known: string;
  /** An output for each act, and one for "wants a change now". */
  acts: PackedNetwork;
  boundaries: string;
  slots: string;
}

/** @param begins the tokens at which parts begin, for measuring what is found in them */
export type ReadMessage = (text: string, context: string, clock: Clock, begins?: readonly number[]) => Wish[];

/** How the gaps between the hashes of words are packed. */
export const KNOWN_GAP_BITS = 7;
/** Every word has this feature of a boundary. */
export const EVERYWHERE = "*";
/** How far the scales must tip for a boundary: a wrong one spoils both parts. */
const BOUNDARY = 12;

export function loadReader(packed: PackedReader): ReadMessage {
  const known = unpackHashes(packed.known, KNOWN_GAP_BITS);
  const isKnown = (word: string) => known.has(hashOf(word));
  const scoresOf = loadNetwork(packed.acts);
  const boundaryWeights = unpackWeights(packed.boundaries);
  const marksOf = loadMarks(packed.slots);
  const isBoundary = (features: readonly string[]) =>
    [EVERYWHERE, ...features].reduce((sum, feature) => sum + (boundaryWeights.get(hashOf(feature)) ?? 0), 0) > BOUNDARY;

  const beginsIn = (tokens: readonly Token[]) => {
    const places = boundaryFeatures(tokens, isKnown);
    return [0, ...places.flatMap((features, at) => (at > 0 && isBoundary(features) ? [at] : []))];
  };

  return (text, context, clock, given) => {
    const tokens = tokensOf(text, clock);
    const begins = given ?? beginsIn(tokens);
    const readings: Reading[] = [];
    for (const [index, from] of begins.entries()) {
      const to = begins[index + 1] ?? tokens.length;
      const before = readings.at(-1)?.likely[0].act ?? null;
      const scores = scoresOf(actFeatures(tokens, { from, to, context, before }, isKnown));
      const likely = likeliest(scores.slice(0, ACTS.length));
      readings.push({ likely, score: scores[ACTS.length] ?? 0, tokens: tokens.slice(from, to) });
    }
    return readings.map((reading) => {
      const [{ act, share }, ...others] = reading.likely;
      const part = reading.tokens;
      const signs = signsOf(reading, readings);
      const slotsFor = (wanted: Act) => {
        const marks = marksOf(slotFeatures(part, wanted, context, isKnown), (at) => part[at]?.word === "<quote>");
        return slotsIn(text, part, marks);
      };
      return {
        act,
        share,
        others: others.slice(0, 2),
        signs,
        change: changeBy(signs, GATE),
        start: part[0]?.start ?? 0,
        end: part.at(-1)?.end ?? 0,
        slots: slotsFor(act),
        slotsFor,
      };
    });
  };
}

function likeliest(scores: readonly number[]): Reading["likely"] {
  const top = Math.max(...scores);
  const sizes = scores.map((score) => Math.exp(score - top));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const [first, ...rest] = ACTS.map((act, at) => ({ act, share: (sizes[at] ?? 0) / total })).sort(
    (a, b) => b.share - a.share,
  );
  return [first ?? { act: "quiet", share: 0 }, ...rest];
}

const QUOTES = /^["“„«]\s?|\s?["”“»]$/g;

function slotsIn(text: string, tokens: readonly Token[], marks: readonly number[]): Filled[] {
  const found: Omit<Filled, "text">[] = [];
  let isNew = false;
  for (const [at, mark] of marks.entries()) {
    const token = tokens[at];
    const slot = slotOf(mark);
    if (!slot || !token) continue;
    isNew ||= !isInside(mark);
    const isArticle =
      isNew && slot !== "m" && isDeterminer(token.word) && marks[at + 1] === mark + (isInside(mark) ? 0 : 1);
    if (isArticle) continue;
    const last = found.at(-1);
    if (last && !isNew) last.end = token.end;
    else found.push({ slot, start: token.start, end: token.end });
    isNew = false;
  }
  return found.map((each) => ({ ...each, text: text.slice(each.start, each.end).replace(QUOTES, "") }));
}
