import { decodeHTMLAttribute } from "entities/decode";
import { wordSet } from "../words.ts";

/** A tag as its sender wrote it. Names are in lower case, and values are decoded. */
export interface Tag {
  name: string;
  isEnd: boolean;
  /** Of two attributes with the same name, browsers read the first. */
  attributes: ReadonlyMap<string, string>;
  /** The text of an element whose content is no markup, such as a style sheet; otherwise null. */
  content: string | null;
  /** Where the tag itself is; its `content` follows. */
  start: number;
  end: number;
}

/** Browsers read no tags in these, whether or not scripts run. The content of `noscript` depends on that: it is markup here. */
const TEXT_ONLY = wordSet("script style title textarea xmp iframe noembed noframes");
/** Elements whose content is shown as text, not read as markup. */
export const SHOWN_TEXT = wordSet("xmp textarea");
const COMMENT = { name: "!", isEnd: false, attributes: new Map<string, string>(), content: null };
const TAG = /<(\/?)([a-z][^\t\n\f\r />]{0,99})/iy;
const BETWEEN = /[\t\n\f\r /]*/y;
const NAME = /[^\t\n\f\r />][^\t\n\f\r />=]*/y;
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;

/**
 * The text and the tags of somebody else's HTML, in their order; a comment is a tag with the name `!`. One pass, so that
 * the cost is linear however odd the markup. Text is as it was written, and has no `<`.
 */
export function* readHtml(html: string): Generator<string | Tag> {
  let position = 0;
  while (position < html.length) {
    const start = html.indexOf("<", position);
    if (start !== position) yield html.slice(position, start < 0 ? html.length : start);
    if (start < 0) return;
    const [whole, slash, name = ""] = matchAt(TAG, html, start);
    if (whole === "") {
      const isMarkup = /[!?/]/.test(html[start + 1] ?? "");
      position = isMarkup ? endOfComment(html, start) : start + 1;
      yield isMarkup ? { ...COMMENT, start, end: position } : "&lt;";
      continue;
    }
    const { attributes, end } = readAttributes(html, start + whole.length);
    const tag = { name: name.toLowerCase(), isEnd: slash === "/", attributes };
    const hasText = !tag.isEnd && TEXT_ONLY.has(tag.name);
    const textEnd = hasText ? startOfClosing(html, tag.name, end) : end;
    // A tag that does not end is none.
    if (end <= html.length) yield { ...tag, content: hasText ? html.slice(end, textEnd) : null, start, end };
    position = textEnd;
  }
}

/** `<!-- … -->`, and `<!doctype …>`, `<?xml …>` or `</ …>`, which browsers take for comments. */
function endOfComment(html: string, start: number): number {
  const mark = html.startsWith("<!--", start) ? "-->" : ">";
  // `<!-->` is a whole comment.
  const found = html.indexOf(mark, start + 2);
  return found < 0 ? html.length : found + mark.length;
}

/** `end` is beyond the text if the tag does not end. */
function readAttributes(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    at += matchAt(BETWEEN, html, at)[0].length;
    if (at >= html.length) return { attributes, end: html.length + 1 };
    if (html[at] === ">") return { attributes, end: at + 1 };
    const [name] = matchAt(NAME, html, at);
    at += name.length;
    let value = "";
    const [equals] = matchAt(EQUALS, html, at);
    if (equals !== "") {
      at += equals.length;
      const quote = html[at] === '"' || html[at] === "'" ? html[at] : undefined;
      const close = quote ? html.indexOf(quote, at + 1) : -1;
      if (quote && close < 0) return { attributes, end: html.length + 1 };
      value = quote ? html.slice(at + 1, close) : matchAt(UNQUOTED, html, at)[0];
      at = quote ? close + 1 : at + value.length;
    }
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeHTMLAttribute(value));
  }
}

/** Where the closing tag of an element begins; the end of the text if it has none. */
function startOfClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function matchAt(pattern: RegExp, text: string, at: number): [string, ...(string | undefined)[]] {
  pattern.lastIndex = at;
  const [whole = "", ...groups] = pattern.exec(text) ?? [];
  return [whole, ...groups];
}
