/*
 * Markup from outside (a paste, a stored draft, a signature) as nodes that can be shown in the page: only elements that
 * show something, links, and pictures of the email itself. A browser reads it into a document of its own, which runs and
 * loads nothing; what is known to be harmless is made anew from that.
 */

/** The policy of the document allows one of this name (`http/console.ts` of the Worker), to read markup and never to run it. */
const POLICY = "poa-editor";

interface MarkupPolicy {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string };
}

/** What the parser takes: a string, or what only the policy makes of one. */
let trust: ((html: string) => string) | undefined;

function trusted(html: string): string {
  if (!trust) {
    const types = (globalThis as { trustedTypes?: MarkupPolicy }).trustedTypes;
    const policy = types?.createPolicy(POLICY, { createHTML: (given) => given });
    trust = policy ? (given) => policy.createHTML(given) : (given) => given;
  }
  return trust(html);
}

const SAME = new Set(
  "b i u s a ul ol li blockquote pre code br hr div p h1 h2 h3 h4 h5 h6 table thead tbody tr td th sub sup".split(" "),
);
const OTHERS: Readonly<Record<string, string>> = { strong: "b", em: "i", strike: "s", del: "s", ins: "u" };
/** Their content is no text. */
const GONE = new Set(
  "script style title head template noscript iframe object embed svg math select textarea input button audio video canvas".split(
    " ",
  ),
);
const LINK = /^(?:https?:|mailto:|tel:)/i;
const OWN_PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
/** Squire remembers a selection by two of these. */
const BOOKMARK = /^squire-selection-(?:start|end)/;

export interface CleanOptions {
  /** Where the picture with this content id is; empty while it is loading, null if the email does not have it. */
  pictureOf(contentId: string): string | null;
  /** What the editor itself wrote: with the marks of its selection. */
  isOwn?: boolean;
}

export function fragmentOf(html: string, options: CleanOptions): DocumentFragment {
  const read = new DOMParser().parseFromString(trusted(html), "text/html");
  const fragment = document.createDocumentFragment();
  copyInto(fragment, read.body, options);
  return fragment;
}

function copyInto(target: Node, source: Node, options: CleanOptions): void {
  for (const node of source.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) target.appendChild(document.createTextNode(node.nodeValue ?? ""));
    else if (node.nodeType === Node.ELEMENT_NODE) copyElement(target, node as Element, options);
  }
}

function copyElement(target: Node, source: Element, options: CleanOptions): void {
  const name = source.localName;
  if (name === "img") {
    target.appendChild(pictureFrom(source, options));
    return;
  }
  if (name === "input" && options.isOwn && BOOKMARK.test(source.id)) {
    const mark = document.createElement("input");
    mark.id = source.id;
    mark.type = "hidden";
    target.appendChild(mark);
    return;
  }
  if (GONE.has(name)) return;
  const kept = SAME.has(name) ? name : (OTHERS[name] ?? styledAs(source));
  const href = name === "a" ? linkOf(source) : null;
  if (kept === null || (name === "a" && href === null)) {
    copyInto(target, source, options);
    return;
  }
  const made = document.createElement(kept);
  if (href !== null) made.setAttribute("href", href);
  for (const span of ["colspan", "rowspan"]) {
    const value = source.getAttribute(span);
    if (value && /^\d{1,2}$/.test(value) && (name === "td" || name === "th")) made.setAttribute(span, value);
  }
  target.appendChild(made);
  copyInto(made, source, options);
}

/** Some programs write bold and italic as styles. */
function styledAs(source: Element): string | null {
  if (source.localName !== "span") return null;
  const style = source.getAttribute("style") ?? "";
  if (/font-weight:\s*(?:bold|[6-9]00)/i.test(style)) return "b";
  if (/font-style:\s*italic/i.test(style)) return "i";
  return /text-decoration[^;]*underline/i.test(style) ? "u" : null;
}

function linkOf(source: Element): string | null {
  // A browser leaves these signs out of an address, wherever they are.
  const address = (source.getAttribute("href") ?? "").replace(/[\t\n\r]/g, "").trim();
  return LINK.test(address) ? address : null;
}

/** Nothing loads from elsewhere: a picture on the web is its words. */
function pictureFrom(source: Element, { pictureOf }: CleanOptions): Node {
  const address = (source.getAttribute("src") ?? "").trim();
  const words = (source.getAttribute("alt") ?? "").trim();
  const contentId = source.getAttribute("data-cid") ?? /^cid:(.{1,200})$/i.exec(address)?.[1] ?? null;
  const found = contentId === null ? (OWN_PICTURE.test(address) ? address : null) : pictureOf(contentId);
  if (found === null) return document.createTextNode(words ? `[${words}]` : "");
  const picture = document.createElement("img");
  picture.alt = words;
  if (contentId !== null) picture.dataset.cid = contentId;
  if (found) picture.src = found;
  for (const side of ["width", "height"]) {
    const value = source.getAttribute(side);
    if (value && /^\d{1,4}$/.test(value)) picture.setAttribute(side, value);
  }
  return picture;
}
