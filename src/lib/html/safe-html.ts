import { escapeMarkup } from "../text.ts";
import { wordSet } from "../words.ts";
import { type PictureOf, safeCss } from "./safe-css.ts";
import { readHtml, SHOWN_TEXT, type Tag } from "./tags.ts";

interface SafeHtmlOptions {
  pictureOf: PictureOf;
  /** For a place within another document: without style sheets and ids, and with every element closed. */
  isPart?: boolean;
}

/** All of these show something and do nothing else. */
const ELEMENTS = wordSet(
  "a abbr acronym address area article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del " +
    "details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main " +
    "map mark menu nav nobr ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td " +
    "tfoot th thead time tr tt u ul var wbr",
);
/** A browser adds their attributes to those of the document. */
const PAGE = wordSet("html body");
const VOID = wordSet("area br col hr img wbr");
const ATTRIBUTES = wordSet(
  "class dir lang title align valign width height bgcolor color face size border bordercolor cellpadding cellspacing " +
    "colspan rowspan span alt role start type value reversed compact shape coords usemap name nowrap noshade hspace vspace " +
    "text link vlink alink clear datetime summary scope headers abbr open hidden aria-hidden aria-label",
);
const LINK = /^(?:https?:|mailto:|tel:)/i;
/** Nobody writes deeper markup, and finding the tags that belong together would take long. */
const MAX_DEPTH = 200;

/**
 * Somebody else's HTML, written anew from what is known to be harmless: elements that only show something, attributes
 * that load nothing, links, and pictures that `pictureOf` allows. Every `<` in the result is ours, and no element in it has
 * content that a browser could read in two ways. Of an unknown element, the content stays.
 */
export function safeHtml(html: string, options: SafeHtmlOptions): string {
  const out: string[] = [];
  const open: string[] = [];
  for (const piece of readHtml(html)) {
    if (typeof piece === "string") out.push(piece);
    else if (piece.content !== null) out.push(textElement(piece, options));
    else if (ELEMENTS.has(piece.name)) writeTag(piece, options, out, open);
    else if (PAGE.has(piece.name) && !options.isPart && !piece.isEnd) out.push(startTag(piece, options));
  }
  for (const name of open.reverse()) out.push(`</${name}>`);
  return out.join("");
}

function textElement({ name, content, attributes }: Tag, { pictureOf, isPart }: SafeHtmlOptions): string {
  if (SHOWN_TEXT.has(name)) return escapeMarkup(content ?? "");
  if (name !== "style" || isPart) return "";
  const media = attributes.get("media");
  return `<style${media ? ` media="${escapeMarkup(media)}"` : ""}>${safeCss(content ?? "", pictureOf)}</style>`;
}

function startTag(tag: Tag, options: SafeHtmlOptions): string {
  return `<${tag.name}${attributesOf(tag, options)}>`;
}

function writeTag(tag: Tag, options: SafeHtmlOptions, out: string[], open: string[]): void {
  const { name, isEnd } = tag;
  if (isEnd && !options.isPart) out.push(`</${name}>`);
  else if (isEnd) close(open, name, out);
  else if (!options.isPart || open.length < MAX_DEPTH) {
    out.push(startTag(tag, options));
    if (options.isPart && !VOID.has(name)) open.push(name);
  }
}

/** A closing tag without its opening one would end an element of ours. */
function close(open: string[], name: string, out: string[]): void {
  const at = open.lastIndexOf(name);
  if (at < 0) return;
  for (const each of open.splice(at).reverse()) out.push(`</${each}>`);
}

function attributesOf({ name: element, attributes }: Tag, options: SafeHtmlOptions): string {
  const kept: string[] = [];
  const keep = (name: string, value: string) => void kept.push(` ${name}="${escapeMarkup(value)}"`);
  for (const [name, value] of attributes) {
    if (name === "style") keepStyle(value, options, keep);
    else if (name === "href" && (element === "a" || element === "area")) keepLink(value, options, keep);
    else if ((name === "src" && element === "img") || name === "background") {
      const picture = options.pictureOf(value);
      if (picture !== null) keep(name, picture);
    } else if (ATTRIBUTES.has(name) || (name === "id" && !options.isPart)) keep(name, value);
  }
  return kept.join("");
}

type Keep = (name: string, value: string) => void;

function keepStyle(value: string, { pictureOf, isPart }: SafeHtmlOptions, keep: Keep): void {
  const style = safeCss(value, isPart ? () => null : pictureOf);
  // There, it could cover what stands around it.
  if (!isPart || !/position/i.test(style)) keep("style", style);
}

function keepLink(value: string, { isPart }: SafeHtmlOptions, keep: Keep): void {
  // A browser leaves these signs out of an address, wherever they are.
  const address = value.replace(/[\t\n\r]/g, "").trim();
  if (address.startsWith("#")) {
    if (!isPart) keep("href", address);
  } else if (LINK.test(address)) {
    keep("href", address);
    if (isPart) return;
    keep("target", "_blank");
    keep("rel", "noopener noreferrer nofollow");
  }
}
