import { hashOf, unpackHashes } from "../../../engine/packed-weights.ts";
import { KNOWN_GAP_BITS, loadReader, type ReadMessage } from "./model.ts";
import { READER } from "./weights.ts";

export { ACTS, type Act } from "./acts.ts";
export type { Slot } from "./marks.ts";
export type { Filled, Wish } from "./model.ts";

let loaded: ReadMessage | null = null;

/**
 * What each part of a message wants, in order; at least one.
 * @param context what the last reply was about ("task", "emails", …), asked ("asked when") or "failed"; "" if nothing
 */
export const readMessage: ReadMessage = (...given) => {
  loaded ??= loadReader(READER);
  return loaded(...given);
};

let known: ReturnType<typeof unpackHashes> | null = null;

/** Whether the reader was trained with a word, in lower case. */
export function isKnownWord(word: string): boolean {
  known ??= unpackHashes(READER.known, KNOWN_GAP_BITS);
  return known.has(hashOf(word));
}
