import { pairs, wordSet } from "./words.ts";

// No email runs scripts, so that every reader shows what is in `noscript`.
const HIDDEN = wordSet("head script style title template");
const BREAKS = wordSet(
  "address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul",
);
export const ENTITIES = new Map<string, string>([
  ...pairs("amp: &, lt: <, gt: >, quot: \", apos: ', copy: ©, reg: ®, trade: ™, euro: €, pound: £, hellip: …"),
  ...pairs("mdash: —, ndash: –, lsquo: ‘, rsquo: ’, ldquo: “, rdquo: ”, bull: •, middot: ·, szlig: ß"),
  ["nbsp", " "],
  ["zwnj", ""],
  ["shy", ""],
]);
/** `&eacute;` is a letter and the name of its accent. */
const ACCENTS = pairs(
  "grave: \u0300, acute: \u0301, circ: \u0302, tilde: \u0303, uml: \u0308, ring: \u030a, cedil: \u0327",
);

/** The text of an HTML email. One pass, so that the cost is linear however odd the markup. */
export function htmlToText(html: string): string {
  const out: string[] = [];
  let position = 0;
  while (position < html.length) {
    const open = html.indexOf("<", position);
    if (open < 0) {
      out.push(words(html.slice(position)));
      break;
    }
    out.push(words(html.slice(position, open)));
    if (html.startsWith("<!--", open)) {
      position = after(html, "-->", open + 4);
      continue;
    }
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 20))?.[1]?.toLowerCase();
    if (!name && !/^<[!?/]/.test(html.slice(open, open + 2))) {
      out.push("<");
      position = open + 1;
      continue;
    }
    position = after(html, ">", open);
    if (name && HIDDEN.has(name) && html[open + 1] !== "/") position = afterClosing(html, name, position);
    else if (name && BREAKS.has(name)) out.push(name === "li" && html[open + 1] !== "/" ? "\n- " : "\n");
    else if (name === "td" || name === "th") out.push(" ");
  }
  return out
    .join("")
    .split("\n")
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A line break in HTML source is a space; only elements break lines. */
function words(text: string): string {
  return decodeEntities(text.replace(/\s+/g, " "));
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

function afterClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b[^<>]{0,200}>`, "gi");
  closing.lastIndex = from;
  return closing.exec(html) ? closing.lastIndex : html.length;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});?/gi, (whole, name: string) => {
    if (!name.startsWith("#")) {
      const accent = ACCENTS.get(name.slice(1).toLowerCase());
      return accent ? `${name.charAt(0)}${accent}`.normalize() : (ENTITIES.get(name.toLowerCase()) ?? whole);
    }
    const code = name[1]?.toLowerCase() === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : "\ufffd";
  });
}
