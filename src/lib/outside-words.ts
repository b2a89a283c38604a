/**
 * The mark `outside` of tasks and events: some of their words were written by other people or by programs. The chat
 * never lets such words make it act.
 */

/** Records of all other sources have words from outside, whoever sends them. */
const OWN_SOURCES: readonly string[] = ["manual", "chat"];

export const isOwnSource = (source: string) => OWN_SOURCES.includes(source);

/**
 * The mark after a change. Words from outside set it. A person clears it by replacing or removing every text that was
 * there: one that stays may be from outside.
 */
export function isOutsideAfter(
  isOutside: boolean,
  isOwnChange: boolean,
  before: readonly string[],
  after: readonly string[],
): boolean {
  if (isOwnChange) return isOutside && before.some((text, at) => text !== "" && text === after[at]);
  return isOutside || after.some((text, at) => text !== "" && text !== before[at]);
}
