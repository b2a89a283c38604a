import { decodeHTML } from "entities/decode";
import { readHtml, SHOWN_TEXT } from "./html/tags.ts";
import { wordSet } from "./words.ts";

const BLOCKS = wordSet(
  "br p div li ul ol tr td th table h1 h2 h3 h4 h5 h6 hr blockquote section article header footer",
);
/** None is shorter than what it stands for. */
const ENTITY = /&(?:#x?[0-9a-f]{1,7}|[a-z][a-z0-9]{1,31});/gi;
/** An end of something, or what has no end. A beginning alone may be plain text: "check that a<b and c>d". */
const LOOKS_LIKE_HTML =
  /<\/(?:html|body|div|p|table|span|a|td|tr|ul|ol|li|b|i|em|strong|h[1-6]|script|style)\s{0,9}>|<(?:!doctype|html|body|br|hr|img)\b[^<>]{0,500}>|<(?:p|div|li|td)>/i;

/**
 * What a reader sees of a text. Tags, styles and scripts become spaces, so that everything keeps its offset.
 */
export function visibleText(text: string): string {
  if (!LOOKS_LIKE_HTML.test(text.slice(0, 20_000))) return text;
  const parts: string[] = [];
  let at = 0;
  for (const piece of readHtml(text)) {
    if (typeof piece === "string") continue;
    const end = piece.end + (SHOWN_TEXT.has(piece.name) ? 0 : (piece.content?.length ?? 0));
    parts.push(text.slice(at, piece.start), (BLOCKS.has(piece.name) ? "\n" : " ").padEnd(end - piece.start));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("").replace(ENTITY, (entity) => decodeHTML(entity).replace(/\s/g, " ").padEnd(entity.length));
}
