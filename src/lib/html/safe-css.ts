import { wordSet } from "../words.ts";

/** Where a picture loads from; null if it may not load. */
export type PictureOf = (address: string) => string | null;

/** Functions that only compute. Every other one may load something, and is made unknown: browsers skip its declaration. */
const FUNCTIONS = wordSet(
  "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp minmax repeat fit-content var env " +
    "linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient " +
    "-webkit-linear-gradient -moz-linear-gradient -webkit-gradient from to color-stop cubic-bezier steps " +
    "rotate scale scalex scaley translate translatex translatey translate3d skew skewx skewy matrix perspective " +
    "blur brightness contrast grayscale invert opacity saturate sepia drop-shadow inset circle ellipse polygon rect " +
    "counter counters not is where has nth-child nth-of-type nth-last-child nth-last-of-type lang dir and or only screen supports",
);
const AT_RULES = wordSet("media supports keyframes -webkit-keyframes -moz-keyframes page layer container");
/** One without an end reaches to the end of the sheet. */
const COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|([:/.%@!,#&])|[\s\S]|$)/gi;
const AT_RULE = /@([-\w\u0080-\uffff]*)/g;
const FUNCTION =
  /(?<![-\w\u0080-\uffff])(?:url\(\s*(?:"([^"\n]*)"\s*|'([^'\n]*)'\s*|([^"'()\s]+)\s*)?\)|([-\w\u0080-\uffff]*)\()/gi;

/**
 * Somebody else's style sheet or declarations, which cannot load anything but pictures that `pictureOf` allows. No letter
 * in the result is escaped, so that browsers read the same names as we do.
 */
export function safeCss(css: string, pictureOf: PictureOf): string {
  return (
    css
      .replace(COMMENT, " ")
      .replace(ESCAPE, (whole, hex?: string, sign?: string) => (hex ? spelled(hex) : sign ? whole : ""))
      .replace(AT_RULE, (whole, name: string) => (AT_RULES.has(name.toLowerCase()) ? whole : "@not-allowed"))
      .replace(FUNCTION, (whole, double?: string, single?: string, bare?: string, name?: string) => {
        if (name === undefined) return pictureIn(pictureOf, double ?? single ?? bare ?? "");
        return name === "" || FUNCTIONS.has(name.toLowerCase()) ? whole : "not-allowed(";
      })
      // It could end the sheet.
      .replaceAll("<", " ")
  );
}

/** Characters with a meaning in a style sheet, in case the quotes around the address belong to another text. */
const UNSAFE = /[\p{Cc}\s"'()<>@\\{}]/gu;

function pictureIn(pictureOf: PictureOf, address: string): string {
  const allowed = pictureOf(address);
  return allowed === null ? "not-allowed()" : `url("${allowed.replace(UNSAFE, encoded)}")`;
}

/** `encodeURIComponent` leaves brackets and single quotes. */
function encoded(sign: string): string {
  return encodeURIComponent(sign).replace(/['()]/, (left) => `%${left.charCodeAt(0).toString(16)}`);
}

/** A letter beyond ASCII, such as a quotation mark. No name that we look for has one. */
function spelled(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code >= 0xa0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "";
}
