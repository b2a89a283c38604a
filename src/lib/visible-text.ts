import { ENTITIES } from "./html-text.ts";

const BLOCK_TAG = /^<\/?(?:br|p|div|li|ul|ol|tr|td|th|table|h[1-6]|hr|blockquote|section|article|header|footer)\b/i;
const LOOKS_LIKE_HTML = /<(?:html|body|div|p|br|table|span|a|td|ul|li|b|strong|script|style)\b[^<>]{0,500}>/i;

/**
 * What a reader sees of a text. Tags, styles and scripts become spaces, so that everything keeps its offset.
 */
export function visibleText(text: string): string {
  if (!LOOKS_LIKE_HTML.test(text.slice(0, 20_000))) return text;
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    if (open < 0) break;
    const end = endOfTag(text, open);
    if (end < 0) break;
    parts.push(text.slice(at, open), blank(text, open, end));
    at = end;
  }
  parts.push(text.slice(at));
  return parts
    .join("")
    .replace(/&(nbsp|amp|lt|gt|quot|apos|#39);/g, (entity, name) =>
      (name === "#39" ? "'" : (ENTITIES.get(name) ?? " ")).padEnd(entity.length),
    );
}

/** The index after the tag, or after the content of a style or script; -1 if it is not closed. */
function endOfTag(text: string, open: number): number {
  const name = /^<(script|style|head)\b/i.exec(text.slice(open, open + 8))?.[1]?.toLowerCase();
  if (text.startsWith("<!--", open)) {
    const end = text.indexOf("-->", open);
    return end < 0 ? -1 : end + 3;
  }
  if (name) {
    const closing = new RegExp(`</${name}`, "gi");
    closing.lastIndex = open;
    const end = closing.test(text) ? text.indexOf(">", closing.lastIndex) : -1;
    return end < 0 ? -1 : end + 1;
  }
  const next = text.charCodeAt(open + 1);
  const isTag = next === 47 || next === 33 || (next >= 65 && next <= 90) || (next >= 97 && next <= 122);
  if (!isTag) return open + 1;
  const end = text.indexOf(">", open);
  return end < 0 ? -1 : end + 1;
}

function blank(text: string, start: number, end: number): string {
  if (end === start + 1) return "<";
  const piece = text.slice(start, end);
  return BLOCK_TAG.test(piece) ? "\n".padEnd(piece.length) : " ".repeat(piece.length);
}
