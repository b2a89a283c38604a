/* The tags and texts of somebody else's HTML, in one pass. As `lib/html/tags.ts` of the Worker, without its package. */

interface Tag {
  name: string;
  isEnd: boolean;
  attributes: ReadonlyMap<string, string>;
}

export type Piece = string | Tag;

/** Browsers read no tags in these. Nothing of them is shown. */
const TEXT_ONLY = new Set("script style title textarea xmp iframe noembed noframes noscript".split(" "));
const TAG = /<(\/?)([a-z][^\t\n\f\r />]{0,99})/iy;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const END = /[\s/]*>/y;

export function* piecesOf(html: string): Generator<Piece> {
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start !== at) yield html.slice(at, start < 0 ? html.length : start);
    if (start < 0) return;
    const tag = match(TAG, html, start);
    if (!tag) {
      const isMarkup = /[!?/]/.test(html[start + 1] ?? "");
      if (!isMarkup) yield "<";
      at = isMarkup ? endOfComment(html, start) : start + 1;
      continue;
    }
    const [whole, slash = "", named = ""] = tag;
    const name = named.toLowerCase();
    const { attributes, end } = attributesAt(html, start + whole.length);
    at = end;
    if (slash === "" && TEXT_ONLY.has(name)) at = endOfText(html, name, end);
    else yield { name, isEnd: slash !== "", attributes };
  }
}

function endOfComment(html: string, start: number): number {
  const mark = html.startsWith("<!--", start) ? "-->" : ">";
  const found = html.indexOf(mark, start + 2);
  return found < 0 ? html.length : found + mark.length;
}

function endOfText(html: string, name: string, from: number): number {
  const opening = new RegExp(`</${name}`, "gi");
  opening.lastIndex = from;
  const end = opening.exec(html) ? html.indexOf(">", opening.lastIndex) : -1;
  return end < 0 ? html.length : end + 1;
}

function attributesAt(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    const end = match(END, html, at);
    if (end) return { attributes, end: at + end[0].length };
    const found = match(ATTRIBUTE, html, at);
    if (!found) return { attributes, end: html.length };
    const [whole, name = "", double, single, bare] = found;
    at += whole.length;
    const key = name.toLowerCase();
    // Of two with the same name, browsers read the first.
    if (!attributes.has(key)) attributes.set(key, decoded(double ?? single ?? bare ?? ""));
  }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** From U+00A0 on, in their order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para " +
  "middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute " +
  "Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute " +
  "THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde " +
  "ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const NAMED = new Map<string, string>([
  ...LATIN.split(" ").map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...(Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    bull: "•",
    euro: "€",
    zwnj: "",
  }) satisfies [string, string][]),
]);

/** The text that entities stand for. One that is not known stays as it is. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,7}));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED.get(name) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "";
  });
}
