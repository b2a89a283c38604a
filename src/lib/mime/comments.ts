/** Where a comment in parentheses ends, which may contain others: behind its last one. -1 if it has no end. */
export function commentEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** Without comments. A parenthesis that is never closed is a letter, and so are those behind it. */
export function withoutComments(text: string): string {
  let plain = "";
  let from = 0;
  for (let at = text.indexOf("("); at >= 0; at = text.indexOf("(", from)) {
    const end = commentEnd(text, at);
    if (end < 0) break;
    plain += text.slice(from, at);
    from = end;
  }
  return plain + text.slice(from);
}
