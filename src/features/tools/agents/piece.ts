/** A piece of a text, and where the next one begins. Never cuts a character in two. */
export function pieceOf(text: string, offset: number, size: number): { piece: string; nextOffset: number | null } {
  const isLow = (at: number) => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));
  const start = isLow(offset) ? offset + 1 : offset;
  const end = start + size < text.length && isLow(start + size) ? start + size - 1 : start + size;
  return { piece: text.slice(start, end), nextOffset: end < text.length ? end : null };
}
