import { decoded, type Piece, piecesOf } from "./markup.ts";

/*
 * Markup from outside (a paste, a stored draft, a signature) as nodes that can be shown in the page: only elements that
 * show something, links, and pictures of the email itself, made anew. The browser's own parsers are not used: the policy of
 * the page forbids some of them, and in all of them markup that tries to run or load something is reported as a violation.
 */

const SAME = new Set(
  "b i u s a ul ol li blockquote pre code br hr div p h1 h2 h3 h4 h5 h6 table thead tbody tr td th sub sup".split(" "),
);
const OTHERS: Readonly<Record<string, string>> = { strong: "b", em: "i", strike: "s", del: "s", ins: "u" };
const VOID = new Set(["br", "hr"]);
/** Their content is no text. What a browser reads no tags in is skipped by `piecesOf`. */
const GONE = new Set("head template object embed svg math select button audio video canvas".split(" "));
/** Elements that end where another of their kind, or one around it, begins: people leave out the end. */
const ENDS: Readonly<Record<string, RegExp>> = {
  li: /^li$/,
  p: /^p$/,
  td: /^t[dh]$/,
  th: /^t[dh]$/,
  tr: /^t[dhr]$/,
};
const AROUND = /^(?:ul|ol|table|blockquote|div)$/;
const LINK = /^(?:https?:|mailto:|tel:)/i;
const OWN_PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
/** Squire remembers a selection by two of these. */
const BOOKMARK = /^squire-selection-(?:start|end)/;
/** Nobody writes deeper markup. */
const MAX_DEPTH = 100;

interface CleanOptions {
  /** Where the picture with this content id is; empty while it is loading, null if the email does not have it. */
  pictureOf(contentId: string): string | null;
  /** What the editor itself wrote: with the marks of its selection. */
  isOwn?: boolean;
}

type Tag = Exclude<Piece, string>;

export function fragmentOf(html: string, options: CleanOptions): DocumentFragment {
  const fragment = document.createDocumentFragment();
  /** What is open: an element, or, for one that is left out, what its content goes to. */
  const open: { name: string; node: Node }[] = [{ name: "", node: fragment }];
  const top = () => open.at(-1)?.node ?? fragment;
  let hidden: { name: string; depth: number } | null = null;
  for (const piece of piecesOf(html)) {
    if (typeof piece === "string") {
      if (!hidden) top().appendChild(document.createTextNode(decoded(piece)));
      continue;
    }
    const { name, isEnd } = piece;
    if (hidden) {
      if (name === hidden.name) hidden.depth += isEnd ? -1 : 1;
      if (hidden.depth === 0) hidden = null;
    } else if (isEnd) {
      const at = open.findLastIndex((each) => each.name === name);
      if (at > 0) open.length = at;
    } else if (name === "img") top().appendChild(pictureFrom(piece, options));
    else if (name === "input") top().appendChild(bookmarkFrom(piece, options));
    else if (GONE.has(name)) hidden = { name, depth: 1 };
    else {
      endBefore(name, open);
      const made = elementFrom(piece);
      if (made) top().appendChild(made);
      if (!VOID.has(name) && open.length < MAX_DEPTH) open.push({ name, node: made ?? top() });
    }
  }
  return fragment;
}

function endBefore(name: string, open: { name: string }[]): void {
  const ended = ENDS[name];
  if (!ended) return;
  for (let at = open.length - 1; at > 0 && !AROUND.test(open[at]?.name ?? ""); at -= 1) {
    if (ended.test(open[at]?.name ?? "")) open.length = at;
  }
}

/** Null for an element of which only the content stays. */
function elementFrom(tag: Tag): HTMLElement | null {
  const { name, attributes } = tag;
  const kept = SAME.has(name) ? name : (OTHERS[name] ?? styledAs(tag));
  const href = name === "a" ? linkOf(attributes.get("href") ?? "") : null;
  if (kept === null || (name === "a" && href === null)) return null;
  const made = document.createElement(kept);
  if (href !== null) made.setAttribute("href", href);
  for (const span of name === "td" || name === "th" ? ["colspan", "rowspan"] : []) {
    const value = attributes.get(span);
    if (value && /^\d{1,2}$/.test(value)) made.setAttribute(span, value);
  }
  return made;
}

/** Some programs write bold and italic as styles. */
function styledAs({ name, attributes }: Tag): string | null {
  if (name !== "span") return null;
  const style = attributes.get("style") ?? "";
  if (/font-weight:\s*(?:bold|[6-9]00)/i.test(style)) return "b";
  if (/font-style:\s*italic/i.test(style)) return "i";
  const lines = style.split(";").filter((each) => /^\s*text-decoration/i.test(each));
  return lines.some((each) => /underline/i.test(each)) ? "u" : null;
}

function linkOf(given: string): string | null {
  // A browser leaves these signs out of an address, wherever they are.
  const address = given.replace(/[\t\n\r]/g, "").trim();
  return LINK.test(address) ? address : null;
}

/** Nothing loads from elsewhere: a picture on the web is its words. */
function pictureFrom({ attributes }: Tag, { pictureOf }: CleanOptions): Node {
  const address = (attributes.get("src") ?? "").trim();
  const words = (attributes.get("alt") ?? "").trim();
  const contentId = attributes.get("data-cid") ?? /^cid:(.{1,200})$/i.exec(address)?.[1] ?? null;
  const found = contentId === null ? (OWN_PICTURE.test(address) ? address : null) : pictureOf(contentId);
  if (found === null) return document.createTextNode(words ? `[${words}]` : "");
  const picture = document.createElement("img");
  picture.alt = words;
  if (contentId !== null) picture.dataset.cid = contentId;
  if (found) picture.src = found;
  for (const side of ["width", "height"]) {
    const value = attributes.get(side);
    if (value && /^\d{1,4}$/.test(value)) picture.setAttribute(side, value);
  }
  return picture;
}

function bookmarkFrom({ attributes }: Tag, { isOwn }: CleanOptions): Node {
  const id = attributes.get("id") ?? "";
  if (!isOwn || !BOOKMARK.test(id)) return document.createTextNode("");
  const mark = document.createElement("input");
  mark.id = id;
  mark.type = "hidden";
  return mark;
}
