import { hashOf, packHashes } from "../../../src/engine/packed-weights.ts";
import { ACTS, type Act } from "../../../src/features/chat/reader/acts.ts";
import { actFeatures, boundaryFeatures, slotFeatures } from "../../../src/features/chat/reader/features.ts";
import { EVERYWHERE, KNOWN_GAP_BITS, type PackedReader } from "../../../src/features/chat/reader/model.ts";
import { groupOf, isOpen } from "../../../src/features/chat/reader/sure.ts";
import { type Place, trainBoundaries } from "./boundaries.ts";
import type { Labelled } from "./labelled.ts";
import { type MarkedRow, trainMarks } from "./marks.ts";
import { trainNetwork } from "./network.ts";

/** A word that fewer messages have says too little. */
const LEAST_MESSAGES = 3;

function knownWords(messages: readonly Labelled[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { tokens } of messages) {
    for (const word of new Set(tokens.map((token) => token.word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= LEAST_MESSAGES).map(([word]) => word));
}

type IsKnown = (word: string) => boolean;

function* boundaryPlaces(messages: readonly Labelled[], isKnown: IsKnown): Generator<Place> {
  for (const { tokens, parts, context } of messages) {
    // Older messages have one part each, whatever they want.
    if (context === "?") continue;
    for (const [at, features] of boundaryFeatures(tokens, isKnown).entries()) {
      if (at > 0) yield { features: [EVERYWHERE, ...features], isBoundary: parts.some(({ from }) => from === at) };
    }
  }
}

/** What these name is never looked for. */
export const WANTS_NOTHING: ReadonlySet<Act> = new Set<Act>(["quiet", "other_world", "talk"]);

function* markedParts(messages: readonly Labelled[], isKnown: IsKnown): Generator<MarkedRow> {
  for (const { tokens, parts, marks, context } of messages) {
    for (const { act, from, to } of parts) {
      if (WANTS_NOTHING.has(act)) continue;
      yield {
        features: slotFeatures(tokens.slice(from, to), act, context, isKnown),
        marks: marks.slice(from, to),
      };
    }
  }
}

export function trainReader(messages: readonly Labelled[]): PackedReader {
  const hashes = new Set([...knownWords(messages)].map(hashOf));
  const isKnown = (word: string) => hashes.has(hashOf(word));
  const rows = messages.flatMap(({ tokens, parts, context }) =>
    parts.map(({ act, from, to }, at) => {
      const part = { from, to, context, before: parts[at - 1]?.act ?? null };
      return {
        features: Int32Array.from(actFeatures(tokens, part, isKnown), hashOf),
        label: ACTS.indexOf(act),
        change: isOpen(act) ? null : groupOf(act) !== null,
      };
    }),
  );
  return {
    known: packHashes(
      [...hashes].sort((a, b) => a - b),
      KNOWN_GAP_BITS,
    ),
    acts: trainNetwork(rows, ACTS.length),
    boundaries: trainBoundaries(boundaryPlaces(messages, isKnown)),
    slots: trainMarks(markedParts(messages, isKnown)),
  };
}
