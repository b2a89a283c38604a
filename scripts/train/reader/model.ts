import { hashOf } from "../../../src/engine/packed-weights.ts";
import { actFeatures, boundaryFeatures, slotFeatures } from "../../../src/features/chat/reader/features.ts";
import { ACTS, EVERYWHERE, type PackedReader } from "../../../src/features/chat/reader/model.ts";
import { packHashes } from "../../../src/features/chat/reader/network.ts";
import { groupOf, isOpen } from "../../../src/features/chat/reader/sure.ts";
import { trainBoundaries } from "./boundaries.ts";
import type { Labelled } from "./labelled.ts";
import { trainMarks } from "./marks.ts";
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

export function trainReader(messages: readonly Labelled[]): PackedReader {
  const hashes = new Set([...knownWords(messages)].map(hashOf));
  const isKnown = (word: string) => hashes.has(hashOf(word));
  const rows = messages.flatMap(({ tokens, parts, context }) =>
    parts.map(({ act, from, to }, at) => ({
      features: actFeatures(tokens.slice(from, to), isKnown, { context, before: parts[at - 1]?.act ?? null }),
      label: ACTS.indexOf(act),
      change: isOpen(act) ? null : groupOf(act) !== null,
    })),
  );
  const places = messages
    .filter(({ context }) => context !== "?")
    .flatMap(({ tokens, parts }) =>
      boundaryFeatures(tokens, isKnown).flatMap((features, at) =>
        at === 0 ? [] : [{ features: [EVERYWHERE, ...features], isBoundary: parts.some(({ from }) => from === at) }],
      ),
    );
  const marked = messages.flatMap(({ tokens, parts, marks }) =>
    parts.map(({ act, from, to }) => ({
      features: slotFeatures(tokens.slice(from, to), isKnown, act),
      marks: marks.slice(from, to),
    })),
  );
  return {
    known: packHashes([...hashes].sort((a, b) => a - b)),
    acts: trainNetwork(rows, ACTS.length),
    boundaries: trainBoundaries(places),
    slots: trainMarks(marked),
  };
}
