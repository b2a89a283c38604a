import { wordSet } from "./words.ts";

/** Elements that are left out with everything in them. */
const DROPPED = wordSet("script style title template noscript iframe object embed applet svg math head");
/** Elements of which only the tags are left out: they would end or change the email around the quote. */
const UNWRAPPED = wordSet("html body base meta link form input button textarea select option frame frameset");
const ATTRIBUTE = /\s([a-z][a-z0-9-]{0,40})\s*(?:=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/gi;
const ADDRESSES = wordSet("href src background poster cite action formaction xlink:href");
const SAFE_ADDRESS = /^(?:https?:|mailto:|tel:|cid:|data:image\/(?:png|jpeg|gif|webp);|[#/?])/i;

/**
 * Somebody else's HTML for a place within our own email: without scripts, forms, styles for the whole page, and
 * comments. One pass, so that the cost is linear however odd the markup.
 */
export function inertHtml(html: string): string {
  const out: string[] = [];
  const open: string[] = [];
  let position = 0;
  while (position < html.length) {
    const start = html.indexOf("<", position);
    if (start < 0) {
      out.push(html.slice(position));
      break;
    }
    out.push(html.slice(position, start));
    if (html.startsWith("<!--", start)) {
      position = after(html, "-->", start + 4);
      continue;
    }
    const tag = /^<(\/?)([a-z][a-z0-9:]*)/i.exec(html.slice(start, start + 60));
    if (!tag) {
      // `<!doctype`, `<?xml`, or a sign that is no tag.
      const isMarkup = /^<[!?/]/.test(html.slice(start, start + 2));
      if (!isMarkup) out.push("&lt;");
      position = isMarkup ? after(html, ">", start) : start + 1;
      continue;
    }
    const [whole, slash, found = ""] = tag;
    const name = found.toLowerCase();
    const end = endOfTag(html, start + whole.length);
    const attributes = html.slice(start + whole.length, end - 1);
    position = end;
    if (DROPPED.has(name)) {
      if (!slash && !attributes.endsWith("/")) position = afterClosing(html, name, end);
    } else if (slash) {
      close(open, name, out);
    } else if (!UNWRAPPED.has(name) && open.length < MAX_DEPTH) {
      out.push(`<${name}${inertAttributes(attributes)}>`);
      if (!VOID.has(name)) open.push(name);
    }
  }
  // What the original leaves open ends with the quote.
  for (const name of open.reverse()) out.push(`</${name}>`);
  return out.join("");
}

const VOID = wordSet("area br col hr img source track wbr");
/** Nobody writes deeper markup, and finding the tags that belong together would take long. */
const MAX_DEPTH = 200;

/** A closing tag without its opening one would end an element of ours. */
function close(open: string[], name: string, out: string[]): void {
  const at = open.lastIndexOf(name);
  if (at < 0) return;
  for (const each of open.splice(at).reverse()) out.push(`</${each}>`);
}

/** Only complete attributes are kept, each written anew. */
function inertAttributes(text: string): string {
  const kept: string[] = [];
  for (const [, found = "", quoted = ""] of text.slice(0, 20_000).matchAll(ATTRIBUTE)) {
    const name = found.toLowerCase();
    const value = quoted.replace(/^["']|["']$/g, "");
    if (name.startsWith("on") || name === "srcdoc" || name === "id") continue;
    if (ADDRESSES.has(name) && !SAFE_ADDRESS.test(decoded(value))) continue;
    if (name === "style" && /expression|javascript|url\s*\(|position|@import/i.test(decoded(value))) continue;
    kept.push(` ${name}="${value.replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"`);
  }
  return kept.join("");
}

/** `java&#115;cript:` is an address too. */
function decoded(value: string): string {
  return value
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,7});?/g, (_, code: string) => character(Number(code)))
    .replace(/&(?:colon|tab|newline);/gi, (name) => (name.toLowerCase() === "&colon;" ? ":" : ""))
    .replace(/[\p{Cc}\s]+/gu, "");
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

/** The `>` that ends a tag is not within the quotes of an attribute. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at++) {
    const sign = html[at] ?? "";
    if (quote) quote = sign === quote ? "" : quote;
    else if ((sign === '"' || sign === "'") && /[=\s]/.test(html[at - 1] ?? "")) quote = sign;
    else if (sign === ">") return at + 1;
  }
  return html.length;
}

function afterClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b[^<>]{0,200}>`, "gi");
  closing.lastIndex = from;
  return closing.exec(html) ? closing.lastIndex : html.length;
}
