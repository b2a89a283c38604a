const MAX_WORDS = 32;

/**
 * Turns what a person typed into an FTS5 expression in which nothing of theirs is an operator: every
 * word quoted, all of them wanted, the last one as the beginning of a word. Null when there is no word.
 */
export function searchExpression(text: string): string | null {
  const words = (text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
  const wanted = [...new Set(words.slice(0, MAX_WORDS))];
  if (wanted.length === 0) return null;
  return `${wanted.map((word) => `"${word}"`).join(" AND ")}*`;
}
