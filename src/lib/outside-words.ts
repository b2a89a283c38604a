/**
 * The mark `outside` of tasks and events: some of their words were written by other people or by programs. The chat
 * never lets such words make it act.
 */

/** Records of all other sources have words from outside, whoever sends them. */
const OWN_SOURCES: readonly string[] = ["manual", "chat"];

export const isOwnSource = (source: string) => OWN_SOURCES.includes(source);

/**
 * The mark after a change. Words from outside set it. A person clears it by replacing or removing every text that was
 * there: one that stays, in whatever field, may be from outside.
 */
export function isOutsideAfter(
  isOutside: boolean,
  isOwnChange: boolean,
  before: readonly string[],
  after: readonly string[],
): boolean {
  const [old, next] = [comparable(before), comparable(after)];
  if (isOwnChange) return isOutside && [...old].some((text) => next.has(text));
  return isOutside || [...next].some((text) => !old.has(text));
}

/** Texts without what a form or a client changes by itself: line breaks, spaces, the encoding of accents. */
function comparable(texts: readonly string[]): Set<string> {
  return new Set(texts.map((text) => withoutSpace(text).normalize("NFC")).filter(Boolean));
}

/** The characters that `withoutSpace` leaves out, so that SQL can do the same. */
export const SPACES = [" ", "\t", "\n", "\r", "\u00a0"] as const;

export function withoutSpace(text: string): string {
  return SPACES.reduce((rest, space) => rest.replaceAll(space, ""), text);
}
