const MAX_WORDS = 32;

/**
 * An FTS5 expression in which no input acts as an operator: every word is quoted, all must match, and the last may be
 * the start of a word. Null if there is no word.
 */
export function searchExpression(text: string): string | null {
  const words = (text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
  const wanted = [...new Set(words.slice(0, MAX_WORDS))];
  if (wanted.length === 0) return null;
  return `${wanted.map((word) => `"${word}"`).join(" AND ")}*`;
}
