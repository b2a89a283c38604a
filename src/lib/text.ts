const SNIPPET_CHARACTERS = 200;

/** Mail addresses as they stand in running text. */
export const ADDRESSES = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

/** As a person counts them: one above U+FFFF is one, not two. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** The first so many characters, never half of one. */
export function firstCharacters(text: string, count: number): string {
  // A character has at most two units: longer texts need not be spread out whole.
  return [...text.slice(0, count * 2)].slice(0, count).join("");
}

/** Without such characters at its end. An expression such as `/[.!]+$/` would begin anew at each of a long run of them. */
export function withoutTrailing(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without such characters at both ends. */
export function trimmedOf(text: string, one: RegExp): string {
  let start = 0;
  while (start < text.length && one.test(text.charAt(start))) start += 1;
  return withoutTrailing(text.slice(start), one);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function collapseSpace(text: string): string {
  // Most text has single spaces already, and a test is much faster than a replacement.
  return (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}

/** The preview of a body in a list: its first words, on one line. */
export function snippetOf(body: string): string {
  return firstCharacters(collapseSpace(body.slice(0, 4000)), SNIPPET_CHARACTERS);
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The longest beginning of the text that fits, cut between characters. */
export function cutToBytes(text: string, maxBytes: number): string {
  const buffer = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, buffer);
  return read >= text.length ? text : text.slice(0, read);
}

/** For HTML and XML. Also removes characters that are not allowed in XML. */
export function escapeMarkup(content: string): string {
  return content
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
