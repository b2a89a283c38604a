import { decodeHTML } from "entities/decode";
import { readHtml, type Tag } from "./html/tags.ts";
import { wordSet } from "./words.ts";

const BREAKS = wordSet(
  "address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul",
);
/** Newsletters fill the line that lists show with these. After a letter they belong to a word. */
const FILLERS = /\u00ad|(?<![\p{L}\p{M}])[\u034f\u200b\u200c]/gu;

/**
 * The text of an HTML email, as a browser would show it. One pass, so that the cost is linear however odd the markup.
 * `withLinks`: also the addresses that its links lead to, each after its words, and what its pictures are said to show.
 */
export function htmlToText(html: string, { withLinks = false } = {}): string {
  const out: string[] = [];
  let address = "";
  let templates = 0;
  for (const piece of readHtml(html)) {
    if (typeof piece !== "string" && piece.name === "template")
      templates = Math.max(0, templates + (piece.isEnd ? -1 : 1));
    else if (templates === 0) {
      out.push(typeof piece === "string" ? inLine(decodeHTML(piece)) : shownBy(piece));
      if (!withLinks || typeof piece === "string") continue;
      if (piece.name === "img") out.push(` ${inLine(piece.attributes.get("alt") ?? "")} `);
      if (piece.name !== "a") continue;
      if (address !== "") out.push(` ${address} `);
      address = piece.isEnd ? "" : inLine(piece.attributes.get("href") ?? "").trim();
    }
  }
  return out
    .join("")
    .replace(FILLERS, "")
    .split("\n")
    .map((line) => line.replace(/ +/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A line break in HTML source is a space; only elements break lines. */
function inLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function shownBy({ name, isEnd, content }: Tag): string {
  if (name === "textarea") return inLine(decodeHTML(content ?? ""));
  if (name === "xmp") return inLine(content ?? "");
  if (BREAKS.has(name)) return name === "li" && !isEnd ? "\n- " : "\n";
  return name === "td" || name === "th" ? " " : "";
}
